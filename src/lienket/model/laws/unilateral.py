"""Unilateral: a contact that opens and closes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ...foundation.frozen_dataclass import dataclass

IMPACTS = ("newton", "poisson")


@dataclass(frozen=True)
class Unilateral:
    """Contact that pushes and does not pull: g(q, t) >= 0 and lambda >= 0 instead of g = 0.

    Parameters
    ----------
    restitution : number or parameter
        Coefficient of restitution e, from 0 to 1.
    impact : {"newton", "poisson"}
        Impact law: the velocity g' after the impact is at least -e times that before it, or the impulse of the
        expansion is e times that of the compression.

    Examples
    --------
    >>> y = lk.coordinates("y")
    >>> ball = lk.System("ball", [y], kinetic=der(y)**2/2, potential=2*y)
    >>> bouncing = ball.constrain("floor", y, law=lk.laws.Unilateral(restitution=0.5))
    >>> motion = bouncing.simulate(start={"y": 1.0}, times=[0, 0.5, 1.5])
    >>> motion["y"].round(9)
    array([1.  , 0.75, 0.25])
    >>> print(motion.contacts["floor"].mode[-1])
    open
    """

    restitution: Any = 0
    impact: str = "newton"

    def mapped(self, rewrite: Callable[[Any], Any]) -> Unilateral:
        """Return a copy in which `rewrite` has been applied to every expression."""
        return replace(self, restitution=rewrite(self.restitution))

    def parts(self) -> dict[str, tuple[Any, int]]:
        """Return every expression by name with the highest derivative order allowed in it; -1 for parameters only."""
        return {"restitution": (self.restitution, -1)}
