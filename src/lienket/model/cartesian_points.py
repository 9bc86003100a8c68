"""Coordinates that are the Cartesian coordinates of one point, recognised from the statement.

The magnitude of a force is sqrt(r_x^2 + r_y^2) only along perpendicular axes of one scale through one point. The names
say which coordinates belong together, the kinetic energy whether their axes are of this kind.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from ..language.expression import Expression
from ..language.symbols import der
from ..language.traversal import find_cached
from ..language.units import is_angle
from .statement import FreeStatement, Statement

AXES = "xyz"
STATEMENTS_CACHED = 32  # [statements] statements whose points are kept


def has_axes(names: tuple[str, ...], i: int) -> bool:
    """Return whether the name of coordinate i has a partner that differs only in one letter x, y or z."""
    return any(i in members for members in _candidates(names))


def cartesian_points(statement: Statement) -> tuple[tuple[int, ...], ...]:
    """Return the points whose Cartesian coordinates are coordinates of the system, as tuples of their indices.

    Coordinates belong to one point if

    - their names differ only in one letter x, y or z, as x1 and y1, load_x and load_z, X and Y;
    - their units, where stated, are equal and not those of angles;
    - the kinetic energy contains m (x'^2 + y'^2)/2: A_xx = A_yy, not zero and free of coordinates, and A_xy = 0.

    The last condition excludes polar, conformal and oblique axes and positions relative to a moving body, the first one
    bodies of equal mass on one line.
    """
    return _points(statement.free, statement.names, statement.units)


@lru_cache(maxsize=STATEMENTS_CACHED)
def _points(
    system: FreeStatement, names: tuple[str, ...], stated: tuple[tuple[Expression, str], ...]
) -> tuple[tuple[int, ...], ...]:
    """Return the points of a free system; `stated` are the units."""
    units, points, taken = dict(stated), [], set[int]()
    for members in _candidates(names):
        free = tuple(i for i in members if i not in taken)
        for group in (g for size in (3, 2) for g in combinations(free, size)):
            labels = {units.get(system.coordinates[i]) for i in group}
            if len(labels) == 1 and not is_angle(labels.pop() or "") and _isotropic(system, group):
                points.append(group)
                taken.update(group)
                break
    return tuple(sorted(points))


def _candidates(names: tuple[str, ...]) -> list[tuple[int, ...]]:
    """Return the groups of indices whose names differ only in one letter x, y or z of one case."""
    groups: dict[tuple[str, str, bool], list[int]] = {}
    for i, name in enumerate(names):
        for k, letter in enumerate(name):
            if letter.lower() in AXES:
                groups.setdefault((name[:k], name[k + 1 :], letter.isupper()), []).append(i)
    return [tuple(members) for members in groups.values() if len(members) > 1]


def _isotropic(free: FreeStatement, group: tuple[int, ...]) -> bool:
    """Return whether the block of A of these coordinates is a mass, the same everywhere, times the unit matrix."""
    first = _inertia(free, group[0], group[0])
    if first == 0 or find_cached(first, AppliedUndef) & set(free.coordinates):
        return False
    equal = all(sp.expand(first - _inertia(free, i, i)) == 0 for i in group[1:])
    return equal and all(sp.expand(_inertia(free, i, j)) == 0 for i, j in combinations(group, 2))


def _inertia(free: FreeStatement, i: int, j: int) -> Any:
    """Return the entry A_ij of the inertia matrix."""
    if free.inertia is not None:
        return free.inertia[i, j]
    if free.kinetic is None:  # bodies and joints: their contacts know their points
        return sp.S.Zero
    x, y = free.coordinates[i], free.coordinates[j]
    return sp.expand(sp.diff(free.kinetic, der(x)).diff(der(y)))
