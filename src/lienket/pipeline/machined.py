"""The statement as machines see it: contacts spelled out, and what programs ask for beside themselves."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from ..errors import LienketError
from ..model.contacts import spelled
from ..model.statement import Statement


@lru_cache(maxsize=128)
def machined(statement: Statement) -> Statement:
    """The statement with everything that its contacts and its programs need; itself if that is nothing.

    Programs that are kept exactly and whose drives do not reach the accelerations asked for bring in hidden ones,
    which must hold as well (theory 10). Raises LienketError where drives cannot keep them.
    """
    found = spelled(statement)
    kept = [c for c in statement.constraints if c.kind == "program" and not c.following.loosely]
    if not kept or any(not c.drives for c in kept):  # none, or hidden ones are there already
        return found
    from .drive import hidden_of

    passive = tuple(c for c in statement.constraints if c.kind != "program")
    hidden = hidden_of(replace(statement, constraints=(*passive, *kept), events=()))
    if not hidden.realisable:
        raise LienketError(hidden.reason)
    rows = tuple(replace(row.constraint, kind="program") for row in hidden.rows)
    return replace(found, constraints=(*found.constraints, *rows)) if rows else found
