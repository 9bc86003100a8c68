"""Generated code and kernels in the same loop as their peers."""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from .timing import compiled, pointer


def code_loop(
    address: int, q: np.ndarray, v: np.ndarray, parameters: np.ndarray, length: int
) -> Callable[[int], float]:
    """Seconds per call of generated code, `f(t, q, v, parameters, inputs, out)`."""
    run = compiled("loop.c").loop_generated
    run.restype = ctypes.c_double
    total = ctypes.c_double()

    def loop(count: int) -> float:
        arrays = pointer(q), pointer(v), pointer(parameters)
        return run(ctypes.c_void_p(address), len(q), length, *arrays, ctypes.c_long(count), ctypes.byref(total))

    return loop


def kernel_loop(model: Any, q: np.ndarray, v: np.ndarray, parameters: np.ndarray) -> tuple[Any, Callable[[int], float]]:
    """Solution from Python, and seconds per solution inside a loop, by the kernels: where no code is emitted."""
    import numba

    from lienket.kernels.native.accelerations import accelerations_into
    from lienket.kernels.native.calls import accelerations, make_workspace

    terms = model.function("terms").address
    work, iwork = make_workspace(model.n, model.s)
    inputs, a, multipliers = np.zeros(model.n + model.s), np.zeros(model.n), np.zeros(model.s)

    @numba.njit
    def rounds(count, q, state, v, parameters, inputs, a, multipliers, work, iwork):  # type: ignore[no-untyped-def]
        for _ in range(count):
            for i in range(q.size):
                state[i] = q[i] + 1e-12 * a[i]
            accelerations_into(0, terms, 0.0, state, v, parameters, inputs, a, multipliers, work, iwork)
        return a[0]

    def loop(count: int) -> float:
        state = q.copy()
        begin = time.perf_counter()
        rounds(count, q, state, v, parameters, inputs, a, multipliers, work, iwork)
        return (time.perf_counter() - begin) / count

    def solve(t: float, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        found = accelerations(0, terms, t, q, v, parameters, model.s, inputs)
        return found.a, found.multipliers

    loop(2)  # compiled here
    return solve, loop
