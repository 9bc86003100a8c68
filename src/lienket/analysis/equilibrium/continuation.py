"""The curve of equilibria over one parameter p, as points z = (q, p) that Newton's steps come to and tangents.

    F(q, p) = [D^T h; g(q, t); asked] = 0,     z <- z - F_z^+ F,     F_z t = 0,  |t| = 1

F_z^+ gives the shortest step in units of the curve, across it; where rows are redundant it takes no notice of them.

A branch of equilibria over one parameter, followed by its length so that it may turn (pseudo-arclength).

From a point z with the direction t the next is the point of the curve near z + s t. Where the direction's part along
the parameter changes its sign the branch turns; there, and at every value asked for, a point is put exactly. Steps are
halved where the direction changes by more than 18 degrees, and end where none converges.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise

import numpy as np

from ...foundation.frozen_dataclass import dataclass
from ...kernels.elimination.metric import Array
from .forces_at_rest import ForcesAtRest, Statics

STEPS = 12
ARRIVED = 1e-10  # a last step, in units of the curve, that is rounding
FINE = 1e-14
COUNTS = 1e-9  # singular values below this share of the largest are none
LONGEST = 0.1
SHORTEST = 1e-7
"""Steps, in units of the curve: 1 is about the range of the parameter; longer ones where the branch has gone far."""
TURNED, STRAIGHT = 0.95, 0.99  # cosines between directions above which a step is taken, and the next made longer
MOST = 3000
BEYOND = 3.0
"""How far the parameter may go back beyond its first value, as a share of its range."""
SAME = 1e-6


@dataclass(frozen=True, eq=False)
class Curve:
    """The equilibria of a system over the parameter at `place`; `unit` (n + 1) are the units of q and p."""

    system: Statics
    place: int
    unit: Array

    def rest(self, z: Array) -> ForcesAtRest:
        """The system at rest at z."""
        return self.system.with_parameter(self.place, float(z[-1])).at(z[:-1])

    def corrected(self, z: Array, held: bool = False) -> Array | None:
        """The point of the curve near z, or with p `held`; None if the steps do not converge."""
        before = np.inf
        for _ in range(STEPS):
            found = self._linear(z)
            if found is None:
                return None
            F, J = found
            if held:
                J = J[:, :-1]
            step = np.linalg.lstsq(J, -F, rcond=COUNTS)[0]
            length = float(np.linalg.norm(step))
            if not np.isfinite(length) or length > 10:
                return None
            if length <= FINE or (length <= ARRIVED and length >= before / 2):
                return z
            z = z + self.unit * (np.append(step, 0.0) if held else step)
            before = length
        return z if before <= ARRIVED else None

    def tangent(self, z: Array, along: Array) -> Array:
        """The direction of the curve at z that goes on from `along`, of length 1 in units of the curve."""
        found = self._linear(z)
        if found is None:
            return along
        _, values, V = np.linalg.svd(found[1])
        rank = int(np.count_nonzero(values > COUNTS * values[0])) if values.size and values[0] > 0 else 0
        free = V[rank:]
        t = free.T @ (free @ along)
        length = float(np.linalg.norm(t))
        return t / length if length > 0 else along

    def _linear(self, z: Array) -> tuple[Array, Array] | None:
        """F and its derivative by z in units of the curve, rows of length 1; None where there are no numbers."""
        rest = self.rest(z)
        if not rest.finite:
            return None
        n, taking = len(rest.q), self.system.levels == 0
        surface, moving = rest.numbers("surface"), rest.numbers("surface_derivatives")
        by_p = rest.numbers("parameter_derivatives", rest.multipliers)["by_parameters"][:, self.place]
        D, units = rest.bound.D, np.tile(rest.bound.unit, 2)
        F = np.concatenate([D.T @ rest.terms["h"], surface["position"][taking], rest.asked])
        by_q = np.vstack([-D.T @ rest.stiffness, surface["G"][taking], rest.asked_by_q])
        asked_by_p = np.concatenate([moving["velocity_by_parameters"][:, self.place], by_p[n:]]) / units
        by = np.concatenate([-D.T @ by_p[:n], moving["position_by_parameters"][taking, self.place], asked_by_p])
        J = np.column_stack([by_q, by]) * self.unit
        if not (np.isfinite(J).all() and np.isfinite(F).all()):
            return None
        size = np.linalg.norm(J, axis=1)
        size = np.where(size > 0, size, 1.0)
        return F / size, J / size[:, None]


def curve(system: Statics, place: int, q: Array, p: float, reach: float) -> tuple[Curve, Array]:
    """The curve through an equilibrium, and its direction there towards `reach`, a change of p.

    Its units are such that q and p take an equal part in the direction at this point.
    """
    raw = Curve(system, place, np.append(system.scale, abs(reach)))
    z = np.append(q, p)
    ahead = np.append(np.zeros(len(q)), np.sign(reach))
    first = raw.tangent(z, ahead)
    share = float(np.linalg.norm(first[:-1]) / max(abs(first[-1]), 1e-6))
    unit = np.append(system.scale * (share if share > 0 else 1.0), abs(reach))
    found = Curve(system, place, unit)
    return found, found.tangent(z, ahead)


@dataclass(frozen=True, eq=False)
class BranchPoint:
    """A point z = (q, p) of the branch; whether p was asked for, and whether the branch turns there."""

    z: Array
    asked: bool = False
    turning: bool = False


@dataclass(frozen=True, eq=False)
class Branch:
    """The points in order, and a sentence on how it ended."""

    points: tuple[BranchPoint, ...]
    outcome: str
    complete: bool


def follow_branch(system: Statics, place: int, q: Array, values: Sequence[float], name: str) -> Branch:
    """The branch from the equilibrium q at the first value on, through all of them, in their order."""
    reach = values[-1] - values[0]
    line, t = curve(system, place, q, values[0], reach)
    z = np.append(q, values[0])
    points = [BranchPoint(z, asked=True)]
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
) -> list[BranchPoint]:
    """The points of one step in order: values asked for, a turning point, the end; nothing after the last value."""
    z, t, step = begin
    there, ahead = end
    knots = [(0.0, BranchPoint(z)), (step, BranchPoint(there))]
    if t[-1] * ahead[-1] < 0:
        s = _root(lambda s: line.tangent(_at(line, z, t, s), t)[-1], step, 1e-13)
        knots.insert(1, (s, BranchPoint(_at(line, z, t, s), turning=True)))
    found: list[BranchPoint] = []
    for (first, left), (last, right) in pairwise(knots):
        p, r = left.z[-1], right.z[-1]
        inside = sorted((x for x in values if min(p, r) < x < max(p, r) or x == r), reverse=bool(r < p))
        for x in inside:
            s = first + _root(partial(_missing, line, (z, t, first), x), last - first)
            point = _at(line, z, t, s)
            exact = line.corrected(np.append(point[:-1], x), held=True)
            found.append(BranchPoint(np.append((point if exact is None else exact)[:-1], x), asked=True))
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


def _is_first(line: Curve, first: Array, point: BranchPoint, place: int) -> bool:
    """Whether the branch has come back to its first point."""
    near = point.asked and point.z[-1] == first[-1]
    return place > 3 and near and bool(np.linalg.norm((point.z - first) / line.unit) < SAME)


def _ended(points: Sequence[BranchPoint], name: str, how: str, values: int = 0) -> Branch:
    turns = [f"{point.z[-1]:.9g}" for point in points if point.turning]
    told = f" It turns at {name} = {', '.join(turns)}." if turns else ""
    head = f"The branch {how}." if how else f"All {values} values of {name} were met."
    return Branch(tuple(points), head + told, not how)
