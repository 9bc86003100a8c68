"""Coulomb: friction driven by the reaction of the constraint on which it acts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ...foundation.frozen_dataclass import dataclass


@dataclass(frozen=True)
class Coulomb:
    """Dry friction on a constraint with one row, against the sliding velocity `slip`, linear in q'.

        c = -(m(|slip|) |lambda| sign(slip) + viscous slip) (d slip/d q')^T
        m(s) = mu + (mu_static - mu) exp(-s/stribeck)

    mu           the coefficient while it slides
    slip         the sliding velocity, an expression linear in q'
    mu_static    the coefficient while it sticks, mu if it is left out; it sticks as long as the force that holds it
                 is at most mu_static |lambda|
    stribeck     the velocity over which the coefficient falls from mu_static to mu; without, it falls at once
    viscous      the coefficient of a part that grows with the velocity
    unilateral   whether the contact only pushes: lambda >= 0, the expression of the constraint >= 0
    restitution, impact   of a unilateral contact, as in Unilateral
    smooth       a velocity: the sign becomes tanh(slip/smooth), and nothing sticks; otherwise the law holds exactly

    |lambda| is the normal force if the gradient of the constraint by the position of the point in contact has length 1.
    """

    mu: Any
    slip: Any = None
    mu_static: Any = None
    stribeck: Any = None
    viscous: Any = 0
    unilateral: bool = False
    restitution: Any = 0
    impact: str = "newton"
    smooth: Any = None

    def mapped(self, rewrite: Callable[[Any], Any]) -> Coulomb:
        """Return a copy in which `rewrite` has been applied to every expression."""
        return replace(self, **{name: rewrite(e) for name, (e, _) in self.parts().items()})

    def parts(self) -> dict[str, tuple[Any, int]]:
        """Return every expression by name with the highest derivative order allowed in it; -1 for parameters only."""
        orders = {"mu": 1, "slip": 1, "mu_static": 1, "stribeck": -1, "viscous": 1, "restitution": -1, "smooth": -1}
        parts = {name: (getattr(self, name), order) for name, order in orders.items()}
        return {name: part for name, part in parts.items() if part[0] is not None}
