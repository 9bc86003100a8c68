"""What the programs of a system ask for beside themselves, as formulas."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from ..model.constraint import Constraint
from ..model.statement import Statement

if TYPE_CHECKING:
    from ..reactions.hidden_rows import HiddenPrograms

KEPT = 64  # different systems with programs kept at a time


@lru_cache(maxsize=KEPT)
def hidden_of(statement: Statement) -> HiddenPrograms:
    """What the programs of a system ask for beside themselves."""
    from ..reactions.hidden_programs import hidden_programs
    from ..reactions.setting import under_laws
    from .algebra import chain, rows

    programs = [rows(statement.free, c) for c in statement.constraints if c.kind == "program"]
    return hidden_programs(under_laws(chain(statement.free, passive(statement))).chain, programs)


def passive(statement: Statement) -> tuple[Constraint, ...]:
    """The constraints that are no programs."""
    return tuple(c for c in statement.constraints if c.kind != "program")
