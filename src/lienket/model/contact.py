"""Contact: a constraint whose law has several modes: open, sliding, sticking."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sympy as sp

from ..foundation.frozen_dataclass import dataclass
from ..language.expression import Expression

if TYPE_CHECKING:
    from .constraint import Constraint


@dataclass(frozen=True)
class Contact:
    """A contact: its name, its law, and the name of the constraint slip = 0 under which it sticks.

    `sticking` is empty without friction, and before `with_contact_modes` has added that constraint. `normal_factor` is
    the normal force per multiplier, None if it is not known.
    """

    name: str
    law: Any  # a law with modes, `law.is_contact`
    sticking: str = ""
    normal_factor: Expression | None = None

    @property
    def unilateral(self) -> bool:
        """Whether the contact can open."""
        return bool(self.law.can_open)

    @property
    def frictional(self) -> bool:
        """Whether the contact has friction."""
        return bool(self.law.has_friction)

    @property
    def sticks(self) -> bool:
        """Whether the contact can stick."""
        return bool(self.law.can_stick)

    @property
    def force_per_multiplier(self) -> Expression:
        """Normal force per multiplier; 1 is taken where it is not known."""
        return sp.S.One if self.normal_factor is None else self.normal_factor

    @property
    def slip(self) -> Expression:
        """Sliding velocity; None without friction."""
        return self.law.sliding_velocity if self.law.has_friction else None


def contacts(constraints: tuple[Constraint, ...]) -> tuple[Contact, ...]:
    """Return the contacts among the constraints, in order."""
    sticking = {c.holds: c.name for c in constraints if c.holds is not None}
    return tuple(
        Contact(c.name, c.law, sticking.get(c.name, ""), c.normal_factor)
        for c in constraints
        if c.law is not None and c.law.is_contact
    )
