"""Contacts as numbers: a contact by indices, the kinds of its events, the quantities of its compiled function."""

from __future__ import annotations

from ...foundation.frozen_dataclass import dataclass

# Kinds of contact events; see assembly.contacts.modes for their conditions.
STOPS, TURNS, SLIPS, SLIPS_BACK, LIFTS, TOUCHES = range(6)
QUANTITY_COUNT = 8  # numbers of a contact, the fields of `response.ContactQuantities`
SLIP_RATE = 6  # the index of the rate of the slip among them


@dataclass(frozen=True)
class ContactIndices:
    """Contact by indices: `normal` and `tangential` (sticking) constraint, signs `direction`, `sense` among parameters.

    -1 stands for a constraint or sign that the contact does not have. `impact` is "newton" or "poisson"; `sticks` is
    False for smooth friction. `constant`: its coefficients of friction depend on parameters alone.
    """

    name: str
    normal: int
    tangential: int
    sticks: bool
    unilateral: bool
    direction: int
    sense: int
    impact: str
    constant: bool = False
