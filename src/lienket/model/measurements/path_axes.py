"""Axes V in which a force was measured: tangent, normal and binormal of the path of a point.

    F = V F^(tnb),   V = [t n b],   V^T V = 1       (theory 9; paper 003, eq. 21 and 34)

In the plane n is t turned to the left by a right angle, so that V is a rotation. The tangent is

    stated             t = T/|T| of any expressions T(q, q', t)
    the velocity       t = v/|v| of the point; undefined while the point is at rest
    along a curve      g(x, y) = 0: t = (g_y, -g_x)/|grad g|, hence n = grad g/|grad g|, towards growing g
    along a path       r(s): t = r_s/|r_s|; in space b = r_s x r_ss/|r_s x r_ss|, undefined where r is straight
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

import numpy as np
import sympy as sp

from ...errors import Faults
from ...language.as_expression import as_expression
from ...language.expression import Coordinate, Expression, ExpressionLike, Symbol
from ...language.short_text import short_text
from ...language.symbols import der, is_coordinate_like

PlaneCurve: TypeAlias = "Callable[[Symbol, Symbol], Expression] | Expression"  # g(x, y), or an expression of x and y
PathCurve: TypeAlias = "tuple[Iterable[ExpressionLike], Coordinate] | Coordinate"  # r(s) and s, or s alone
TANGENT_OPTIONS = "tangent=(...), tangent='velocity', curve=g or path=(r, s)"


def path_axes(
    at: Sequence[ExpressionLike],
    tangent: Iterable[ExpressionLike] | str | None = None,
    normal: Iterable[ExpressionLike] | str | None = None,
    curve: PlaneCurve | None = None,
    path: PathCurve | None = None,
    reverse: bool = False,
    faults: Faults | None = None,
) -> sp.Matrix:
    """Return V, 2 x 2 or 3 x 3, at the point `at`; `Record.force` describes the other arguments.

    Faults are added to `faults`, or raised if that is None.
    """
    collected = Faults() if faults is None else faults
    faults_before = len(collected)
    direction, curvature = path_tangent(at, tangent, curve, path, reverse, collected)
    V = sp.eye(len(direction))
    if len(collected) == faults_before:
        V = (
            _in_plane(direction, normal, collected)
            if len(direction) == 2
            else _in_space(direction, curvature, normal, collected)
        )
    if faults is None:
        collected.raise_any("The axes of the path")
    return V


def path_tangent(
    at: Sequence[ExpressionLike],
    tangent: Iterable[ExpressionLike] | str | None,
    curve: PlaneCurve | None,
    path: PathCurve | None,
    reverse: bool,
    faults: Faults,
) -> tuple[sp.Matrix, sp.Matrix | None]:
    """Return the tangent, of any length, and r_ss of a path r(s), which spans the plane of curvature with it."""
    point = sp.Matrix([as_expression(e, "at", faults) for e in at])
    direction, curvature = sp.ones(len(point), 1), None
    if sum(option is not None for option in (tangent, curve, path)) != 1:
        faults.add("axes", f"the tangent must be stated in exactly one way: {TANGENT_OPTIONS}")
    elif len(point) not in (2, 3):
        faults.add("at", f"a path needs a point with 2 or 3 coordinates, but this one has {len(point)}")
    elif curve is not None:
        direction = _along_curve(point, curve, faults)
    elif path is not None:
        direction, curvature = _along_path(point, path, faults)
    elif isinstance(tangent, str):
        if tangent != "velocity":
            faults.add("tangent", f"it must be expressions or 'velocity', not {tangent!r}")
        direction = point.applyfunc(der)
    else:
        direction = _vector(tangent, len(point), "tangent", faults)
    if direction.is_zero_matrix:
        faults.add("tangent", "it is zero: the point does not move that way")
    return (-direction if reverse else direction), curvature


def _in_space(
    direction: sp.Matrix, curvature: sp.Matrix | None, normal: Iterable[ExpressionLike] | str | None, faults: Faults
) -> sp.Matrix:
    """Return V = [t n b], 3 x 3, from the tangent and the normal or curvature."""
    if normal is not None:
        curvature = _vector(normal, 3, "normal", faults)
    if curvature is None:
        advice = "Give normal=(nx, ny, nz), or path=(r, s) with its curvature."
        faults.add("normal", "in space a normal is needed", advice)
        return sp.eye(3)
    b = direction.cross(curvature)
    if b.expand().is_zero_matrix:
        what = "it has the direction of the tangent, or the path is straight"
        faults.add("normal", what, "Give normal=(nx, ny, nz).")
        return sp.eye(3)
    t, b = _unit(direction), _unit(b)
    return sp.Matrix.hstack(t, b.cross(t), b)


def _in_plane(direction: sp.Matrix, normal: Iterable[ExpressionLike] | str | None, faults: Faults) -> sp.Matrix:
    """Return V = [t n], 2 x 2, with n to the left of t, or to the right."""
    if normal is not None and not (isinstance(normal, str) and normal in ("left", "right")):
        faults.add("normal", f"in the plane it must be 'left' or 'right', not {short_text(normal, 40)}")
    t = _unit(direction)
    left = sp.Matrix([-t[1], t[0]])
    return sp.Matrix.hstack(t, -left if isinstance(normal, str) and normal == "right" else left)


def _along_curve(point: sp.Matrix, curve: PlaneCurve, faults: Faults) -> sp.Matrix:
    """Return (g_y, -g_x) at the point."""
    if len(point) != 2:
        faults.add(
            "curve", "g(x, y) = 0 is a curve in the plane", "In space give path=(r, s), or a tangent and a normal."
        )
        return sp.zeros(3, 1)
    if isinstance(curve, Callable) and not isinstance(curve, sp.Basic):  # type: ignore[arg-type]
        x, y = sp.Dummy("x"), sp.Dummy("y")
        g = as_expression(curve(x, y), "curve", faults)
        position = {x: point[0], y: point[1]}
    elif all(is_coordinate_like(e) for e in point):
        (x, y), g, position = point, as_expression(curve, "curve", faults), {}
    else:
        what = "the point is not a pair of coordinates, so g must be a function of x and y"
        faults.add("curve", what, "Give curve=lambda x, y: ...; the same function can state the constraint.")
        return sp.Matrix([1, 0])
    return sp.Matrix([g.diff(y), -g.diff(x)]).xreplace(position)


def _along_path(point: sp.Matrix, path: PathCurve, faults: Faults) -> tuple[sp.Matrix, sp.Matrix | None]:
    """Return r_s and r_ss; if `path` is s alone, r is the point itself."""
    r, s = path if isinstance(path, (tuple, list)) and len(path) == 2 else (point, path)
    if not (is_coordinate_like(s) or isinstance(s, sp.Symbol)):
        faults.add(
            "path",
            f"it must be s, or (r, s) with r given by expressions of s; s is a coordinate, not {short_text(s, 40)}",
        )
        return sp.Matrix([1] * len(point)), None
    curve = _vector(r, len(point), "path", faults)
    return curve.diff(s), curve.diff(s, 2)


def _vector(stated: object, size: int, where: str, faults: Faults) -> sp.Matrix:
    """Return a column of `size` expressions."""
    entries = list(stated) if isinstance(stated, (tuple, list, sp.MatrixBase, np.ndarray)) else []
    if len(entries) != size:
        faults.add(
            where,
            f"{size} expressions are expected, one for each coordinate of the point, not {short_text(stated, 60)}",
        )
        return sp.Matrix([1] * size)
    return sp.Matrix([as_expression(e, where, faults) for e in entries])


def _unit(vector: sp.Matrix) -> sp.Matrix:
    """Return the vector divided by its length."""
    return vector / sp.sqrt(sum(e**2 for e in vector))
