"""V, the axes in which a force was measured: tangent, normal and binormal of the path of a point.

    F = V F^(tnb),   V = [t n b],   V^T V = 1       (theory 9; paper 003, eq. 21 and 34)

In the plane n is t turned to the left by a right angle, so that V is a rotation. The tangent is

    given              t = T/|T| of any expressions T(q, q', t)
    the velocity       t = v/|v| of the point; it has no value while the point is at rest
    along a curve      g(x, y) = 0: t = (g_y, -g_x)/|grad g|, and so n = grad g/|grad g|, the way g grows
    along a path       r(s): t = r_s/|r_s|; in space b = r_s x r_ss/|r_s x r_ss|, which has no value where r is straight
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import sympy as sp

from ...language.as_expression import as_expression
from ...language.faults import Faults, short_text
from ...language.symbols import der, is_coordinate_like

WAYS = "tangent=(...), tangent='velocity', curve=g or path=(r, s)"


def path_axes(
    at: Sequence[Any],
    tangent: Any = None,
    normal: Any = None,
    curve: Any = None,
    path: Any = None,
    reverse: bool = False,
    faults: Faults | None = None,
) -> sp.Matrix:
    """V, 2 x 2 or 3 x 3, at the point `at`; see `Record.force` for the rest. Faults are collected, or raised."""
    found = Faults() if faults is None else faults
    before = len(found)
    along, bending = path_tangent(at, tangent, curve, path, reverse, found)
    V = sp.eye(len(along))
    if len(found) == before:
        V = _in_plane(along, normal, found) if len(along) == 2 else _in_space(along, bending, normal, found)
    if faults is None:
        found.raise_any("The axes of the path")
    return V


def path_tangent(
    at: Sequence[Any], tangent: Any, curve: Any, path: Any, reverse: bool, faults: Faults
) -> tuple[sp.Matrix, sp.Matrix | None]:
    """The tangent, of any length, and r_ss of a path r(s), which with it gives the plane of curvature."""
    point = sp.Matrix([as_expression(e, "at", faults) for e in at])
    along, bending = sp.ones(len(point), 1), None
    if sum(way is not None for way in (tangent, curve, path)) != 1:
        faults.add("axes", f"the tangent is stated in one way: {WAYS}")
    elif len(point) not in (2, 3):
        faults.add("at", f"a path is in the plane or in space; the point has {len(point)} coordinates")
    elif curve is not None:
        along = _along_curve(point, curve, faults)
    elif path is not None:
        along, bending = _along_path(point, path, faults)
    elif isinstance(tangent, str):
        if tangent != "velocity":
            faults.add("tangent", f"it is given by expressions or 'velocity', not {tangent!r}")
        along = point.applyfunc(der)
    else:
        along = _vector(tangent, len(point), "tangent", faults)
    if along.is_zero_matrix:
        faults.add("tangent", "it is zero: the point does not move that way")
    return (-along if reverse else along), bending


def _in_space(along: Any, bending: Any, normal: Any, faults: Faults) -> sp.Matrix:
    if normal is not None:
        bending = _vector(normal, 3, "normal", faults)
    if bending is None:
        advice = "Give normal=(nx, ny, nz), or path=(r, s) with its curvature."
        faults.add("normal", "in space a normal is needed", advice)
        return sp.eye(3)
    b = along.cross(bending)
    if b.expand().is_zero_matrix:
        what = "it has the direction of the tangent, or the path is straight"
        faults.add("normal", what, "Give normal=(nx, ny, nz).")
        return sp.eye(3)
    t, b = _unit(along), _unit(b)
    return sp.Matrix.hstack(t, b.cross(t), b)


def _in_plane(along: Any, normal: Any, faults: Faults) -> sp.Matrix:
    if normal is not None and not (isinstance(normal, str) and normal in ("left", "right")):
        faults.add("normal", f"in the plane it is 'left' or 'right' of the tangent, not {short_text(normal, 40)}")
    t = _unit(along)
    left = sp.Matrix([-t[1], t[0]])
    return sp.Matrix.hstack(t, -left if isinstance(normal, str) and normal == "right" else left)


def _along_curve(point: Any, curve: Any, faults: Faults) -> Any:
    """(g_y, -g_x) at the point."""
    if len(point) != 2:
        faults.add(
            "curve", "g(x, y) = 0 is a curve in the plane", "In space give path=(r, s), or a tangent and a normal."
        )
        return sp.zeros(3, 1)
    if isinstance(curve, Callable) and not isinstance(curve, sp.Basic):  # type: ignore[arg-type]
        x, y = sp.Dummy("x"), sp.Dummy("y")
        g = as_expression(curve(x, y), "curve", faults)
        place = {x: point[0], y: point[1]}
    elif all(is_coordinate_like(e) for e in point):
        (x, y), g, place = point, as_expression(curve, "curve", faults), {}
    else:
        what = "the point is no pair of coordinates, so that g has to be a function of its place"
        faults.add("curve", what, "Give curve=lambda x, y: ...; the same function can state the constraint.")
        return sp.Matrix([1, 0])
    return sp.Matrix([g.diff(y), -g.diff(x)]).xreplace(place)


def _along_path(point: Any, path: Any, faults: Faults) -> tuple[Any, Any]:
    """r_s and r_ss; s alone means the way of the point itself."""
    r, s = path if isinstance(path, (tuple, list)) and len(path) == 2 else (point, path)
    if not (is_coordinate_like(s) or isinstance(s, sp.Symbol)):
        faults.add(
            "path", f"it is s, or (r, s) with r given by expressions of s; s is a coordinate, not {short_text(s, 40)}"
        )
        return sp.Matrix([1] * len(point)), None
    curve = _vector(r, len(point), "path", faults)
    return curve.diff(s), curve.diff(s, 2)


def _vector(given: Any, size: int, where: str, faults: Faults) -> Any:
    entries = list(given) if isinstance(given, (tuple, list, sp.MatrixBase, np.ndarray)) else []
    if len(entries) != size:
        faults.add(
            where, f"{size} expressions are needed, one for each coordinate of the point, not {short_text(given, 60)}"
        )
        return sp.Matrix([1] * size)
    return sp.Matrix([as_expression(e, where, faults) for e in entries])


def _unit(vector: Any) -> Any:
    return vector / sp.sqrt(sum(e**2 for e in vector))
