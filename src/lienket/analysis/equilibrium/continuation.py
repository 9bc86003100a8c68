"""Branch of equilibria over one parameter p, followed by its arc length so that it may turn (pseudo-arclength).

The curve consists of points z = (q, p) with tangents t:

    F(q, p) = [D^T h; g(q, t); rate residuals] = 0,     z <- z - F_z^+ F,     F_z t = 0,  |t| = 1

F_z^+ gives the shortest step in units of the curve, perpendicular to it; redundant rows have no effect on it.

From a point z with the direction t the next is the point of the curve near z + s t. Where the component of t along the
parameter changes its sign the branch turns; there, and at every requested value, a point is computed exactly. Steps are
halved where the direction changes by more than 18 degrees; the branch ends where no step converges.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise

import numpy as np

from ...foundation.arrays import Array
from ...foundation.frozen_dataclass import dataclass
from .forces_at_rest import ForcesAtRest, Statics

# Lengths are in units of the curve, in which 1 is about the range of the parameter.
CORRECTION_LIMIT = 12  # [iterations] of Newton's method for one point
CORRECTION_TOLERANCE = 1e-10  # [1] length of the last Newton step, once steps no longer shrink
CORRECTION_ROUNDING = 1e-14  # [1] length of a Newton step at which the iteration ends at once
CORRECTION_LONGEST = 10.0  # [1] length of a Newton step above which the iteration has failed
CURVE_RANK_TOLERANCE = 1e-9  # [1] singular value, relative to the largest, that counts as zero
LONGEST_STEP = 0.1  # [1] longest step, times the distance from the first point where that is more than 1
SHORTEST_STEP = 1e-7  # [1] step below which the branch ends
STEP_GROWTH = 1.5  # [1] factor of the next step where the branch is straight
ACCEPTED_COSINE = 0.95  # [1] of the angle between directions, above which a step is accepted
STRAIGHT_COSINE = 0.99  # [1] of the angle between directions, above which the next step is longer
BRANCH_STEP_LIMIT = 3000  # [steps] of a branch
BACKWARD_LIMIT = 3.0  # [1] distance of p behind its first value, relative to its range, that ends the branch
CLOSED_BRANCH_DISTANCE = 1e-6  # [1] distance from the first point at which the branch counts as closed
CLOSED_BRANCH_FEWEST = 3  # [points] before a branch can be closed
VALUE_ROOT_TOLERANCE = 1e-6  # [1] of the step, for the point at a requested value (Newton's method follows)
TURNING_ROOT_TOLERANCE = 1e-13  # [1] of the step, for a turning point
SMALLEST_PARAMETER_SHARE = 1e-6  # [1] component of the first direction along the parameter that units are based on


@dataclass(frozen=True, eq=False)
class Curve:
    """Equilibria of a system over the parameter at `index`; `unit` (n + 1) are the units of q and p."""

    system: Statics
    index: int
    unit: Array

    def rest(self, z: Array) -> ForcesAtRest:
        """Return the forces at rest at z."""
        return self.system.with_parameter(self.index, float(z[-1])).at(z[:-1])

    def correct(self, z: Array, held: bool = False) -> Array | None:
        """Return the point of the curve near z, at the same p with `held`; None if Newton's method fails."""
        before = np.inf
        for _ in range(CORRECTION_LIMIT):
            linear = self._linearize(z)
            if linear is None:
                return None
            F, J = linear
            if held:
                J = J[:, :-1]
            step = np.linalg.lstsq(J, -F, rcond=CURVE_RANK_TOLERANCE)[0]
            length = float(np.linalg.norm(step))
            if not np.isfinite(length) or length > CORRECTION_LONGEST:
                return None
            if length <= CORRECTION_ROUNDING or (length <= CORRECTION_TOLERANCE and length >= before / 2):
                return z
            z = z + self.unit * (np.append(step, 0.0) if held else step)
            before = length
        return z if before <= CORRECTION_TOLERANCE else None

    def tangent(self, z: Array, along: Array) -> Array:
        """Return the direction of the curve at z nearest to `along`, of length 1 in units of the curve."""
        linear = self._linearize(z)
        if linear is None:
            return along
        _, values, V = np.linalg.svd(linear[1])
        rank = int(np.count_nonzero(values > CURVE_RANK_TOLERANCE * values[0])) if values.size and values[0] > 0 else 0
        free = V[rank:]
        t = free.T @ (free @ along)
        length = float(np.linalg.norm(t))
        return t / length if length > 0 else along

    def _linearize(self, z: Array) -> tuple[Array, Array] | None:
        """Return F and its derivative by z in units of the curve, rows of length 1; None where not finite."""
        rest = self.rest(z)
        if not rest.finite:
            return None
        n, holonomic = len(rest.q), self.system.model.levels == 0
        surface, moving = rest.numbers("surface"), rest.numbers("surface_derivatives")
        by_p = rest.numbers("parameter_derivatives", rest.multipliers)["by_parameters"][:, self.index]
        D, units = rest.bound.D, np.tile(rest.bound.unit, 2)
        F = np.concatenate([D.T @ rest.terms["h"], surface["position"][holonomic], rest.rate_residuals])
        by_q = np.vstack([-D.T @ rest.stiffness, surface["G"][holonomic], rest.rate_residuals_by_q])
        rates_by_p = np.concatenate([moving["velocity_by_parameters"][:, self.index], by_p[n:]]) / units
        by = np.concatenate([-D.T @ by_p[:n], moving["position_by_parameters"][holonomic, self.index], rates_by_p])
        J = np.column_stack([by_q, by]) * self.unit
        if not (np.isfinite(J).all() and np.isfinite(F).all()):
            return None
        size = np.linalg.norm(J, axis=1)
        size = np.where(size > 0, size, 1.0)
        return F / size, J / size[:, None]


