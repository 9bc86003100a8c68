"""Derivatives of a run, forward and adjoint: its steps are repeated by kernels that carry derivatives along.

The step sizes are held fixed, and each step is differentiated exactly: the discrete map of the integrator without its
step-size control ("internal differentiation", H. G. Bock, Numerical treatment of inverse problems in chemical reaction
kinetics, Springer 1981). The neglected part is of the order of the tolerances. The adjoint is the transpose of this
map.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from ...compiled.machine.python_callbacks import raise_faults
from ...errors import LienketError
from ...foundation.arrays import Array, IntArray
from ...foundation.frozen_dataclass import dataclass
from ...kernels.memory.blocks import length
from ...kernels.memory.workspace import slots
from ...kernels.native.calls import make_workspace
from ...kernels.native.runtime.library import prepared
from ...simulation.memory import control, counts
from ...simulation.row_selection import known_rank
from ...simulation.run.result import Run
from .columns import sizes_by
from .scratch import explicit_blocks, implicit_blocks, shared_blocks
from .tableaus import IMPLICIT, KERNELS, tableau
from .time_shifts import evaluated_between, rows_of_stops, stops_of, time_shifts

STEPS_PER_CALL = 256  # [steps] of one kernel call, between which an interrupt from the keyboard is noticed


@dataclass(frozen=True, eq=False)
class RunDerivatives:
    """Derivatives carried along a run.

    tangents  forward: of the state at every row (N x 2 n x K), or at the last (1 x 2 n x K);
              adjoint: of the outputs by the state at the start (1 x 2 n x K)
    gradient  adjoint: of the outputs by the parameters (p x K), without their effect on the start
    off       largest residual of the linearized constraints relative to its terms, after projection
    moved     largest residual of the linearized constraints relative to its terms, before projection
    """

    tangents: Array
    gradient: Array
    off: float
    moved: float


def refusal(run: Run) -> str:
    """Return the reason why a run cannot be differentiated, or an empty text."""
    unsupported = [phase.method for phase in run.phases if phase.method not in KERNELS]
    advice = "Choose method='dop853', 'radau5' or 'auto'."
    if run.problem.model.non_ideal:
        model = run.problem.model
        rubbing = [c.name for c in model.constraints if c.depends_on_reaction]
        names = ", ".join(map(repr, (*rubbing, *model.drives)))
        return f"Runs with friction or drives, here {names}, are not differentiated: their forces have modes or bounds."
    if unsupported:
        return f"Steps of the method {unsupported[0]!r} cannot be differentiated. {advice}"
    for event in run.rank_events:
        if event.bridged:
            return (
                f"Between t = {event.begin:.9g} and {event.end:.9g} the run stepped over a singular position of the "
                "constraints. Beyond it the motion need not depend smoothly on start values and parameters, so it is "
                "not differentiated. End the run earlier, or choose other values."
            )
    if run.statistics.every != 1 or len(run.t) != run.statistics.steps + 1:
        return "The run has more steps than can be stored for its derivatives. Shorten it, or loosen rtol and atol."
    return ""


def carry_forward(run: Run, parameters: IntArray, tangent: Array, along: bool) -> RunDerivatives:
    """Return the derivatives of the state along the run, from those at the start (2 n x K).

    Column k is the derivative by the parameter `parameters[k]`, or by a start value where that is -1.
    """
    d, K = tangent.shape
    path = np.zeros((len(run.t) if along else 1, d, K))
    path[0] = tangent
    now, numbers, shifts = tangent, np.zeros(len(control)), time_shifts(run)
    for method, first, last in _stretches(run):
        if first in shifts:
            now = now.copy()
            now[d // 2 :] += np.outer(shifts[first].jump, np.append(shifts[first].by_parameters, 0.0)[parameters])
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
    """Return the derivatives of m quantities by the state at the start and, with `parameters`, by all parameters.

    `weights` (2 n x m) are the derivatives of the quantities by the last state.
    """
    p = len(run.problem.parameters)
    tangents, gradient = np.array(weights, dtype=float).reshape(1, -1), np.zeros((p, weights.shape[1]))
    numbers, every = np.zeros(len(control)), np.arange(p if parameters else 0, dtype=np.int64)
    shifts = time_shifts(run) if parameters else {}
    for method, first, last in reversed(list(_stretches(run))):
        _call(run, method, "backward", first, last, every, tangents, gradient, numbers)
        if first in shifts:
            at_velocities = tangents.reshape(weights.shape)[len(weights) // 2 :]
            gradient += np.outer(shifts[first].by_parameters, shifts[first].jump @ at_velocities)
    return RunDerivatives(tangents.reshape(1, *weights.shape), gradient, 0.0, 0.0)


def _stretches(run: Run) -> Iterator[tuple[str, int, int]]:
    """Yield (method, first row, last row) for stretches of one method between known times, each for one kernel call."""
    begin, stops = 0, rows_of_stops(run)
    for phase in run.phases:
        end = begin + phase.steps
        cuts = [begin, *stops[(stops > begin) & (stops < end)].tolist(), end]
        for first_of, last_of in pairwise(cuts):
            for first in range(first_of, last_of, STEPS_PER_CALL):
                yield phase.method, first, min(first + STEPS_PER_CALL, last_of)
        begin = end


def _call(
    run: Run, method: str, entry: str, first: int, last: int, columns: IntArray, tangents: Array, gradient: Array,
    numbers: Array,
) -> None:  # fmt: skip
    """Call a kernel for the steps between two rows; LienketError where a step fails."""
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
    numbers[control.EARLIEST], numbers[control.LATEST] = evaluated_between(stops_of(run), float(run.t[first]))
    nothing = np.zeros(0)
    work, places = make_workspace(n, s)
    # With redundant rows the rank of the run, since stages lie beside the constraints.
    places[slots.RANK] = known_rank(problem, float(run.t[0]), run.q[0], run.v[0], problem.parameters)
    call = prepared(
        KERNELS[method], entry, problem.addresses_for(_needs(run, columns)),
        problem.level, problem.parameters, np.zeros(problem.model.inputs), numbers, counted, run.settings.atol,
        np.zeros((1, 2 * n + 1)), nothing, np.ascontiguousarray(rows), scratch, nothing,
        np.zeros((0, 3)), work, places, np.zeros((0, 1)), nothing, nothing, np.zeros((0, 1)), nothing,
        np.zeros(0, dtype=np.int64), nothing, np.zeros((0, 3)), table,
        columns, tangents, gradient, sizes_by(problem.parameters, columns),
    )  # fmt: skip
    failed_row = call()
    raise_faults(problem.model.callbacks)
    if failed_row != 0:
        raise LienketError(
            f"The step that ends at t = {run.t[first + failed_row]:.9g} could not be repeated for its derivatives. "
            "Tighten rtol and atol: shorter steps converge."
        )
    if not np.isfinite(tangents.sum() + gradient.sum()):
        raise LienketError(
            f"The derivatives of the motion are not finite between t = {run.t[first]:.9g} and {run.t[last]:.9g}: an "
            "expression has no finite derivative there, such as a root at 0."
        )


def _needs(run: Run, columns: IntArray) -> list[str]:
    """Return the compiled functions that the kernels call for these columns."""
    functions = ["derivatives"]
    if np.any(columns >= 0):
        functions.append("parameter_derivatives")
    if np.any(run.problem.level <= 1):
        functions.append("surface_derivatives")
    return functions
