"""Table: measured values of a function of one argument, interpolated by a spline.

road = lk.table("road", times, heights)      road(t), der(road(t)), k(x), ...
"""

from __future__ import annotations

import numbers
from collections.abc import Iterable, Mapping, Set
from decimal import Decimal
from functools import cached_property
from math import perm
from typing import Any

import numpy as np
import sympy as sp

from ...errors import Faults, did_you_mean
from ...foundation.arrays import Array, ArrayLike
from ...foundation.frozen_dataclass import dataclass
from ...foundation.nearest_name import with_suggestions
from ..expression import Expression, ExpressionLike
from ..names import identifier_problem
from ..short_text import short_text
from .applied import applied

KINDS = ("cubic", "pchip", "linear")
OUTSIDE = ("error", "hold", "extrapolate")
_NUMBERS = (numbers.Real, Decimal, sp.Expr)


@dataclass(frozen=True, eq=False)
class Table:
    """A function interpolating the points (x_k, y_k), x strictly increasing; made by `lk.table`.

    kind     "cubic"   twice continuously differentiable (not-a-knot; a parabola through 3 points, a line through 2)
             "pchip"   once continuously differentiable, and monotone where the points are
             "linear"  straight between the points
    outside  "error"        no value (NaN) before x_0 and after x_n
             "hold"         the end values, with zero slope
             "extrapolate"  continuation of the first and the last polynomial

    A call with an expression returns an expression: road(t). Two tables are equal if all their fields are.
    """

    name: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    kind: str = "cubic"
    outside: str = "error"

    @property
    def arguments(self) -> int:
        """Number of arguments, always 1."""
        return 1

    @cached_property
    def identity(self) -> tuple[object, ...]:
        """All fields except the name."""
        return "table", self.x, self.y, self.kind, self.outside

    def unavailable(self, orders: tuple[int, ...]) -> str:
        """Return an empty text: a spline has all derivatives; above its degree they are zero between the points."""
        return ""

    @cached_property
    def _polynomials(self) -> Array:
        x, y = np.array(self.x), np.array(self.y)
        if self.kind == "linear":
            return np.array([np.diff(y) / np.diff(x), y[:-1]])
        from scipy.interpolate import CubicSpline, PchipInterpolator  # heavy, so imported on first evaluation

        return np.array((CubicSpline if self.kind == "cubic" else PchipInterpolator)(x, y).c)

    def pieces(self) -> Array:
        """Return the coefficients c, (degree + 1) x intervals, as in SciPy's PPoly.

        y(x) = sum_m c[m, k] (x - x_k)^(degree - m) for x_k <= x < x_(k+1).
        """
        return self._polynomials.copy()

    def value(self, x: ArrayLike, order: int = 0) -> Any:
        """Return the function or its derivative at x, a number or an array; beyond the ends as `outside` states."""
        x = np.asarray(x, dtype=float)
        knots, c = np.array(self.x), self._polynomials
        k = np.clip(np.searchsorted(knots, x, side="right") - 1, 0, len(knots) - 2)
        y = np.zeros_like(x)
        degree = len(c) - 1
        for m in range(degree - order + 1):  # Horner's scheme for the derivatives of the powers
            y = y * (x - knots[k]) + perm(degree - m, order) * c[m][k]
        before, after = x < knots[0], x > knots[-1]
        if self.outside == "error":
            y = np.where(before | after, np.nan, y)
        elif self.outside == "hold":
            ends = (self.y[0], self.y[-1]) if order == 0 else (0.0, 0.0)
            y = np.where(before, ends[0], np.where(after, ends[1], y))
        y = np.where(np.isnan(x), np.nan, y)  # derivatives above the degree are zero even for NaN
        return y if y.ndim else float(y)

    def __call__(self, argument: ExpressionLike) -> Expression:
        """Return the expression name(argument)."""
        return applied(self, (argument,))

    def __eq__(self, other: object) -> bool:
        return self.name == other.name and self.identity == other.identity if isinstance(other, Table) else False

    def __hash__(self) -> int:
        return hash((self.name, self.kind, self.outside, len(self.x), self.x[-1], self.y[-1]))

    def __reduce__(self) -> Any:
        return Table, (self.name, self.x, self.y, self.kind, self.outside)

    def __repr__(self) -> str:
        span = f"{len(self.x)} points from {self.x[0]:g} to {self.x[-1]:g}"
        return f"table {self.name!r}: {span}, {self.kind}, outside: {self.outside}"


