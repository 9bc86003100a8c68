"""Known times of a run: where formulas of time and parameters alone change their course, which therefore end steps."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from ...foundation.arrays import Array
from .time_function import TimeFunction

KNOWN_TIMES_CACHED = 64  # [runs] whose known times are kept
SHORTEST_SEARCH = 1e-9  # [1] time in which there are too many, relative to the run, that ends the search
COLUMNS = 3  # [columns] of known times: the time, one before it, one after it
NONE = np.zeros((0, COLUMNS))


def numbers_of(functions: tuple[TimeFunction, ...], parameters: Array) -> bytes:
    """Return the bytes of the parameters, with 0 for those on which no known time depends."""
    used = _used(functions)
    numbers = np.zeros(used[-1] + 1 if used else 0)
    for k in used:
        numbers[k] = parameters[k]
    return numbers.tobytes()


@lru_cache(maxsize=KNOWN_TIMES_CACHED)
def _used(functions: tuple[TimeFunction, ...]) -> tuple[int, ...]:
    """Return the indices of the parameters on which known times depend, increasing."""
    return tuple(sorted({k for function in functions for k in function.parameters}))


def known_times(functions: tuple[TimeFunction, ...], numbers: bytes, begin: float, end: float) -> tuple[Array, float]:
    """Return the known times (K x 3) from `begin` on, and until when: `end`, or earlier if there are very many.

    They are increasing: the time, one shortly before it, one shortly after it. Between two of them no formula of time
    alone has a jump or a kink. The model is evaluated at the time before it up to the end of a step, and at the time
    after it from then on, so that rounding does not decide on the side. `numbers` are bytes of the parameters.
    """
    return _known_times(functions, numbers, begin, end) if functions else (NONE, end)


@lru_cache(maxsize=KNOWN_TIMES_CACHED)
def all_known_times(functions: tuple[TimeFunction, ...], numbers: bytes, begin: float, end: float) -> Array:
    """Return all known times (K x 3) between two times for the bytes of the parameters."""
    found, t = [NONE], begin
    while t < end:
        times, t = known_times(functions, numbers, t, end)
        found.append(times)
    return found[-1] if len(found) == 2 else _merged(np.concatenate(found))


@lru_cache(maxsize=KNOWN_TIMES_CACHED)
def _known_times(functions: tuple[TimeFunction, ...], numbers: bytes, begin: float, end: float) -> tuple[Array, float]:
    """Return the known times for the bytes of the parameters, and until when."""
    from .crossings import TooManyCrossings, crossings  # here, since most models have no functions of time

    parameters, rounding = np.frombuffer(numbers), float(np.spacing(max(abs(begin), abs(end))))
    margin, until, shortest = 8 * rounding, end, SHORTEST_SEARCH * (end - begin)
    while True:
        try:
            # with a margin: a time exactly at the begin or the end belongs to the run
            every = [crossings(f, parameters, begin - margin, until + margin, rounding) for f in functions]
        except TooManyCrossings:
            until = begin + (until - begin) / 8
            if until - begin < shortest:
                raise
        else:
            break
    times = _merged(np.concatenate(every))
    times.setflags(write=False)
    return times, until


def _merged(times: Array) -> Array:
    """Return increasing times in which those that overlap between before and after are one."""
    times = times[np.argsort(times[:, 1], kind="stable")]
    if len(times) < 2:
        return times
    reach = np.maximum.accumulate(times[:, 2])
    first = np.concatenate([[True], times[1:, 1] > reach[:-1]])
    starts = np.flatnonzero(first)
    return np.column_stack(
        [
            np.maximum.reduceat(times[:, 0], starts),
            np.minimum.reduceat(times[:, 1], starts),
            np.maximum.reduceat(times[:, 2], starts),
        ]
    )
