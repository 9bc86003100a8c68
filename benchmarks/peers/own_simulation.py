"""The package itself: System.simulate on the model files, or on the same statement where there is no file."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp

import lienket as lk

from . import andrews, carriage
from .problems import Problem
from .run import Cannot, Deadline, Runner, tolerances

METHODS = {"lienket": "auto", "lienket radau5": "radau5", "lienket bdf": "bdf"}


def system_of(problem: Problem) -> tuple[lk.System, dict[str, float]]:
    """Return the system and the numbers that differ from its own."""
    if isinstance(problem.case, andrews.Andrews):
        return lk.load(andrews.MODEL), {}
    if isinstance(problem.case, carriage.Carriage) and not problem.case.spring:
        return lk.load(carriage.MODEL), dict(zip(("tau1", "tau2"), problem.case.torques, strict=True))
    q = lk.coordinates(" ".join(f"q{i}" for i in range(problem.n)))
    s = problem.stated(lk.t, q, [lk.der(x) for x in q], sp)
    forces = {x: force for x, force in zip(q, s.forces, strict=True) if force != 0}
    system = lk.System(problem.name, q, kinetic=s.kinetic, potential=s.potential, forces=forces)
    for i in range(0, len(s.holonomic), 2):
        system = system.constrain(f"loop {i // 2 + 1}", list(s.holonomic[i : i + 2]))
    for i, row in enumerate(s.velocity):
        system = system.constrain(f"row {i + 1}", row)
    return system, {}


def runners(problem: Problem) -> list[Runner]:
    """Return the methods of simulate that are compared."""
    if not hasattr(lk.System, "simulate"):
        raise Cannot("this version has no System.simulate")
    system, values = system_of(problem)
    return [runner(problem, system, values, name, method) for name, method in METHODS.items()]


def runner(problem: Problem, system: Any, values: dict[str, float], name: str, method: str) -> Runner:
    """One method; the first run, which compiles, is made here."""
    end = problem.until
    start = system.consistent(problem.start, values, others=False)  # like the models of others, made beforehand

    def integrate(tolerance: float, until: float) -> np.ndarray:
        try:
            motion = system.simulate(
                values, start=start, until=until, method=method, rtol=tolerance, atol=tolerance, times=[until]
            )
        except lk.LienketError as reason:
            raise Cannot(str(reason).splitlines()[0]) from reason
        return np.asarray(motion.q)[-1]

    def run(tolerance: float, deadline: Deadline) -> np.ndarray:
        return integrate(tolerance, end)

    integrate(1e-3, end)
    return Runner(name, run, tolerances(14))
