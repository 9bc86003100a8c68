"""Sampling: functions of the user that are called at sample times and set parameters, which hold until the next.

The sample times of a function are t0 + k every, k = 0, 1, ...; a run ends its steps at the next sample time of all
functions, `control[END]`, and continues from there with the numbers set.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ...errors import LienketError
from ...foundation.arrays import Array
from ...foundation.frozen_dataclass import dataclass
from ..memory import control, states
from ..stepping.workspace import Workspace


@dataclass(frozen=True, eq=False)
class SampledCall:
    """A function (t, q, v) -> number or mapping by name, called every so often, and the parameters that it sets.

    `parameters` are (name, index) of each; `changes_energy`: one of them appears in T or V, so that setting it does
    work on the system.
    """

    call: Callable[[float, Array, Array], Any]
    every: float
    parameters: tuple[tuple[str, int], ...]
    changes_energy: bool = False

    def numbers(self, t: float, q: Array, v: Array) -> list[tuple[int, float]]:
        """Call the function at a state; return (index, number) of each parameter, or raise LienketError."""
        names = ", ".join(repr(name) for name, _ in self.parameters)
        label = f"The sampled function of the input{'s' if len(self.parameters) > 1 else ''} {names}"
        try:
            result = self.call(t, q.copy(), v.copy())
        except Exception as error:
            raise LienketError(f"{label} failed at t = {t:.9g}: {type(error).__name__}: {error}") from error
        by_name = result if isinstance(result, Mapping) else dict.fromkeys(dict(self.parameters), result)
        missing = [repr(name) for name, _ in self.parameters if name not in by_name]
        if missing:
            raise LienketError(f"{label} returned no number for {', '.join(missing)} at t = {t:.9g}.")
        try:
            pairs = [(index, float(by_name[name])) for name, index in self.parameters]
        except (TypeError, ValueError, OverflowError):
            raise LienketError(f"{label} returned {result!r} at t = {t:.9g}, which is no number.") from None
        if not all(math.isfinite(number) for _, number in pairs):
            raise LienketError(f"{label} returned {result!r} at t = {t:.9g}, which is not finite.")
        return pairs


class Sampling:
    """Sampled functions of one run and the number of samples of each so far."""

    def __init__(self, calls: tuple[SampledCall, ...], arrays: Workspace) -> None:
        self.calls, self.arrays = calls, arrays
        self.counts = [0] * len(calls)
        self.begin = float(arrays.control[control.T])

    def take(self) -> None:
        """Call the functions whose sample time has come, set their parameters, and let steps end at the next one."""
        arrays = self.arrays
        t, n, y = float(arrays.control[control.T]), arrays.problem.n, arrays.y[states.NOW]
        for k, call in enumerate(self.calls):
            if self.begin + self.counts[k] * call.every <= t:
                does_work = call.changes_energy and self.counts[k] > 0  # the numbers at the start are its own
                self.counts[k] += 1
                before = self._energy(t) if does_work else 0.0
                for index, number in call.numbers(t, y[:n], y[n : 2 * n]):
                    arrays.parameters[index] = number
                if does_work:
                    y[2 * n] += self._energy(t) - before
        following = [self.begin + count * call.every for count, call in zip(self.counts, self.calls, strict=True)]
        arrays.pause = min(following)
        arrays.find_known_times()

    def _energy(self, t: float) -> float:
        """Return the energy T2 - T0 + V at the current state."""
        problem, n, y = self.arrays.problem, self.arrays.problem.n, self.arrays.y[states.NOW]
        balance, inputs = problem.model.function("balance"), np.zeros(problem.model.inputs)
        return float(balance(t, y[:n].copy(), y[n : 2 * n].copy(), self.arrays.parameters, inputs)[1][0])
