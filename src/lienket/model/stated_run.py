"""How a run is to be made, as a user gives it: end, times, tolerances; what is wrong becomes faults."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import did_you_mean
from .faults import Faults
from .given import number

Array = Any

LEAST_RTOL = 100 * float(np.finfo(float).eps)


@dataclass(frozen=True, eq=False)
class StatedRun:
    """From `begin` to `end`, rows at the times (or None); tolerances rtol and atol (2 n); a fixed step, or 0."""

    begin: float
    end: float
    times: Array | None
    method: str
    rtol: float
    atol: Array
    step: float


def state_run(
    n: int, begin: float, until: Any, times: Any, method: Any, methods: list[str], rtol: Any, atol: Any, step: Any,
    faults: Faults,
) -> StatedRun:  # fmt: skip
    """The run from what is given; `methods` are the names of those there are."""
    wanted = None if times is None else _times(times, begin, faults)
    if until is None and (wanted is None or not len(wanted)):
        faults.add("until", "the end of the run is missing", "Give until=10, or times=[...].")
        end = begin
    elif until is not None:
        end = number(until, "until", "it", faults)
    else:
        end = float(wanted[-1])  # type: ignore[index]
    if not end > begin and not faults:
        faults.add("until", f"the run would end at {end:g}, and it starts at {begin:g}", "Let it end later.")
    if wanted is not None and len(wanted) and wanted[-1] > end and not faults:
        faults.add("times", f"{wanted[-1]:g} is after the end of the run, {end:g}")
    if method not in methods:
        faults.add(
            "method", f"there is no {method!r}{did_you_mean(str(method), methods)}", f"Known: {', '.join(methods)}."
        )
    length = 0.0 if step is None else _positive(step, "step", faults)
    tolerance = _positive(rtol, "rtol", faults)
    if tolerance < LEAST_RTOL and not faults:
        faults.add("rtol", f"{tolerance:g} is less than rounding allows", f"Give at least {LEAST_RTOL:.1e}.")
    return StatedRun(begin, end, wanted, str(method), tolerance, _atol(atol, n, faults), length)


def _positive(given: Any, where: str, faults: Faults) -> float:
    before = len(list(faults))
    found = number(given, where, "it", faults)
    if not found > 0 and len(list(faults)) == before:
        faults.add(where, f"it must be positive, not {found:g}")
    return found


def _atol(given: Any, n: int, faults: Faults) -> Array:
    """One number for all, or one for each position and velocity (2 n)."""
    if np.ndim(given) == 0:
        return np.full(2 * n, _positive(given, "atol", faults))
    found = np.array(given, dtype=float).reshape(-1)
    if found.shape != (2 * n,):
        faults.add("atol", f"{len(found)} numbers are given", f"Give one, or {2 * n}: positions, then velocities.")
    elif not np.all(found > 0):
        faults.add("atol", "every number must be positive")
    return found


def _times(given: Any, begin: float, faults: Faults) -> Array:
    """Increasing times from the start on."""
    try:
        found = np.array(given, dtype=float)
    except (TypeError, ValueError):
        faults.add("times", "increasing numbers are needed")
        return np.zeros(0)
    if found.ndim != 1 or not len(found):
        faults.add("times", f"a row of increasing numbers is needed, not an array of shape {found.shape}")
    elif not np.all(np.isfinite(found)):
        faults.add("times", "not all of them are finite")
    elif not np.all(np.diff(found) > 0):
        faults.add("times", "they must increase")
    elif found[0] < begin:
        faults.add("times", f"{found[0]:g} is before the start at {begin:g}")
    return found
