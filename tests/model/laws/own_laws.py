"""Laws as users write them, for the tests."""

from dataclasses import dataclass
from typing import Any

import sympy as sp

import lienket as lk


@dataclass(frozen=True)
class Twin(lk.laws.Friction):
    """Coulomb's law with Stribeck's falling coefficient, written by a user."""

    kind = "twin"
    mu: Any
    mu_static: Any = None
    stribeck: Any = lk.laws.expression("The velocity of the fall.", None, order=-1)

    def coefficient(self, speed):
        """Return the coefficient of sliding friction."""
        if self.stribeck is None:
            return self.mu
        return self.mu + (self.mu_static - self.mu) * sp.exp(-speed / self.stribeck)

    @property
    def static_coefficient(self):
        """Coefficient at rest."""
        return self.mu if self.mu_static is None else self.mu_static


@dataclass(frozen=True)
class Falling(lk.laws.Friction):
    """Friction whose coefficient falls with the square of the speed."""

    kind = "falling"
    mu: Any
    scale: Any = lk.laws.expression("The speed at which it has fallen to one half.", order=-1)

    def coefficient(self, speed):
        """Return the coefficient."""
        return self.mu / (1 + (speed / self.scale) ** 2)

    def check_numbers(self, number, report):
        """Report a scale that is not positive."""
        super().check_numbers(number, report)
        scale = number(self.scale)
        if scale is not None and not scale > 0:
            report(f"scale must be positive, but is {scale}")


@dataclass(frozen=True)
class Drag(lk.laws.Law):
    """Force against the square of a velocity, along given coordinates."""

    kind = "drag"
    dissipates = True
    area: Any
    along: Any = lk.laws.column("The velocity by coordinate.")
    wet: bool = lk.laws.flag("Whether the area counts twice.")

    def force(self, name, coordinates):
        """Return the drag."""
        area = 2 * self.area if self.wet else self.area
        return lk.laws.LawForce(push=tuple((x, -area * u * sp.Abs(u)) for x, u in self.along))


@dataclass(frozen=True)
class Seal(lk.laws.Law):
    """Force along a coordinate that is a share of the multiplier itself, with its sign."""

    kind = "seal"
    depends_on_reaction = True
    share: Any
    along: Any

    def force(self, name, coordinates):
        """Return the force."""
        return lk.laws.LawForce(share=self.share, direction=((self.along, sp.S.One),))
