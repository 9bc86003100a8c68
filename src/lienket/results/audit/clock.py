"""Clock of a run: how far apart two times are that can be told apart, and what changes between them.

At t = 1.7e9 that is 2.4e-7. Steps have the length that the clock tells, so that a system whose equations do not contain
the time is as accurate as at t = 0. Forces that depend on time are known only as well as the time is.
"""

from __future__ import annotations

import numpy as np

from ...simulation.run.result import Run
from ...simulation.settings import COARSE_CLOCK
from .audit_rows import sample_rows


def clock_of(run: Run) -> tuple[float, float] | None:
    """Return the distance of two times of the run and the largest change of forces between them, relative to them.

    None if the times are not so large that this matters. Of the changes to the time before and after a row the smaller
    one counts, since there may be a jump on one side.
    """
    latest = max(abs(float(run.t[0])), abs(float(run.t[-1])))
    if not latest > COARSE_CLOCK * float(run.t[-1] - run.t[0]):
        return None
    grain, change, size = float(np.spacing(latest)), 0.0, 0.0
    for k in sample_rows(run):
        problem = run.problem if run.history is None else run.history.problem(int(run.history.part[k]))
        terms, inputs = problem.model.function("terms"), np.zeros(problem.model.inputs)
        state = run.q[k].copy(), run.v[k].copy(), problem.parameters, inputs
        now, *near = (terms(float(run.t[k]) + d, *state)[1].copy() for d in (0.0, -grain, grain))
        with np.errstate(invalid="ignore"):  # a table may end here
            change = max(change, min(float(np.nan_to_num(np.abs(x - now)).max()) for x in near))
        _, h, _, g0 = terms.parts(now)
        size = max(size, float(np.nan_to_num(np.abs(np.concatenate([h, g0]))).max(initial=0.0)))
    return grain, change / size if size > 0 else 0.0


def clock_facts(clock: tuple[float, float] | None) -> list[tuple[str, str]]:
    """Return the line of the audit on the clock, if times are large."""
    if clock is None:
        return []
    return [("clock", f"times are known to {clock[0]:.2g}, in which forces change by {clock[1]:.1e} of their size")]


def clock_warnings(clock: tuple[float, float] | None, rtol: float) -> list[str]:
    """Return a warning if forces change by more than the tolerance between two times."""
    if clock is None or clock[1] <= rtol:
        return []
    return [
        f"The times of the run are known to {clock[0]:.2g} only, in which forces change by {clock[1]:.1e} of their "
        "size, more than `rtol`: the run is less accurate than requested. Count the time in the formulas from one near "
        "the start of the run."
    ]
