"""Reader of the settings of a run: end, times, method, tolerances, step."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...errors import did_you_mean
from ...foundation.frozen_dataclass import dataclass
from ...language.faults import Faults
from .finite_number import finite_number

Array = Any

LEAST_RTOL = 100 * float(np.finfo(float).eps)  # [1] smallest relative tolerance that rounding errors permit
MOST_EVENTS = 2**40  # [events] largest number of events that is told from chattering
LEAST_STEP = float(np.finfo(float).eps)  # [1] smallest step size, relative to the times of a run
FEWEST_ROWS = 10  # [rows] smallest limit on the rows of a run that are stored


@dataclass(frozen=True, eq=False)
class RunRequest:
    """Settings of a run from `begin` to `end`.

    Rows are stored at `times`, or at most `most_rows` of them if that is None. The tolerances are rtol and atol (2 n);
    `step` is the fixed step size, or 0.
    """

    begin: float
    end: float
    times: Array | None
    method: str
    rtol: float
    atol: Array
    step: float
    most_rows: int
    chattering: int


def read_run(
    n: int, begin: float, until: Any, times: Any, method: Any, methods: list[str], rtol: Any, atol: Any, step: Any,
    most_rows: Any, faults: Faults, chattering: Any = 100,
) -> RunRequest:  # fmt: skip
    """Return the checked settings of a run; `methods` are the names of the available methods."""
    row_times = None if times is None else _times(times, begin, faults)
    end = _end(begin, until, times, row_times, faults)
    if method not in methods:
        faults.add(
            "method", f"there is no {method!r}{did_you_mean(str(method), methods)}", f"Known: {', '.join(methods)}."
        )
    step_size = 0.0 if step is None else _positive(step, "step", faults)
    if 0 < step_size < LEAST_STEP * max(abs(begin), abs(end)):
        faults.add(
            "step", f"{step_size:g} is smaller than the rounding of the times of the run", "Choose a longer step."
        )
    tolerance = _positive(rtol, "rtol", faults)
    if 0 < tolerance < LEAST_RTOL:
        faults.add("rtol", f"{tolerance:g} is smaller than rounding errors permit", f"Give at least {LEAST_RTOL:.1e}.")
    rows = int(_positive(most_rows, "most_rows", faults))
    if 0 < rows < FEWEST_ROWS:
        faults.add("most_rows", f"{rows} are too few", f"Give at least {FEWEST_ROWS}.")
    chatter_limit = int(min(_positive(chattering, "chattering", faults), MOST_EVENTS))
    return RunRequest(
        begin, end, row_times, str(method), tolerance, _atol(atol, n, faults), step_size, rows, max(chatter_limit, 1)
    )


def _end(begin: float, until: Any, times: Any, row_times: Array | None, faults: Faults) -> float:
    """Return the end of the run: `until`, or else the last of the times."""
    last = begin if row_times is None else float(row_times[-1])
    if until is None:
        if times is None:
            faults.add("until", "the end of the run is missing", "Give until=10, or times=[...].")
        elif row_times is not None and not last > begin:
            faults.add("times", f"the last time, {last:g}, is not after the start, {begin:g}", "Choose a later end.")
        return last
    faults_before = len(faults)
    end = finite_number(until, "until", "it", faults)
    if len(faults) > faults_before:
        return end
    if not end > begin:
        faults.add("until", f"the run would end at {end:g}, but it starts at {begin:g}", "Choose a later end.")
    elif last > end:
        faults.add("times", f"{last:g} is after the end of the run, {end:g}")
    return end


def _increasing(numbers: Array) -> bool:
    """Return whether the numbers increase strictly."""
    return len(numbers) == 1 or bool((numbers[1:] > numbers[:-1]).all())


def _positive(value: Any, where: str, faults: Faults) -> float:
    """Return a positive number; report any other value."""
    if type(value) in (float, int) and 0 < value < 1e300:  # the usual case
        return float(value)
    faults_before = len(faults)
    number = finite_number(value, where, "it", faults)
    if not number > 0 and len(faults) == faults_before:
        faults.add(where, f"it must be positive, but is {number:g}")
    return number


def _atol(value: Any, n: int, faults: Faults) -> Array:
    """Return the absolute tolerances (2 n) from one number, or from one for each position and velocity."""
    if isinstance(value, float) or np.ndim(value) == 0:
        tolerances = np.empty(2 * n)
        tolerances.fill(_positive(value, "atol", faults))
        return tolerances
    advice = f"Give one number, or {2 * n}: positions, then velocities."
    try:
        tolerances = np.array(value, dtype=float)
    except (TypeError, ValueError, OverflowError):
        faults.add("atol", "positive numbers are expected", advice)
        return np.ones(2 * n)
    if tolerances.shape != (2 * n,):
        what = f"{len(tolerances)} numbers are" if tolerances.ndim == 1 else f"an array of shape {tolerances.shape} is"
        faults.add("atol", f"{what} given", advice)
    elif not np.all((tolerances > 0) & np.isfinite(tolerances)):
        faults.add("atol", "every number must be positive and finite")
    return tolerances


def _times(value: Any, begin: float, faults: Faults) -> Array | None:
    """Return increasing times from the start on; None and a fault if they are not."""
    try:
        row_times = np.array(value, dtype=float)
    except (TypeError, ValueError, OverflowError):
        faults.add("times", "increasing numbers are expected")
        return None
    faults_before = len(faults)
    if row_times.ndim != 1 or not len(row_times):
        faults.add("times", f"a sequence of increasing numbers is expected, not an array of shape {row_times.shape}")
    elif not (math.isfinite(row_times[0]) and math.isfinite(row_times[-1]) and _increasing(row_times)):
        finite = np.isfinite(row_times).all()
        faults.add("times", "they must increase" if finite else "not all of them are finite")
    elif row_times[0] < begin:
        faults.add("times", f"{row_times[0]:g} is before the start at {begin:g}")
    return row_times if len(faults) == faults_before else None
