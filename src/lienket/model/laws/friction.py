"""Friction: the base of a user's own law of dry friction, which states its coefficient and nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .dry_friction import DryFriction
from .fields import PARAMETERS_ONLY, expression, flag, vector, word
from .unilateral import IMPACTS


@dataclass(frozen=True)
class Friction(DryFriction):
    """Dry friction with a coefficient of one's own, on a constraint with one row.

        c = -(coefficient(|slip|) N sign(slip) + viscous slip) (d slip/d q')^T,      N = nu |lambda|

    A subclass states its fields and defines `coefficient(self, speed)`, smooth also for a speed a little below 0. If
    the coefficient jumps at the beginning of sliding, it defines the property `static_coefficient` as well, which
    otherwise is coefficient(0). Everything else is as for `Coulomb`: the contact sticks and slides at exact times, or
    is smooth; a unilateral one opens and closes. The parameters below are stated by name.

    Parameters
    ----------
    slip : expression
        Sliding velocity, linear in q'.
    viscous : expression
        Coefficient of a part proportional to the velocity.
    unilateral : bool
        Whether the contact only pushes: lambda >= 0, expression of the constraint >= 0.
    restitution, impact
        Of a unilateral contact, as in `Unilateral`.
    smooth : expression, optional
        Velocity of the smooth law, in which tanh(slip/smooth) replaces the sign and the contact never sticks.
    point : tuple of expressions, optional
        Position of the contact point in fixed axes, relative to the body it touches if that moves. It tells the
        normal force from lambda: N = nu |lambda|. Not needed for particles in Cartesian coordinates.
    normal_factor : expression, optional
        Normal force per multiplier, nu > 0, where no point tells it; rows of `lk.catalogue` give it themselves.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Falling(lk.laws.Friction):
    ...     mu: object
    ...     scale: object
    ...     def coefficient(self, speed):
    ...         return self.mu/(1 + (speed/self.scale)**2)
    >>> x, y = lk.coordinates("x y")
    >>> block = lk.System("block", [x, y], kinetic=der(x)**2 + der(y)**2, potential=20*y)
    >>> rough = block.constrain("floor", y, law=Falling(0.6, 1, slip=der(x)))
    >>> rough.at([0, 0], [1, 0]).accelerations.round(9) + 0
    array([-3.,  0.])
    """

    slip: Any = expression(
        "The sliding velocity, linear in the velocities: der(x) - v.", None, required=True, keyword=True
    )
    viscous: Any = expression("The coefficient of a part that grows with the velocity.", 0, keyword=True)
    unilateral: bool = flag("Whether the contact only pushes and may open: equation >= 0.", keyword=True)
    restitution: Any = expression(
        "The coefficient of restitution of a unilateral contact, 0 to 1.", 0, order=PARAMETERS_ONLY, keyword=True
    )
    impact: str = word("The meaning of restitution: ratio of velocities, or of impulses.", IMPACTS, keyword=True)
    smooth: Any = expression(
        "A velocity: the sign of slip becomes tanh(slip/smooth); nothing sticks.",
        None,
        order=PARAMETERS_ONLY,
        keyword=True,
    )
    point: Any = vector(
        "The position of the contact point, relative to what it touches if that moves: [X, Y] or [X, Y, Z].",
        keyword=True,
    )
    normal_factor: Any = expression(
        "The normal force per multiplier, in place of the point.", None, order=0, keyword=True
    )
