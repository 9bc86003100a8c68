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
        statement, modes, numbers = _in_modes(facts.decided, statement, numbers)
        evaluate = evaluator(statement.free, statement.constraints, statement.parameters)

    def without(name: str) -> State:
        """Return the state without one constraint."""
        others = tuple(c for c in statement.constraints if c.name != name)
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


def _in_modes(
    decided: bool, statement: Statement, numbers: tuple[Any, ...]
) -> tuple[Statement, tuple[tuple[str, str], ...], tuple[Any, ...]]:
    """Return the statement with the active constraints, the modes of its contacts, and the numbers with their signs.

    `decided`: the statement was stated with contact modes, so the active constraints are known.
    """
    stated = contacts(statement.constraints)
    active = tuple(range(len(statement.constraints)))
    if not decided:
        active, parameters = active_constraints(statement, *numbers)
        numbers = (*numbers[:3], parameters)
    chosen = tuple(statement.constraints[k] for k in active)
    names = {c.name for c in chosen}
    modes = [(c.name, "open" if c.name not in names else "sticks" if c.sticking in names else "slides") for c in stated]
    reduced = replace(statement, constraints=chosen)
    values = dict(zip(statement.parameters, numbers[3], strict=True))  # parameters of open contacts are dropped
    signed = np.array([values[p] for p in reduced.parameters], dtype=float)
    return reduced, tuple(modes), (*numbers[:3], signed)


def _verdict_everywhere(*arguments: Any) -> Verdict:
    """Return the verdict at a state, completed by formulas; derived on demand, since most runs do not need it."""
    from ..derivation import verdict_everywhere

    return verdict_everywhere(*arguments)
