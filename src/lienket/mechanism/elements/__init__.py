"""Elements that act with forces: what each exerts on bodies and along coordinates, a file for each outline.

`loads_of` returns them all. Elements that are constraints (rod, gear, given motion, ...) are in `loops`.
"""

from __future__ import annotations

from collections.abc import Callable

from ...model.bodies import Element
from ..state import MechanismState
from .along_coordinates import motor, torsion_damper, torsion_spring
from .between_points import damper, spring
from .load import Load
from .on_bodies import force, torque

__all__ = ["FORCES", "Load", "loads_of"]

FORCES: dict[str, Callable[[Element, MechanismState], Load]] = {
    "spring": spring,
    "damper": damper,
    "torsion_spring": torsion_spring,
    "torsion_damper": torsion_damper,
    "motor": motor,
    "force": force,
    "torque": torque,
}


def loads_of(state: MechanismState) -> dict[str, Load]:
    """Return what each element exerts, by name."""
    elements = state.description.elements
    return {element.name: FORCES[element.kind](element, state) for element in elements if element.kind in FORCES}
