"""Python functions that call the compiled kernels: they make the workspace and return arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...compiled.model import CompiledModel
from ...foundation.frozen_dataclass import dataclass
from ..memory.blocks import length
from ..memory.non_ideal import loads_blocks, non_ideal_scratch_blocks
from ..memory.workspace import LAPACK_THRESHOLD, acting_rows_at, iwork_size, slots, work_size
from .linear_algebra.lapack_addresses import addresses
from .runtime.library import address, call

Array = Any
_EMPTY = np.zeros(0)
SCHUR = 1  # a status, see `accelerations_into`
POSITIONS, VELOCITIES = 0, 1


@dataclass(frozen=True)
class Solution:
    """Accelerations a (n), multipliers (s), status (see `accelerations_into`) and a verdict for each row (s)."""

    a: Array
    multipliers: Array
    status: int
    verdicts: Array


@dataclass(frozen=True)
class Loads:
    """Non-ideal loads of a model: the address of its function `loads`, and its counts.

    Counts: contacts with friction, drives, rows of programs that are kept, rows of programs that are followed.
    """

    address: int
    counts: tuple[int, int, int, int]

    def extra_size(self, n: int, s: int) -> int:
        """Return the number of float64 that the loads need after the end of the workspace."""
        return length(loads_blocks(n, *self.counts)) + length(non_ideal_scratch_blocks(n, s, *self.counts))


def loads_of(model: CompiledModel) -> Loads | None:
    """Return the non-ideal loads of a model, None if all constraints are ideal."""
    if not model.non_ideal:
        return None
    function = model.function("loads")
    sizes = {name: shape[0] for name, shape in function.info.blocks}
    return Loads(function.address, (sizes["rows"], sizes["weights"], sizes["kept"], sizes["p0"]))


def workspace(n: int, s: int) -> tuple[int, int]:
    """Return the sizes of `work` (float64) and `iwork` (int64) for n coordinates and s rows."""
    return work_size(n, s), iwork_size(n, s)


def make_workspace(n: int, s: int, loads: Loads | None = None) -> tuple[Array, Array]:
    """Return `work` and `iwork` with the addresses of kernels in it; each thread needs its own."""
    sizes = workspace(n, s)
    work, iwork = (
        np.zeros(sizes[0] + (0 if loads is None else loads.extra_size(n, s))),
        np.zeros(sizes[1], dtype=np.int64),
    )
    if loads is not None:
        iwork[slots.NON_IDEAL] = address("lienket.kernels.native.non_ideal", "solve_non_ideal")
        iwork[slots.LOADS], iwork[slots.DRIVES] = loads.address, loads.counts[1]
    iwork[slots.ELIMINATION], iwork[slots.SCHUR_COMPLEMENT] = (
        address("lienket.kernels.native.robust_solve", "solve_robust"),
        address("lienket.kernels.native.schur_solve", "solve_schur"),
    )
    if n > LAPACK_THRESHOLD:
        lapack = addresses()
        iwork[: len(lapack)] = lapack
    return work, iwork


def _verdicts(iwork: Array, n: int, s: int) -> Array:
    """Return the verdict of each row (s), the part of `iwork` before the rows that act."""
    end = acting_rows_at(n, s)
    return iwork[end - s : end]


def solve(A: Array, h: Array, G: Array, g0: Array, inertias: Array | None = None, try_schur: bool = True) -> Solution:
    """Solve A q'' = h + G^T lambda, G q'' + g0 = 0; `inertias` as in the plain `metric`."""
    work, iwork = _terms(A, h, G, g0, inertias)
    a, multipliers = np.empty(len(h)), np.empty(len(g0))
    status = call("lienket.kernels.native.accelerations", "solve", a, multipliers, try_schur, work, iwork)
    verdicts = np.zeros(len(g0), dtype=np.int64)
    if status not in (SCHUR, -3, -4):
        verdicts[:] = _verdicts(iwork, len(h), len(g0))
    return Solution(a, multipliers, status, verdicts)


def influences(A: Array, h: Array, G: Array, g0: Array, group: Array) -> tuple[Array, int]:
    """Return the changes of reactions, [of, on] (constraints x constraints x n), and a status.

    `group` (s) holds the number of the constraint to which each row belongs.
    """
    work, iwork = _terms(A, h, G, g0, None)
    numbers = np.ascontiguousarray(group, dtype=np.int64)
    count = int(numbers.max(initial=-1)) + 1
    changes = np.empty((count, count, len(h)))
    return changes, call("lienket.kernels.native.influence", "influences", numbers, changes, work, iwork)


def accelerations(
    motion: int,
    terms: int,
    t: float,
    q: Array,
    v: Array,
    parameters: Array,
    s: int,
    inputs: Array = _EMPTY,
    loads: Loads | None = None,
) -> Solution:
    """Return the solution at a state for a model with these addresses and s rows; `motion` may be 0."""
    work, iwork = make_workspace(len(q), s, loads)
    a, multipliers = np.empty(len(q)), np.empty(s + (0 if loads is None else loads.counts[1]))
    arrays = [_flat(x) for x in (q, v, parameters, inputs)]
    status = call(
        "lienket.kernels.native.accelerations",
        "accelerations",
        motion,
        terms,
        _flat(t),
        *arrays,
        a,
        multipliers,
        work,
        iwork,
    )
    verdicts = np.zeros(s, dtype=np.int64)
    if status > SCHUR or status in (-1, -2):
        verdicts[:] = _verdicts(iwork, len(q), s)
    return Solution(a, multipliers, status, verdicts)


def accelerations_many(
    motion: int,
    terms: int,
    t: Array,
    q: Array,
    v: Array,
    parameters: Array,
    s: int,
    inputs: Array = _EMPTY,
    loads: Loads | None = None,
) -> tuple[Array, Array, Array]:
    """Return accelerations (N x n), multipliers and drives (N x (s + p)) and status (N) of N states.

    Parameters and inputs have one row for all states or one row each.
    """
    work, iwork = make_workspace(q.shape[1], s, loads)
    unknown = s + (0 if loads is None else loads.counts[1])
    a, multipliers, status = np.empty(q.shape), np.empty((len(q), unknown)), np.empty(len(q), dtype=np.int64)
    arrays = [np.ascontiguousarray(np.atleast_2d(x), dtype=float) for x in (q, v, parameters, inputs)]
    results = (a, multipliers, status, work, iwork)
    call("lienket.kernels.native.accelerations", "accelerations_many", motion, terms, _flat(t), *arrays, *results)
    return a, multipliers, status


def project_positions(
    surface: int, level: Array, t: float, q: Array, v: Array, parameters: Array, inputs: Array = _EMPTY
) -> tuple[Array, int]:
    """Return the nearest positions on the constraints (metric of A, to first order), and the steps or a code."""
    return _project(POSITIONS, surface, level, t, q, v, parameters, inputs)


def project_velocities(
    surface: int, level: Array, t: float, q: Array, v: Array, parameters: Array, inputs: Array = _EMPTY
) -> tuple[Array, int]:
    """Return the nearest velocities that satisfy the constraints at q (metric of A), and the steps or a code."""
    return _project(VELOCITIES, surface, level, t, q, v, parameters, inputs)


def _project(
    target: int, surface: int, level: Array, t: float, q: Array, v: Array, parameters: Array, inputs: Array
) -> tuple[Array, int]:
    work, iwork = make_workspace(len(q), len(level))
    state = np.array(q, dtype=float), np.array(v, dtype=float)  # copies: the kernel changes one of them
    levels = np.ascontiguousarray(level, dtype=np.int64)
    arrays = (_flat(parameters), _flat(inputs), work, iwork)
    steps = call("lienket.kernels.native.projection", "project", target, surface, levels, _flat(t), *state, *arrays)
    return state[target], steps


def _terms(A: Array, h: Array, G: Array, g0: Array, inertias: Array | None) -> tuple[Array, Array]:
    """Return a workspace that begins with these terms."""
    work, iwork = make_workspace(len(h), len(g0))
    parts = [A, h, G, g0] if inertias is None else [A, h, G, g0, inertias]
    flat = np.concatenate([np.ravel(part) for part in parts])
    work[: len(flat)] = flat
    iwork[slots.INERTIAS] = inertias is not None
    return work, iwork


def _flat(x: Array) -> Array:
    return np.ascontiguousarray(x, dtype=float).reshape(-1)
