"""Solids and shapes that are given to a body, or the faults of what is given instead."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import sympy as sp

from ....errors import Faults
from ....language.short_text import short_text
from ....model.bodies.description import Shape
from .solid import Solid

NUMBERS = "mass, inertia, centre and length"


def solid_of(solid: object, planar: bool, has_numbers: bool, where: str, faults: Faults) -> Any:
    """Return the solid of a body, None if there is none or another thing; `has_numbers` if those are given too."""
    if solid is None:
        return None
    if has_numbers:
        faults.add(where, f"a solid and some of {NUMBERS} are given, which the solid brings", "Leave one of them out.")
    return solid if _fits(solid, planar, where, faults) else None


def shapes_of(shapes: object, planar: bool, where: str, faults: Faults) -> tuple[Shape, ...]:
    """Return the shapes of a solid or a shape, or of several in a sequence."""
    if shapes is None:
        return ()
    several = shapes if isinstance(shapes, Iterable) and not isinstance(shapes, (str, sp.Basic)) else (shapes,)
    found: list[Shape] = []
    for thing in several:
        if isinstance(thing, Shape):
            found.append(thing)
        elif _fits(thing, planar, f"{where}, shapes", faults):
            found.extend(thing.shapes)
    return tuple(found)


def _fits(solid: object, planar: bool, where: str, faults: Faults) -> bool:
    """Return whether a thing is a solid of the mechanism's dimension; report what it is if not."""
    room = "lk.planar" if planar else "lk.spatial"
    example = f"{room}.rod(mass, length)"
    if not isinstance(solid, Solid):
        faults.add(where, f"a solid was expected, such as {example}, not {short_text(solid)}")
    elif solid.planar != planar:
        kinds = ("spatial", "planar") if planar else ("planar", "spatial")
        faults.add(where, f"a {kinds[0]} solid was given to a body of a {kinds[1]} mechanism", f"Take one of {room}.")
    return isinstance(solid, Solid) and solid.planar == planar
