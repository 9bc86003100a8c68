"""Kinds of contact events, and the quantities of a contact that its compiled function returns, as numbers."""

from __future__ import annotations

# Kinds of contact events; see assembly.contacts.modes for their conditions.
STOPS, TURNS, SLIPS, SLIPS_BACK, LIFTS, TOUCHES = range(6)
QUANTITY_COUNT = 8  # numbers of a contact, the fields of `response.ContactQuantities`
SLIP_RATE = 6  # the index of the rate of the slip among them