def curve(system: Statics, index: int, q: Array, p: float, reach: float) -> tuple[Curve, Array]:
    """Return the curve through an equilibrium, and its direction there towards a change `reach` of p.

    The units are chosen such that q and p have equal shares in the direction at this point.
    """
    raw = Curve(system, index, np.append(system.scale, abs(reach)))
    z = np.append(q, p)
    ahead = np.append(np.zeros(len(q)), np.sign(reach))
    first = raw.tangent(z, ahead)
    share = float(np.linalg.norm(first[:-1]) / max(abs(first[-1]), SMALLEST_PARAMETER_SHARE))
    unit = np.append(system.scale * (share if share > 0 else 1.0), abs(reach))
    scaled = Curve(system, index, unit)
    return scaled, scaled.tangent(z, ahead)


@dataclass(frozen=True, eq=False)
class BranchPoint:
    """Point z = (q, p) of the branch; whether p is a requested value, and whether the branch turns there."""

    z: Array
    requested: bool = False
    turning: bool = False


@dataclass(frozen=True, eq=False)
class Branch:
    """Points of a branch in order, a sentence on how it ended, and whether it passed all requested values."""

    points: tuple[BranchPoint, ...]
    outcome: str
    complete: bool


def follow_branch(system: Statics, index: int, q: Array, values: Sequence[float], name: str) -> Branch:
    """Follow the branch from the equilibrium q at the first value through all values, in order."""
    reach = values[-1] - values[0]
    line, t = curve(system, index, q, values[0], reach)
    z = np.append(q, values[0])
    points = [BranchPoint(z, requested=True)]
    step = min(LONGEST_STEP, np.sqrt(2) * abs((values[1] - values[0]) / reach))
    for _ in range(BRANCH_STEP_LIMIT):
        if step < SHORTEST_STEP:
            return _ended(points, name, f"ends at {name} = {z[-1]:.9g}, or has a sharp bend there: no step converges")
        end = line.correct(z + step * line.unit * t)
        ahead = None if end is None else line.tangent(end, t)
        if end is None or ahead is None or not t @ ahead > ACCEPTED_COSINE:
            step /= 2
            continue
        passed = _points_of_step(line, (z, t, step), (end, ahead), values)
        back = [k for k, point in enumerate(passed) if _is_first(line, points[0].z, point, len(points) + k)]
        if back:
            points += passed[: back[0] + 1]
            return _ended(points, name, "is closed: it has returned to its first point")
        points += passed
        if points[-1].requested and points[-1].z[-1] == values[-1]:
            return _ended(points, name, "", len(values))
        z = end
        if (values[0] - z[-1]) / reach > BACKWARD_LIMIT:
            return _ended(points, name, f"goes back to {name} = {z[-1]:.9g}, far behind the first value")
        distance = float(np.linalg.norm((z - points[0].z) / line.unit))
        growth = STEP_GROWTH if t @ ahead > STRAIGHT_COSINE else 1.0
        step = min(LONGEST_STEP * max(1.0, distance), step * growth)
        t = ahead
    return _ended(points, name, f"was abandoned at {name} = {z[-1]:.9g} after {BRANCH_STEP_LIMIT} steps")


