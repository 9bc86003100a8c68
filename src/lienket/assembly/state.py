"""Numeric evaluation of a system at one state: active constraints, laws and drives."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from ..compiled.state_numbers import evaluator
from ..errors import LienketError
from ..foundation.arrays import Array
from ..foundation.frozen_dataclass import replace
from ..kernels.elimination.chain import RANK_TOLERANCE as RANK_TOLERANCE
from ..kernels.solve_state import solve
from .numeric_system import NumericSystem
from .verdict_elsewhere import Surroundings

if TYPE_CHECKING:
    from ..kernels.state import State


def state_under(
    system: NumericSystem, active: tuple[int, ...], t: float, q: Array, v: Array, parameters: Array,
    tolerance: float = RANK_TOLERANCE,
) -> State:  # fmt: skip
    """Return all quantities of a system at a state under active constraints, by their indices."""
    evaluate = evaluator(system.model(active))
    where = (system, active, t, q, v, parameters)
    without = partial(_without, *where, tolerance) if evaluate.nonlinear else None
    state_at = partial(state_under, system, tolerance=tolerance)
    judge = Surroundings(system, active, (t, q, v), parameters, state_at)
    state = solve(evaluate, t, q, v, parameters, system.names, judge, without, tolerance, system.modes(active))
    if system.mechanism is None:
        return state
    from .bodies.parts import parts_at

    return replace(state, _parts=partial(parts_at, system, active, parameters))


def _without(
    system: NumericSystem, active: tuple[int, ...], t: float, q: Array, v: Array, parameters: Array, tolerance: float,
    name: str,
) -> State:  # fmt: skip
    """Return the state without one constraint."""
    facts = system.constraints
    others = tuple(k for k in active if name not in (facts[k].name, facts[k].holds))
    return state_under(system, others, t, q, v, parameters, tolerance)


def explain_stop(system: NumericSystem, parameters: Array, t: float, q: Array, v: Array) -> str:
    """Return why a run stopped at a state."""
    from ..results.stop_diagnosis import diagnosis

    try:
        active = system.all_stated
        if system.contacts:
            from .contacts.modes import active_constraints

            active, parameters = active_constraints(system, t, q, v, parameters)
        return diagnosis(state_under(system, active, t, q, v, parameters))
    except LienketError as error:
        return str(error)
