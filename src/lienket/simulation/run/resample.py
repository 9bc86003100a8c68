"""States between the rows of a run, by dense output: the step after a row is made again, and read in between."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import LienketError
from ...foundation.frozen_dataclass import dataclass
from ..methods import AUTO, METHODS
from ..settings import UNKNOWN, Settings
from .loop import integrate
from .result import Run

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
    anchors = _anchors(run)
    before = np.clip(np.searchsorted(anchors.t, times, side="right") - 1, 0, len(anchors.t) - 1)
    between = np.flatnonzero(anchors.t[before] != times)
    found[:] = anchors.y[before]
    spans = _spans(run, anchors, times[between])
    for first, last in np.unique(spans, axis=0):
        places = between[(spans == (first, last)).all(axis=1)]
        found[places] = _after(run, anchors, int(first), int(last), times[places])
    q, v, work = (np.ascontiguousarray(x) for x in (found[:, :n], found[:, n : 2 * n], found[:, 2 * n]))
    return q, v, work


def _check(run: Run, times: Array) -> None:
    outside = times[~((times >= run.t[0]) & (times <= run.t[-1]))]
    if len(outside):
        raise LienketError(
            f"t = {outside[0]:.9g} is outside the run, which goes from {run.t[0]:.9g} to {run.t[-1]:.9g}."
        )


@dataclass(frozen=True, eq=False)
class _Anchors:
    """States from which the motion can be made again (K): rows, and the states after switches that are no rows.

    `steps` is the length of the step that led to one, 0 if that is not known; `part` the part of the history.
    """

    t: Array
    y: Array
    steps: Array
    part: Array


def _anchors(run: Run) -> _Anchors:
    known = run.steps if run.statistics.every == 1 else np.zeros_like(run.steps)
    y = np.column_stack([run.q, run.v, run.work])
    history = run.history
    if history is None:
        return _Anchors(run.t, y, known, np.zeros(len(run.t), dtype=int))
    inside = history.t >= run.t[0]
    inside[: history.part[0] + 1] = False  # before the first row
    t, part = np.concatenate([run.t, history.t[inside]]), np.concatenate([history.part, np.flatnonzero(inside)])
    order = np.lexsort((part, t))
    states = np.concatenate([y, history.y[inside]])
    return _Anchors(t[order], states[order], np.concatenate([known, np.zeros(inside.sum())])[order], part[order])


def _spans(run: Run, anchors: _Anchors, times: Array) -> Array:
    """Return the anchors (N x 2) from which and up to which the motion is made again for each time.

    They are those before and after it, but none within a passage through a singular position: states there say too
    little of the motion. A passage is made again with as much after it as it took, for a step over the position may
    need more room than the steps that the run made there.
    """
    clear, room = np.ones(len(anchors.t), dtype=bool), np.copy(times)
    for event in run.rank_events if run.settings.step == 0 else ():
        clear &= ~((anchors.t > event.begin) & (anchors.t < event.end))
        room[(times > event.begin) & (times < event.end)] = 2 * event.end - event.begin
    clear[0] = clear[-1] = True
    switches = np.flatnonzero(np.diff(anchors.part)) + 1
    clear[switches] = True
    places = np.flatnonzero(clear)
    first = np.searchsorted(anchors.t[places], times, side="right") - 1
    last = np.clip(np.searchsorted(anchors.t[places], room, side="left"), first + 1, len(places) - 1)
    part_ends = np.append(switches, len(anchors.t) - 1)[np.searchsorted(switches, places[first], side="right")]
    return np.column_stack([places[first], np.minimum(places[last], part_ends)])


def _after(run: Run, anchors: _Anchors, k: int, last: int, times: Array) -> Array:
    """Return the states (N x (2 n + 1)) at times from one anchor to another."""
    n, begin, here = run.problem.n, float(anchors.t[k]), anchors.y[k]
    order = np.argsort(times, kind="stable")
    wanted, back = np.unique(times[order], return_inverse=True)
    end, first = float(anchors.t[last]), float(anchors.steps[k + 1])
    method = METHODS[_method_at(run, end)]
    step = first if method.fixed else 0.0
    settings = Settings(
        method.name, run.settings.rtol, run.settings.atol, step or run.settings.step, run.settings.largest
    )
    start = (begin, here[:n].copy(), here[n : 2 * n].copy())
    problem, usual = run.problem, run.usual
    if run.history is not None:
        problem, usual = run.history.problem(int(anchors.part[k])), UNKNOWN
    part = integrate(problem, start, end, settings, wanted, None, _silent, first, usual)
    if not np.array_equal(part.t[: len(wanted)], wanted):
        raise LienketError(f"The motion between two rows could not be made again: {part.outcome}")
    rows = np.column_stack([part.q, part.v, here[2 * n] + part.work])[: len(wanted)]
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
