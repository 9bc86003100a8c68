"""Random states that satisfy the constraints to 60 digits.

"Always" means everywhere on the constraints: the second coupler of a parallelogram is redundant there and nowhere else.
Time, positions and velocities are therefore drawn at random, and so are parameters without a number; they are projected
onto the constraints by Newton's method (first q onto g = 0, then q' onto g' = 0 and phi = 0) and polished in high
precision. Parameters with a number keep it: it may be what lets a linkage move, as in Bennett's.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np
import symengine as se

from ...constraints import ConstraintRows
from ...foundation.arrays import Array
from ...language.engine.data_functions import generic
from ...language.engine.engine import Engine
from .point import ZERO_TOLERANCE, ZERO_TOLERANCE_ROUNDED, OutsideDomain, Point, precise

POINTS_WANTED = 3  # [points] random points on the constraints at which verdicts are decided
ASSEMBLIES_TRIED = 16  # [points] with given numbers, for which a linkage may have several assemblies
FURTHER_STARTS = 120  # [attempts] while there are too few points far from singular positions
FURTHER_DISTANCES = (1.0, 0.3, 2.0)  # [1] largest changes around the points so far in these attempts, in turns
DISTANCES_BESIDE = (0.3, 0.1)  # [1] largest motions away from singular positions in these attempts, in turns
MOST_POINTS = 8  # [points] found, regular or not, after which the search ends
REGULAR_VALUE = 3e-3  # [1] least singular value of rows of length 1 above which a point is far from singular ones
REGULARITY_SHARE = 0.1  # [1] least singular value, relative to that of the best point, of the points used
START_ATTEMPTS = 24  # [attempts] random starts of Newton's method
NEWTON_STEPS_LIMIT = 40  # [iterations] of Newton's method from one start
STEP_HALVINGS_LIMIT = 40  # [halvings] of a Newton step that does not reduce the residual
POLISHING_STEPS_LIMIT = 10  # [iterations] of the correction in high precision
JACOBIAN_RANK_TOLERANCE = 1e-9  # [1] singular value relative to the largest below which it counts as zero
NEWTON_RESIDUAL_TOLERANCE = 1e-12  # [1] residual relative to its terms at which Newton's method has converged
SMALL_UNKNOWN_SHARE = 1e-3  # [1] share of the largest unknown that counts as the size of those near zero
EXACT_RESIDUAL_TOLERANCE = 1e-45  # [1] residual relative to its terms at which a polished point is on the constraints
# [1] the limit for formulas that contain floating-point numbers: residual relative to its terms
ROUNDED_RESIDUAL_TOLERANCE = 1e-13


def points_on(
    rows: Sequence[ConstraintRows],
    engine: Engine,
    parameters: Sequence[se.Symbol],
    near: Sequence[Point] = (),
    adjust: bool = False,
    rounded: bool = False,
    given: Mapping[se.Symbol, se.Expr] | None = None,
    attempts: int = START_ATTEMPTS,
) -> list[Point]:
    """Return up to three points on all constraints, searched first from the points `near`; empty if none was found.

    Random parameters may admit no position at all (a chain that does not close): with `adjust`, they are unknowns too.
    Parameters with a number, `given`, are neither drawn nor adjusted. If formulas or given numbers are rounded
    (`rounded`), dependent rows depend up to rounding only. `attempts` is the number of random starts.
    """
    source = random.Random(20011105)  # noqa: S311 -- reproducible
    given = given or {}
    positions = [*engine.q, *(p for p in parameters if p not in given)] if adjust else engine.q
    levels = _levels(rows, engine, parameters, positions, relative=bool(given))
    numbers = {k: float(given[p]) for k, p in enumerate(levels[0].inputs) if p in given}
    starts = _starts(len(levels[0].inputs), len(parameters), source, numbers, attempts)
    near_starts = [np.array([float(point.values[symbol]) for symbol in levels[0].inputs]) for point in near]
    with np.errstate(all="ignore"):  # a step to non-finite residuals is halved
        if given and near and attempts:
            added = len(rows[-1]) if rows[-1].velocity else 0
            found = list(_assemblies(levels, near_starts, starts, len(parameters), added))
            return _collect(levels, iter(found), [], rounded)
        return _collect(levels, starts, near_starts, rounded)


class _Level:
    """Residuals of one level and the symbols to be solved for."""

    def __init__(
        self,
        residuals: list[se.Expr],
        jacobian: list[se.Expr],
        unknowns: Sequence[se.Symbol],
        inputs: Sequence[se.Symbol],
        relative: bool,
    ) -> None:
        self.residuals = residuals
        self.relative = relative
        self.unknowns = list(unknowns)
        self.inputs = list(inputs)
        self.columns = [self.inputs.index(u) for u in self.unknowns]
        if residuals:
            self._function = se.Lambdify(self.inputs, [*residuals, *jacobian], cse=False)

    def evaluate(self, x: Array) -> tuple[Array, Array]:
        """Return the residuals (s) and their derivatives by the unknowns (s x u) at x, one number per input."""
        flat = self._function(x)
        s = len(self.residuals)
        return flat[:s], flat[s:].reshape(s, -1)

    def scales(self, x: Array, J: Array) -> Array:
        """Return the sizes (s) of the terms of the residuals.

        Random parameters are about 1, and so are the terms; with given numbers the size is that of the unknowns alone,
        which may be micrometres.
        """
        size = np.abs(x[self.columns])
        if not self.relative:
            return 1 + np.abs(J) @ size
        return np.abs(J) @ (size + SMALL_UNKNOWN_SHARE * np.max(size, initial=0.0))


def _levels(
    rows: Sequence[ConstraintRows],
    engine: Engine,
    parameters: Sequence[se.Symbol],
    positions: list[se.Symbol],
    relative: bool,
) -> list[_Level]:
    """Return the levels position, velocity and, if q'' enters nonlinearly, acceleration."""
    inputs = [engine.t, *engine.q, *engine.v, *engine.a, *parameters]
    g = [e for row in rows for e in row.position]
    by_position = [engine.derivative(e, x) for e in g for x in positions]
    bound = [row for row in rows if row.velocity]
    parts = [
        (g, by_position, positions),
        ([e for row in bound for e in row.velocity], _entries(bound), engine.v),
    ]
    if any(row.nonlinear for row in rows):
        psi = [
            se.Add(c, *[j * a for j, a in zip(J, engine.a, strict=True)])
            for row in rows
            for J, c in zip(row.inside_G, row.inside_g0, strict=True)
        ]
        parts.append((psi, _entries(rows), engine.a))
    if engine.data_functions:
        parts = [([generic(e) for e in r], [generic(e) for e in J], unknowns) for r, J, unknowns in parts]
    return [_Level(*part, inputs, relative) for part in parts]


def _entries(rows: Sequence[ConstraintRows]) -> list[se.Expr]:
    """Return the entries of G, row by row."""
    return [e for row in rows for J in row.inside_G for e in J]


def _assemblies(
    levels: list[_Level], near: Sequence[Array], starts: Iterator[Array], parameters: int, added: int
) -> list[Array]:
    """Return points on the constraints, to double precision, that belong to assemblies of one freedom.

    With special lengths a linkage may have an assembly that moves and others that are rigid, or folded ones that move
    more freely; the least freedom that is not 0 is meant. Others are searched for if the last `added` rows, those of
    the new constraint, are not independent at all points that lie near the points so far, or the rows before them have
    become dependent there. The search goes on while nearly all points found lie close to singular positions, where
    Newton's method ends if parts of the linkage are assembled in a way in which the new constraint cannot be closed
    elsewhere; and while all move more freely than the points so far, since a constraint adds no freedom to an assembly:
    a lift whose stages are folded.
    """
    noise = random.Random(1903)  # noqa: S311 -- reproducible
    moved = [_moved(x, 1.0, parameters, noise) for x in near]
    found: list[tuple[int, float, Array]] = []
    before = _freedom_before(levels, near, added)
    all_independent = True
    for start in chain(near[:POINTS_WANTED], moved, starts, _further(levels[0], near, found, parameters, noise)):
        x = _newton_all(levels, start.copy())
        if x is None:
            continue
        freedom, independent, regularity = _mobility(levels, x, added)
        found.append((freedom, regularity, x))
        all_independent &= independent and regularity > REGULAR_VALUE and freedom <= before - added
        regular_points = sum(value > REGULAR_VALUE for _, value, _ in found)
        enough = len(found) >= ASSEMBLIES_TRIED and regular_points >= POINTS_WANTED
        enough &= any(0 < freedom <= before and value > REGULAR_VALUE for freedom, value, _ in found)
        if enough or (all_independent and len(found) == POINTS_WANTED):
            break
    limit = min(REGULAR_VALUE, REGULARITY_SHARE * max((regularity for _, regularity, _ in found), default=0.0))
    regular = [each for each in found if each[1] > limit]
    meant = min((freedom for freedom, _, _ in regular if freedom > 0), default=0)
    return [x for freedom, _, x in sorted(regular, key=lambda each: -each[1]) if freedom == meant]


def _further(
    level: _Level,
    near: Sequence[Array],
    found: Sequence[tuple[int, float, Array]],
    parameters: int,
    noise: random.Random,
) -> Iterator[Array]:
    """Yield further starts: in turns at random around the points so far, and beside the first points found.

    The latter along motions that the rows hardly resist: where branches of motion meet, as in the flat position of a
    parallelogram, such motions lead onto the branches.
    """
    for attempt in range(FURTHER_STARTS // 2):
        distance = FURTHER_DISTANCES[attempt % len(FURTHER_DISTANCES)]
        yield _moved(near[attempt % len(near)], distance, parameters, noise)
        if not found or not level.residuals:
            continue
        x = found[attempt % min(len(found), POINTS_WANTED)][2].copy()
        _, values, basis = np.linalg.svd(_unit_rows(level.evaluate(x)[1]))
        free = basis[int(np.count_nonzero(values > REGULAR_VALUE)) :]
        distance = DISTANCES_BESIDE[attempt % len(DISTANCES_BESIDE)]
        x[level.columns] += free.T @ [noise.uniform(-distance, distance) for _ in free]
        yield x


def _moved(x: Array, distance: float, parameters: int, noise: random.Random) -> Array:
    """Return x with all inputs but the parameters, which are the last, changed at random."""
    count = len(x) - parameters
    return x + np.array([noise.uniform(-distance, distance) for _ in range(count)] + [0.0] * parameters)


def _mobility(levels: list[_Level], x: Array, added: int) -> tuple[int, bool, float]:
    """Return the freedom at x, whether the last rows are independent, and the least singular value that counts."""
    level = _last_level(levels)
    if level is None:
        return len(levels[0].unknowns), True, 1.0
    J = _unit_rows(level.evaluate(x)[1])
    rank, least = _rank(J)
    return J.shape[1] - rank, rank == added + _rank(J[: len(J) - added])[0], least


def _freedom_before(levels: list[_Level], near: Sequence[Array], added: int) -> int:
    """Return the least freedom without the last rows at the points so far."""
    level, least = _last_level(levels), len(levels[0].unknowns)
    for x in near:
        J = np.zeros((0, least)) if level is None else level.evaluate(x)[1]
        rows = J[: len(J) - added]
        if np.isfinite(rows).all():
            least = min(least, rows.shape[1] - _rank(_unit_rows(rows))[0])
    return least


def _last_level(levels: list[_Level]) -> _Level | None:
    """Return the level of the velocities, or of the positions if it has no residuals; None if both have none."""
    return next((level for level in reversed(levels[:2]) if level.residuals), None)


def _unit_rows(J: Array) -> Array:
    """Return rows divided by their lengths."""
    lengths = np.linalg.norm(J, axis=1)
    return np.asarray(J / np.where(lengths > 0, lengths, 1.0)[:, None], dtype=np.float64)


def _rank(J: Array) -> tuple[int, float]:
    """Return the rank of rows of length 1, and the least singular value that does not count as zero."""
    values = np.linalg.svd(J, compute_uv=False) if len(J) else np.zeros(0)
    counted = [float(s) for s in values if s > JACOBIAN_RANK_TOLERANCE * values[0]]
    return len(counted), min(counted, default=0.0)


def _collect(levels: list[_Level], starts: Iterator[Array], near: Sequence[Array], rounded: bool) -> list[Point]:
    """Return points started from all but the last of `near`, then from random starts, then from the last of `near`.

    Newton's method does not converge to 60 digits where surfaces meet or touch, as in the flat position of a
    parallelogram, but in rounded numbers it may end close to such a position. There the search goes on until there are
    enough points far from them; points that satisfy the formulas to rounding only are used if there are no others.
    """
    found: list[_Found] = []
    first, last = near[: POINTS_WANTED - 1], near[POINTS_WANTED - 1 :]
    for start in chain(first, starts, last):
        x = _newton_all(levels, start)
        point, exact = _polished(levels, x, rounded) if x is not None else (None, False)
        if point is not None and x is not None:
            found.append(_Found(point, exact, _mobility(levels, x, 0)[2] if rounded else 1.0))
        enough = sum(each.exact and each.regularity > REGULAR_VALUE for each in found) == POINTS_WANTED
        if enough or len(found) == MOST_POINTS:
            break
    found = [each for each in found if each.exact] or found
    best = max((each.regularity for each in found), default=0.0)
    return [each.point for each in found if each.regularity >= REGULARITY_SHARE * best][:POINTS_WANTED]


class _Found(NamedTuple):
    """Point on the constraints, whether to 60 digits, and its regularity."""

    point: Point
    exact: bool
    regularity: float


def _starts(
    inputs: int, parameters: int, source: random.Random, given: Mapping[int, float], attempts: int
) -> Iterator[Array]:
    """Draw random starts of several sizes; parameters that are not `given`, by index, lie between 0.5 and 2."""
    for attempt in range(attempts):
        size = (1, 1, 1, 10, 0.1, 1, 100, 1)[attempt % 8]
        drawn = [source.uniform(-2, 2) * size for _ in range(inputs - parameters)]
        start = np.array(drawn + [source.uniform(0.5, 2) for _ in range(parameters)])
        start[list(given)] = list(given.values())
        yield start


def _newton_all(levels: list[_Level], x: Array) -> Array | None:
    """Project x onto all levels in order; return None if Newton's method fails."""
    for level in levels:
        if level.residuals and not _newton(level, x):
            return None
    return x


