"""Call of the compiled kernel `native.near_guess`: the solution of the constraints near a guess, in the usual case."""

from __future__ import annotations

from collections import deque
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ...compiled.machine.python_callbacks import raise_faults
from ...compiled.model import CompiledModel
from ...foundation.arrays import Array
from ...kernels.native.calls import make_workspace
from ...kernels.native.runtime.library import prepared
from ...model.input.stated_start import StatedStart

MODELS_KEPT = 64  # [models] whose memory for the kernel is kept
COORDINATES_KEPT = 100  # [coordinates] of the largest of them; memory grows with their square, its creation hardly
THREADS_SERVED = 4  # [threads] that find such memory ready
UNSOLVED = -1  # as in `native.near_guess`


class NearSolution(NamedTuple):
    """Positions q and velocities v (n); whether they are within rounding of typed values, to which fixed ones adapt."""

    q: Array
    v: Array
    rounded: tuple[bool, bool]


def near_solution(model: CompiledModel, stated: StatedStart, t: float, parameters: Array) -> NearSolution | None:
    """Return the solution near the stated numbers if it is certain, as `assemble` does at both levels, otherwise None.

    Raises LienketError if a Python function of the user failed.
    """
    memory = _spare(model)
    try:
        kernel = memory.pop()
    except IndexError:  # none yet, or other threads use them
        kernel = _Kernel(model)
    code = kernel.solve(stated, t, parameters)
    raise_faults(model.callbacks)
    q, v = kernel.state.copy()
    solution = None if code == UNSOLVED else NearSolution(q, v, (bool(code & 1), bool(code & 2)))
    if model.n <= COORDINATES_KEPT:
        memory.append(kernel)
    return solution


@lru_cache(maxsize=MODELS_KEPT)
def _spare(model: CompiledModel) -> deque[_Kernel]:
    """Return the kernels of a model that no thread uses; popping one is thread-safe."""
    return deque(maxlen=THREADS_SERVED)


class _Kernel:
    """The kernel bound to memory for one model: `state` (2 x n) is the guess before and the solution after a call."""

    def __init__(self, model: CompiledModel) -> None:
        n = model.n
        self.state, self._held = np.zeros((2, n)), np.zeros((2, n), dtype=np.int64)
        self._t, self._parameters = np.zeros(1), np.zeros(model.function("surface").info.lengths[1])
        self._call = prepared(
            "lienket.simulation.start.native.near_guess", "solve_near", model.function("surface").address,
            model.levels, self._t, *self.state, self._held.reshape(-1), self._parameters, np.zeros(model.inputs),
            np.zeros(n * (n + 2)), *make_workspace(n, model.s),
        )  # fmt: skip

    def solve(self, stated: StatedStart, t: float, parameters: Array) -> int:
        """Fill the memory and call the kernel; return its code."""
        self._t[0], self._parameters[:] = t, parameters
        self.state[0], self.state[1] = stated.q, stated.v
        self._held[0], self._held[1] = stated.fixed_q, stated.fixed_v
        return int(self._call())
