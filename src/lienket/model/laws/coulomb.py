"""Coulomb: friction driven by the reaction of the constraint on which it acts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ...foundation.frozen_dataclass import dataclass


@dataclass(frozen=True)
class Coulomb:
    """Dry friction on a constraint with one row, against the sliding velocity.

        c = -(m(|slip|) |lambda| sign(slip) + viscous slip) (d slip/d q')^T
        m(s) = mu + (mu_static - mu) exp(-s/stribeck)

    |lambda| is the normal force if the gradient of the constraint by the position of the contact point has length 1.

    Parameters
    ----------
    mu : expression
        Coefficient of sliding friction.
    slip : expression
        Sliding velocity, linear in q'.
    mu_static : expression, optional
        Coefficient of static friction, `mu` by default: the contact sticks while the holding force is at most
        mu_static |lambda|.
    stribeck : expression, optional
        Velocity over which the coefficient falls from `mu_static` to `mu`; without it the coefficient falls at once.
    viscous : expression
        Coefficient of the part proportional to the velocity.
    unilateral : bool
        Whether the contact only pushes: lambda >= 0, expression of the constraint >= 0.
    restitution, impact
        Of a unilateral contact, as in `Unilateral`.
    smooth : expression, optional
        Velocity of the smooth law, in which tanh(slip/smooth) replaces the sign and the contact never sticks; without
        it the law holds exactly.

    Examples
    --------
    >>> x, y = lk.coordinates("x y")
    >>> block = lk.System("block", [x, y], kinetic=der(x)**2 + der(y)**2, potential=20*y)
    >>> rough = block.constrain("floor", y, law=lk.Coulomb(0.3, slip=der(x)))
    >>> rough.at([0, 0], [1, 0]).accelerations.round(9) + 0
    array([-3.,  0.])
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
