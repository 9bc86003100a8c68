"""Time of one evaluation of constrained accelerations and multipliers, compared with other programs.

    python benchmarks/evaluate.py [--short]        (make bench)

A planar closed chain of n links and Andrews' squeezer, each by lienket's machine code and by other programs
(benchmarks/peers): hand-written C for the same formulas, CasADi, Pinocchio, MuJoCo, SymPy's lambdify. All are measured
alternately in one process, and the best of several times counts. Inside the compiled loop each state depends on the
previous result, as in an integrator. The ratios matter. Cycles are read from the time-stamp counter, if possible.
--short measures chains of 2 and 5 links and the squeezer, with compiled code from the caches.
"""

from __future__ import annotations

import argparse
import atexit
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from typing import Any

import numpy as np
from peers import SIZES, Andrews, Chain, Peer, closed_chain, measured, peers_of, squeezer
from peers.own_loop import code_loop, kernel_loop
from peers.timing import cycles_per_second
from systems import MODELS, SQUEEZER, relative_chain
from systems import closed_chain as chain_system

import lienket as lk
from lienket.compiled.model import CompiledModel

RIVALS = ("CasADi", "Pinocchio", "MuJoCo", "SymPy lambdify")
SHORT_SIZES = (2, 5)
LIMIT = 490  # [cycles] limit for one evaluation of Andrews' squeezer


def numbers(case: Chain | Andrews, system: lk.System) -> np.ndarray:
    """Return the parameter values in the order of the system."""
    if isinstance(case, Andrews):
        return np.array([float(system.values[p]) for p in system.parameters])
    known = {"g": case.gravity, "d": case.distance}
    known |= {f"m{i}": m for i, m in enumerate(case.masses, 1)} | {f"l{i}": x for i, x in enumerate(case.lengths, 1)}
    return np.array([known[p.name] for p in system.parameters])


