"""One constraint at a time: time of all stages, and of one additional constraint.

    python benchmarks/successive.py [--short]        (make bench)

In symbols: all stages of Andrews' squeezer (7 coordinates, 6 rows in three loops), with verdicts, compared with SymPy's
LagrangesMethod for these constraints, which has no stages, verdicts or D. In numbers: adding one row to a system of
n = 200 coordinates with s = 100 rows, and releasing one, compared with building the whole chain and with solving the
saddle system [A -G^T; G 0] by LAPACK. Every time is the best of several runs in this process; the ratios matter.
--short makes fewer runs.
"""

from __future__ import annotations

import argparse
import gc
import os
import platform
import time
from collections.abc import Callable
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy is loaded

import numpy as np
import sympy as sp
from sympy.physics.mechanics import LagrangesMethod
from systems import SQUEEZER

import lienket as lk
from lienket.constraints import lower
from lienket.elimination.chain import add, start
from lienket.free_system import derive
from lienket.kernels.elimination.chain import NumericChain, constrain, free_chain
from lienket.kernels.elimination.release import release
from lienket.language.simplify import quotient

N, S = 200, 100


def best_of(runs: int, job: Callable[[], Any]) -> float:
    """Return the shortest of several runs, in seconds."""
    times = []
    gc.collect()
    for _ in range(runs):
        begin = time.perf_counter()
        job()
        times.append(time.perf_counter() - begin)
    return min(times)


def squeezer_stages(system: lk.System) -> Any:
    """Return the time of all stages from the free system on, and the chain; caches are cleared first."""
    quotient._TIDY_CACHE.clear()
    free = derive(system.statement.free)
    begin = time.perf_counter()
    chain = start(free.engine, free.kinetic.A, free.inside_h)
    for constraint in system.constraints:
        chain = add(chain, lower(constraint, free.engine.fork()))
    return time.perf_counter() - begin, chain


def squeezer_by_sympy(system: lk.System) -> float:
    """Return the time of LagrangesMethod for these energies and constraints, to its mass matrix and forcing vector."""
    sp.core.cache.clear_cache()
    free = system.statement.free
    T, V = free.kinetic, free.potential
    holonomic = [e for c in system.constraints for e in c.expressions]
    begin = time.perf_counter()
    method = LagrangesMethod(T - V, list(system.coordinates), hol_coneqs=holonomic)
    method.form_lagranges_equations()
    _ = method.mass_matrix_full, method.forcing_full
    return time.perf_counter() - begin


def random_system(seed: int = 1) -> tuple[Any, Any, Any, Any]:
    """Return A (N x N), h, G ((S + 1) x N), g0 of a random system."""
    rng = np.random.default_rng(seed)
    M = rng.normal(size=(N, N))
    return M @ M.T + N * np.eye(N), rng.normal(size=N), rng.normal(size=(S + 1, N)), rng.normal(size=S + 1)


def built(A: Any, h: Any, G: Any, g0: Any) -> NumericChain:
    """Return the chain of all rows, from the free system on."""
    chain = free_chain(A, h)
    for k, (J, c) in enumerate(zip(G, g0, strict=True)):
        chain = constrain(chain, f"c{k}", J[None], np.array([c]))
    return chain


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--short", action="store_true", help="a few seconds: a third of the runs")
    share = 3 if parser.parse_args().short else 1
    print(f"Python {platform.python_version()}, NumPy {np.__version__}, SymPy {sp.__version__}\n")
    system = lk.load(SQUEEZER)
    squeezer_stages(system)
    ours = min(squeezer_stages(system)[0] for _ in range(7 // share))
    theirs = min(squeezer_by_sympy(system) for _ in range(3 // share))
    print("Andrews' squeezer in symbols (7 coordinates, 6 rows)")
    print(f"  stages with beta, H, D, C, f and verdicts   {ours:8.3f} s")
    print(f"  SymPy LagrangesMethod, mass matrix alone    {theirs:8.3f} s   {theirs / ours:6.1f} times\n")

    A, h, G, g0 = random_system()
    before, whole = built(A, h, G[:S], g0[:S]), built(A, h, G, g0)
    one = best_of(200 // share, lambda: constrain(before, "one more", G[S:], g0[S:]))
    away = best_of(20 // share, lambda: release(whole, "c50"))
    again = best_of(5 // share, lambda: built(A, h, G, g0))
    saddle = np.block([[A, -G.T], [G, np.zeros((S + 1, S + 1))]])
    at_once = best_of(20 // share, lambda: np.linalg.solve(saddle, np.concatenate([h, -g0])))
    print(f"One additional row for n = {N}, s = {S}, in numbers")
    print(f"  one step                                    {one * 1e6:8.0f} us")
    print(f"  the chain again, {S + 1} steps                  {again * 1e6:8.0f} us   {again / one:6.1f} times")
    print(f"  LAPACK on the saddle system, no verdicts    {at_once * 1e6:8.0f} us   {at_once / one:6.1f} times")
    print(f"  releasing a row in the middle               {away * 1e6:8.0f} us   {again / away:6.1f} times less")


if __name__ == "__main__":
    main()
