"""States between the rows of a run by dense output: the step after a row is repeated and interpolated."""

from __future__ import annotations

import numpy as np

from ...errors import LienketError
from ...foundation.arrays import Array, IntArray
from ...foundation.frozen_dataclass import dataclass
from ..known_times.known_times import all_known_times, numbers_of
from ..methods import AUTO, METHODS
from ..settings import UNKNOWN_STATUS, Settings
from .loop import integrate
from .result import Run

ROW_IS_STEP = 1e-9  # [1] difference of the step to a row from the time between two rows, relative to the step, if equal


def resample(run: Run, times: Array) -> tuple[Array, Array, Array]:
    """Return positions and velocities (N x n) and work (N) at times (N, any order) within the run.

    The method of the run starts at the row before each time with the tolerances and the step used there; the states
    are therefore as accurate as the rows, however few rows there are.
    """
    times = np.asarray(times, dtype=float)
    _check(run, times)
    n = run.problem.n
    states = np.empty((len(times), 2 * n + 1))
    anchors = _anchors(run)
    before = np.clip(np.searchsorted(anchors.t, times, side="right") - 1, 0, len(anchors.t) - 1)
    between = np.flatnonzero(anchors.t[before] != times)
    states[:] = anchors.y[before]
    spans = _spans(run, anchors, times[between])
    order = np.lexsort((spans[:, 1], spans[:, 0]))
    ends = np.flatnonzero(np.any(np.diff(spans[order], axis=0), axis=1)) + 1
    for group in np.split(order, ends) if len(order) else ():
        first, last = spans[group[0]]
        inside = between[group]
        states[inside] = _repeat(run, anchors, int(first), int(last), times[inside])
    q, v, work = (np.ascontiguousarray(x) for x in (states[:, :n], states[:, n : 2 * n], states[:, 2 * n]))
    return q, v, work


def _check(run: Run, times: Array) -> None:
    """Raise a LienketError for a time outside the run."""
    outside = times[~((times >= run.t[0]) & (times <= run.t[-1]))]
    if len(outside):
        raise LienketError(
            f"t = {outside[0]:.9g} is outside the run, which goes from {run.t[0]:.9g} to {run.t[-1]:.9g}."
        )


@dataclass(frozen=True, eq=False)
class _Anchors:
    """States from which the motion can be repeated (K): rows, and states after switches that are not rows.

    `steps` are the lengths of the steps that led to them, 0 if unknown; `part` is the part of the history.
    """

    t: Array
    y: Array
    steps: Array
    part: IntArray


def _anchors(run: Run) -> _Anchors:
    """Return the anchors of a run, sorted by time and part."""
    steps = run.steps if run.statistics.every == 1 else np.zeros_like(run.steps)
    y = np.column_stack([run.q, run.v, run.work])
    history = run.history
    if history is None:
        return _Anchors(run.t, y, steps, np.zeros(len(run.t), dtype=int))
    inside = history.t >= run.t[0]
    inside[: history.part[0] + 1] = False  # before the first row
    t, part = np.concatenate([run.t, history.t[inside]]), np.concatenate([history.part, np.flatnonzero(inside)])
    order = np.lexsort((part, t))
    states = np.concatenate([y, history.y[inside]])
    return _Anchors(t[order], states[order], np.concatenate([steps, np.zeros(inside.sum())])[order], part[order])


def _spans(run: Run, anchors: _Anchors, times: Array) -> IntArray:
    """Return the first and last anchor (N x 2) between which the motion is repeated for each time.

    They are the anchors before and after the time, but never within a passage through a singular position, where a
    state does not determine the motion accurately. A passage is repeated with an equal time after it, since a step over
    the position may be longer than the steps of the run.
    """
    clear, until = np.ones(len(anchors.t), dtype=bool), np.copy(times)
    for event in run.rank_events if run.settings.step == 0 else ():
        clear &= ~((anchors.t > event.begin) & (anchors.t < event.end))
        until[(times > event.begin) & (times < event.end)] = 2 * event.end - event.begin
    clear[0] = clear[-1] = True
    switches = np.flatnonzero(np.diff(anchors.part)) + 1
    clear[switches] = True
    usable = np.flatnonzero(clear)
    first = np.searchsorted(anchors.t[usable], times, side="right") - 1
    last = np.clip(np.searchsorted(anchors.t[usable], until, side="left"), first + 1, len(usable) - 1)
    part_ends = np.append(switches, len(anchors.t) - 1)[np.searchsorted(switches, usable[first], side="right")]
    return np.column_stack([usable[first], np.minimum(usable[last], part_ends)])


def _repeat(run: Run, anchors: _Anchors, k: int, last: int, times: Array) -> Array:
    """Repeat the motion from anchor k to anchor `last`; return the states (N x (2 n + 1)) at times between them."""
    n, begin, y = run.problem.n, float(anchors.t[k]), anchors.y[k]
    order = np.argsort(times, kind="stable")
    row_times, back = np.unique(times[order], return_inverse=True)
    end, first = float(anchors.t[last]), float(anchors.steps[k + 1])
    method = METHODS[_method_at(run, end)]
    # Rows at `times` may lie anywhere within their steps; a step chosen by the method itself is then chosen again.
    is_step = abs(float(anchors.t[k + 1]) - begin - first) <= ROW_IS_STEP * first
    step = run.settings.step or (first if method.fixed and is_step else 0.0)
    settings = Settings(method.name, run.settings.rtol, run.settings.atol, step, run.settings.largest)
    start = (begin, y[:n].copy(), y[n : 2 * n].copy())
    problem, usual = run.problem, run.usual
    if run.history is not None:
        problem, usual = run.history.problem(int(anchors.part[k])), UNKNOWN_STATUS
    functions, numbers = problem.time_functions, numbers_of(problem.time_functions, problem.parameters)
    known = all_known_times(functions, numbers, float(run.t[0]), float(run.t[-1])) if functions else None
    part = integrate(problem, start, end, settings, row_times, None, _silent, first, usual, known=known)
    if not np.array_equal(part.t[: len(row_times)], row_times):
        raise LienketError(f"The motion between two rows could not be repeated: {part.outcome}")
    rows = np.column_stack([part.q, part.v, y[2 * n] + part.work])[: len(row_times)]
    states = np.empty((len(times), rows.shape[1]))
    states[order] = rows[back]
    return states


def _silent(t: float, q: Array, v: Array) -> str:
    """Return no explanation."""
    return ""


def _method_at(run: Run, t: float) -> str:
    """Return the name of the method that made the step to t."""
    for phase in run.phases:
        if t <= phase.end:
            return phase.method
    return AUTO