def _points_of_step(
    line: Curve, begin: tuple[Array, Array, float], end: tuple[Array, Array], values: Sequence[float]
) -> list[BranchPoint]:
    """Return the points of one step in order: requested values, a turning point, the end; up to the last value."""
    z, t, step = begin
    z_end, ahead = end
    knots = [(0.0, BranchPoint(z)), (step, BranchPoint(z_end))]
    if t[-1] * ahead[-1] < 0:
        s = _root(lambda s: line.tangent(_at(line, z, t, s), t)[-1], step, TURNING_ROOT_TOLERANCE)
        knots.insert(1, (s, BranchPoint(_at(line, z, t, s), turning=True)))
    points: list[BranchPoint] = []
    for (first, left), (last, right) in pairwise(knots):
        p, r = left.z[-1], right.z[-1]
        inside = sorted((x for x in values if min(p, r) < x < max(p, r) or x == r), reverse=bool(r < p))
        for x in inside:
            s = first + _root(partial(_parameter_error, line, (z, t, first), x), last - first)
            point = _at(line, z, t, s)
            exact = line.correct(np.append(point[:-1], x), held=True)
            points.append(BranchPoint(np.append((point if exact is None else exact)[:-1], x), requested=True))
            if x == values[-1]:
                return points
        if r not in inside:
            points.append(right)
    return points


def _parameter_error(line: Curve, begin: tuple[Array, Array, float], x: float, s: float) -> float:
    """Return p - x at the point of the curve at the length `first` + s from z."""
    z, t, first = begin
    return float(_at(line, z, t, first + s)[-1] - x)


def _at(line: Curve, z: Array, t: Array, s: float) -> Array:
    """Return the point of the curve that a step of length s from z leads to."""
    guess = z + s * line.unit * t
    corrected = line.correct(guess)
    return guess if corrected is None else corrected


def _root(function: Callable[[float], float], length: float, tolerance: float = VALUE_ROOT_TOLERANCE) -> float:
    """Return the root of a function with a change of sign between 0 and `length`; the tolerance is relative to it."""
    from scipy.optimize import brentq

    try:
        return float(brentq(function, 0.0, length, xtol=tolerance * length, rtol=1e-13))
    except ValueError:  # by rounding, the sign changes at an end
        return length


def _is_first(line: Curve, first: Array, point: BranchPoint, index: int) -> bool:
    """Return whether the branch has returned to its first point."""
    near = point.requested and point.z[-1] == first[-1]
    return (
        index > CLOSED_BRANCH_FEWEST
        and near
        and bool(np.linalg.norm((point.z - first) / line.unit) < CLOSED_BRANCH_DISTANCE)
    )


def _ended(points: Sequence[BranchPoint], name: str, how: str, values: int = 0) -> Branch:
    """Return the branch with a sentence on its end; `how` is empty if all values were passed."""
    turns = [f"{point.z[-1]:.9g}" for point in points if point.turning]
    turning = f" It turns at {name} = {', '.join(turns)}." if turns else ""
    head = f"The branch {how}." if how else f"All {values} values of {name} were passed."
    return Branch(tuple(points), head + turning, not how)
