"""Questions about what is linear beside a state: x' = A x + B u, y = C x + D u."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...assembly import models
from ...assembly import state as states
from ...errors import LienketError
from ...foundation.frozen_dataclass import dataclass
from ...language.faults import Faults
from ...model.contacts import contacts
from ...model.input.numbers import parameter_numbers
from ...model.input.outputs import multiplier_symbols, read_output_expressions
from ...model.statement import Statement
from .request import read_inputs, read_states

if TYPE_CHECKING:
    from ...kernels.state import State
    from .independent_states import Tangent
    from .numeric_system import LinearizedEquations
    from .result import Linearization

Array = Any
Changes = tuple[Array, Array]  # of accelerations (n x m) and multipliers (s x m)


@dataclass(frozen=True)
class LinearizationRequest:
    """What a linear system is to have: places of inputs among the parameters, outputs, places of states."""

    inputs: tuple[int, ...]
    outputs: tuple[tuple[str, Any], ...]
    states: tuple[int, ...] | None


def linearize(
    statement: Statement, q: Any, v: Any, t: Any, values: Any, inputs: Any, outputs: Any, independent: Any
) -> Linearization:
    """The linear system beside a state."""
    from .independent_states import tangent
    from .result import Linearization

    asked = _asked(statement, inputs, outputs, independent)
    q, v, t = whole_state(statement, q, v, t)
    beside = linearized_equations(statement, q, v, t, values)
    names = statement.names
    kept = tangent(beside, asked.states, names)
    beside.check_rank(kept.T)
    x, u = beside.changes(beside.by_state @ kept.T), beside.changes(_by_inputs(beside, asked.inputs, statement))
    A = beside.rates(kept.T, x[0])[kept.places]
    B = beside.rates(np.zeros((2 * len(names), len(asked.inputs))), u[0])[kept.places]
    C, D = _outputs(beside, kept, asked, statement, x, u)
    states = tuple(names[place % len(names)] + "'" * (place // len(names)) for place in kept.places)
    listed = (states, tuple(statement.parameters[k].name for k in asked.inputs))
    shown = tuple(name for name, _ in asked.outputs) or states
    rates, drift = np.concatenate([beside.v, beside.a]), np.concatenate([beside.a, beside.jerk])
    state = (beside.t, beside.q, beside.v, names)
    usual = beside.pace * np.tile(beside.scale, 2)
    matrices = map(_frozen, (A, B, C, D, kept.T, rates[kept.places], drift[kept.places], usual[kept.places]))
    return Linearization(*state, *listed, shown, *matrices)


def _frozen(x: Array) -> Array:
    found = x + 0.0  # no -0.
    found.setflags(write=False)
    return found


def whole_state(statement: Statement, q: Any, v: Any, t: Any) -> tuple[Any, Any, Any]:
    """q, v and t, where `q` may be a whole state (`.q` and `.v`) and velocities left out are 0."""
    if v is None and hasattr(q, "q") and hasattr(q, "v"):
        q, v, t = q.q, q.v, (getattr(q, "t", t) if t in (0, None) else t)
    return q, np.zeros(len(statement.names)) if v is None else v, t


def linearized_equations(statement: Statement, q: Any, v: Any, t: Any, values: Any) -> LinearizedEquations:
    """What the equations are next to a state; LienketError if it is off its constraints, or they contradict."""
    from .numeric_system import LinearizedEquations

    refuse_programs(statement, "linearized")
    faults = Faults()
    parameters = parameter_numbers(statement, values, faults)
    faults.raise_any("The linearization")
    state = states.state(statement, q, v, t, parameters, None)
    check_on_constraints(state)
    a, multipliers = np.array(state.accelerations), np.array(state.multipliers)
    model = models.compiled_model(statement.free, statement.constraints, statement.parameters)
    bent = _push_derivative(statement, model.nonlinear, (state.t, state.q, state.v), parameters, a, multipliers)
    return LinearizedEquations(
        model, state.t, state.q, state.v, parameters, a, multipliers, state.chain.metric.scale, bent
    )


def refuse_programs(statement: Statement, word: str) -> None:
    """Raise an error if a program or a contact is among the constraints."""
    touching = contacts(statement.constraints)
    if touching:
        raise LienketError(
            f"{touching[0].name!r} is a contact, which sticks, slides or opens by turns; such a system is not {word}. "
            "State it in one of these ways: as a constraint where it holds, or without it."
        )
    programs = [c.name for c in statement.constraints if c.drives]
    if programs:
        raise LienketError(
            f"{programs[0]!r} is a program, kept by drives and not by a reaction; such a system is not {word}. "
            "State it as a constraint, or release it and give the drives as forces."
        )


def check_on_constraints(state: State) -> None:
    """Raise an error that names the constraints on which a state does not lie."""
    from ...kernels.audit import POSITION_LIMIT
    from ...kernels.elimination.residual_scales import residual_scales

    off = []
    for row in state.numbers.rows:
        scales = residual_scales(state.chain, state.numbers, row)
        for level, name in enumerate(("position", "velocity")):
            values = getattr(row, name)
            if len(values) and np.any(np.abs(values) > POSITION_LIMIT * scales[level]):
                off.append(f"the {name} residual of {row.name!r} is {np.max(np.abs(values)):.3g}")
                break
    if off:
        raise LienketError(
            f"The state is not on its constraints: {', '.join(off)}. "
            "system.consistent(start) gives positions and velocities that are."
        )


def _asked(statement: Statement, inputs: Any, outputs: Any, independent: Any) -> LinearizationRequest:
    faults = Faults()
    places = read_inputs(inputs, statement, faults)
    wanted = read_output_expressions(outputs, statement, faults, multiplier_symbols(statement))
    states = read_states(independent, statement, faults)
    faults.raise_any("The linearization")
    return LinearizationRequest(places, wanted, states)


def _by_inputs(beside: LinearizedEquations, places: Sequence[int], statement: Statement) -> Array:
    """The derivatives of the equations by the inputs, (n + s) x m; refused where rates of an input would enter."""
    chosen = list(places)
    if not chosen:
        return np.zeros((beside.model.n + beside.model.s, 0))
    surface = beside.numbers("surface_derivatives")
    for k in chosen:
        for block, order in (("position_by_parameters", "second"), ("velocity_by_parameters", "first")):
            rows = np.flatnonzero(surface[block][:, k])
            if len(rows):
                name, owner = statement.parameters[k].name, beside.owners[rows[0]]
                raise LienketError(
                    f"{name} cannot be an input: it stands in the constraint {owner!r}, and if it changes in time its "
                    f"{order} derivative enters the accelerations, which x' = A x + B u has no place for. "
                    f"Make {name} a coordinate whose acceleration is prescribed by an input."
                )
    return beside.numbers("parameter_derivatives")["by_parameters"][:, chosen]


def _outputs(
    beside: LinearizedEquations,
    kept: Tangent,
    asked: LinearizationRequest,
    statement: Statement,
    x: Changes,
    u: Changes,
) -> tuple[Array, Array]:
    """C and D: an output changes with q, v and the parameters, and with the accelerations and multipliers they make."""
    if not asked.outputs:
        return np.eye(len(kept.places)), np.zeros((len(kept.places), len(asked.inputs)))
    model = models.compiled_model(statement.free, statement.constraints, statement.parameters, asked.outputs)
    by = beside.of(model).numbers("output_derivatives")
    by_multipliers = by["by_multipliers"]
    beside.check_unique(by_multipliers, [name for name, _ in asked.outputs])
    C = np.hstack([by["by_q"], by["by_v"]]) @ kept.T + by["by_a"] @ x[0] + by_multipliers @ x[1]
    D = by["by_parameters"][:, list(asked.inputs)] + by["by_a"] @ u[0] + by_multipliers @ u[1]
    return C, D


def _push_derivative(
    statement: Statement, nonlinear: Iterable[str], state: tuple[float, Array, Array], parameters: Array, a: Array,
    multipliers: Array,
) -> Array:  # fmt: skip
    """d(G^T lambda)/da, n x n: where accelerations enter a constraint nonlinearly, its rows G change with them."""
    from .nonlinear_accelerations import pushes

    bent, n = set(nonlinear), len(statement.names)
    if not bent:
        return np.zeros((n, n))
    wanted = pushes(statement, bent)
    model = models.compiled_model(statement.free, statement.constraints, statement.parameters, wanted)
    function = model.function("output_derivatives")
    return function.named(function(*state, parameters, np.concatenate([a, multipliers]))[1])["by_a"]