def lienket_peer(case: Chain | Andrews) -> tuple[Peer, CompiledModel]:
    """Return the system as machine code, with the time from the statement to the first numbers without a cache."""
    system = lk.load(SQUEEZER) if isinstance(case, Andrews) else chain_system(case.n)
    parameters = numbers(case, system)
    q, v = case.start
    begin = time.perf_counter()
    model = CompiledModel(system.statement.free, system.constraints, system.parameters)
    inputs = np.zeros(model.n + model.s)
    motion = model.motion
    if motion is None:
        model.function("terms")(0.0, q, v, parameters, inputs)
        seconds = time.perf_counter() - begin
        solve, loop = kernel_loop(model, q, v, parameters)
    else:
        motion(0.0, q, v, parameters, inputs)
        seconds = time.perf_counter() - begin
        loop = code_loop(motion.address, q, v, parameters, model.n + model.s)

        def solve(t: float, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            out = motion(t, q, v, parameters, inputs)[1]
            return out[: model.n], out[model.n :]

    return Peer("lienket", seconds, solve, loop), model


def compare(case: Chain | Andrews, rounds: int) -> None:
    """Print the table of one case."""
    own, model = lienket_peer(case)
    print(f"\n{case.name}: {model.n} coordinates, {model.s} rows, prepared in {own.preparation:.3f} s")
    peers = [own, *peers_of(case)]
    reference = own.at(*case.start)
    figures = measured(case, peers, rounds)
    base = figures["lienket"][1]
    for peer in peers:
        python, inside = figures[peer.name]
        parts = zip(peer.at(*case.start), reference, strict=True)
        off = max(float(np.max(np.abs(x - y)) / np.max(np.abs(y))) for x, y in parts)
        within = f"{1e6 * inside:8.3f} us  {inside / base:7.2f} x" if inside and base else " " * 21
        print(f"  {peer.name:28s} {1e6 * python:8.2f} us from Python  {within}   differs by {off:.0e}")
    summary(case, figures, model)


def summary(case: Chain | Andrews, figures: dict[str, Any], model: CompiledModel) -> None:
    """Print the ratios to hand-written C and to the fastest peer."""
    inside = {name: loop for name, (_, loop) in figures.items() if loop}
    own = inside["lienket"]
    rivals = {name: inside[name] for name in RIVALS if name in inside}
    vector = own / inside["hand C, vector sincos"]
    line = f"  ratio to hand-written C: {own / inside['hand C']:.2f}, with vector sines {vector:.2f}"
    if rivals:
        best = min(rivals, key=rivals.__getitem__)
        line += f"; {best}, the fastest peer, takes {rivals[best] / own:.1f} times as long"
    rate = cycles_per_second()
    if isinstance(case, Andrews) and rate:
        line += f"; {own * rate:.0f} cycles, {own * rate / LIMIT:.2f} of the limit {LIMIT}"
    made = model.motion or model.function("terms")
    print(line + f"; {made.info.operations} operations, {made.bytes} bytes")


def first_evaluations() -> None:
    """Print the time from the statement of each example to its first compiled numbers."""
    for path in sorted(MODELS.glob("*.toml")):
        system = lk.load(path)
        n = len(system.coordinates)
        begin = time.perf_counter()
        evaluation = system.compile().evaluate(0.0, np.linspace(0.3, 1.1, n) ** 2, np.ones(n))
        what = "h" if any(c.drives for c in system.constraints) else "accelerations"
        getattr(evaluation, what)  # nothing is computed before a field is read
        modes = "".join(f", {name} {mode}" for name, mode in evaluation.modes.items())
        print(f"  {path.stem:28s} n = {n}: {time.perf_counter() - begin:.3f} s{modes}")


def kernels() -> None:
    """Print the time to compile the kernels in a new installation, and to load them in a later process."""
    code = "import time; from lienket.kernels.native.calls import make_workspace; begin = time.perf_counter(); "
    code += "make_workspace(3, 2); print(time.perf_counter() - begin)"
    with tempfile.TemporaryDirectory(prefix="lienket-kernels-") as place:
        surroundings = {**os.environ, "LIENKET_CACHE_DIR": place}

        def seconds() -> float:
            done = subprocess.run([sys.executable, "-c", code], env=surroundings, capture_output=True, check=True)
            return float(done.stdout)

        compiled = seconds()
        loaded = min(seconds() for _ in range(3))
    print(f"\nKernels: compiled in {compiled:.1f} s once per installation, then loaded in {loaded:.3f} s")


def count_operations(sizes: tuple[int, ...], relative: tuple[int, ...]) -> None:
    """Print the number of operations of A, h, G, g0, compared with CasADi."""
    try:
        from peers.casadi_graph import operations, operations_relative
    except ImportError as reason:
        print(f"\nOperations are not compared: {reason}")
        return
    print("\nOperations of A, h, G, g0 (parameters as symbols): lienket, CasADi")
    for case in (*map(closed_chain, sizes), squeezer()):
        _, model = lienket_peer(case)
        print(f"  {case.name:24s} {model.function('terms').info.operations:6d} {operations(case):6d}")
    for n in relative:
        system = relative_chain(n)
        terms = CompiledModel(system.statement.free, (), system.parameters).function("terms")
        print(f"  open, relative angles {n:2d} {terms.info.operations:6d} {operations_relative(n):6d}")


def large(n: int) -> None:
    """Print the time from the statement to machine code of the chain of n links in relative angles, a large system."""
    import resource

    system = relative_chain(n)
    begin = time.perf_counter()
    model = CompiledModel(system.statement.free, (), system.parameters)
    terms = model.function("terms")
    quick = time.perf_counter() - begin
    better = model.optimized().function("terms")
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(
        f"\n{n} links in relative angles: {terms.info.operations} operations, ready in {quick:.2f} s "
        f"({terms.bytes // 1024} KiB); optimized code after another {better.info.seconds:.2f} s; "
        f"{memory:.2f} GiB in total"
    )


def main() -> None:
    """Print all tables, or the short ones."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--short", action="store_true", help="a few seconds: small chains, compiled code from the cache"
    )
    short = parser.parse_args().short
    print(f"Python {platform.python_version()}, {platform.machine()}, {platform.processor() or 'processor unknown'}")
    if not short:
        # an empty cache, so that earlier runs have no effect
        os.environ["LIENKET_CACHE_DIR"] = place = tempfile.mkdtemp(prefix="lienket-bench-")
        atexit.register(shutil.rmtree, place, ignore_errors=True)
        kernels()
    print(f"\nFrom the statement to the first compiled evaluation, cache {'as it is' if short else 'empty'}")
    first_evaluations()
    sizes = SHORT_SIZES if short else SIZES
    compiler = os.environ.get("CC", "cc")
    if shutil.which(compiler) is None:
        print(f"\nSingle evaluations are not compared: there is no C compiler {compiler!r}")
    else:
        for each in (*map(closed_chain, sizes), squeezer()):
            compare(each, rounds=4 if short else 40)
    count_operations(sizes, (8,) if short else (8, 12, 20))
    large(10 if short else 40)


if __name__ == "__main__":
    main()
