"""SciPy: solve_ivp on lambdified accelerations, DOP853 and Radau; each call solves the saddle system by NumPy."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.integrate import solve_ivp

from .problems import Problem
from .run import Cannot, Deadline, Runner, stabilisation, tolerances
from .symbolic import saddle_function


def runners(problem: Problem) -> list[Runner]:
    """Both methods."""
    solve = saddle_function(problem, stabilisation(problem.until))
    n = problem.n

    def rate(t: float, y: np.ndarray) -> np.ndarray:
        return np.concatenate((y[n:], solve(t, y[:n], y[n:])[:n]))

    return [integrated(problem, f"SciPy {method}", method, rate) for method in ("DOP853", "Radau")]


def integrated(
    problem: Problem,
    name: str,
    method: str,
    rate: Callable[[float, np.ndarray], np.ndarray],
    start: tuple[np.ndarray, np.ndarray] | None = None,
) -> Runner:
    """One method of solve_ivp on y' = rate(t, y), y = (q, v), perhaps in other coordinates than the problem's."""
    y0 = np.concatenate(start or problem.start)

    def run(tolerance: float, deadline: Deadline) -> np.ndarray:
        def watched(t: float, y: np.ndarray) -> np.ndarray:
            deadline.check()
            return rate(t, y)

        done = solve_ivp(
            watched, (0.0, problem.until), y0, method=method, rtol=tolerance, atol=tolerance, t_eval=[problem.until]
        )
        if not done.success:
            raise Cannot(done.message)
        return done.y[: len(y0) // 2, -1]

    return Runner(name, run, tolerances(13))
