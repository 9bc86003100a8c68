"""Bounds of a TimeFunction and of its derivative over intervals of time, by interval arithmetic with derivatives.

R. E. Moore, R. B. Kearfott, M. J. Cloud, Introduction to Interval Analysis, SIAM 2009. All operations take and return
arrays over the intervals. A derivative that is not bounded here, as that of `sign`, is [-inf, inf].
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any, NamedTuple

import numpy as np

from ...foundation.arrays import Array
from .time_function import COMPARISONS, PLAIN, TimeFunction, table_value

SINE_ROUNDING = 1e-15  # [1] error of a sine, by which its bounds are widened


class Bounds(NamedTuple):
    """Bounds of a value and of its derivative, by time or by a parameter."""

    low: Any
    high: Any
    slope_low: Any
    slope_high: Any

    @property
    def constant(self) -> Any:
        """Where the value does not change."""
        return (self.slope_low == 0) & (self.slope_high == 0)


def bounds(function: TimeFunction, begin: Array, end: Array, parameters: Array, by: int | None = None) -> Bounds:
    """Return the bounds over the intervals from `begin` (N) to `end` (N); derivatives by time or by a parameter."""
    results: list[Bounds] = []
    zero, unsure = np.zeros_like(begin), np.zeros(begin.shape, dtype=bool)
    with np.errstate(all="ignore"):
        for kind, *rest in function.steps:
            if kind == "t":
                slope = zero + (by is None)
                result = Bounds(begin, end, slope, slope)
            elif kind in ("number", "parameter"):
                value = zero + (rest[0] if kind == "number" else parameters[rest[0]])
                slope = zero + (kind == "parameter" and rest[0] == by)
                result = Bounds(value, value, slope, slope)
            elif kind == "table":
                result = _table(tuple(rest[1:]), results[rest[0]])
            elif kind == "if":
                result = _choice(rest[0], unsure, *(results[k] for k in rest[1:]))
            else:
                result = _operation(kind, [results[k] for k in rest])
            unsure |= np.isneginf(result.low) & np.isposinf(result.high)  # may have no value, then comparisons fail
            results.append(result)
    return results[-1]


def _operation(kind: str, arguments: list[Bounds]) -> Bounds:
    """Return the bounds of an operation of the formula language."""
    if kind in ("add", "mul"):
        return reduce(_sum if kind == "add" else _product, arguments)
    if kind in ("min", "max"):
        return reduce(_least if kind == "min" else _greatest, arguments)
    x = arguments[0]
    if kind == "power":
        return _power(x, arguments[1])
    if kind in ("sin", "cos"):
        return _sine(x, kind)
    if kind == "abs":
        low = np.where((x.low < 0) & (x.high > 0), 0.0, np.minimum(np.abs(x.low), np.abs(x.high)))
        sides = Bounds(np.sign(x.low), np.sign(x.high), 0 * x.low, 0 * x.low)
        return _chained(low, np.maximum(np.abs(x.low), np.abs(x.high)), (sides.low, sides.high), x)
    if kind == "sign":
        return _unbounded_slope(np.sign(x.low), np.sign(x.high), (x.low > 0) | (x.high < 0) | x.constant)
    if kind == "atan2":
        return _unbounded_slope(0 * x.low - np.pi, 0 * x.low + np.pi, x.constant & arguments[1].constant)
    if kind == "cosh":
        low = np.where((x.low < 0) & (x.high > 0), 1.0, np.cosh(np.minimum(np.abs(x.low), np.abs(x.high))))
        high = np.cosh(np.maximum(np.abs(x.low), np.abs(x.high)))
        return _chained(low, high, (np.sinh(x.low), np.sinh(x.high)), x)
    return _monotone(kind, x)


def _sum(x: Bounds, y: Bounds) -> Bounds:
    return Bounds(x.low + y.low, x.high + y.high, x.slope_low + y.slope_low, x.slope_high + y.slope_high)


def _times(a: Any, b: Any, c: Any, d: Any) -> tuple[Any, Any]:
    """Return the bounds of the product of [a, b] and [c, d]; 0 times infinity is 0."""
    products = [np.nan_to_num(x * y, nan=0.0, posinf=np.inf, neginf=-np.inf) for x in (a, b) for y in (c, d)]
    return reduce(np.minimum, products), reduce(np.maximum, products)


def _product(x: Bounds, y: Bounds) -> Bounds:
    low, high = _times(x.low, x.high, y.low, y.high)
    first, last = _times(x.slope_low, x.slope_high, y.low, y.high)
    other_first, other_last = _times(x.low, x.high, y.slope_low, y.slope_high)
    missing = np.isnan(x.low + y.low)  # no value anywhere in the interval
    return Bounds(
        np.where(missing, np.nan, low), np.where(missing, np.nan, high), first + other_first, last + other_last
    )


def _chained(low: Any, high: Any, slope: tuple[Any, Any], x: Bounds) -> Bounds:
    """Return the bounds of a function of x with these bounds of its values and of its derivative by x."""
    return Bounds(low, high, *_times(*slope, x.slope_low, x.slope_high))


def _unbounded_slope(low: Any, high: Any, constant: Any) -> Bounds:
    """Return bounds with an unknown derivative, except where the value is constant."""
    return Bounds(low, high, np.where(constant, 0.0, -np.inf), np.where(constant, 0.0, np.inf))


def _least(x: Bounds, y: Bounds) -> Bounds:
    return Bounds(np.minimum(x.low, y.low), np.minimum(x.high, y.high), *_slopes(x, y, x.high < y.low, y.high < x.low))


def _greatest(x: Bounds, y: Bounds) -> Bounds:
    return Bounds(np.maximum(x.low, y.low), np.maximum(x.high, y.high), *_slopes(x, y, x.low > y.high, y.low > x.high))


def _slopes(x: Bounds, y: Bounds, first: Any, second: Any) -> tuple[Any, Any]:
    """Return the bounds of the derivative of the chosen one of x and y; of both where the choice is not certain."""
    low, high = np.minimum(x.slope_low, y.slope_low), np.maximum(x.slope_high, y.slope_high)
    low = np.where(first, x.slope_low, np.where(second, y.slope_low, low))
    return low, np.where(first, x.slope_high, np.where(second, y.slope_high, high))


def _sine(x: Bounds, kind: str) -> Bounds:
    """Return the bounds of sin or cos, whose extrema lie where the phase in quarter turns is 1 and 3, or 0 and 2."""
    function, top = (np.sin, 0.25) if kind == "sin" else (np.cos, 0.0)

    def crosses(phase: float) -> Any:
        """Return whether the interval contains a point at this part of a turn."""
        return np.floor(x.high / (2 * np.pi) - phase) >= np.ceil(x.low / (2 * np.pi) - phase)

    ends = function(x.low), function(x.high)
    low = np.where(crosses(top + 0.5), -1.0, np.minimum(*ends) - SINE_ROUNDING)
    high = np.where(crosses(top), 1.0, np.maximum(*ends) + SINE_ROUNDING)
    other = (np.cos, np.sin)[kind == "cos"]
    sides, extreme = (other(x.low), other(x.high)), {"sin": (0.5, 0.0), "cos": (0.75, 0.25)}[kind]
    slope_low = np.where(crosses(extreme[0]), -1.0, np.minimum(*sides))
    slope_high = np.where(crosses(extreme[1]), 1.0, np.maximum(*sides))
    slope = (slope_low, slope_high) if kind == "sin" else (-slope_high, -slope_low)
    return _chained(low, high, slope, x)


def _power(x: Bounds, exponent: Bounds) -> Bounds:
    """Return the bounds of a power with a constant exponent, else of exp(y log x)."""
    if not np.all(exponent.constant):
        return _monotone("exp", _product(exponent, _monotone("log", x)))
    n = exponent.low
    ends = np.power(x.low, n), np.power(x.high, n)
    through, even = (x.low < 0) & (x.high > 0), np.mod(n, 2) == 0
    whole = np.mod(n, 1) == 0
    low, high = np.fmin(*ends), np.fmax(*ends)
    low = np.where(through & even & (n > 0), 0.0, np.where(through & ~whole & (n > 0), 0.0, low))
    pole = (x.low <= 0) & (x.high >= 0) & (n < 0)
    low, high = np.where(pole, np.where(even, np.fmin(*ends), -np.inf), low), np.where(pole, np.inf, high)
    derivative_ends = n * np.power(x.low, n - 1), n * np.power(x.high, n - 1)
    slope_low, slope_high = np.fmin(*derivative_ends), np.fmax(*derivative_ends)
    inside = through & (np.mod(n, 2) == 1) & (n > 1)
    slope_low = np.where(inside, np.minimum(slope_low, 0.0), slope_low)
    unknown = ((x.low <= 0) & ~whole) | pole
    slope = np.where(unknown, -np.inf, slope_low), np.where(unknown, np.inf, slope_high)
    return _unless((x.low < 0) & (x.high >= 0) & ~whole, _chained(low, high, slope, x))


def _monotone(kind: str, x: Bounds) -> Bounds:
    """Return the bounds of an increasing function, or of acos and tan."""
    function = PLAIN[kind]
    low, high = function(x.low), function(x.high)
    if kind == "acos":
        low, high = high, low
    if kind in ("asin", "acos", "log"):
        first, last = (0.0, np.inf) if kind == "log" else (-1.0, 1.0)
        partly = (x.low < first) & (x.high >= first) | (x.low <= last) & (x.high > last)
        return _unless(partly, _within(kind, low, high, x))
    if kind == "tan":
        pole = np.floor(x.high / np.pi - 0.5) >= np.ceil(x.low / np.pi - 0.5)
        low, high = np.where(pole, -np.inf, low), np.where(pole, np.inf, high)
    slopes: dict[str, Callable[[], tuple[Any, Any]]] = {
        "exp": lambda: (np.exp(x.low), np.exp(x.high)),
        "sinh": lambda: (0 * x.low, np.maximum(np.cosh(x.low), np.cosh(x.high))),
        "tanh": lambda: (0 * x.low, 0 * x.low + 1),
        "atan": lambda: (
            1 / (1 + np.maximum(x.low**2, x.high**2)),
            np.where((x.low < 0) & (x.high > 0), 1.0, 1 / (1 + np.minimum(x.low**2, x.high**2))),
        ),
    }
    return _chained(low, high, slopes[kind](), x) if kind in slopes else _unbounded_slope(low, high, x.constant)


def _within(kind: str, low: Any, high: Any, x: Bounds) -> Bounds:
    """Return the bounds of log, asin or acos where the interval lies in its domain."""
    if kind == "log":
        return _chained(low, high, (1 / x.high, np.where(x.low > 0, 1 / x.low, np.inf)), x)
    return _unbounded_slope(low, high, x.constant)


def _unless(partly: Any, x: Bounds) -> Bounds:
    """Return bounds without limits where a function has values in a part of the interval only."""
    ends = (-np.inf, np.inf, -np.inf, np.inf)
    return Bounds(*(np.where(partly, end, side) for end, side in zip(ends, x, strict=True)))


def _choice(relation: str, unsure: Any, difference: Bounds, then: Bounds, otherwise: Bounds) -> Bounds:
    """Return the bounds of `if`: those of one case where the comparison is certain, of both elsewhere."""
    below, above = difference.high < 0, difference.low > 0
    holds, fails = (below, above) if relation in ("<", "<=") else (above, below)
    if relation in ("==", "!="):
        never = below | above
        holds, fails = (np.zeros_like(never), never) if relation == "==" else (never, np.zeros_like(never))
    one = (difference.low == difference.high) | np.isnan(difference.low)  # a single number, or none
    truth = COMPARISONS[relation](difference.low, 0.0)
    holds, fails = np.where(one, truth, holds & ~unsure), np.where(one, ~truth, fails & ~unsure)
    parts = []
    for k, outer in enumerate((np.fmin, np.fmax, np.fmin, np.fmax)):
        both = outer(then[k], otherwise[k]) if k < 2 else np.full_like(then[k], (-np.inf, np.inf)[k - 2])
        parts.append(np.where(holds, then[k], np.where(fails, otherwise[k], both)))
    return Bounds(*parts)


def _table(table: tuple[Any, ...], x: Bounds) -> Bounds:
    """Return the bounds of a table: within one piece by Horner's scheme, else those of all pieces."""
    knots, c, outside = np.asarray(table[0]), np.asarray(table[1]), table[2]
    low, high = (np.clip(side, knots[0], knots[-1]) if outside == "hold" else side for side in (x.low, x.high))
    last = len(knots) - 2
    k = np.clip(np.searchsorted(knots, low, side="right") - 1, 0, last)
    one = k == np.clip(np.searchsorted(knots, high, side="left") - 1, 0, last)
    one |= low == high
    zero = np.zeros_like(low)
    position, value = Bounds(low - knots[k], high - knots[k], zero + 1, zero + 1), Bounds(zero, zero, zero, zero)
    for row in c:
        value = _sum(_product(value, position), Bounds(row[k], row[k], zero, zero))
    pieces = Bounds(zero, zero + np.diff(knots).max(), zero, zero)
    most = reduce(lambda sum_, row: sum_ * pieces.high + np.abs(row).max(), c, zero)
    if outside == "extrapolate":
        most = most + np.inf
    beyond = (x.low > knots[-1]) | (x.high < knots[0])
    if outside == "error":
        ends = table_value(table, x.low)
        value = value._replace(low=np.where(beyond, ends, value.low), high=np.where(beyond, ends, value.high))
    flat = beyond & (outside == "hold")
    partly = ~beyond & ((x.low < knots[0]) | (x.high > knots[-1])) & (outside == "error")
    certain = one & ((outside != "hold") | flat | ((x.low >= knots[0]) & (x.high <= knots[-1])))
    slope = np.where(flat, 0.0, value.slope_low), np.where(flat, 0.0, value.slope_high)
    slope = np.where(certain, slope[0], -np.inf), np.where(certain, slope[1], np.inf)
    return _unless(partly, _chained(np.where(one, value.low, -most), np.where(one, value.high, most), slope, x))
