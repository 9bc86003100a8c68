"""Outline of a body through the points of its joints: a bar, a polygon around points in a plane, or spokes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import sympy as sp

from ...foundation.arrays import Array
from ...language.expression import Expression
from ...model.bodies import Shape
from ...model.bodies.description import Vector

FLAT = 1e-9  # [1] distance from a line or a plane relative to the size of the points that counts as none


def outline(points: Sequence[Vector], planar: bool) -> tuple[Shape, ...]:
    """Return what connects two or more different points.

    Points on one line are joined by a bar between the outer ones, points in a plane enclosed by their convex hull,
    others joined with their mean. Points with parameters are joined in the order of statement.
    """
    bar = "line" if planar else "capsule"
    if len(points) == 2:
        return (Shape(bar, tuple(points)),)
    if not all(e.is_number for point in points for e in point):
        if planar:
            return (Shape("polygon", tuple(points)),)
        return tuple(Shape(bar, (points[0], point)) for point in points[1:])
    P = np.array(points, dtype=float)
    flat, dimension = _in_their_plane(P)
    if dimension <= 1:
        order = np.argsort(flat[:, 0], kind="stable")
        return (Shape(bar, (points[order[0]], points[order[-1]])),)
    if dimension == 2:
        return (Shape("polygon", tuple(points[k] for k in _hull(flat))),)
    x, y, z = (sp.Float(e) for e in P.mean(axis=0))
    middle: tuple[Expression, Expression, Expression] = (x, y, z)
    return tuple(Shape(bar, (middle, point)) for point in points)


def _in_their_plane(P: Array) -> tuple[Array, int]:
    """Return two coordinates of every point, and the dimension that the points span: 1, 2 or 3."""
    D = P - P[0]
    size = np.abs(D).max()
    u = D[np.argmax(np.linalg.norm(D, axis=1))]
    u = u / np.linalg.norm(u)
    across = D - np.outer(D @ u, u)
    far = np.argmax(np.linalg.norm(across, axis=1))
    width = np.linalg.norm(across[far])
    if width <= FLAT * size:
        return np.column_stack([D @ u, 0 * D[:, 0]]), 1
    w = across[far] / width
    flat = np.abs(D @ np.cross(u, w)).max() <= FLAT * size
    return np.column_stack([D @ u, D @ w]), 2 if flat else 3


def _hull(P: Array) -> list[int]:
    """Return the corners of the convex hull, anticlockwise in the two coordinates (Andrew's monotone chain)."""
    order = [int(k) for k in np.lexsort((P[:, 1], P[:, 0]))]
    size = np.abs(np.ptp(P, axis=0)).max()

    def half(sequence: Sequence[int]) -> list[int]:
        chain: list[int] = []
        for k in sequence:
            while len(chain) > 1 and _turn(P[chain[-2]], P[chain[-1]], P[k]) <= FLAT * size**2:
                chain.pop()
            chain.append(k)
        return chain[:-1]

    return half(order) + half(order[::-1])


def _turn(a: Array, b: Array, c: Array) -> float:
    """Return twice the area of the triangle a b c, positive anticlockwise."""
    (x, y), (u, v) = b - a, c - a
    return float(x * v - y * u)
