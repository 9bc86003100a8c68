"""How a run is to be made, as a user gives it: end, times, tolerances; what is wrong becomes faults."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...errors import did_you_mean
from ...foundation.frozen_dataclass import dataclass
from ...language.faults import Faults
from .numbers import finite_number

Array = Any

LEAST_RTOL = 100 * float(np.finfo(float).eps)
FEWEST_ROWS = 10


@dataclass(frozen=True, eq=False)
class RunRequest:
    """From `begin` to `end`, rows at the times (or None); tolerances rtol and atol (2 n); a fixed step, or 0.

    `most_rows` are kept if no times are given.
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
    """The run from what is given; `methods` are the names of those there are."""
    wanted = None if times is None else _times(times, begin, faults)
    end = _end(begin, until, times, wanted, faults)
    if method not in methods:
        faults.add(
            "method", f"there is no {method!r}{did_you_mean(str(method), methods)}", f"Known: {', '.join(methods)}."
        )
    length = 0.0 if step is None else _positive(step, "step", faults)
    tolerance = _positive(rtol, "rtol", faults)
    if 0 < tolerance < LEAST_RTOL:
        faults.add("rtol", f"{tolerance:g} is less than rounding allows", f"Give at least {LEAST_RTOL:.1e}.")
    rows = int(_positive(most_rows, "most_rows", faults))
    if 0 < rows < FEWEST_ROWS:
        faults.add("most_rows", f"{rows} are too few", f"Give at least {FEWEST_ROWS}.")
    many = int(_positive(chattering, "chattering", faults))
    return RunRequest(begin, end, wanted, str(method), tolerance, _atol(atol, n, faults), length, rows, max(many, 1))


def _end(begin: float, until: Any, times: Any, wanted: Array | None, faults: Faults) -> float:
    """The end: the one given, or else the last of the times."""
    last = begin if wanted is None else float(wanted[-1])
    if until is None:
        if times is None:
            faults.add("until", "the end of the run is missing", "Give until=10, or times=[...].")
        elif wanted is not None and not last > begin:
            faults.add("times", f"the last is {last:g}, where the run starts", "Let it end later.")
        return last
    before = len(faults)
    end = finite_number(until, "until", "it", faults)
    if len(faults) > before:
        return end
    if not end > begin:
        faults.add("until", f"the run would end at {end:g}, and it starts at {begin:g}", "Let it end later.")
    elif last > end:
        faults.add("times", f"{last:g} is after the end of the run, {end:g}")
    return end


def _increase(found: Array) -> bool:
    return len(found) == 1 or bool((found[1:] > found[:-1]).all())


def _positive(given: Any, where: str, faults: Faults) -> float:
    if type(given) in (float, int) and 0 < given < 1e300:  # nearly always
        return float(given)
    before = len(faults)
    found = finite_number(given, where, "it", faults)
    if not found > 0 and len(faults) == before:
        faults.add(where, f"it must be positive, not {found:g}")
    return found


def _atol(given: Any, n: int, faults: Faults) -> Array:
    """One number for all, or one for each position and velocity (2 n)."""
    if isinstance(given, float) or np.ndim(given) == 0:
        found = np.empty(2 * n)
        found.fill(_positive(given, "atol", faults))
        return found
    advice = f"Give one, or {2 * n}: positions, then velocities."
    try:
        found = np.array(given, dtype=float)
    except (TypeError, ValueError):
        faults.add("atol", "positive numbers are needed", advice)
        return np.ones(2 * n)
    if found.shape != (2 * n,):
        what = f"{len(found)} numbers are" if found.ndim == 1 else f"an array of shape {found.shape} is"
        faults.add("atol", f"{what} given", advice)
    elif not np.all((found > 0) & np.isfinite(found)):
        faults.add("atol", "every number must be positive and finite")
    return found


def _times(given: Any, begin: float, faults: Faults) -> Array | None:
    """Increasing times from the start on; None if they are not."""
    try:
        found = np.array(given, dtype=float)
    except (TypeError, ValueError):
        faults.add("times", "increasing numbers are needed")
        return None
    before = len(faults)
    if found.ndim != 1 or not len(found):
        faults.add("times", f"a row of increasing numbers is needed, not an array of shape {found.shape}")
    elif not (math.isfinite(found[0]) and math.isfinite(found[-1]) and _increase(found)):
        finite = np.isfinite(found).all()
        faults.add("times", "they must increase" if finite else "not all of them are finite")
    elif found[0] < begin:
        faults.add("times", f"{found[0]:g} is before the start at {begin:g}")
    return found if len(faults) == before else None
