"""Signs of a contact, constant between the events of a run: parameters of the machine code.

    direction(floor)    1, -1 or 0: the sign of slip, 0 while the contact sticks
    sense(floor)        1 or -1: the sign of the multiplier

No parameter of a user has parentheses in its name.
"""

from __future__ import annotations

import sympy as sp


def direction_of(name: str) -> sp.Symbol:
    """Return the symbol of the sign of a contact's slip, 0 while it sticks."""
    return sp.Symbol(f"direction({name})", real=True)


def sense_of(name: str) -> sp.Symbol:
    """Return the symbol of the sign of a contact's multiplier."""
    return sp.Symbol(f"sense({name})", real=True)
