"""The whole theory as one list of calls, from what a user states to what a user asks for.

    statement.free  ->  free_system.derive  ->  A q'' = h

Results are kept by what they follow from: a statement that says the same is never derived twice, in
however many systems, stages or values it appears.
"""

from __future__ import annotations

from functools import lru_cache

from .free_system import FreeSystem, derive
from .model.statement import FreeStatement

KEPT = 128  # different free systems kept at a time


@lru_cache(maxsize=KEPT)
def free_system(statement: FreeStatement) -> FreeSystem:
    """A q'' = h of the system without its constraints."""
    return derive(statement)
