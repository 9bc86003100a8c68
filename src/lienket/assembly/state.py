"""Everything at one state, in numbers: under the constraints that act there, with their laws and drives."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ..language.faults import Faults
from ..model.contacts import contacts, has_contact_modes, with_contact_modes
from ..model.input.numbers import fraction, parameter_numbers, positions, time, velocities
from ..model.statement import Statement
from .contacts import active_constraints
from .models import evaluator
from .programs import with_hidden_programs

if TYPE_CHECKING:
    from ..elimination.verdict import Verdict
    from ..kernels.state import State


def state(statement: Statement, q: Any, v: Any, t: Any, values: Any, tolerance: float | None) -> State:
    """Everything in numbers at one state."""
    decided = has_contact_modes(statement)
    if any(c.kind == "program" for c in statement.constraints):
        statement = with_hidden_programs(statement)
    from ..kernels.elimination.chain import RANK_TOLERANCE
    from ..kernels.solve_state import solve

    statement = with_contact_modes(statement)
    faults = Faults()
    numbers = (
        time(t, faults),
        positions(q, statement.coordinates, faults),
        velocities(v, statement.coordinates, faults),
        parameter_numbers(statement, values, faults),
    )
    limit = RANK_TOLERANCE if tolerance is None else fraction(tolerance, "tolerance", faults)
    faults.raise_any("The state")
    statement, modes, numbers = _in_modes(decided, statement, numbers)
    evaluate = evaluator(statement.free, statement.constraints, statement.parameters)

    def without(name: str) -> State:
        kept = tuple(c for c in statement.constraints if c.name != name)
        return state(
            replace(statement, constraints=kept),
            q,
            v,
            t,
            dict(zip(statement.parameters, numbers[3], strict=True)),
            limit,
        )

    judge = partial(_everywhere, statement, *numbers)
    return solve(evaluate, *numbers, statement.names, judge, without if evaluate.nonlinear else None, limit, modes)


def _in_modes(
    decided: bool, statement: Statement, numbers: tuple[Any, ...]
) -> tuple[Statement, tuple[tuple[str, str], ...], tuple[Any, ...]]:
    """The statement under the constraints that act, the modes of its contacts, and the numbers with their signs.

    A statement that came spelled out has its modes already; they are `decided`.
    """
    found = contacts(statement.constraints)
    if not found:
        return statement, (), numbers
    acting_now = tuple(range(len(statement.constraints)))
    if not decided:
        active, parameters = active_constraints(statement, *numbers)
        acting_now, numbers = active, (*numbers[:3], parameters)
    chosen = tuple(statement.constraints[k] for k in acting_now)
    names = {c.name for c in chosen}
    words = [(c.name, "open" if c.name not in names else "sticks" if c.sticking in names else "slides") for c in found]
    under = replace(statement, constraints=chosen)
    known = dict(zip(statement.parameters, numbers[3], strict=True))  # what only an open contact needs is left out
    signed = np.array([known[p] for p in under.parameters], dtype=float)
    return under, tuple(words), (*numbers[:3], signed)


def _everywhere(*given: Any) -> Verdict:
    """The verdict at a state with what algebra says of it; most runs never ask."""
    from ..derivation import verdict_everywhere

    return verdict_everywhere(*given)
