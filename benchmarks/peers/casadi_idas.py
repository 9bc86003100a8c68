"""CasADi: IDAS on the index-1 form with accelerations and multipliers as algebraic unknowns, and CVODES without them.

Both get the statement as SX graphs, so that every Jacobian is exact. The constraints are stabilised after Baumgarte.
The algebraic unknowns are left out of IDAS's error test, without which it takes three to ten times as many steps. For
CVODES (Adams' formulas without Newton, BDF with it) the saddle system is solved inside the graph by CasADi's symbolic
L D L^T, up to 9 coordinates. Adams' formulas, which need no Jacobian, come once more with that graph compiled as C.
"""

from __future__ import annotations

import os
import re
import shutil
from typing import Any

import casadi as ca
import numpy as np

from .problems import Problem
from .run import Cannot, Deadline, Runner, stabilisation, tolerances
from .timing import BUILD

LDL_UP_TO = 9
STEPS = 50_000
ADAMS = {"linear_multistep_method": "adams", "nonlinear_solver_iteration": "functional"}
METHODS: dict[str, tuple[str, dict[str, Any]]] = {
    "CasADi IDAS": ("idas", {"suppress_algebraic": True}),
    "CasADi CVODES BDF": ("cvodes", {}),
    "CasADi CVODES Adams": ("cvodes", ADAMS),
    "CasADi Adams, in C": ("cvodes", ADAMS),
}


def runners(problem: Problem) -> list[Runner]:
    """IDAS, and CVODES where the saddle system is small enough."""
    t, q, v = ca.SX.sym("t"), ca.SX.sym("q", problem.n), ca.SX.sym("v", problem.n)
    A, right, G = equations(problem, t, q, v)
    rows = G.shape[0]
    a, multipliers = ca.SX.sym("a", problem.n), ca.SX.sym("m", rows)
    saddle = ca.blockcat([[A, G.T], [G, ca.SX(rows, rows)]])
    x, both = ca.vertcat(q, v), ca.vertcat(a, multipliers)
    implicit = {"t": t, "x": x, "z": both, "ode": ca.vertcat(v, a), "alg": ca.mtimes(saddle, both) - right}
    made = [runner(problem, "CasADi IDAS", shared(implicit))]
    if problem.n <= LDL_UP_TO:
        solved = ca.ldl_solve(right, *ca.ldl(saddle, False))[: problem.n]
        explicit = shared({"t": t, "x": x, "ode": ca.vertcat(v, solved)})
        made += [runner(problem, name, explicit) for name in METHODS if "CVODES" in name]
        if shutil.which("gcc"):
            made.append(runner(problem, "CasADi Adams, in C", compiled(explicit)))
    return made


def compiled(dae: dict[str, Any]) -> dict[str, Any]:
    """Return the differential equation as a call of C code, by CasADi's own generator and the system's compiler."""
    BUILD.mkdir(parents=True, exist_ok=True)  # CasADi removes its files there in the end
    options = {"flags": ["-O2", "-march=native"], "directory": f"{BUILD}{os.sep}"}
    how = {"jit": True, "compiler": "shell", "jit_options": options}
    function = ca.Function("rate", [dae["t"], dae["x"]], [dae["ode"]], how)
    t, x = ca.MX.sym("t"), ca.MX.sym("x", dae["x"].numel())
    return {"t": t, "x": x, "ode": function(t, x)}


def shared(dae: dict[str, Any]) -> dict[str, Any]:
    """Return the expressions with common subexpressions found by CasADi."""
    names = [name for name in ("ode", "alg") if name in dae]
    return {**dae, **dict(zip(names, ca.cse([dae[name] for name in names]), strict=True))}


def equations(problem: Problem, t: Any, q: Any, v: Any) -> tuple[Any, Any, Any]:
    """Return A, (h, -g0 with Baumgarte's terms) and G."""
    s = problem.stated(t, q, v, ca)
    momenta = ca.gradient(s.kinetic, v)
    A = ca.jacobian(momenta, v)
    h = ca.vertcat(*s.forces) + ca.gradient(s.kinetic - s.potential, q) - ca.jtimes(momenta, q, v)
    holonomic, alpha = ca.vertcat(*s.holonomic), stabilisation(problem.until)
    rates = ca.vertcat(*s.velocity)
    if s.holonomic:
        rates = ca.vertcat(ca.jtimes(holonomic, q, v), rates)
    g0 = ca.jtimes(rates, q, v) + ca.jacobian(rates, t)
    if s.velocity:
        g0 = g0 + alpha * rates
    else:
        g0 = g0 + 2 * alpha * rates + alpha**2 * holonomic
    return A, ca.vertcat(h, -g0), ca.jacobian(rates, v)


def runner(problem: Problem, name: str, dae: dict[str, Any]) -> Runner:
    """One integrator for each tolerance, made beforehand; its first guess of the algebraic unknowns is solved for."""
    start, guess = np.concatenate(problem.start), initial(dae, np.concatenate(problem.start))
    made: dict[float, Any] = {}

    def run(tolerance: float, deadline: Deadline) -> np.ndarray:
        function = made[tolerance]
        try:
            end = function(x0=start, z0=guess) if "z" in dae else function(x0=start)
        except RuntimeError as reason:
            raise Cannot(short(reason)) from reason
        return np.asarray(end["xf"])[: problem.n, 0]

    method, chosen = METHODS[name]
    settings = tolerances(12 if method == "idas" else 14)
    for tolerance in settings:
        options = {
            "reltol": tolerance,
            "abstol": tolerance,
            "max_num_steps": STEPS,
            "show_eval_warnings": False,
            **chosen,
        }
        made[tolerance] = ca.integrator("motion", method, dae, 0.0, problem.until, options)
    return Runner(name, run, settings)


def initial(dae: dict[str, Any], x: np.ndarray) -> Any:
    """Return the algebraic unknowns at the start, which enter linearly."""
    if "z" not in dae:
        return None
    z = dae["z"]
    parts = ca.Function("f", [dae["t"], dae["x"], z], [ca.jacobian(dae["alg"], z), dae["alg"]])
    matrix, right = parts(0.0, x, 0)
    return np.linalg.lstsq(np.asarray(matrix), -np.asarray(right), rcond=None)[0]


def short(reason: Exception) -> str:
    """Return the part of CasADi's message that says what happened."""
    found = re.search(r'returned "(\w+)"', str(reason))
    return f"gave up with {found[1]}" if found else str(reason).strip().splitlines()[-1][:80]
