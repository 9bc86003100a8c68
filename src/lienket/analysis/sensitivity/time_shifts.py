"""Known times of a run whose derivatives are taken, and what their shift by parameters changes.

Where the accelerations jump from a- to a+ at a time t_c(p), a later t_c leaves a- acting longer, so that

    dv+/dp = dv-/dp + (a- - a+) dt_c/dp,     dt_c/dp = -f_p/f_t      for the formula f(t_c, p) = 0

(the jump of sensitivities of M. A. Aizerman and F. R. Gantmacher, Q. J. Mech. Appl. Math. 11, 1958). Positions are
continuous, since velocities are.
"""

from __future__ import annotations

import numpy as np

from ...errors import LienketError
from ...foundation.arrays import Array, IntArray
from ...foundation.frozen_dataclass import dataclass
from ...kernels.evaluation import Evaluation
from ...simulation.known_times.bounds import bounds
from ...simulation.known_times.known_times import all_known_times, numbers_of
from ...simulation.known_times.time_function import TimeFunction
from ...simulation.run.result import Run

SHIFT_ROUNDING = 1e-9  # [1] difference of two derivatives of one known time, relative to them, that counts as rounding
JUMP_ROUNDING = 1e-12  # [1] jump of the accelerations, relative to them, that counts as rounding


@dataclass(frozen=True, eq=False)
class TimeShift:
    """Jump a- - a+ of the accelerations (n) at a known time, and the derivatives of the time by the parameters (p)."""

    jump: Array
    by_parameters: Array


def stops_of(run: Run) -> Array:
    """Return the known times of a run (K x 3), with times before and after them."""
    numbers = numbers_of(run.problem.time_functions, run.problem.parameters)
    return all_known_times(run.problem.time_functions, numbers, float(run.t[0]), float(run.t[-1]))


def rows_of_stops(run: Run) -> IntArray:
    """Return the rows at known times within a run of which every step is a row."""
    stops = stops_of(run)
    rows = np.searchsorted(run.t, stops[:, 0])
    inside = (rows > 0) & (rows < len(run.t) - 1)
    return rows[inside]


def evaluated_between(stops: Array, t: float) -> tuple[float, float]:
    """Return the times between which the model is evaluated from t up to the next known time."""
    k = int(np.searchsorted(stops[:, 1], t, side="right"))
    earliest = float(stops[k - 1, 2]) if k > 0 and stops[k - 1, 2] > t else -np.inf
    return earliest, float(stops[k, 1]) if k < len(stops) else np.inf


def time_shifts(run: Run) -> dict[int, TimeShift]:
    """Return the shifts of known times that depend on parameters and at which accelerations jump, by their rows."""
    problem, begin, end = run.problem, float(run.t[0]), float(run.t[-1])
    shifts: dict[int, TimeShift] = {}
    for function in problem.time_functions:
        if not function.parameters:
            continue
        numbers = numbers_of((function,), problem.parameters)
        for time, before, after in all_known_times((function,), numbers, begin, end).tolist():
            row = int(np.searchsorted(run.t, before, side="left"))
            if not (begin < time < end and row < len(run.t)):
                continue
            jump = _jump(run, row, before, after)
            slopes = _slopes(function, time, problem.parameters)
            if row in shifts and not np.allclose(shifts[row].by_parameters, slopes, rtol=SHIFT_ROUNDING, atol=0):
                raise LienketError(
                    f"At t = {time:.9g} several formulas jump at once, {function.formula} among them, and their times "
                    "depend on parameters in different ways: the motion has no derivative there. Change a value."
                )
            if jump.any():
                shifts[row] = TimeShift(jump, slopes)
    return shifts


def _jump(run: Run, row: int, before: float, after: float) -> Array:
    """Return a- - a+ (n) at a row, 0 where it is rounding."""
    q, v = (np.repeat(x[row][None], 2, axis=0) for x in (run.q, run.v))
    times = np.array([before, after])
    a = Evaluation(run.problem.model, times.shape, times, q, v, run.problem.parameters).accelerations
    jump = np.asarray(a[0] - a[1])
    return np.where(np.abs(jump) > JUMP_ROUNDING * np.abs(a).max(), jump, 0.0)


def _slopes(function: TimeFunction, time: float, parameters: Array) -> Array:
    """Return the derivatives (p) of a known time by the parameters."""
    at, slopes = np.array([time]), np.zeros(len(parameters))
    rate = bounds(function, at, at, parameters).slope_low[0]
    for k in function.parameters:
        slopes[k] = -bounds(function, at, at, parameters, by=k).slope_low[0] / rate
    if not np.isfinite(slopes).all():
        raise LienketError(
            f"The time t = {time:.9g} at which {function.formula} passes a level does not depend smoothly on the "
            "parameters, so that the motion has no derivative by them. Leave them out of `by`."
        )
    return slopes
