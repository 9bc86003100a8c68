"""Contact at one state: its mode and forces."""

from __future__ import annotations

from ..foundation.frozen_dataclass import dataclass


@dataclass(frozen=True, repr=False)
class ContactState:
    """Contact at one state.

    Attributes
    ----------
    mode : str
        Contact mode: "open", "sticks" or "slides".
    normal : float
        Normal force nu lambda, or lambda if nothing tells nu (see `Coulomb`); 0 if it is open.
    friction : float
        Friction force along the slip of the contact.
    unique : bool
        False if the contact shares a load with others that statics does not determine: the forces are then the least
        that obey the laws of all contacts.
    """

    mode: str
    normal: float
    friction: float
    unique: bool = True

    def __repr__(self) -> str:
        """Return the contact as it is printed; only forces that are not unique say so."""
        more = "" if self.unique else ", unique=False"
        return f"ContactState(mode={self.mode!r}, normal={self.normal!r}, friction={self.friction!r}{more})"
