"""Rows that act in a run of an overconstrained system.

Rows that follow from others everywhere on the constraint surface are redundant, but only on it: beside it, where the
stages of an integrator lie, they are independent and ask for accelerations that contradict those of the others. So the
rank is judged once, at a state on the surface, and held along the run: as many rows act, the most independent ones,
and the others are only watched (`stepping.native.accept_state`). A new choice of rows is made where those that act
become nearly dependent and others are not.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from ..compiled.model import CompiledModel, of_rows
from ..errors import LienketError
from ..foundation.arrays import Array, BoolArray, IntArray
from ..foundation.frozen_dataclass import dataclass
from ..kernels.elimination.chain import RANK_TOLERANCE
from ..kernels.elimination.pivoted_rows import IndependentRows, independent_rows, measured_rows
from ..kernels.native.calls import project_positions
from .memory import LEFT_OUT
from .problem import Problem

# [1] move of the state to another point of the surface, in units of 1 + |q|, and a smaller one if the first fails
NEIGHBOUR_DISTANCES = (1e-2, 1e-4)
NEIGHBOURS = 3  # [points] of the surface near a state at which rows must be dependent as well
CONSISTENCY_TOLERANCE = 1e-6  # [1] mismatch of redundant rows in accelerations, relative to their terms
LEAST_PIVOT_LIMIT = 0.03  # [1] least pivot of rows that are not nearly dependent
PIVOT_FALL = 5.5  # [1] fall of the least pivot since rows were chosen, from which on they are nearly dependent
SINGULAR_PIVOT = 3e-3  # [1] least pivot of the best rows, below which no other choice helps: a singular position
ACCEPTED = (0, 2)  # results of a compiled function that does not refuse a state, the best first: good, digits in doubt
SELECTIONS_KEPT = 256  # [states] of runs of a model, whose selections are kept
RESELECTION_GAIN = 1.25  # [1] gain of the least pivot for which another choice of rows is made


@dataclass(frozen=True)
class RowSelection:
    """Rows that act in a run: their indices, increasing, among all; the least pivot of all rows where it was made.

    `compiled`: the rows left out take no part in friction, contacts or conditions, so that compiled functions of the
    rows that act serve the run. `sizes` (s) are the largest sizes of the rows met so far.
    """

    rows: tuple[int, ...]
    least: float
    compiled: bool
    sizes: tuple[float, ...]

    def choice(self, model: CompiledModel) -> IntArray:
        """Return the choice for kernels: addresses of functions of the rows that act, 0 or -1 for none, and levels."""
        return _choice(model, self.rows, self.compiled)

    @property
    def pivot_limit(self) -> float:
        """Least pivot below which the rows are nearly dependent."""
        return min(LEAST_PIVOT_LIMIT, self.least / PIVOT_FALL)


Selections = tuple[RowSelection, ...]


@lru_cache(maxsize=256)
def _choice(model: CompiledModel, rows: tuple[int, ...], compiled: bool) -> IntArray:
    """Return the choice of these rows for kernels, see `RowSelection.choice`; not to be changed."""
    functions = [model.address(of_rows("motion", rows)) if compiled else 0]
    for level, name in enumerate(("position_correction", "velocity_correction")):
        needed = bool(np.any(model.levels <= level))
        address = model.address(of_rows(name, rows)) if needed and compiled else 0
        functions.append(address or (-1 if needed else 0))
    return np.array([*functions, *levels_of(rows, model.levels)], dtype=np.int64)


def levels_of(rows: tuple[int, ...], level: IntArray) -> IntArray:
    """Return the levels (s) for kernels: LEFT_OUT more for rows that do not act."""
    left_out = np.full(len(level), LEFT_OUT)
    left_out[list(rows)] = 0
    return level + left_out


Made = dict[Any, RowSelection | None]


@lru_cache(maxsize=64)
def _made(model: CompiledModel) -> Made:
    """Return the selections made for a model at starts of runs, by parameters and state."""
    return {}


@lru_cache(maxsize=64)
def _made_later(model: CompiledModel) -> Made:
    """Return the selections made for a model during runs, by parameters, state and the rows that acted."""
    return {}


def selected_rows(problem: Problem, t: float, q: Array, v: Array, parameters: Array) -> RowSelection | None:
    """Return `select_rows` of a state, made once for equal states: a run that is repeated begins as before."""
    state = t, q, v, parameters
    return _made_once(_made(problem.model), _key(*state), lambda: select_rows(problem, *state))


def reselected_rows(
    problem: Problem, t: float, q: Array, v: Array, parameters: Array, last: RowSelection, acting: tuple[int, ...]
) -> RowSelection | None:
    """Return `reselected` at a state, made once for equal states and rows."""
    state = t, q, v, parameters
    key = _key(*state), last, acting
    return _made_once(_made_later(problem.model), key, lambda: reselected(problem, *state, last=last, acting=acting))


def _made_once(made: Made, key: Any, make: Callable[[], RowSelection | None]) -> RowSelection | None:
    """Return the selection with a key, made if there is none."""
    try:
        return made[key]
    except KeyError:  # also where another thread has just cleared them
        selection = make()
    if len(made) >= SELECTIONS_KEPT:
        made.clear()
    made[key] = selection
    return selection


def are_known(model: CompiledModel) -> bool:
    """Return whether runs of a model have selected rows; most models have no redundant rows."""
    return bool(_made(model))


def known_selection(problem: Problem, t: float, q: Array, v: Array, parameters: Array) -> RowSelection | None:
    """Return the selection that an earlier run of the model made at an equal state; None if there was none."""
    return _made(problem.model).get(_key(t, q, v, parameters))


def _key(t: float, q: Array, v: Array, parameters: Array) -> bytes:
    """Return the bytes of a state and the numbers of parameters."""
    return b"".join(x.tobytes() for x in (np.float64(t), q, v, parameters))


def known_rank(problem: Problem, t: float, q: Array, v: Array, parameters: Array) -> int:
    """Return the rank of a run that began at a state, 0 if its rows were all independent or it is not known."""
    selection = known_selection(problem, t, q, v, parameters)
    return 0 if selection is None else len(selection.rows)


def select_rows(problem: Problem, t: float, q: Array, v: Array, parameters: Array) -> RowSelection | None:
    """Return the rows that act at and near a state on the constraint surface; None if all do, or rows contradict."""
    model = problem.model
    if model.nonlinear or not problem.s:
        return None
    try:
        here = _Rows(problem, t, q, v, parameters)
        found = here.independent(problem.level)
        if found.rank == problem.s or not here.consistent(found):
            return None
        generic, points = _nearby(problem, t, q, v, parameters, here.G, found)
    except LienketError:  # A is not positive semidefinite
        return None
    if generic.rank == problem.s:
        return None
    sizes = np.max([here.sizes, *(point.sizes for point in points)], axis=0)
    best = (here if generic is found else points[-1]).independent(problem.level, sizes, limit=generic.rank)
    return RowSelection(tuple(sorted(best.rows)), best.least, _leaves_forces(problem, best), tuple(sizes.tolist()))


def reselected(
    problem: Problem, t: float, q: Array, v: Array, parameters: Array, last: RowSelection, acting: tuple[int, ...]
) -> RowSelection | None:
    """Return as many rows as in the last choice, chosen anew at a state; those that act now if they are as good.

    Rows are as good if their least pivot is and their compiled function does not refuse the state. None at a singular
    position, where all choices are nearly dependent.
    """
    here, rank = _Rows(problem, t, q, v, parameters), len(last.rows)
    sizes = np.maximum(last.sizes, here.sizes)
    found = here.independent(problem.level, sizes, 0.0, rank)
    left_out = np.ones(problem.s, dtype=np.int64)
    left_out[list(acting)] = 0
    kept = here.independent(left_out, sizes, 0.0, rank)
    if found.rank < rank or found.least < SINGULAR_PIVOT:
        return None
    rows = tuple(sorted(found.rows))
    if kept.least > found.least / RESELECTION_GAIN:
        rows = acting
        if last.compiled:
            others = (acting, tuple(sorted(found.rows)), here.longest_parts(rank))
            results = {x: here.result(x, found.least / PIVOT_FALL) for x in others}
            rows = next((x for r in ACCEPTED for x in others if results[x] == r), acting)
    return replace(last, rows=rows, least=min(last.least, found.least), sizes=tuple(sizes.tolist()))


class _Rows:
    """Equations and rows at a state: A, h, G, g0, and the rows in the metric of A."""

    def __init__(self, problem: Problem, t: float, q: Array, v: Array, parameters: Array) -> None:
        terms, inputs = problem.model.function("terms"), np.zeros(problem.model.inputs)
        self.A, self.h, self.G, self.g0 = terms.parts(terms(t, q, v, parameters, inputs)[1])
        self.model, self.state = problem.model, (t, q, v, parameters, inputs)
        self.measured = measured_rows(self.A, self.G)

    @property
    def sizes(self) -> Array:
        """Sizes of the rows (s) in the metric of A."""
        return self.measured.sizes

    def independent(
        self, priority: IntArray, sizes: Array | None = None, tolerance: float = RANK_TOLERANCE,
        limit: int | None = None,
    ) -> IndependentRows:  # fmt: skip
        """Return independent rows, those of lower priority first."""
        return independent_rows(self.measured, sizes, priority, tolerance, limit)

    def longest_parts(self, rank: int) -> tuple[int, ...]:
        """Return rows chosen by the lengths of their parts in the coordinates as stated, for emitted code."""
        from scipy.linalg import qr

        return tuple(sorted(qr(self.G.T, mode="r", pivoting=True)[1][:rank].tolist()))

    def result(self, rows: tuple[int, ...], least: float) -> int:
        """Return the result of the compiled function of these rows here, -1 if it or a good least pivot is missing."""
        left_out = np.ones(len(self.G), dtype=np.int64)
        left_out[list(rows)] = 0
        if not self.independent(left_out, self.sizes, 0.0, len(rows)).least > least:
            return -1
        name = of_rows("motion", rows)
        return int(self.model.function(name)(*self.state)[0]) if self.model.address(name) else -1

    def consistent(self, found: IndependentRows) -> bool:
        """Return whether the dependent rows ask for the same accelerations as those on which they depend."""
        K, g0, rows = found.combinations, self.g0, list(found.rows)
        inertia = self.A.diagonal()
        free = np.abs(self.h) / np.where(inertia > 0, inertia, np.inf)
        sizes = np.abs(g0) + np.abs(K) @ np.abs(g0[rows]) + np.abs(self.G) @ (free + free.max(initial=0.0))
        return bool((np.abs(g0 - K @ g0[rows]) <= CONSISTENCY_TOLERANCE * sizes).all())


def _nearby(
    problem: Problem, t: float, q: Array, v: Array, parameters: Array, G: Array, found: IndependentRows
) -> tuple[IndependentRows, list[_Rows]]:
    """Return independent rows that represent the rank on the surface near a state, and the rows at the points seen.

    At a singular position the rank is lower than beside it. If it is higher at one of the points, the rows of that
    point are returned, and it is the last of the points.
    """
    points: list[_Rows] = []
    for direction in _directions(G, v):
        point = _neighbour(problem, t, q, v, parameters, direction, found)
        if point is not None:
            points.append(_Rows(problem, t, point, v, parameters))
            other = points[-1].independent(problem.level)
            if other.rank > found.rank:
                return other, points
    return found, points


def _directions(G: Array, v: Array) -> list[Array]:
    """Return unit directions that the rows leave free: that of the velocity, and random ones."""
    _, values, basis = np.linalg.svd(G)
    rank = int(np.count_nonzero(values > RANK_TOLERANCE * values.max(initial=0.0)))
    free = basis[rank:]
    if not len(free):
        return []
    draws = np.random.default_rng(0).normal(size=(NEIGHBOURS, len(free)))
    candidates = [*([free.T @ (free @ v)] if np.any(v) else []), *(free.T @ x for x in draws)]
    lengths = [np.linalg.norm(x) for x in candidates]
    return [x / length for x, length in zip(candidates, lengths, strict=True) if length > 0]


def _neighbour(
    problem: Problem, t: float, q: Array, v: Array, parameters: Array, direction: Array, found: IndependentRows
) -> Array | None:
    """Return a point of the surface of the independent rows near q; None if the projection fails."""
    model = problem.model
    level = problem.level + LEFT_OUT
    level[list(found.rows)] -= LEFT_OUT
    inputs = np.zeros(model.inputs)
    for distance in NEIGHBOUR_DISTANCES:
        moved = q + distance * (1 + np.abs(q).max()) * direction
        point, steps = project_positions(model.function("surface").address, level, t, moved, v, parameters, inputs)
        if steps >= 0 and np.isfinite(point).all():
            return point
    return None


def _leaves_forces(problem: Problem, found: IndependentRows) -> bool:
    """Return whether no row with a law, contact or drives takes part in a dependence."""
    model, rows = problem.model, list(found.rows)
    if model.drives or model.followed:
        return False
    laws = [c.has_law or c.contact is not None or c.holds is not None for c in model.constraints]
    special = np.repeat(np.array(laws), [c.rows for c in model.constraints])
    return not (special & _dependent(found, problem.s, rows)).any()


def _dependent(found: IndependentRows, s: int, rows: list[int]) -> BoolArray:
    """Return which of the s rows take part in a dependence."""
    left_out = np.setdiff1d(np.arange(s), rows)
    dependent = np.zeros(s, dtype=bool)
    dependent[left_out] = True
    K = np.abs(found.combinations[left_out])
    least = RANK_TOLERANCE * K.max(axis=1, initial=0.0, keepdims=True)
    used = np.any(least < K, axis=0)
    dependent[np.array(rows, dtype=int)[used]] = True
    return dependent
