"""Motors, torsion springs and dampers: efforts along the coordinate of a joint (mechanisms 5.1)."""

from __future__ import annotations

from ...model.bodies import Element
from ..state import MechanismState
from .load import Load


def motor(element: Element, state: MechanismState) -> Load:
    """Return a motor with the effort that is stated."""
    effort = state.number(element["effort"])
    return Load(efforts=((element.joints[0], effort),), effort=effort)


def torsion_spring(element: Element, state: MechanismState) -> Load:
    """Return the effort -k (q - rest), V = k (q - rest)^2/2."""
    k = state.number(element["stiffness"])
    stretch = state.coordinate(element.joints[0]) - state.number(element["angle"])
    effort = -(k * stretch)
    return Load(efforts=((element.joints[0], effort),), potential=k * stretch * stretch / 2, effort=effort)


def torsion_damper(element: Element, state: MechanismState) -> Load:
    """Return the effort -c q', R = c q'^2/2."""
    c, rate = state.number(element["damping"]), state.coordinate_rate(element.joints[0])
    effort = -(c * rate)
    return Load(efforts=((element.joints[0], effort),), dissipation=c * rate * rate / 2, effort=effort)
