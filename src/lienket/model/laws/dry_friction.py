"""DryFriction: friction driven by the reaction of its constraint, whatever its coefficient is.

    c = friction (d slip/d q')^T - viscous slip (d slip/d q')^T
    friction = -normal direction coefficient(speed)          normal = nu lambda, see `model/normal_force`

This one formula is the machine code, the printed equations and the decision whether a contact sticks:

    machine code        normal = sense nu lambda, direction the sign of slip, speed = direction slip
    printed equations   normal = nu |lambda|, direction = sign(slip), speed = |slip|
    smooth friction     direction = tanh(slip/smooth), speed = |slip|
    sticking            |force that holds the contact| <= static_coefficient normal

`direction` and `sense` (`contact_signs`) are constant between the events of a run, so that between events the equations
are smooth and linear in lambda (theory 9). direction slip is smooth beyond the end of sliding, |slip| is not.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

import sympy as sp

from ...language.expression import Coordinate, Expression
from .contact_signs import direction_of, sense_of
from .law import Law, Numbers, Report, report_negative, report_not_positive
from .law_force import LawForce, slip_gradient, viscous_push
from .slip import check_slip

if TYPE_CHECKING:
    from ..constraint import Constraint

COEFFICIENT_ROUNDING = 1e-12  # [1] relative jump of the coefficient when sliding begins that counts as rounding


class DryFriction(Law):
    """Dry friction with the fields slip, viscous, unilateral, restitution, impact, smooth, point, normal_factor."""

    depends_on_reaction: ClassVar[bool] = True
    dissipates: ClassVar[bool] = True
    has_friction: ClassVar[bool] = True

    if TYPE_CHECKING:
        slip: Expression
        viscous: Expression
        unilateral: bool
        restitution: Expression
        impact: str
        smooth: Expression | None
        point: tuple[Expression, ...] | None
        normal_factor: Expression | None

    def coefficient(self, speed: Expression) -> Expression:
        """Return the coefficient of friction at a sliding speed, smooth also for a speed a little below 0.

        Parameters
        ----------
        speed : expression
            Sliding speed, >= 0 up to rounding.

        Returns
        -------
        expression
            Coefficient in terms of the fields and the speed.
        """
        raise NotImplementedError(f"{type(self).__name__} has no coefficient(self, speed)")

    @property
    def static_coefficient(self) -> Expression:
        """Coefficient up to which the contact sticks; coefficient(0) unless a law says otherwise."""
        return self.coefficient(sp.S.Zero)

    @cached_property
    def static_ratio(self) -> Expression:
        """Static coefficient over that at the beginning of sliding, 1 unless the coefficient jumps."""
        static, sliding = sp.S.One * self.static_coefficient, sp.S.One * self.coefficient(sp.S.Zero)
        jump = static - sliding
        if jump == 0 or (jump.is_number and static.is_number and abs(jump) <= COEFFICIENT_ROUNDING * abs(static)):
            return sp.S.One
        return static / sliding

    def friction(self, normal: Expression, direction: Expression, speed: Expression) -> Expression:
        """Return the force along the slip while the contact slides, from `normal`, `direction` and `speed`."""
        return -normal * direction * self.coefficient(speed)

    @property
    def sliding_coefficient(self) -> Expression:
        """Friction against the slip per normal force, at the present slip; with its sign if it is smooth."""
        sign = sp.S.One if self.smooth is None else self._smooth_sign
        return sign * self.coefficient(self._speed)

    @property
    def coefficient_at_slip(self) -> Expression:
        """Coefficient of friction at the present slip, without the sign of smooth friction."""
        return self.coefficient(self._speed)

    def printed_friction(self, normal: Expression) -> Expression:
        """Return the force along the slip as equations show it, with the force `normal`."""
        sign = sp.sign(self.slip) if self.smooth is None else self._smooth_sign
        return self.friction(normal, sign, self._speed)

    def force(self, name: str, coordinates: Sequence[Coordinate]) -> LawForce:
        """Return the friction force and its viscous part; `name` and `coordinates` as in `Law.force`.

        The share belongs to lambda as the normal force; `law_force` has the factor nu.
        """
        direction = direction_of(name)
        if self.smooth is None:
            share = self.friction(sense_of(name), direction, direction * self.slip)
        else:
            share = self.friction(sense_of(name), self._smooth_sign, self._speed)
        push = viscous_push(self.viscous, self.slip, coordinates)
        return LawForce(push, share, slip_gradient(self.slip, coordinates))

    @property
    def _speed(self) -> Expression:
        """|slip|; SymPy splits some products, |x' exp(x)|, into real and imaginary parts, a root it leaves alone."""
        speed = sp.Abs(self.slip)
        return sp.sqrt(self.slip**2) if speed.has(sp.re, sp.im) else speed

    @property
    def _smooth_sign(self) -> Expression:
        return sp.tanh(self.slip / self.smooth)

    def check(self, constraint: Constraint, coordinates: Sequence[Coordinate], report: Report) -> None:
        """Report faults of the contact and of its slip; `constraint`, `coordinates` and `report` as in `Law.check`."""
        super().check(constraint, coordinates, report)
        if self.restitution != 0 and not self.unilateral:
            report("only a unilateral contact has restitution", "Add unilateral=True.")
        check_slip(self.slip, coordinates, report)

    def check_numbers(self, number: Numbers, report: Report) -> None:
        """Report a negative viscous part and a smoothing velocity that is not positive.

        `number` and `report` are those of `Law.check_numbers`.
        """
        super().check_numbers(number, report)
        report_negative(number, report, viscous=self.viscous)
        report_not_positive(number, report, smooth=self.smooth)

    @property
    def can_open(self) -> bool:
        """Whether the contact only pushes and may open."""
        return bool(self.unilateral)

    @property
    def can_stick(self) -> bool:
        """Whether the contact may stick: smooth friction never does."""
        return self.smooth is None

    @property
    def sliding_velocity(self) -> Expression:
        """Sliding velocity."""
        return self.slip

    @property
    def contact_point(self) -> tuple[Expression, ...] | None:
        """Position of the contact point; None if it is not stated."""
        return self.point

    @property
    def stated_normal_factor(self) -> Expression | None:
        """Normal force per multiplier; None if it is not stated."""
        return self.normal_factor

    @property
    def restitution_coefficient(self) -> Expression:
        """Coefficient of restitution of a unilateral contact."""
        return self.restitution

    @property
    def impact_law(self) -> str:
        """Meaning of the restitution, "newton" or "poisson"."""
        return self.impact
