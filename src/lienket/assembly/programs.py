"""Statement prepared for machine code: with contact modes and hidden programs."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from ..errors import LienketError
from ..model.closed_inputs import closed
from ..model.constraint import Constraint
from ..model.contacts import with_contact_modes
from ..model.statement import Statement

if TYPE_CHECKING:
    from ..reactions.hidden_programs.result import HiddenPrograms

STATEMENTS_CACHED = 128  # [statements] cached with their contact modes and hidden programs
HIDDEN_PROGRAMS_CACHED = 64  # [systems] with programs whose hidden programs are cached


@lru_cache(maxsize=STATEMENTS_CACHED)
def with_hidden_programs(statement: Statement) -> Statement:
    """Return the statement without inputs, with the modes of its contacts and its hidden programs.

    An exact program whose drives do not act on its acceleration implies hidden programs, which must hold as well
    (theory 10).
    """
    statement = closed(statement)
    prepared, hidden = with_contact_modes(statement), _hidden(statement)
    if hidden is None or not hidden.realisable or not hidden.rows:
        return prepared
    return replace(prepared, constraints=(*prepared.constraints, *hidden.rows_as_programs()))


def unrealisable(statement: Statement) -> str:
    """Return why the drives cannot keep the programs of a system; empty if they can or formulas do not decide it."""
    hidden = _hidden(closed(statement))
    return "" if hidden is None else hidden.reason


@lru_cache(maxsize=STATEMENTS_CACHED)
def _hidden(statement: Statement) -> HiddenPrograms | None:
    """Return the hidden programs of the exact programs; None if there are none or they have no formulas."""
    exact = [c for c in statement.constraints if c.kind == "program" and not c.following.may_deviate]
    if not exact or any(not c.drives for c in exact):  # no programs, or hidden programs are included already
        return None
    try:
        return hidden_of(replace(statement, constraints=(*passive(statement), *exact), events=()))
    except LienketError:  # there are formulas only for constraints linear in q''; the numbers decide
        return None


@lru_cache(maxsize=HIDDEN_PROGRAMS_CACHED)
def hidden_of(statement: Statement) -> HiddenPrograms:
    """Return the hidden programs of a system."""
    from ..derivation import rows, stages
    from ..reactions.hidden_programs.search import hidden_programs
    from ..reactions.reaction_problem import with_law_forces

    programs = [rows(statement, c) for c in statement.constraints if c.kind == "program"]
    return hidden_programs(with_law_forces(stages(statement.with_constraints(passive(statement)))).chain, programs)


def passive(statement: Statement) -> tuple[Constraint, ...]:
    """Return the constraints except programs."""
    return tuple(c for c in statement.constraints if c.kind != "program")
