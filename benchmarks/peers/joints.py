"""The chain as robot programs see it: a tree of joints, cut open at one point, and states in joint coordinates.

For n >= 3 the tree begins at the origin and is closed at (d, 0). For n = 2 it begins with the slider on the x axis,
goes back along the links and is closed at the origin: neither Pinocchio nor MuJoCo has a point constraint of one row.
"""

from __future__ import annotations

import numpy as np

from .chain import Chain
from .peer import Pair


def links(case: Chain) -> list[tuple[float, float, float]]:
    """Mass, length and moment of inertia of each link, in the order of the tree."""
    row = [(m, length, m * length**2 / 12) for m, length in zip(case.masses, case.lengths, strict=True)]
    return row if case.rows == 2 else row[::-1]


def closing_point(case: Chain) -> float:
    """Where on the x axis the end of the tree is held."""
    return case.distance if case.rows == 2 else 0.0


def to_joints(case: Chain, phi: np.ndarray, w: np.ndarray) -> Pair:
    """Joint coordinates and rates: each angle from the link before; for n = 2 the slider first."""
    if case.rows == 2:
        return np.diff(phi, prepend=0.0), np.diff(w, prepend=0.0)
    lengths = np.array(case.lengths)
    x, u = lengths @ np.cos(phi), -lengths @ (np.sin(phi) * w)
    return np.array([x, phi[1] + np.pi, phi[0] - phi[1]]), np.array([u, w[1], w[0] - w[1]])


def from_joints(case: Chain, q: np.ndarray, v: np.ndarray, a: np.ndarray, force: np.ndarray) -> Pair:
    """Accelerations of the absolute angles and the force on the end point, from those of the joints and the closing.

    For n = 2 the force on the slider comes from the vertical balance of both links.
    """
    if case.rows == 2:
        return np.cumsum(a), force[:2]
    phi, w, alpha = np.cumsum(q[1:])[::-1] - np.pi, np.cumsum(v[1:])[::-1], np.cumsum(a[1:])[::-1]
    rise = np.array(case.lengths) * (np.cos(phi) * alpha - np.sin(phi) * w**2)
    middles = np.cumsum(rise) - rise / 2
    return alpha, np.array([np.array(case.masses) @ (middles + case.gravity) - force[1]])
