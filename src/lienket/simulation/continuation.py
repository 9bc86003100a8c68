"""A branch of equilibria over one parameter, followed by its length so that it may turn (pseudo-arclength).

From a point z with the direction t the next is the point of the curve near z + s t. Where the direction's part along
the parameter changes its sign the branch turns; there, and at every value asked for, a point is put exactly. Steps are
halved where the direction changes by more than 18 degrees, and end where none converges.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise

import numpy as np

from ..kernels.metric import Array
from ..records import dataclass
from .curve import Curve, curve
from .statics import Statics

LONGEST = 0.1
SHORTEST = 1e-7
"""Steps, in units of the curve: 1 is about the range of the parameter; longer ones where the branch has gone far."""
TURNED, STRAIGHT = 0.95, 0.99  # cosines between directions above which a step is taken, and the next made longer
MOST = 3000
BEYOND = 3.0
"""How far the parameter may go back beyond its first value, as a share of its range."""
SAME = 1e-6


@dataclass(frozen=True, eq=False)
class Place:
    """A point z = (q, p) of the branch; whether p was asked for, and whether the branch turns there."""

    z: Array
    asked: bool = False
    turning: bool = False


@dataclass(frozen=True, eq=False)
class Branch:
    """The points in order, and a sentence on how it ended."""

    points: tuple[Place, ...]
    outcome: str
    complete: bool


def followed(system: Statics, place: int, q: Array, values: Sequence[float], name: str) -> Branch:
    """The branch from the equilibrium q at the first value on, through all of them, in their order."""
    reach = values[-1] - values[0]
    line, t = curve(system, place, q, values[0], reach)
    z = np.append(q, values[0])
    points = [Place(z, asked=True)]
    step = min(LONGEST, np.sqrt(2) * abs((values[1] - values[0]) / reach))
    for _ in range(MOST):
        if step < SHORTEST:
            return _ended(points, name, f"ends at {name} = {z[-1]:.9g}, or bends there: no shorter step converges")
        there = line.corrected(z + step * line.unit * t)
        ahead = None if there is None else line.tangent(there, t)
        if there is None or ahead is None or not t @ ahead > TURNED:
            step /= 2
            continue
        passed = _between(line, (z, t, step), (there, ahead), values)
        back = [k for k, point in enumerate(passed) if _is_first(line, points[0].z, point, len(points) + k)]
        if back:
            points += passed[: back[0] + 1]
            return _ended(points, name, "is closed and has come back to its first point")
        points += passed
        if points[-1].asked and points[-1].z[-1] == values[-1]:
            return _ended(points, name, "", len(values))
        z = there
        if (values[0] - z[-1]) / reach > BEYOND:
            return _ended(points, name, f"goes back to {name} = {z[-1]:.9g}, far beyond the first value")
        gone = float(np.linalg.norm((z - points[0].z) / line.unit))
        step = min(LONGEST * max(1.0, gone), step * (1.5 if t @ ahead > STRAIGHT else 1.0))
        t = ahead
    return _ended(points, name, f"was left at {name} = {z[-1]:.9g} after {MOST} steps")


def _between(
    line: Curve, begin: tuple[Array, Array, float], end: tuple[Array, Array], values: Sequence[float]
) -> list[Place]:
    """The points of one step in order: values asked for, a turning point, the end; nothing after the last value."""
    z, t, step = begin
    there, ahead = end
    knots = [(0.0, Place(z)), (step, Place(there))]
    if t[-1] * ahead[-1] < 0:
        s = _root(lambda s: line.tangent(_at(line, z, t, s), t)[-1], step, 1e-13)
        knots.insert(1, (s, Place(_at(line, z, t, s), turning=True)))
    found: list[Place] = []
    for (first, left), (last, right) in pairwise(knots):
        p, r = left.z[-1], right.z[-1]
        inside = sorted((x for x in values if min(p, r) < x < max(p, r) or x == r), reverse=bool(r < p))
        for x in inside:
            s = first + _root(partial(_missing, line, (z, t, first), x), last - first)
            point = _at(line, z, t, s)
            exact = line.corrected(np.append(point[:-1], x), held=True)
            found.append(Place(np.append((point if exact is None else exact)[:-1], x), asked=True))
            if x == values[-1]:
                return found
        if r not in inside:
            found.append(right)
    return found


def _missing(line: Curve, begin: tuple[Array, Array, float], x: float, s: float) -> float:
    """By how much p misses x after a step of the length that has been gone, and s."""
    z, t, gone = begin
    return float(_at(line, z, t, gone + s)[-1] - x)


def _at(line: Curve, z: Array, t: Array, s: float) -> Array:
    """The point of the curve that a step of length s leads to."""
    guess = z + s * line.unit * t
    found = line.corrected(guess)
    return guess if found is None else found


def _root(function: Callable[[float], float], length: float, share: float = 1e-6) -> float:
    """Where a function that changes its sign between 0 and the length vanishes, to a share of the length."""
    from scipy.optimize import brentq

    try:
        return float(brentq(function, 0.0, length, xtol=share * length, rtol=1e-13))
    except ValueError:  # the sign changes at an end, by rounding
        return length


def _is_first(line: Curve, first: Array, point: Place, place: int) -> bool:
    """Whether the branch has come back to its first point."""
    near = point.asked and point.z[-1] == first[-1]
    return place > 3 and near and bool(np.linalg.norm((point.z - first) / line.unit) < SAME)


def _ended(points: Sequence[Place], name: str, how: str, values: int = 0) -> Branch:
    turns = [f"{point.z[-1]:.9g}" for point in points if point.turning]
    told = f" It turns at {name} = {', '.join(turns)}." if turns else ""
    head = f"The branch {how}." if how else f"All {values} values of {name} were met."
    return Branch(tuple(points), head + told, not how)
