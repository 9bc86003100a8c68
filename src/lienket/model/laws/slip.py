"""Check of a sliding velocity: it is stated, linear in the velocities, and contains one."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import sympy as sp

from ...language.expression import Coordinate, Expression
from ...language.short_text import short_text
from ...language.symbols import velocity


def check_slip(slip: Expression | None, coordinates: Sequence[Coordinate], report: Callable[..., None]) -> None:
    """Report a slip that is missing, not linear in the velocities, or free of them."""
    if slip is None:
        report("it needs slip, the sliding velocity", "slip=der(x), for example.")
        return
    dummies = {velocity(x): sp.Dummy() for x in coordinates}
    stand_in = slip.xreplace(dummies)
    factors = [sp.diff(stand_in, u) for u in dummies.values()]
    if any(f.has(*dummies.values()) for f in map(sp.expand, factors)):
        report(f"slip must be linear in the velocities, but is {short_text(slip)}")
    elif all(f == 0 for f in factors):
        report(f"slip contains no velocity: {short_text(slip)}")
