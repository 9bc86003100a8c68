"""Reading of masses, sizes and points of solids: all faults of a call in one error."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import sympy as sp

from ....errors import Faults
from ....language.expression import Expression
from ....language.short_text import short_text
from ....model.bodies.description import Vector
from ..reading import expression_of, listed, number_of


def mass_and_sizes(solid: str, mass: object, **sizes: object) -> tuple[Expression, ...]:
    """Return the mass, not negative, and the sizes, positive; raise a ModelError with all faults."""
    faults = Faults()
    read = [number_of(mass, "mass", faults, 0.0)]
    read += [number_of(size, name, faults, 0.0, positive=True) for name, size in sizes.items()]
    faults.raise_any(f"The {solid}")
    return tuple(read)


def several(solid: str, name: str, sizes: object, names: str) -> Mapping[str, object]:
    """Return sizes given together, by name; raise a ModelError if there are more or fewer."""
    given = listed(sizes)
    if len(given) != len(names):
        faults = Faults()
        faults.add(name, f"{len(names)} lengths were expected, along {', '.join(names)}, not {short_text(sizes)}")
        faults.raise_any(f"The {solid}")
    return {f"{name}, {axis}": size for axis, size in zip(names, given, strict=True)}


def points_of(what: str, points: Sequence[object], dimension: int, least: int) -> tuple[Vector, ...]:
    """Return points with z = 0 in the plane; raise a ModelError with all faults."""
    faults, read = Faults(), []
    given = [listed(point) for point in listed(points)]
    for k, entries in enumerate(given):
        if len(entries) != dimension:
            faults.add(f"point {k}", f"{dimension} coordinates were expected, not {short_text(tuple(entries))}")
            continue
        x, y, z = (*(expression_of(e, f"point {k}", faults) for e in entries), sp.S.Zero)[:3]
        read.append((x, y, z))
    if len(given) < least:
        faults.add("points", f"at least {least} are needed, not {len(given)}")
    faults.raise_any(f"The {what}")
    return tuple(read)
