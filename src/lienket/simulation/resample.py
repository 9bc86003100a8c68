"""States between the rows of a run, by dense output: the step after a row is made again, and read in between."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import LienketError
from .integrate import integrate
from .methods import AUTO, METHODS
from .rows import Run, Settings

Array = Any


def resample(run: Run, times: Array) -> tuple[Array, Array, Array]:
    """Positions and velocities (N x n) and work (N) at times (N, any order) within the run.

    From the row before each time the same method goes on with the same tolerances, its first step the one that it
    made there; so the numbers are as good as those of the rows, however few of these there are.
    """
    times = np.asarray(times, dtype=float)
    _check(run, times)
    n = run.problem.n
    found = np.empty((len(times), 2 * n + 1))
    before = np.clip(np.searchsorted(run.t, times, side="right") - 1, 0, len(run.t) - 1)
    for k in np.unique(before):
        places = np.flatnonzero(before == k)
        found[places] = _after(run, int(k), times[places])
    q, v, work = (np.ascontiguousarray(x) for x in (found[:, :n], found[:, n : 2 * n], found[:, 2 * n]))
    return q, v, work


def _check(run: Run, times: Array) -> None:
    outside = times[~((times >= run.t[0]) & (times <= run.t[-1]))]
    if len(outside):
        raise LienketError(
            f"t = {outside[0]:.9g} is outside the run, which goes from {run.t[0]:.9g} to {run.t[-1]:.9g}."
        )


def _after(run: Run, k: int, times: Array) -> Array:
    """The states (N x (2 n + 1)) at times from row k to the next."""
    here = np.concatenate([run.q[k], run.v[k], [run.work[k]]])
    if np.all(times == run.t[k]):
        return np.tile(here, (len(times), 1))
    order = np.argsort(times, kind="stable")
    wanted, back = np.unique(times[order], return_inverse=True)
    end = float(run.t[k + 1])
    first = float(run.steps[k + 1]) if run.statistics.every == 1 else 0.0
    method = METHODS[_method_at(run, end)]
    step = first if method.fixed else 0.0
    settings = Settings(method.name, run.settings.rtol, run.settings.atol, step or run.settings.step)
    part = integrate(
        run.problem, (float(run.t[k]), run.q[k], run.v[k]), end, settings, wanted, None, _silent, first, run.usual
    )
    if not np.array_equal(part.t, wanted):
        raise LienketError(f"The motion between two rows could not be made again: {part.outcome}")
    rows = np.column_stack([part.q, part.v, run.work[k] + part.work])
    found = np.empty((len(times), rows.shape[1]))
    found[order] = rows[back]
    return found


def _silent(t: float, q: Array, v: Array) -> str:
    return ""


def _method_at(run: Run, t: float) -> str:
    """The method that made the step to t."""
    for phase in run.phases:
        if t <= phase.end:
            return phase.method
    return AUTO
