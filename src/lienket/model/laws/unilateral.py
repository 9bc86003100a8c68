"""Unilateral: a contact that opens and closes."""

from __future__ import annotations

from typing import Any, ClassVar

from ...foundation.frozen_dataclass import dataclass
from .fields import PARAMETERS_ONLY, expression, vector, word
from .law import Law

IMPACTS = ("newton", "poisson")


@dataclass(frozen=True)
class Unilateral(Law):
    """Contact that pushes and does not pull: g(q, t) >= 0 and lambda >= 0 instead of g = 0.

    Parameters
    ----------
    restitution : number or parameter
        Coefficient of restitution e, from 0 to 1.
    impact : {"newton", "poisson"}
        Impact law: the velocity g' after the impact is at least -e times that before it, or the impulse of the
        expansion is e times that of the compression.
    point : tuple of expressions, optional
        Position of the contact point, as in `Coulomb`; it makes the normal force known that results show.
    normal_factor : expression, optional
        Normal force per multiplier, nu > 0, where no point tells it; rows of `lk.catalogue` give it themselves.

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

    kind: ClassVar[str] = "unilateral"
    about: ClassVar[str] = "A contact that pushes and does not pull: equation >= 0."
    exerts_force: ClassVar[bool] = False

    restitution: Any = expression("The coefficient of restitution, 0 to 1.", 0, order=PARAMETERS_ONLY)
    impact: str = word("The meaning of restitution: ratio of velocities, or of impulses.", IMPACTS)
    point: Any = vector(
        "The position of the contact point, relative to what it touches if that moves: [X, Y] or [X, Y, Z]."
    )
    normal_factor: Any = expression("The normal force per multiplier, in place of the point.", None, order=0)

    @property
    def can_open(self) -> bool:
        """Whether the contact may open: always."""
        return True

    @property
    def contact_point(self) -> Any:
        """Position of the contact point; None if it is not stated."""
        return self.point

    @property
    def stated_normal_factor(self) -> Any:
        """Normal force per multiplier; None if it is not stated."""
        return self.normal_factor

    @property
    def restitution_coefficient(self) -> Any:
        """Coefficient of restitution."""
        return self.restitution

    @property
    def impact_law(self) -> str:
        """Meaning of the restitution, "newton" or "poisson"."""
        return self.impact
