"""Inertia of bodies: how it is given, and which is possible (mechanisms 6.3).

A body has m >= 0, J symmetric, and S_c = (tr J/2) I - J without a negative eigenvalue: for the principal moments
J_1 <= J_2 <= J_3 this is J_1 + J_2 >= J_3, J_1 >= 0. Thin plates meet the bound exactly.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...errors import Faults
from ...language.expression import Expression
from .reading import expression_of, listed
from .solids.algebra import NO_INERTIA, Inertia

INERTIA_ROUNDING = 1e-12  # [1] violation of the inequalities relative to tr J that counts as rounding
AXES = "xyz"


def inertia_of(inertia: object, where: str, faults: Faults) -> Inertia:
    """Return xx yy zz xy xz yz of one moment, three principal moments, these six or a symmetric matrix."""
    rows = [listed(row) for row in listed(inertia)]
    if len(rows) == 3 and all(len(row) == 3 for row in rows):
        J = [[expression_of(e, where, faults) for e in row] for row in rows]
        if problem := _asymmetry(J):
            faults.add(where, problem, "J_xy = J_yx = -int x y dm.")
        return (J[0][0], J[1][1], J[2][2], J[0][1], J[0][2], J[1][2])
    if any(len(row) != 1 for row in rows) or len(rows) not in (1, 3, 6):
        faults.add(where, "1, 3 or 6 numbers or a 3 x 3 matrix were expected")
        return NO_INERTIA
    entries = [expression_of(e, where, faults) for row in rows for e in row]
    xx, yy, zz, xy, xz, yz = [*(entries * 3 if len(entries) == 1 else entries), *NO_INERTIA][:6]
    return (xx, yy, zz, xy, xz, yz)


def _asymmetry(J: Sequence[Sequence[Expression]]) -> str:
    """Return which two entries of a matrix differ by more than rounding, an empty text if none do."""
    size = sum(abs(float(J[i][i])) for i in range(3) if J[i][i].is_number)
    for i, j in ((0, 1), (0, 2), (1, 2)):
        a, b = J[i][j], J[j][i]
        rounding = a.is_number and b.is_number and abs(float(a - b)) <= INERTIA_ROUNDING * size
        if a != b and not rounding:
            pair = f"J_{AXES[i]}{AXES[j]} = {a} and J_{AXES[j]}{AXES[i]} = {b}"
            return f"the matrix is not symmetric: {pair}"
    return ""


def possible_inertia(entries: Sequence[Expression], planar: bool = False) -> str:
    """Return which inequality xx yy zz xy xz yz violate, an empty text if none; in the plane, zz alone counts.

    Entries that are no numbers are left out: of these, only the inequalities between numbers on the diagonal are
    tried, J_xx >= 0 and J_xx + J_yy >= J_zz, ..., which hold in all axes.
    """
    if planar:
        return _impossible_diagonal(entries[2:3], "z")
    if not all(e.is_number for e in entries):
        return _impossible_diagonal(entries[:3], AXES)
    xx, yy, zz, xy, xz, yz = map(float, entries)
    J = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    small, middle, large = np.linalg.eigvalsh(J)
    allowed = INERTIA_ROUNDING * abs(np.trace(J))
    if small < -allowed:
        return f"its principal moment {small:.6g} is negative"
    if small + middle < large - allowed:
        return (
            f"no body has the principal moments {small:.6g}, {middle:.6g} and {large:.6g}: "
            "the sum of two is never below the third"
        )
    return ""


def _impossible_diagonal(moments: Sequence[Expression], axes: str) -> str:
    """Return which inequality between the numbers among the moments about `axes` is violated, an empty text if none."""
    numbers = [float(e) if e.is_number else None for e in moments]
    for axis, J in zip(axes, numbers, strict=True):
        if J is not None and J < 0:
            return f"its moment J_{axis}{axis} = {J:.6g} is negative"
    known = [J for J in numbers if J is not None]
    if len(known) == 3 and 2 * max(known) - sum(known) > INERTIA_ROUNDING * sum(known):
        low, middle, high = sorted(known)
        return f"of the moments {low:.6g}, {middle:.6g} and {high:.6g} two have a sum below the third"
    return ""
