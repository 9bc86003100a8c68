"""The compiled kernels as functions of Python: they make the workspace, call, and give arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...compiled.model import CompiledModel
from ...foundation.frozen_dataclass import dataclass
from ..memory.blocks import length
from ..memory.non_ideal import closing_blocks, loads_blocks
from ..memory.workspace import LARGE, places_size, slots, work_size
from .linear_algebra.lapack_addresses import addresses
from .runtime.library import address, call

Array = Any
_NOTHING = np.zeros(0)
SCHUR = 1  # a status, see `accelerations_here`
POSITIONS, VELOCITIES = 0, 1


@dataclass(frozen=True)
class Solution:
    """Accelerations a (n), multipliers (s), the status (see `accelerations_here`) and a verdict for each row (s)."""

    a: Array
    multipliers: Array
    status: int
    verdicts: Array


@dataclass(frozen=True)
class Loads:
    """What is not ideal: the address of the model's function `loads`, and its counts (contacts, drives, rows, rows)."""

    address: int
    counts: tuple[int, int, int, int]

    def room(self, n: int, s: int) -> int:
        """What the workspace must have after its end."""
        return length(loads_blocks(n, *self.counts)) + length(closing_blocks(n, s, *self.counts))


def loads_of(model: CompiledModel) -> Loads | None:
    """What is not ideal in a model."""
    if not model.non_ideal:
        return None
    function = model.function("loads")
    sizes = {name: shape[0] for name, shape in function.info.blocks}
    return Loads(function.address, (sizes["rows"], sizes["weights"], sizes["kept"], sizes["p0"]))


def workspace(n: int, s: int) -> tuple[int, int]:
    """The sizes of `work` (float64) and `places` (int64) for n coordinates and s rows."""
    return work_size(n, s), places_size(n, s)


def make_workspace(n: int, s: int, loads: Loads | None = None) -> tuple[Array, Array]:
    """A workspace with the addresses in it; one for each thread. `loads` say what is not ideal."""
    sizes = workspace(n, s)
    work, places = np.zeros(sizes[0] + (0 if loads is None else loads.room(n, s))), np.zeros(sizes[1], dtype=np.int64)
    if loads is not None:
        places[slots.CLOSING] = address("lienket.kernels.native.non_ideal", "solve_non_ideal")
        places[slots.LOADS], places[slots.DRIVES] = loads.address, loads.counts[1]
    places[slots.ELIMINATION], places[slots.SHORT] = (
        address("lienket.kernels.native.robust_solve", "solve_robust"),
        address("lienket.kernels.native.schur_solve", "solve_schur"),
    )
    if n > LARGE:
        found = addresses()
        places[: len(found)] = found
    return work, places


def solve(A: Array, h: Array, G: Array, g0: Array, inertias: Array | None = None, try_schur: bool = True) -> Solution:
    """Accelerations and multipliers of A q'' = h + G^T lambda, G q'' + g0 = 0; `inertias` as in the plain `metric`."""
    work, places = _terms(A, h, G, g0, inertias)
    a, multipliers = np.empty(len(h)), np.empty(len(g0))
    status = call("lienket.kernels.native.accelerations", "solve", a, multipliers, try_schur, work, places)
    verdicts = np.zeros(len(g0), dtype=np.int64)
    if status not in (SCHUR, -3, -4):
        verdicts[:] = places[len(places) - len(g0) :]
    return Solution(a, multipliers, status, verdicts)


def influences(A: Array, h: Array, G: Array, g0: Array, group: Array) -> tuple[Array, int]:
    """The changes (constraints x constraints x n) of reactions, [of, on], and a status; `group` numbers the rows."""
    work, places = _terms(A, h, G, g0, None)
    numbers = np.ascontiguousarray(group, dtype=np.int64)
    count = int(numbers.max(initial=-1)) + 1
    changes = np.empty((count, count, len(h)))
    return changes, call("lienket.kernels.native.influence", "influences", numbers, changes, work, places)


def accelerations(
    motion: int,
    terms: int,
    t: float,
    q: Array,
    v: Array,
    parameters: Array,
    s: int,
    inputs: Array = _NOTHING,
    loads: Loads | None = None,
) -> Solution:
    """The solution at a state of the model with these addresses and s rows; `motion` may be 0."""
    work, places = make_workspace(len(q), s, loads)
    a, multipliers = np.empty(len(q)), np.empty(s + (0 if loads is None else loads.counts[1]))
    given = [_flat(x) for x in (q, v, parameters, inputs)]
    status = call(
        "lienket.kernels.native.accelerations",
        "accelerations",
        motion,
        terms,
        _flat(t),
        *given,
        a,
        multipliers,
        work,
        places,
    )
    verdicts = np.zeros(s, dtype=np.int64)
    if status > SCHUR or status in (-1, -2):
        verdicts[:] = places[len(places) - s :]
    return Solution(a, multipliers, status, verdicts)


def accelerations_many(
    motion: int,
    terms: int,
    t: Array,
    q: Array,
    v: Array,
    parameters: Array,
    s: int,
    inputs: Array = _NOTHING,
    loads: Loads | None = None,
) -> tuple[Array, Array, Array]:
    """Accelerations (N x n), multipliers and drives (N x (s + p)) and status (N) of N states.

    Parameters and inputs are those of all or each.
    """
    work, places = make_workspace(q.shape[1], s, loads)
    unknown = s + (0 if loads is None else loads.counts[1])
    a, multipliers, status = np.empty(q.shape), np.empty((len(q), unknown)), np.empty(len(q), dtype=np.int64)
    given = [np.ascontiguousarray(np.atleast_2d(x), dtype=float) for x in (q, v, parameters, inputs)]
    results = (a, multipliers, status, work, places)
    call("lienket.kernels.native.accelerations", "accelerations_many", motion, terms, _flat(t), *given, *results)
    return a, multipliers, status


def project_positions(
    surface: int, level: Array, t: float, q: Array, v: Array, parameters: Array, inputs: Array = _NOTHING
) -> tuple[Array, int]:
    """Positions on the holonomic constraints, nearest in the metric of A to first order, and the steps or a code."""
    return _project(POSITIONS, surface, level, t, q, v, parameters, inputs)


def project_velocities(
    surface: int, level: Array, t: float, q: Array, v: Array, parameters: Array, inputs: Array = _NOTHING
) -> tuple[Array, int]:
    """Velocities that obey the constraints at q, nearest in the metric of A, and the steps or a code."""
    return _project(VELOCITIES, surface, level, t, q, v, parameters, inputs)


def _project(
    what: int, surface: int, level: Array, t: float, q: Array, v: Array, parameters: Array, inputs: Array
) -> tuple[Array, int]:
    work, places = make_workspace(len(q), len(level))
    state = np.array(q, dtype=float), np.array(v, dtype=float)  # copies: one of them changes
    levels = np.ascontiguousarray(level, dtype=np.int64)
    given = (_flat(parameters), _flat(inputs), work, places)
    steps = call("lienket.kernels.native.projection", "project", what, surface, levels, _flat(t), *state, *given)
    return state[what], steps


def _terms(A: Array, h: Array, G: Array, g0: Array, inertias: Array | None) -> tuple[Array, Array]:
    """A workspace that begins with these."""
    work, places = make_workspace(len(h), len(g0))
    parts = [A, h, G, g0] if inertias is None else [A, h, G, g0, inertias]
    flat = np.concatenate([np.ravel(part) for part in parts])
    work[: len(flat)] = flat
    places[slots.INERTIAS] = inertias is not None
    return work, places


def _flat(x: Array) -> Array:
    return np.ascontiguousarray(x, dtype=float).reshape(-1)
