"""Coulomb: friction driven by the reaction of the constraint on which it acts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import sympy as sp

from ...foundation.frozen_dataclass import dataclass
from ...language.expression import Coordinate, Expression
from .dry_friction import DryFriction
from .fields import PARAMETERS_ONLY, expression, flag, vector, word
from .law import Numbers, Report, report_negative, report_not_positive
from .unilateral import IMPACTS

if TYPE_CHECKING:
    from ..constraint import Constraint


@dataclass(frozen=True)
class Coulomb(DryFriction):
    """Dry friction on a constraint with one row, against the sliding velocity.

        c = -(m(|slip|) N sign(slip) + viscous slip) (d slip/d q')^T
        m(s) = mu + (mu_static - mu) exp(-s/stribeck),      N = nu |lambda|

    N is the normal force and nu the length of the gradient of the constraint by the position of the contact point
    (theory 9). It follows from `point`, and for particles in Cartesian coordinates from the constraint itself;
    otherwise nu = 1 is taken, and the audit says so.

    Parameters
    ----------
    mu : expression
        Coefficient of sliding friction.
    slip : expression
        Sliding velocity, linear in q'.
    mu_static : expression, optional
        Coefficient of static friction, `mu` by default: the contact sticks while the holding force is at most
        mu_static N.
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
    point : tuple of expressions, optional
        Position of the contact point in fixed axes, relative to the body it touches if that moves. It tells the
        normal force from lambda: N = nu |lambda|. Not needed for particles in Cartesian coordinates.
    normal_factor : expression, optional
        Normal force per multiplier, nu > 0, where no point tells it; rows of `lk.catalogue` give it themselves.

    Examples
    --------
    >>> x, y = lk.coordinates("x y")
    >>> block = lk.System("block", [x, y], kinetic=der(x)**2 + der(y)**2, potential=20*y)
    >>> rough = block.constrain("floor", y, law=lk.Coulomb(0.3, slip=der(x)))
    >>> rough.at([0, 0], [1, 0]).accelerations.round(9) + 0
    array([-3.,  0.])
    """

    kind: ClassVar[str] = "coulomb"
    about: ClassVar[str] = "Dry friction, driven by the reaction of the constraint, with the sliding velocity `slip`."

    mu: Any = expression("The coefficient while it slides.")
    slip: Any = expression("The sliding velocity, linear in the velocities: der(x) - v.", None, required=True)
    mu_static: Any = expression("The coefficient while it sticks; mu if left out.", None)
    stribeck: Any = expression(
        "The velocity over which the coefficient falls from mu_static to mu.", None, order=PARAMETERS_ONLY
    )
    viscous: Any = expression("The coefficient of a part that grows with the velocity.", 0)
    unilateral: bool = flag("Whether the contact only pushes and may open: equation >= 0.")
    restitution: Any = expression(
        "The coefficient of restitution of a unilateral contact, 0 to 1.", 0, order=PARAMETERS_ONLY
    )
    impact: str = word("The meaning of restitution: ratio of velocities, or of impulses.", IMPACTS)
    smooth: Any = expression(
        "A velocity: the sign of slip becomes tanh(slip/smooth); nothing sticks.", None, order=PARAMETERS_ONLY
    )
    point: Any = vector(
        "The position of the contact point, relative to what it touches if that moves: [X, Y] or [X, Y, Z]."
    )
    normal_factor: Any = expression("The normal force per multiplier, in place of the point.", None, order=0)

    def coefficient(self, speed: Expression) -> Expression:
        """Return m(speed)."""
        if self.stribeck is None:
            return self.mu
        return self.mu + (self.mu_static - self.mu) * sp.exp(-speed / self.stribeck)

    @property
    def static_coefficient(self) -> Expression:
        """Coefficient up to which the contact sticks."""
        return self.mu if self.mu_static is None else self.mu_static

    def check(self, constraint: Constraint, coordinates: Sequence[Coordinate], report: Report) -> None:
        """Report a Stribeck velocity without a static coefficient, and the faults of every contact.

        `constraint`, `coordinates` and `report` are those of `Law.check`.
        """
        super().check(constraint, coordinates, report)
        if self.stribeck is not None and self.mu_static is None:
            report("stribeck needs mu_static, from which the coefficient falls")

    def check_numbers(self, number: Numbers, report: Report) -> None:
        """Report negative coefficients and a smaller one at rest; `number` and `report` as in `Law.check_numbers`."""
        super().check_numbers(number, report)
        report_negative(number, report, mu=self.mu, mu_static=self.mu_static)
        report_not_positive(number, report, stribeck=self.stribeck)
        mu, static = number(self.mu), number(self.mu_static)
        if mu is not None and static is not None and static < mu:
            numbers = f"mu_static = {static} is less than mu = {mu}"
            report(f"{numbers}: the contact would stick again as soon as it slides")
