"""Crossings: all times at which a TimeFunction passes one of its levels.

An interval is left out if the bounds of the function exclude every level, and searched by secants and bisection if the
function is monotone in it; otherwise it is halved. So none is missed, however short the time between two of them is
(Moore, Kearfott and Cloud 2009, chapter 8). Times that differ by less than a part LEAST_CELL of the run, between which
the function is not monotone, count as one.
"""

from __future__ import annotations

import numpy as np

from ...errors import LienketError
from ...foundation.arrays import Array, BoolArray
from .bounds import bounds
from .rounding import value_rounding
from .time_function import HARMLESS, NEGATIVE, POSITIVE, TimeFunction

LEAST_CELL = 2.0**-40  # [1] shortest interval that is halved, relative to the run
CLUSTER_CELL = 2.0**-30  # [1] the same if there are more than CLUSTER_CELLS
CLUSTER_CELLS = 2**12  # [intervals] from which on those around a multiple root are not halved as far
CELL_LIMIT = 2**15  # [intervals] limit of those searched at once
SECANT_LIMIT = 120  # [iterations] of the search in one interval
WIDER_LIMIT = 80  # [iterations] that double the distance of the times before and after a crossing
WIDEST = 2.0**20  # [1] largest such distance, in units of the rounding of times
LEAST_GRAIN = 2.0**-30  # [1] distance of two numbers near 0, in the same units, that counts
NOISE_FACTOR = 4.0  # [1] value relative to its rounding error from which on its sign is certain


class TooManyCrossings(LienketError):
    """More crossings than can be found at once."""


def crossings(function: TimeFunction, parameters: Array, begin: float, end: float, rounding: float) -> Array:
    """Return (K x 3) the time of each crossing, a time shortly before it, and one shortly after it.

    `rounding` is the distance of two times that can be told apart. Raises TooManyCrossings if there are too many.
    """
    found = [np.zeros((0, 3))]
    low, high = np.array([begin]), np.array([end])
    levels, least = np.asarray(function.levels, dtype=float), max(4 * rounding, LEAST_CELL * (end - begin))
    while low.size:
        inside = bounds(function, low, high, parameters)
        some = np.searchsorted(levels, inside.high, side="right") > np.searchsorted(levels, inside.low, side="left")
        some &= ~inside.constant & (inside.low != inside.high)
        monotone = ((inside.slope_low > 0) | (inside.slope_high < 0)) & (inside.high - inside.low < np.inf)
        many = low.size > CLUSTER_CELLS  # around a multiple root
        final = some & (monotone | (high - low <= (CLUSTER_CELL * (end - begin) if many else least)))
        if final.any():
            found.append(_in_cells(function, parameters, low[final], high[final], rounding))
        rest = some & ~final
        low, high = low[rest], high[rest]
        middle = 0.5 * (low + high)
        low, high = np.concatenate([low, middle]), np.concatenate([middle, high])
        if low.size > CELL_LIMIT or sum(map(len, found)) > CELL_LIMIT:
            raise TooManyCrossings(
                f"The formula {function.formula} changes its sign too often near t = {begin:.9g} to end a step at each "
                "of these times. Begin or end the run elsewhere, or state a formula without jumps."
            )
    return np.concatenate(found)


def _in_cells(function: TimeFunction, parameters: Array, low: Array, high: Array, rounding: float) -> Array:
    """Return the crossings in intervals (N) in which each level is crossed at most once."""
    levels = np.asarray(function.levels, dtype=float)
    first, last = function.values(low, parameters), function.values(high, parameters)
    begin = np.searchsorted(levels, np.fmin(first, last), side="right")
    count = np.searchsorted(levels, np.fmax(first, last), side="right") - begin
    count[np.isnan(first) | np.isnan(last)] = 0
    if not count.any():
        return np.zeros((0, 3))
    cell = np.repeat(np.arange(len(low)), count)
    within = np.arange(len(cell)) - np.repeat(np.cumsum(count) - count, count)
    return _between(function, parameters, low[cell], high[cell], levels[begin[cell] + within], rounding)


def _between(function: TimeFunction, parameters: Array, a: Array, b: Array, level: Array, rounding: float) -> Array:
    """Return the crossings of a level (N) between times a and b (N) on its two sides: Illinois and bisection."""
    a, b = a.copy(), b.copy()
    fa, fb = function.values(a, parameters) - level, function.values(b, parameters) - level
    rises = fb >= 0
    best, least = np.where(np.abs(fa) < np.abs(fb), a, b), np.fmin(np.abs(fa), np.abs(fb))
    for i in range(SECANT_LIMIT):
        open_ = b - a > 4 * rounding
        if not open_.any():
            break
        with np.errstate(all="ignore"):
            secant = b - fb * (b - a) / (fb - fa)
        x = np.where((i % 3 != 2) & (secant > a) & (secant < b), secant, 0.5 * (a + b))
        for point in (x, x - rounding, x + rounding):  # both sides, so that a straight line needs one iteration
            point = np.clip(point, a, b)
            f = function.values(point, parameters) - level
            after = (f >= 0) == rises
            nearer = np.abs(f) < least
            best, least = np.where(nearer, point, best), np.where(nearer, np.abs(f), least)
            b, fb = np.where(open_ & after, point, b), np.where(open_ & after, f, fb)
            a, fa = np.where(open_ & ~after, point, a), np.where(open_ & ~after, f, fa)
    return _bracketed(function, parameters, best, level, rises, rounding)


def _bracketed(
    function: TimeFunction, parameters: Array, at: Array, level: Array, rises: BoolArray, rounding: float
) -> Array:
    """Return (N x 3) the times, with such before and after them that rounding does not hide the side."""
    grain = np.maximum(np.spacing(np.abs(at)), LEAST_GRAIN * rounding)
    width = grain
    sign, noise = np.where(rises, 1.0, -1.0), NOISE_FACTOR * value_rounding(function, at, parameters)
    for _ in range(WIDER_LIMIT):
        before = sign * (function.values(at - width, parameters) - level)
        after = sign * (function.values(at + width, parameters) - level)
        hidden = ~((before < -noise) & (after > noise)) & (width < WIDEST * rounding)
        if not hidden.any():
            break
        width = np.where(hidden, 2 * width, width)
    return np.column_stack([_first_after(function, parameters, at, level, sign, grain), at - width, at + width])


def _first_after(
    function: TimeFunction, parameters: Array, at: Array, level: Array, sign: Array, grain: Array
) -> Array:
    """Return the first numbers from `at` on (N) that belong to the side after the crossing."""
    if function.side == HARMLESS:
        return at
    time = at.copy()
    for step in (0, 1, 2, 4, 8, 16):
        value = sign * (function.values(at + step * grain, parameters) - level)
        zero_is_after = function.side == np.where(sign > 0, POSITIVE, NEGATIVE)
        before = ~((value > 0) | ((value == 0) & zero_is_after))
        time = np.where(before, at + (step or 0.5) * 2 * grain, time)
        if not before.any():
            break
    return time
