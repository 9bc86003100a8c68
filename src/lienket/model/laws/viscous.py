"""Viscous: a force against the sliding velocity, independent of the reaction."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ...foundation.frozen_dataclass import dataclass


@dataclass(frozen=True)
class Viscous:
    """Force c = -coefficient slip (d slip/d q')^T that a constraint also exerts, against the sliding velocity.

    Parameters
    ----------
    coefficient : expression
        Force per velocity.
    slip : expression
        Sliding velocity, linear in q'.

    Examples
    --------
    >>> x, y = lk.coordinates("x y")
    >>> block = lk.System("block", [x, y], kinetic=der(x)**2 + der(y)**2, potential=20*y)
    >>> oiled = block.constrain("floor", y, law=lk.laws.Viscous(4, slip=der(x)))
    >>> oiled.at([0, 0], [1, 0]).accelerations.round(9) + 0
    array([-2.,  0.])
    """

    coefficient: Any
    slip: Any = None

    def mapped(self, rewrite: Callable[[Any], Any]) -> Viscous:
        """Return a copy in which `rewrite` has been applied to every expression."""
        return replace(self, coefficient=rewrite(self.coefficient), slip=rewrite(self.slip))

    def parts(self) -> dict[str, tuple[Any, int]]:
        """Return every expression by name with the highest derivative order allowed in it."""
        return {"coefficient": (self.coefficient, 1), "slip": (self.slip, 1)}
