"""Solids and shapes that are given to a body, or the faults of what is given instead."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

import sympy as sp

from ....errors import Faults
from ....language.short_text import short_text
from ....model.bodies.description import Shape
from .solid import Solid

S = TypeVar("S", bound=Solid)
NUMBERS = "mass, inertia, centre and length"


def rod_instead(rod: S, stated: S, where: str, faults: Faults) -> S:
    """Return the rod of a length, and report an inertia or a centre that is stated beside the length."""
    if any(stated.inertia) or any(stated.centre):
        faults.add(where, "length= makes a uniform rod, whose inertia and centre follow", "Leave them out.")
    return rod


def solid_instead(solid: object, stated: S, where: str, faults: Faults) -> S:
    """Return the solid that is given, or what is stated by numbers if there is none; report both together."""
    if solid is None:
        return stated
    if stated.mass != 0 or any(stated.inertia) or any(stated.centre):
        faults.add(where, f"a solid and some of {NUMBERS} are given, which the solid brings", "Leave one of them out.")
    given = _fitting(solid, stated.planar, where, faults)
    return given if isinstance(given, type(stated)) else stated


def shapes_of(shapes: object, planar: bool, where: str, faults: Faults) -> tuple[Shape, ...]:
    """Return the shapes of a solid or a shape, or of several in a sequence."""
    if shapes is None:
        return ()
    several = shapes if isinstance(shapes, Iterable) and not isinstance(shapes, (str, sp.Basic)) else (shapes,)
    found: list[Shape] = []
    for thing in several:
        if isinstance(thing, Shape):
            found.append(thing)
        elif given := _fitting(thing, planar, f"{where}, shapes", faults):
            found.extend(given.shapes)
    return tuple(found)


def _fitting(solid: object, planar: bool, where: str, faults: Faults) -> Solid | None:
    """Return a solid of the mechanism's dimension; report what it is and return None if it is none."""
    room = "lk.planar" if planar else "lk.spatial"
    example = f"{room}.rod(mass, length)"
    if not isinstance(solid, Solid):
        faults.add(where, f"a solid was expected, such as {example}, not {short_text(solid)}")
    elif solid.planar != planar:
        kinds = ("spatial", "planar") if planar else ("planar", "spatial")
        faults.add(where, f"a {kinds[0]} solid was given to a body of a {kinds[1]} mechanism", f"Take one of {room}.")
    else:
        return solid
    return None
