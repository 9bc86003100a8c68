"""Derivation time of the free equations of a planar pendulum of n links, compared with SymPy's LagrangesMethod.

    python benchmarks/derive.py [--short]        (make bench)

Absolute angles are measured to the vertical, relative angles to the previous link; relative angles are the difficult
case, because the expressions become large. Every time is the best of several runs in this process; the ratios matter.
"derived" ends with A, Q and N in the symbolic engine, "as SymPy" with A and h as SymPy matrices. LagrangesMethod is run
up to 5 links, until its mass matrix and forcing vector are available. --short stops at 5 links, and LagrangesMethod at
2.
"""

from __future__ import annotations

import argparse
import gc
import platform
import time
from collections.abc import Callable
from typing import Any

import symengine
import sympy as sp
from sympy.physics.mechanics import LagrangesMethod
from systems import pendulum

import lienket as lk
from lienket.free_system import derive

SIZES = (2, 5, 10, 20)
SYMPY_UP_TO = 5


def best_of(runs: int, n: int, relative: bool, job: Callable[[list[Any], Any, Any], Callable[[], Any]]) -> float:
    """Return the shortest of several runs, in seconds.

    SymPy caches its results. Before each run the cache is cleared and the system is stated anew, as for a user who
    derives it once. `job` takes coordinates, T and V, prepares, and returns the function to be timed.
    """
    times = []
    for _ in range(runs):
        sp.core.cache.clear_cache()
        timed = job(*pendulum(n, relative))
        gc.collect()
        start = time.perf_counter()
        timed()
        times.append(time.perf_counter() - start)
    return min(times)


def stating(q: list[Any], T: Any, V: Any) -> Callable[[], Any]:
    """Return the work from T and V to a checked System."""
    return lambda: lk.System("pendulum", q, kinetic=T, potential=V)


def deriving(q: list[Any], T: Any, V: Any) -> Callable[[], Any]:
    """Return the work from a System to A, Q and N in the engine."""
    statement = lk.System("pendulum", q, kinetic=T, potential=V).statement.free
    return lambda: derive(statement)


def as_sympy(q: list[Any], T: Any, V: Any) -> Callable[[], Any]:
    """Return the work from a System to A and h as SymPy matrices."""
    statement = lk.System("pendulum", q, kinetic=T, potential=V).statement.free

    def run() -> None:
        free = derive(statement)
        _ = free.A, free.h

    return run


def lagranges_method(q: list[Any], T: Any, V: Any) -> Callable[[], Any]:
    """Return the derivation of A and h by SymPy."""

    def run() -> None:
        method = LagrangesMethod(T - V, q)
        method.form_lagranges_equations()
        _ = method.mass_matrix, method.forcing

    return run


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--short", action="store_true", help="a few seconds: up to 5 links")
    short = parser.parse_args().short
    sizes, sympy_up_to = ((2, 5), 2) if short else (SIZES, SYMPY_UP_TO)
    print(f"Python {platform.python_version()}, SymPy {sp.__version__}, SymEngine {symengine.__version__}")
    print(f"{'':<14}{'seconds':>10}{'':>40}{'times faster':>24}")
    columns = f"{'state':>10}{'derived':>10}{'as SymPy':>10}{'LagrangesMethod':>20}{'derived':>12}{'as SymPy':>12}"
    print(f"{'angles':<10}{'n':>4}{columns}")
    for relative in (False, True):
        for n in sizes:
            runs = 3 if short else 7 if n <= 10 else 2
            state, derived, matrices = (best_of(runs, n, relative, job) for job in (stating, deriving, as_sympy))
            row = f"{'relative' if relative else 'absolute':<10}{n:>4}{state:>10.4f}{derived:>10.4f}{matrices:>10.4f}"
            if n <= sympy_up_to:
                rival = best_of(2 if n > 2 else runs, n, relative, lagranges_method)
                row += f"{rival:>20.3f}{rival / derived:>12.0f}{rival / matrices:>12.0f}"
            print(row, flush=True)


if __name__ == "__main__":
    main()
