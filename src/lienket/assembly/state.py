"""Numeric evaluation of a statement at one state: active constraints, laws and drives."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ..foundation.frozen_dataclass import dataclass
from ..language.faults import Faults
from ..model.closed_inputs import closed
from ..model.contact import contacts
from ..model.contacts import has_contact_modes, with_contact_modes
from ..model.input.numbers import fraction, parameter_numbers, positions, time, velocities
from ..model.statement import Statement
from .contacts import active_constraints
from .inputs import with_sampled_numbers
from .models import MODELS_CACHED, evaluator
from .programs import with_hidden_programs

if TYPE_CHECKING:
    from ..compiled.state_numbers import Evaluator
    from ..elimination.verdict import Verdict
    from ..kernels.state import State


@dataclass(frozen=True, eq=False)
class _StateFacts:
    """Facts about a system that a state needs.

    `statement` has contact modes and hidden programs; `decided`: it was stated with contact modes, so the active
    constraints are known; `evaluator` is that of all constraints, None if contacts decide which of them act.
    """

    statement: Statement
    decided: bool
    evaluator: Evaluator | None


@lru_cache(maxsize=MODELS_CACHED)
def _state_facts(stated: Statement) -> _StateFacts:
    """Return the facts of a statement."""
    programs = any(c.kind == "program" for c in stated.constraints)
    statement = with_contact_modes(with_hidden_programs(stated) if programs else stated)
    switching = bool(contacts(statement.constraints))
    numbers = None if switching else evaluator(statement.free, statement.constraints, statement.parameters)
    return _StateFacts(statement, has_contact_modes(stated), numbers)


def state(statement: Statement, q: Any, v: Any, t: Any, values: Any, tolerance: float | None) -> State:
    """Return all quantities of the system at one state, in numbers."""
    statement = closed(with_sampled_numbers(statement, q, v, t))
    from ..kernels.elimination.chain import RANK_TOLERANCE
    from ..kernels.solve_state import solve

    facts = _state_facts(statement)
    statement, evaluate = facts.statement, facts.evaluator
    modes: tuple[tuple[str, str], ...] = ()
    faults = Faults()
    numbers = (
        time(t, faults),
        positions(q, statement.coordinates, faults),
        velocities(v, statement.coordinates, faults),
        parameter_numbers(statement, values, faults),
    )
    limit = RANK_TOLERANCE if tolerance is None else fraction(tolerance, "tolerance", faults)
    faults.raise_any("The state")
    if evaluate is None:
        active, parameters = tuple(range(len(statement.constraints))), numbers[3]
        if not facts.decided:
            active, parameters = active_constraints(statement, *numbers)
        now = _in_modes(statement, active)
        statement, evaluate, modes = now.statement, now.evaluator, now.modes
        numbers = (*numbers[:3], parameters[now.parameters])

    def without(name: str) -> State:
        """Return the state without one constraint."""
        others = tuple(c for c in statement.constraints if name not in (c.name, c.holds))
        return state(
            replace(statement, constraints=others),
            q,
            v,
            t,
            dict(zip(statement.parameters, numbers[3], strict=True)),
            limit,
        )

    judge = partial(_verdict_everywhere, statement, *numbers)
    return solve(evaluate, *numbers, statement.names, judge, without if evaluate.nonlinear else None, limit, modes)


@dataclass(frozen=True, eq=False)
class _InModes:
    """System in some modes of its contacts: the statement with the active constraints, its evaluator, the modes.

    `parameters` are the indices of its parameters among those of the statement with all constraints: those of open
    contacts are dropped.
    """

    statement: Statement
    evaluator: Evaluator
    modes: tuple[tuple[str, str], ...]
    parameters: Any


@lru_cache(maxsize=MODELS_CACHED)
def _in_modes(statement: Statement, active: tuple[int, ...]) -> _InModes:
    """Return the system under its active constraints, which are those of some contact modes."""
    chosen = tuple(statement.constraints[k] for k in active)
    names = {c.name for c in chosen}
    modes = tuple(
        (c.name, "open" if c.name not in names else "sticks" if c.sticking in names else "slides")
        for c in contacts(statement.constraints)
    )
    reduced, symbols = replace(statement, constraints=chosen), list(statement.parameters)
    indices = np.array([symbols.index(p) for p in reduced.parameters], dtype=int)
    return _InModes(reduced, evaluator(reduced.free, chosen, reduced.parameters), modes, indices)


def _verdict_everywhere(*arguments: Any) -> Verdict:
    """Return the verdict at a state, completed by formulas; derived on demand, since most runs do not need it."""
    from ..derivation import verdict_everywhere

    return verdict_everywhere(*arguments)
