"""Inputs in numbers: sampled functions of a run, their numbers at one state, and the columns of inputs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import sympy as sp

from ..errors import Faults
from ..language.input_functions import Sampled
from ..language.names import POWER_OF, by_name
from ..language.symbols import name_of, t, velocity
from ..language.traversal import find_cached
from ..model.closed_inputs import closing, replacements
from ..model.input.numbers import positions, time, velocities
from ..model.input.outputs import read_output_expressions
from ..model.statement import Statement
from .numeric_system import NumericSystem, Outputs

if TYPE_CHECKING:
    from ..language.expression import Expression
    from ..simulation.run.sampling import SampledCall


def sampled_calls(stated: Statement, parameters: Iterable[str]) -> tuple[SampledCall, ...]:
    """Return the sampled functions of a system, which set some of the parameters of these names.

    A Sampled that serves several inputs is called once for all of them.
    """
    served: dict[Sampled, list[Any]] = {}
    for F, entry in stated.inputs:
        if isinstance(entry, Sampled):
            served.setdefault(entry, []).append(F)
    if not served:
        return ()
    from ..simulation.run.sampling import SampledCall

    indices = {name: k for k, name in enumerate(parameters)}
    free = stated.free
    energies = [e for e in (free.kinetic, free.potential, *(free.inertia or ())) if e is not None]
    return tuple(
        SampledCall(
            _by_name(entry.function, [name_of(F) for F in inputs]),
            entry.every,
            tuple((name_of(F), indices[name_of(F)]) for F in inputs),
            any(e.has(*inputs) for e in energies),
        )
        for entry, inputs in served.items()
    )


def _by_name(function: Callable[..., Any], names: list[str]) -> Callable[..., Any]:
    """Return a sampled function whose mappings, by name, alias or symbol, are by name."""

    def call(*state: Any) -> Any:
        result = function(*state)
        return by_name(result, names) if isinstance(result, Mapping) else result

    return call


def with_sampled_numbers(statement: Statement, q: object, v: object, at_time: object) -> Statement:
    """Return the statement in which sampled functions are replaced by their numbers at one state."""
    if not any(isinstance(entry, Sampled) for _, entry in statement.inputs):
        return statement
    faults = Faults()
    state = (
        time(at_time, faults),
        positions(q, statement.names, faults),
        velocities(v, statement.names, faults),
    )
    faults.raise_any("The state")
    names = [name_of(F) for F, _ in statement.inputs]
    numbers = {names[k]: x for call in sampled_calls(statement, names) for k, x in call.numbers(*state)}
    stated = tuple((F, numbers.get(name_of(F), entry)) for F, entry in statement.inputs)
    return replace(statement, inputs=stated)


def run_outputs(outputs: object, stated: Statement, machine: Statement, faults: Faults) -> Outputs:
    """Return the outputs of a run, in which inputs may appear, followed by the inputs themselves."""
    if not stated.inputs:
        return read_output_expressions(outputs, machine, faults)
    expressions = read_output_expressions(outputs, replace(machine, inputs=stated.inputs), faults)
    inputs = {name_of(F): F for F, _ in stated.inputs}
    for name, e in expressions:
        if name in inputs and e != inputs[name]:
            faults.add(f"output {name!r}", "an input has this name, and its column too", "Rename the output.")
    return with_input_columns(closed_outputs(expressions, stated), stated)


def closed_outputs(outputs: Outputs, stated: Statement) -> Outputs:
    """Return the outputs with the inputs of a statement replaced."""
    close = closing(stated, [e for _, e in outputs])
    return tuple((name, close(e)) for name, e in outputs)


def outputs_without_inputs(outputs: object, stated: Statement) -> Any:
    """Return a user's mapping of outputs with the inputs replaced; anything else is left to be reported."""
    if not stated.inputs or not isinstance(outputs, Mapping):
        return outputs
    close = closing(stated, [e for e in outputs.values() if isinstance(e, sp.Basic)])
    return {name: close(e) if isinstance(e, sp.Basic) else e for name, e in outputs.items()}


def with_input_columns(outputs: Outputs, stated: Statement) -> Outputs:
    """Return the outputs followed by the inputs and their power, unless the user has outputs of these names."""
    names = {name for name, _ in outputs}
    columns = [(name_of(F), e) for F, e in replacements(stated)]
    columns += closed_outputs(tuple((POWER_OF + name_of(F), _power(F, stated)) for F, _ in stated.inputs), stated)
    return (*outputs, *((name, e) for name, e in columns if name not in names and not (POWER_OF in name and e == 0)))


def columns(system: NumericSystem) -> Outputs:
    """Return the outputs that every run of a system has, as expressions."""
    return with_input_columns((), system.code.stated())


def _power(F: Expression, stated: Statement) -> Expression:
    """Return the power of the part of the forces that vanishes with an input: (Q - Q at F = 0) q'."""
    free = stated.free
    pairs = [(Q, velocity(x)) for x, Q in zip(free.coordinates, free.forces, strict=True)]
    pairs += [(c, sp.diff(r, t)) for load in free.loads for r, c in zip(load.at, load.components, strict=True)]
    derivatives = {d for e, _ in pairs for d in find_cached(e, sp.Derivative) if d.expr == F}
    zero = dict.fromkeys((F, *derivatives), sp.S.Zero)
    return sp.Add(*[(e - e.xreplace(zero)) * rate for e, rate in pairs if e.has(F)])


def inputs_left_open(stated: Statement) -> str:
    """Return a sentence on inputs for which nothing was stated, or an empty text."""
    names = [name_of(F) for F, entry in stated.inputs if entry is None]
    if not names:
        return ""
    if len(names) == 1:
        return f"The input {names[0]} was not given and is 0."
    return f"The inputs {', '.join(names)} were not given and are 0."
