"""Contact: a constraint whose law has several modes: open, sliding, sticking."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..foundation.frozen_dataclass import dataclass
from .laws import Coulomb, Unilateral

if TYPE_CHECKING:
    from .constraint import Constraint


@dataclass(frozen=True)
class Contact:
    """A contact: its name, its law, and the name of the constraint slip = 0 under which it sticks.

    `sticking` is empty without friction, and before `with_contact_modes` has added that constraint.
    """

    name: str
    law: Any  # Coulomb or Unilateral
    sticking: str = ""

    @property
    def unilateral(self) -> bool:
        """Whether the contact can open."""
        return isinstance(self.law, Unilateral) or bool(self.law.unilateral)

    @property
    def frictional(self) -> bool:
        """Whether the contact has friction."""
        return isinstance(self.law, Coulomb)

    @property
    def sticks(self) -> bool:
        """Whether the contact can stick."""
        return self.slip is not None and getattr(self.law, "smooth", None) is None

    @property
    def slip(self) -> Any:
        """Sliding velocity; None without friction."""
        return self.law.slip if isinstance(self.law, Coulomb) else None


def contacts(constraints: tuple[Constraint, ...]) -> tuple[Contact, ...]:
    """Return the contacts among the constraints, in order."""
    sticking = {c.holds: c.name for c in constraints if c.holds is not None}
    return tuple(
        Contact(c.name, c.law, sticking.get(c.name, "")) for c in constraints if isinstance(c.law, Coulomb | Unilateral)
    )