def _newton(level: _Level, x: Array) -> bool:
    """Apply Gauss-Newton with step halving to x, in place; return whether the residuals vanish to rounding."""
    r, J = level.evaluate(x)
    for _ in range(NEWTON_STEPS_LIMIT):
        if not (np.all(np.isfinite(r)) and np.all(np.isfinite(J))):
            return False
        size = np.linalg.norm(r)
        if np.all(np.abs(r) <= NEWTON_RESIDUAL_TOLERANCE * level.scales(x, J)):
            return True
        step = np.linalg.lstsq(J, -r, rcond=JACOBIAN_RANK_TOLERANCE)[0]
        for halving in range(STEP_HALVINGS_LIMIT):
            tried = x.copy()
            tried[level.columns] += step * 0.5**halving
            r_tried, J_tried = level.evaluate(tried)
            if np.all(np.isfinite(r_tried)) and np.linalg.norm(r_tried) < size:
                break
        else:
            return False
        x[:], r, J = tried, r_tried, J_tried
    return False


def _polished(levels: list[_Level], x: Array, rounded: bool) -> tuple[Point | None, bool]:
    """Return the point, and whether it has 60 digits: residuals in high precision, double-precision inverse."""
    values = {symbol: precise(number) for symbol, number in zip(levels[0].inputs, x, strict=True)}
    try:
        limits = [_polish(level, x, values, rounded) for level in levels if level.residuals]
    except OutsideDomain:
        return None, False
    point = Point(values, ZERO_TOLERANCE_ROUNDED if rounded else ZERO_TOLERANCE)
    return (point if None not in limits else None), all(limit == EXACT_RESIDUAL_TOLERANCE for limit in limits)


def _polish(level: _Level, x: Array, values: dict[se.Symbol, se.Expr], rounded: bool) -> float | None:
    """Correct the unknowns of a level in `values`, in place; return the tolerance that the residuals satisfy."""
    J = level.evaluate(x)[1]
    inverse = np.linalg.pinv(J, rcond=JACOBIAN_RANK_TOLERANCE)
    scales = level.scales(x, J)
    for _ in range(POLISHING_STEPS_LIMIT):
        residuals = Point(values).numbers(level.residuals)
        if all(abs(float(r)) <= EXACT_RESIDUAL_TOLERANCE * scale for r, scale in zip(residuals, scales, strict=True)):
            return EXACT_RESIDUAL_TOLERANCE
        step = inverse @ np.array([float(r) for r in residuals])
        for unknown, change in zip(level.unknowns, step, strict=True):
            values[unknown] = values[unknown] - precise(change)
    limits = ROUNDED_RESIDUAL_TOLERANCE * scales
    satisfied = all(abs(float(r)) <= limit for r, limit in zip(residuals, limits, strict=True))
    return ROUNDED_RESIDUAL_TOLERANCE if rounded and satisfied else None
