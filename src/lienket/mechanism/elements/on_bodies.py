"""Forces at places and torques on bodies, applied from outside (mechanisms 1.4)."""

from __future__ import annotations

from ...model.bodies import GROUND, Element
from ..dynamics import Wrench
from ..scalars.algebra import ZERO, cross
from ..state import MechanismState
from .load import Load


def force(element: Element, state: MechanismState) -> Load:
    """Return a force, in the axes of the ground, or of the place's body if it is to `follow`."""
    place = element.places[0]
    components = (state.number(element["x"]), state.number(element["y"]), state.number(element["z"]))
    acting = state.axes(place) @ components if element["follow"] else components
    if place.body == GROUND:
        return Load()
    return Load(((place.body, Wrench(acting, cross(state.lever(place), acting))),))


def torque(element: Element, state: MechanismState) -> Load:
    """Return a torque on a body, in the axes of the ground."""
    components = (state.number(element["x"]), state.number(element["y"]), state.number(element["z"]))
    body = element.places[0].body
    return Load() if body == GROUND else Load(((body, Wrench(ZERO, components)),))
