"""Readers of requests: the arguments of a user, checked once, with all faults together."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import Faults, did_you_mean
from ..foundation.arrays import Array, BoolArray
from ..model.input.finite_number import finite_number
from ..model.input.numbers import read_parameters, time
from ..model.input.start import read_start
from ..model.input.stated_start import StatedStart
from ..simulation.methods import CHOOSE_THEIR_STEP, FIXED, NAMES
from ..simulation.request import RunRequest
from ..simulation.settings import Settings
from ..simulation.start.start import Start
from .numeric_system import NumericSystem, Outputs

if TYPE_CHECKING:
    from .arguments import Progress

LEAST_RTOL = 100 * float(np.finfo(float).eps)  # [1] smallest relative tolerance that rounding errors permit
MOST_EVENTS = 2**40  # [events] largest number of events that is told from chattering
LEAST_STEP = float(np.finfo(float).eps)  # [1] smallest step size, relative to the times of a run
FEWEST_ROWS = 10  # [rows] smallest limit on the rows of a run that are stored


def numbers_of_parameters(system: NumericSystem, values: object, faults: Faults) -> Array:
    """Return a number for each parameter, with the laws of the system checked at these numbers."""
    numbers = read_parameters(system.symbols, values, faults)
    if not faults and system.symbols.changes_laws(numbers):
        from ..model.checks.law_numbers import check_laws  # with formulas

        check_laws(system.code.statement(), numbers, faults)
    return numbers


def read_run_request(
    system: NumericSystem, values: object = None, start: object = None, until: object = None, method: object = "auto",
    rtol: object = 1e-8, atol: object = 1e-10, times: object = None, progress: object = None, *, t: object = 0.0,
    guess: object = None, outputs: object = None, step: object = None, most_rows: object = 200_000,
    chattering: object = 100, max_step: object = None,
) -> RunRequest:  # fmt: skip
    """Return the checked request of a run; the arguments are those of `System.simulate`."""
    faults = Faults()
    expressions = None if outputs is None else _outputs(system, outputs, faults)
    parameters = numbers_of_parameters(system, values, faults)
    begin = time(t, faults)
    solved: Start | None = None
    given: Any = start
    if isinstance(start, Start):  # a result of `consistent`, possibly for other parameters
        solved = start if guess is None and start.of == (system, parameters.tobytes()) else None
        begin, given = _state_of(start, begin, system, faults)
    stated = (
        _of_state(given) if solved is not None else read_stated_start(system, given, guess, begin, parameters, faults)
    )
    report: Progress = None
    if progress is None or isinstance(progress, bool) or callable(progress):
        report = progress
    else:
        faults.add("progress", f"it must be a function of the time, True or False, not {progress!r}")
    row_times = None if times is None else _times(times, begin, faults)
    end = _end(begin, until, times, row_times, faults)
    settings = _settings(system, method, rtol, atol, step, most_rows, max(abs(begin), abs(end)), max_step, faults)
    chatter_limit = int(min(_positive(chattering, "chattering", faults), MOST_EVENTS))
    if not system.names:
        faults.add("system", "it has no coordinates, so nothing moves", "system.at([], []) gives its reactions.")
    faults.raise_any("The run")
    problem = None if system.has_modes else system.problem(parameters, None, expressions)
    return RunRequest(
        parameters, stated, solved, begin, end, row_times, settings, max(chatter_limit, 1), expressions, report,
        problem, None if problem is None else system.model(),
    )  # fmt: skip


def read_stated_start(
    system: NumericSystem, given: Any, guess: object, t: float, parameters: Array, faults: Faults
) -> StatedStart:
    """Return the start as stated; that of a mechanism may name any joint."""
    if system.mechanism is None:
        return read_start(given, guess, system.symbols, faults)
    from .bodies.start import stated_start  # with formulas

    return stated_start(system, given, guess, t, parameters, faults)


def _settings(
    system: NumericSystem,
    method: object,
    rtol: object,
    atol: object,
    step: object,
    most_rows: object,
    latest: float,
    max_step: object,
    faults: Faults,
) -> Settings:
    """Return the method, tolerances, step sizes and number of rows; `latest` is the largest time of the run."""
    if method not in NAMES:
        what = f"there is no {method!r}{did_you_mean(str(method), NAMES)}"
        faults.add("method", what, f"Known: {', '.join(NAMES)}.")
    step_size = 0.0 if step is None else _positive(step, "step", faults)
    if 0 < step_size < LEAST_STEP * latest:
        what = f"{step_size:g} is smaller than the rounding of the times of the run"
        faults.add("step", what, "Choose a longer step.")
    tolerance = _positive(rtol, "rtol", faults)
    if 0 < tolerance < LEAST_RTOL:
        faults.add("rtol", f"{tolerance:g} is smaller than rounding errors permit", f"Give at least {LEAST_RTOL:.1e}.")
    rows = int(_positive(most_rows, "most_rows", faults))
    if 0 < rows < FEWEST_ROWS:
        faults.add("most_rows", f"{rows} are too few", f"Give at least {FEWEST_ROWS}.")
    if step_size and method in CHOOSE_THEIR_STEP:
        advice = f"Leave it out, or choose {' or '.join(map(repr, FIXED))}."
        faults.add("step", f"{method!r} chooses its steps by the tolerances", advice)
    tolerances = _atol(atol, len(system.names), faults)
    largest = min(system.longest_step, _max_step(max_step, step_size, latest, faults))
    return Settings(str(method), tolerance, tolerances, step_size, largest, rows)


def _max_step(max_step: object, step: float, latest: float, faults: Faults) -> float:
    """Return the longest step that the user allows, infinite if nothing is said; `step` is the fixed one, or 0.

    `latest` is the largest time of the run.
    """
    if max_step is None or (isinstance(max_step, float) and max_step == math.inf):
        return math.inf
    longest = _positive(max_step, "max_step", faults)
    if 0 < longest < step:
        faults.add("max_step", f"{longest:g} is shorter than the fixed step, {step:g}", "Leave one of them out.")
    elif 0 < longest < LEAST_STEP * latest:
        what = f"{longest:g} is smaller than the rounding of the times of the run"
        faults.add("max_step", what, "Choose a longer one.")
    return longest


def _outputs(system: NumericSystem, outputs: object, faults: Faults) -> Outputs | None:
    """Return the outputs of a user, followed by the inputs of the system; None if there are none."""
    if isinstance(outputs, Mapping) and not outputs:
        return None
    from .inputs import run_outputs  # with formulas

    return run_outputs(outputs, system.code.stated(), system.code.statement(), faults)


def _state_of(start: Start, t: float, system: NumericSystem, faults: Faults) -> tuple[float, Any]:
    """Return the time and the pair (q, v) of a Start; note a fault if it belongs to another system or time."""
    if start.names != system.names:
        theirs, ours = ", ".join(start.names), ", ".join(system.names)
        faults.add("start", f"it has the coordinates {theirs}, but this system has {ours}")
        return start.t, None
    if t not in (0.0, start.t):
        faults.add("t", f"it is {t:g}, but the start was computed for t = {start.t:g}", "Leave t out.")
    return start.t, (start.q, start.v)


def _of_state(state: tuple[Array, Array]) -> StatedStart:
    """Return the start of which all numbers are those of a state."""
    q, v = state
    every, none = _every_and_none(len(q))
    return StatedStart(q, v, every, every, none, none)


@lru_cache(maxsize=64)
def _every_and_none(n: int) -> tuple[BoolArray, BoolArray]:
    """Return the masks of all of n coordinates and of none, read-only."""
    every, none = np.ones(n, dtype=bool), np.zeros(n, dtype=bool)
    every.setflags(write=False)
    none.setflags(write=False)
    return every, none


def _end(begin: float, until: object, times: object, row_times: Array | None, faults: Faults) -> float:
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


def _out_of_order(times: Array) -> str:
    """Return what is wrong with times that do not increase or are not finite."""
    if not np.isfinite(times).all():
        return "not all of them are finite"
    k = int(np.flatnonzero(times[1:] <= times[:-1])[0])
    return f"they must increase, but {times[k + 1]:.9g} follows {times[k]:.9g}"


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


def _times(value: object, begin: float, faults: Faults) -> Array | None:
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
        faults.add("times", _out_of_order(row_times))
    elif row_times[0] < begin:
        faults.add("times", f"{row_times[0]:g} is before the start at {begin:g}")
    return row_times if len(faults) == faults_before else None
