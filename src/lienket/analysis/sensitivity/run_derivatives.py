"""Derivatives of a run, forward and adjoint: its steps once more, with kernels that carry derivatives along.

The steps are held as they are, and each is differentiated exactly: the discrete map of the integrator without its
choice of steps ("internal differentiation", H. G. Bock, Numerical treatment of inverse problems in chemical reaction
kinetics, Springer 1981). What that leaves out is of the order of the tolerances. The adjoint is the transposed of the
same map.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ...compiled.machine.python_callbacks import raise_faults
from ...errors import LienketError
from ...foundation.frozen_dataclass import dataclass
from ...kernels.native.blocks import length
from ...kernels.native.calls import make_workspace
from ...kernels.native.runtime.library import prepared
from ...simulation.memory import addresses, control, counts
from ...simulation.run.result import Run
from .columns import sizes_by
from .scratch import explicit_blocks, implicit_blocks, shared_blocks
from .tableaus import IMPLICIT, KERNELS, tableau

Array = Any

STEPS = 256  # between two looks at the keyboard


@dataclass(frozen=True, eq=False)
class RunDerivatives:
    """Derivatives carried along a run.

    tangents  (N x 2 n x K) of the state at every row, or (1 x 2 n x K) at the last; adjoint: by the state at the start
    gradient  (p x K) adjoint: of the outputs by the parameters, without what they do to the start
    off       the largest residual of the linearised constraints, as a share of its terms, after projection
    moved     the same before
    """

    tangents: Array
    gradient: Array
    off: float
    moved: float


def refusal(run: Run) -> str:
    """Why a run cannot be differentiated; empty if it can."""
    strange = [phase.method for phase in run.phases if phase.method not in KERNELS]
    known = "Choose method='dop853', 'radau5' or 'auto'."
    if run.problem.model.loaded:
        return "Runs with friction or drives are not differentiated: these answer to the motion by turns or by bounds."
    if strange:
        return f"Steps of the method {strange[0]!r} cannot be differentiated here. {known}"
    for event in run.rank_events:
        if event.bridged:
            return (
                f"Between t = {event.begin:.9g} and {event.end:.9g} the run stepped over a singular position of the "
                "constraints. The motion beyond it need not depend smoothly on anything, and is not differentiated. "
                "End the run before, or choose other values."
            )
    if run.statistics.every != 1 or len(run.t) != run.statistics.steps + 1:
        return "The run has more steps than can be kept for its derivatives. Shorten it, or loosen rtol and atol."
    return ""


def carry_forward(run: Run, parameters: Array, tangent: Array, along: bool) -> RunDerivatives:
    """The derivatives from those at the start (2 n x K).

    Column k is one by the parameter `parameters[k]`, or by a start value where that is -1.
    """
    d, K = tangent.shape
    path = np.zeros((len(run.t) if along else 1, d, K))
    path[0] = tangent
    now, numbers = tangent, np.zeros(len(control))
    for method, first, last in _pieces(run):
        tangents = np.zeros((last - first + 1, d * K))
        tangents[0] = now.ravel()
        _call(run, method, "forward", first, last, parameters, tangents, np.zeros((0, K)), numbers)
        now = tangents[-1].reshape(d, K)
        if along:
            path[first + 1 : last + 1] = tangents[1:].reshape(-1, d, K)
        else:
            path[0] = now
    return RunDerivatives(
        path, np.zeros((0, K)), float(numbers[control.OFF_TANGENT]), float(numbers[control.OFF_TANGENT_BEFORE])
    )


def carry_back(run: Run, weights: Array, parameters: bool = True) -> RunDerivatives:
    """The derivatives of m things by the state at the start, and by all parameters if these are wanted.

    `weights` (2 n x m) are the derivatives by the last state.
    """
    p = len(run.problem.parameters)
    tangents, gradient = np.array(weights, dtype=float).reshape(1, -1), np.zeros((p, weights.shape[1]))
    numbers, every = np.zeros(len(control)), np.arange(p if parameters else 0, dtype=np.int64)
    for method, first, last in reversed(list(_pieces(run))):
        _call(run, method, "backward", first, last, every, tangents, gradient, numbers)
    return RunDerivatives(tangents.reshape(1, *weights.shape), gradient, 0.0, 0.0)


def _pieces(run: Run) -> Iterator[tuple[str, int, int]]:
    """Rows from `first` to `last` made by one method, few enough for one call."""
    begin = 0
    for phase in run.phases:
        end = begin + phase.steps
        for first in range(begin, end, STEPS):
            yield phase.method, first, min(first + STEPS, end)
        begin = end


def _call(
    run: Run, method: str, entry: str, first: int, last: int, columns: Array, tangents: Array, gradient: Array,
    numbers: Array,
) -> None:  # fmt: skip
    """One call of a kernel over the steps between two rows."""
    problem, table = run.problem, tableau(method)
    n, s, p = problem.n, problem.s, len(problem.parameters)
    K = tangents.shape[1] // (2 * n)
    C, S = len(columns), len(table) - 1
    steps = implicit_blocks(n, K, C, S) if KERNELS[method] == IMPLICIT else explicit_blocks(n, K, S)
    scratch = np.zeros(length(shared_blocks(n, s, p, K, C)) + length(steps))
    piece = slice(first, last + 1)
    rows = np.column_stack([run.t[piece], run.steps[piece], run.q[piece], run.v[piece], run.work[piece]])
    counted = np.zeros(len(counts), dtype=np.int64)
    counted[counts.FIRST_ROW], counted[counts.LAST_ROW] = 0, last - first
    numbers[control.RTOL] = run.settings.rtol
    nothing = np.zeros(0)
    call = prepared(
        KERNELS[method], entry, problem.addresses_for(_needs(run, columns)),
        problem.level, problem.parameters, np.zeros(problem.model.inputs), numbers, counted, run.settings.atol,
        np.zeros((1, 2 * n + 1)), nothing, np.ascontiguousarray(rows), scratch, nothing,
        np.zeros((0, 3)), *make_workspace(n, s), np.zeros((0, 1)), nothing, nothing, np.zeros((0, 1)), table, columns,
        tangents, gradient, sizes_by(problem.parameters, columns),
    )  # fmt: skip
    stopped = call()
    raise_faults(problem.model.callbacks)
    if stopped != 0:
        raise LienketError(
            f"The step that ends at t = {run.t[first + stopped]:.9g} could not be made again for its derivatives. "
            "Tighter tolerances make it shorter."
        )
    if not np.isfinite(tangents.sum() + gradient.sum()):
        raise LienketError(
            f"The derivatives of the motion are not finite between t = {run.t[first]:.9g} and {run.t[last]:.9g}: some "
            "expression has no finite derivative there, such as a root at 0."
        )


def _needs(run: Run, columns: Array) -> list[tuple[int, str]]:
    """The functions that the kernels call, those that have something to say."""
    found = [(addresses.DERIVATIVES, "derivatives")]
    if np.any(columns >= 0):
        found.append((addresses.PARAMETER_DERIVATIVES, "parameter_derivatives"))
    if np.any(run.problem.level <= 1):
        found.append((addresses.SURFACE_DERIVATIVES, "surface_derivatives"))
    return found
