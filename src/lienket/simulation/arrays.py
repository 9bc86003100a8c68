"""The arrays of a run in memory, and the integrator as a function of them; see native/memory.py."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..kernels.native.library import prepared
from ..kernels.native.solve import make_workspace
from .methods import Method
from .native import memory as at
from .problem import Problem
from .rows import UNKNOWN, Settings

Array = Any

LOG = 1000  # passages through singular positions that are noted


class Arrays:
    """What kernels read and write; `advance(method)` runs one from where the last stopped."""

    def __init__(
        self, problem: Problem, settings: Settings, times: Array, capacity: int, usual: tuple[int, float] = UNKNOWN
    ) -> None:
        n, s = problem.n, problem.s
        self.problem = problem
        self.control, self.counts = np.zeros(at.CONTROL_SIZE), np.zeros(at.COUNTS_SIZE, dtype=np.int64)
        self.control[at.RTOL], self.control[at.LARGEST] = settings.rtol, settings.largest
        self.control[at.FIXED] = settings.step
        self.counts[at.USUAL], self.control[at.GROWTH] = usual
        self.counts[at.FRESH] = self.counts[at.EVERY] = 1
        self.y = np.zeros((at.STATES, at.state_size(n)))
        self.times = times
        self.rows = np.zeros((capacity, 2 + at.state_size(n)))
        self.log = np.zeros((LOG, 3))
        self._shared = (np.zeros(n + s), settings.atol, np.zeros(at.bridge_size(n)), *make_workspace(n, s))

    def begin(self, t: float, q: Array, v: Array, end: float) -> None:
        """Puts the state at which a run begins."""
        n = self.problem.n
        self.control[at.T] = self.control[at.BEGIN] = t
        self.control[at.END] = end
        self.y[at.NOW, :n], self.y[at.NOW, n : 2 * n] = q, v

    def advance(self, method: Method) -> Any:
        """The integrator as a function without arguments that returns why it stopped."""
        problem, (inputs, atol, bridge, work, places) = self.problem, self._shared
        self.scratch = np.zeros(method.scratch(problem.n, problem.s))
        return prepared(
            method.module,
            "advance",
            problem.addresses_for(method.needs),
            problem.level,
            problem.parameters,
            inputs,
            self.control,
            self.counts,
            atol,
            self.y,
            self.times,
            self.rows,
            self.scratch,
            bridge,
            self.log,
            work,
            places,
        )

    def filled(self) -> Array:
        """The rows filled so far, a copy."""
        return self.rows[: self.counts[at.FILLED]].copy()