@with_suggestions
def table(name: str, x: Iterable[float], y: Iterable[float], kind: str = "cubic", outside: str = "error") -> Table:
    """Return a function of one argument that interpolates points, such as a measured time series.

    Parameters
    ----------
    name : str
        Name of the function in formulas.
    x, y : iterable of float
        At least 2 points, x strictly increasing.
    kind : {"cubic", "pchip", "linear"}
        Interpolation: twice continuously differentiable (not-a-knot), once and monotone where the points are, or
        straight between the points.
    outside : {"error", "hold", "extrapolate"}
        Value before the first and after the last point: none (NaN), the end values, or those of the first and last
        polynomial.

    Returns
    -------
    Table
        Function for formulas: ``road(lk.t)``, ``der(road(lk.t))``; ``road.value(x)`` gives numbers.

    Raises
    ------
    ModelError
        With all faults of the arguments.

    Examples
    --------
    >>> road = lk.table("road", [0, 1, 2], [0, 1, 0], kind="linear", outside="hold")
    >>> road.value([0.5, 3.0])
    array([0.5, 0. ])
    >>> road(lk.t)
    road(t)
    """
    faults = Faults()
    problem = identifier_problem(name) if isinstance(name, str) else f"a name must be a text, not {name!r}"
    if problem:
        faults.add("name", problem)
    for where, choice, allowed in (("kind", kind, KINDS), ("outside", outside, OUTSIDE)):
        if choice not in allowed:
            nearest = did_you_mean(str(choice), allowed)
            faults.add(where, f"it must be one of {', '.join(map(repr, allowed))}, not {choice!r}{nearest}")
    points, values = _numbers(x, "x", faults), _numbers(y, "y", faults)
    if len(points) != len(values):
        faults.add("x, y", f"x has {len(points)} numbers and y has {len(values)}", "Give one y for each x.")
    elif len(points) < 2 and not len(faults):
        faults.add("x, y", f"a table needs at least 2 points, this one has {len(points)}")
    _check_increasing(points, faults)
    faults.raise_any(f"The table {name!r}")
    return Table(name, points, values, kind, outside)


def _numbers(column: object, where: str, faults: Faults) -> tuple[float, ...]:
    """Return the numbers of a sequence, an array or a column of a data frame; add a fault for those not finite."""
    if isinstance(column, (str, bytes, Mapping, Set, sp.Expr)) or not isinstance(column, Iterable):
        faults.add(where, f"a sequence of numbers was expected, not {short_text(column)}")
        return ()
    entries = column.filled(np.nan) if np.ma.isMaskedArray(column) else column
    entries = list(entries.ravel()) if isinstance(entries, np.ndarray) and _is_line(entries) else list(entries)
    values, bad = [], []
    for i, entry in enumerate(entries):
        try:
            number = float(entry) if isinstance(entry, _NUMBERS) and not isinstance(entry, bool) else np.nan
        except (TypeError, ValueError, OverflowError):
            number = np.nan
        values.append(number)
        if not np.isfinite(number):
            bad.append(f"{where}[{i}] = {short_text(entry, 40)} is not a finite number")
    faults.add_some(where, bad)
    return tuple(values)


def _is_line(array: Array) -> bool:
    """Return whether an array has at most one axis longer than 1: (n,), (n, 1), (1, n)."""
    return bool(max(array.shape, default=0) == array.size)


def _check_increasing(x: tuple[float, ...], faults: Faults) -> None:
    pairs = [i for i in range(1, len(x)) if x[i] <= x[i - 1]]
    what = [f"x[{i}] = {x[i]!r} is not greater than x[{i - 1}] = {x[i - 1]!r}" for i in pairs]
    faults.add_some("x", what, "Sort the points by x, and keep one of those with equal x.")
