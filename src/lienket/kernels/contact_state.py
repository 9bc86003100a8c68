"""ContactState: mode and forces of one contact at a state."""

from __future__ import annotations

from ..foundation.frozen_dataclass import dataclass


@dataclass(frozen=True)
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
    """

    mode: str
    normal: float
    friction: float
