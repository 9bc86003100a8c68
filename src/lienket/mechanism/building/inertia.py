"""Inertia of bodies: which are possible (mechanisms 6.3).

A body has m >= 0, J symmetric, and S_c = (tr J/2) I - J without a negative eigenvalue: for the principal moments
J_1 <= J_2 <= J_3 this is J_1 + J_2 >= J_3, J_1 >= 0. Thin plates meet the bound exactly.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...language.expression import Expression

INERTIA_ROUNDING = 1e-12  # [1] violation of the inequalities relative to tr J that counts as rounding


def possible_inertia(entries: Sequence[Expression]) -> str:
    """Return which inequality xx yy zz xy xz yz violate, an empty text if none, or if they are no numbers."""
    if not all(e.is_number for e in entries):
        return ""
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
