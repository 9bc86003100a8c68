"""Linearization at a state, in numbers: x' = A x + B u, y = C x + D u.

request  ->  numeric_system (accelerations)  ->  independent_states (x)  ->  result
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...assembly import models
from ...assembly.description import numeric_system
from ...errors import Faults, LienketError
from ...foundation.arrays import Array
from ...foundation.frozen_dataclass import dataclass
from ...model.contact import contacts
from ...model.input.numbers import whole_state
from ...model.input.outputs import multiplier_symbols, read_output_expressions
from ...model.input.parameters import parameter_numbers
from ...model.statement import Statement
from ...pipeline import state as state_at
from .request import read_inputs, read_states

if TYPE_CHECKING:
    from ...kernels.state import State
    from .independent_states import Tangent
    from .numeric_system import LinearizedEquations
    from .result import Linearization

Changes = tuple[Array, Array]  # of accelerations (n x m) and multipliers (s x m)


@dataclass(frozen=True)
class LinearizationRequest:
    """Indices of the inputs among the parameters, outputs (name, expression), indices of the states or None."""

    inputs: tuple[int, ...]
    outputs: tuple[tuple[str, Any], ...]
    states: tuple[int, ...] | None


def linearize(
    statement: Statement,
    q: object,
    v: object,
    t: object,
    values: object,
    inputs: object,
    outputs: object,
    independent: object,
) -> Linearization:
    """Return the linear system at a state."""
    from .independent_states import tangent
    from .result import Linearization

    request = _read_request(statement, inputs, outputs, independent)
    q, v, t = whole_state(q, v, t, len(statement.names))
    equations = linearized_equations(statement, q, v, t, values)
    names = statement.names
    deviations = tangent(equations, request.states, names)
    T, chosen = deviations.T, deviations.indices
    equations.check_rank(T)
    x = equations.changes(equations.by_state @ T)
    u = equations.changes(_by_inputs(equations, request.inputs, statement))
    A = equations.rates(T, x[0])[chosen]
    B = equations.rates(np.zeros((2 * len(names), len(request.inputs))), u[0])[chosen]
    C, D = _outputs(equations, deviations, request, statement, x, u)
    states = tuple(names[k % len(names)] + "'" * (k // len(names)) for k in chosen)
    input_names = tuple(statement.parameters[k].name for k in request.inputs)
    output_names = tuple(name for name, _ in request.outputs) or states
    rates = np.concatenate([equations.v, equations.a])
    drift = np.concatenate([equations.a, equations.jerk])
    state = (equations.t, equations.q, equations.v, names)
    usual = equations.pace * np.tile(equations.scale, 2)
    matrices = map(_frozen, (A, B, C, D, T, rates[chosen], drift[chosen], usual[chosen]))
    return Linearization(*state, states, input_names, output_names, *matrices)


def _frozen(x: Array) -> Array:
    """Return a read-only copy without negative zeros."""
    copy = x + 0.0
    copy.setflags(write=False)
    return copy


def linearized_equations(statement: Statement, q: object, v: object, t: object, values: object) -> LinearizedEquations:
    """Return the equations linearized at a state; LienketError if it violates constraints, or they contradict."""
    from .numeric_system import LinearizedEquations

    refuse_programs(statement, "a linearization")
    faults = Faults()
    parameters = parameter_numbers(statement, values, faults)
    faults.raise_any("The linearization")
    state = state_at(numeric_system(statement), q, v, t, parameters, None)
    check_on_constraints(state)
    a, multipliers = np.array(state.accelerations), np.array(state.multipliers)
    model = models.compiled_model(statement.free, statement.constraints, statement.parameters)
    push_by_a = _push_derivative(statement, model.nonlinear, (state.t, state.q, state.v), parameters, a, multipliers)
    return LinearizedEquations(
        model, state.t, state.q, state.v, parameters, a, multipliers, state._chain.metric.scale, push_by_a
    )


def refuse_programs(statement: Statement, analysis: str) -> None:
    """Raise an error if a program or a contact is among the constraints."""
    listed = contacts(statement.constraints)
    if listed:
        raise LienketError(
            f"{listed[0].name!r} is a contact, whose mode (sticking, sliding, open) may change; {analysis} is not "
            "computed with it. State it as a constraint if it holds, or leave it out if it is open."
        )
    programs = [c.name for c in statement.constraints if c.drives]
    if programs:
        raise LienketError(
            f"{programs[0]!r} is a program, kept by drives and not by a reaction; {analysis} is not computed with it. "
            "State it as a constraint, or release it and give the drives as forces."
        )


def check_on_constraints(state: State) -> None:
    """Raise an error that names the constraints that a state violates."""
    from ...kernels.audit import needed_changes
    from ...kernels.audit_limits import STATE_RESIDUAL_LIMIT
    from ...kernels.rounding_residuals import LEVELS

    needed, residuals = needed_changes(state, LEVELS[:2])
    off: dict[str, str] = {}
    for level in LEVELS[:2]:
        for name, share in needed[level].items():
            if not share <= STATE_RESIDUAL_LIMIT:
                off.setdefault(name, f"the {level} residual of {name!r} is {residuals[level][name]:.3g}")
    if off:
        raise LienketError(
            f"The state is not on its constraints: {', '.join(off.values())}. "
            "system.consistent(start) gives positions and velocities that satisfy them."
        )


def _read_request(statement: Statement, inputs: object, outputs: object, independent: object) -> LinearizationRequest:
    """Return the inputs, outputs and states of the linear system."""
    faults = Faults()
    indices = read_inputs(inputs, statement, faults)
    expressions = read_output_expressions(outputs, statement, faults, multiplier_symbols(statement))
    states = read_states(independent, statement, faults)
    faults.raise_any("The linearization")
    return LinearizationRequest(indices, expressions, states)


def _by_inputs(equations: LinearizedEquations, inputs: Sequence[int], statement: Statement) -> Array:
    """Return the derivatives of the equations by the inputs, (n + s) x m; error where rates of an input would enter."""
    chosen = list(inputs)
    if not chosen:
        return np.zeros((equations.model.n + equations.model.s, 0))
    surface = equations.numbers("surface_derivatives")
    for k in chosen:
        for block, order in (("position_by_parameters", "second"), ("velocity_by_parameters", "first")):
            rows = np.flatnonzero(surface[block][:, k])
            if len(rows):
                name, owner = statement.parameters[k].name, equations.model.owners[rows[0]]
                raise LienketError(
                    f"{name} cannot be an input: it occurs in the constraint {owner!r}, and if it changes in time its "
                    f"{order} derivative enters the accelerations, which x' = A x + B u does not contain. "
                    f"Make {name} a coordinate whose acceleration is prescribed by an input."
                )
    return equations.numbers("parameter_derivatives")["by_parameters"][:, chosen]


def _outputs(
    equations: LinearizedEquations,
    deviations: Tangent,
    request: LinearizationRequest,
    statement: Statement,
    x: Changes,
    u: Changes,
) -> tuple[Array, Array]:
    """Return C and D: outputs depend on q, v and parameters, directly and through accelerations and multipliers."""
    if not request.outputs:
        return np.eye(len(deviations.indices)), np.zeros((len(deviations.indices), len(request.inputs)))
    model = models.compiled_model(statement.free, statement.constraints, statement.parameters, request.outputs)
    by = equations.of(model).numbers("output_derivatives")
    by_multipliers = by["by_multipliers"]
    equations.check_unique(by_multipliers, [name for name, _ in request.outputs])
    C = np.hstack([by["by_q"], by["by_v"]]) @ deviations.T + by["by_a"] @ x[0] + by_multipliers @ x[1]
    D = by["by_parameters"][:, list(request.inputs)] + by["by_a"] @ u[0] + by_multipliers @ u[1]
    return C, D


def _push_derivative(
    statement: Statement, nonlinear: Iterable[str], state: tuple[float, Array, Array], parameters: Array, a: Array,
    multipliers: Array,
) -> Array:  # fmt: skip
    """Return d(G^T lambda)/da (n x n): where a constraint is nonlinear in the accelerations, G depends on them."""
    from .nonlinear_accelerations import pushes

    names, n = set(nonlinear), len(statement.names)
    if not names:
        return np.zeros((n, n))
    outputs = pushes(statement, names)
    model = models.compiled_model(statement.free, statement.constraints, statement.parameters, outputs)
    function = model.function("output_derivatives")
    return function.named(function(*state, parameters, np.concatenate([a, multipliers]))[1])["by_a"]
