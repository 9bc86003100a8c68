"""Contact: a constraint whose law has several modes: open, sliding, sticking."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..foundation.frozen_dataclass import dataclass
from ..language.names import STICKING
from .laws import Coulomb, Unilateral

if TYPE_CHECKING:
    from .constraint import Constraint


@dataclass(frozen=True)
class Contact:
    """A contact: its name and its law."""

    name: str
    law: Any  # Coulomb or Unilateral

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

    @property
    def sticking(self) -> str:
        """Name of the constraint slip = 0, under which the contact sticks."""
        return self.name + STICKING


def contacts(constraints: tuple[Constraint, ...]) -> tuple[Contact, ...]:
    """Return the contacts among the constraints, in order."""
    return tuple(Contact(c.name, c.law) for c in constraints if isinstance(c.law, Coulomb | Unilateral))
