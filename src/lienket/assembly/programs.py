"""The statement as machines see it: contacts spelled out, and what programs ask for beside themselves."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from ..errors import LienketError
from ..model.constraint import Constraint
from ..model.contacts import with_contact_modes
from ..model.statement import Statement

if TYPE_CHECKING:
    from ..reactions.hidden_programs.result import HiddenPrograms

KEPT = 64  # different systems with programs kept at a time


@lru_cache(maxsize=128)
def with_hidden_programs(statement: Statement) -> Statement:
    """The statement with everything that its contacts and its programs need; itself if that is nothing.

    Programs that are kept exactly and whose drives do not reach the accelerations asked for bring in hidden ones,
    which must hold as well (theory 10).
    """
    found, hidden = with_contact_modes(statement), _hidden(statement)
    if hidden is None or not hidden.realisable or not hidden.rows:
        return found
    return replace(found, constraints=(*found.constraints, *hidden.rows_as_programs()))


def unrealisable(statement: Statement) -> str:
    """Why drives cannot keep the programs of a system, as far as formulas tell; empty if they can."""
    hidden = _hidden(statement)
    return "" if hidden is None else hidden.reason


@lru_cache(maxsize=128)
def _hidden(statement: Statement) -> HiddenPrograms | None:
    """What the programs that are kept ask for beside themselves; None where that cannot be said."""
    kept = [c for c in statement.constraints if c.kind == "program" and not c.following.may_deviate]
    if not kept or any(not c.drives for c in kept):  # none, or hidden ones are there already
        return None

    passive = tuple(c for c in statement.constraints if c.kind != "program")
    try:
        return hidden_of(replace(statement, constraints=(*passive, *kept), events=()))
    except LienketError:  # formulas are for constraints that are linear in q''; numbers will tell
        return None


@lru_cache(maxsize=KEPT)
def hidden_of(statement: Statement) -> HiddenPrograms:
    """What the programs of a system ask for beside themselves."""
    from ..derivation import chain, rows
    from ..reactions.hidden_programs.search import hidden_programs
    from ..reactions.reaction_problem import with_law_forces

    programs = [rows(statement.free, c) for c in statement.constraints if c.kind == "program"]
    return hidden_programs(with_law_forces(chain(statement.free, passive(statement))).chain, programs)


def passive(statement: Statement) -> tuple[Constraint, ...]:
    """The constraints that are no programs."""
    return tuple(c for c in statement.constraints if c.kind != "program")
