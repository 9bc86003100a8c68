"""One evaluation of constrained accelerations and multipliers, beside its peers.

    python benchmarks/evaluate.py [--quick]        (make bench)

A planar closed chain of n links and Andrews' squeezer, each by machine code made from the statement, and by others
(benchmarks/peers): C written by hand for the same formulas, CasADi, Pinocchio, MuJoCo, SymPy's lambdify. Measured in
one process, in turns, the best of several; inside a compiled loop each state depends on the answer before, as in an
integrator. The ratios are what counts. Cycles are those of the machine's time-stamp counter where it can be read.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import sympy as sp
from peers import SIZES, Andrews, Chain, Peer, closed_chain, measured, peers_of, squeezer
from peers.own_loop import code_loop, kernel_loop
from peers.timing import cycles_per_second

import lienket as lk
from lienket import der
from lienket.compiled.model import CompiledModel

SQUEEZER = Path(__file__).parent.parent / "examples" / "models" / "andrews_squeezer.toml"
RIVALS = ("CasADi", "Pinocchio", "MuJoCo", "SymPy lambdify")
LIMIT = 490  # cycles for Andrews' squeezer (shared measurements of the field)


def chain_system(n: int) -> lk.System:
    """The closed chain in absolute angles, stated by energies."""
    angles = lk.coordinates(" ".join(f"phi{i}" for i in range(1, n + 1)))
    m, length = (lk.parameters(" ".join(f"{letter}{i}" for i in range(1, n + 1))) for letter in "ml")
    g, d = lk.parameters("g d")
    x = y = T = V = sp.Integer(0)
    for phi, mass, long in zip(angles, m, length, strict=True):
        middle = x + long / 2 * sp.cos(phi), y + long / 2 * sp.sin(phi)
        T += mass * (der(middle[0]) ** 2 + der(middle[1]) ** 2) / 2 + mass * long**2 / 24 * der(phi) ** 2
        V += mass * g * middle[1]
        x, y = x + long * sp.cos(phi), y + long * sp.sin(phi)
    free = lk.System(f"closed chain of {n}", angles, kinetic=T, potential=V)
    return free.constrain("end", [x - d, y] if n > 2 else y)


def numbers(case: Chain | Andrews, system: lk.System) -> np.ndarray:
    """The parameters in the order of the system."""
    if isinstance(case, Andrews):
        return np.array([float(system.values[p]) for p in system.parameters])
    known = {"g": case.gravity, "d": case.distance}
    known |= {f"m{i}": m for i, m in enumerate(case.masses, 1)} | {f"l{i}": x for i, x in enumerate(case.lengths, 1)}
    return np.array([known[p.name] for p in system.parameters])


def lienket_peer(case: Chain | Andrews) -> tuple[Peer, CompiledModel]:
    """The system by machine code, with its preparation from the statement to the first numbers, nothing cached."""
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


def compare(case: Chain | Andrews, quick: bool) -> None:
    """One table."""
    own, model = lienket_peer(case)
    print(f"\n{case.name}: {model.n} coordinates, {model.s} rows, prepared in {own.preparation:.3f} s")
    peers = [own, *peers_of(case)]
    reference = own.at(*case.start)
    figures = measured(case, peers, rounds=4 if quick else 40)
    base = figures["lienket"][1]
    for peer in peers:
        python, inside = figures[peer.name]
        parts = zip(peer.at(*case.start), reference, strict=True)
        off = max(float(np.max(np.abs(x - y)) / np.max(np.abs(y))) for x, y in parts)
        within = f"{1e6 * inside:8.3f} us  {inside / base:7.2f} x" if inside and base else " " * 21
        print(f"  {peer.name:28s} {1e6 * python:8.2f} us from Python  {within}   differs by {off:.0e}")
    summary(case, figures, model)


def summary(case: Chain | Andrews, figures: dict[str, Any], model: CompiledModel) -> None:
    """The ratios that are aimed at."""
    inside = {name: loop for name, (_, loop) in figures.items() if loop}
    own = inside["lienket"]
    rivals = {name: inside[name] for name in RIVALS if name in inside}
    line = (
        f"  of C by hand: {own / inside['hand C']:.2f}, with vector sines {own / inside['hand C, vector sincos']:.2f}"
    )
    if rivals:
        best = min(rivals, key=rivals.__getitem__)
        line += f"; {best}, the fastest peer, takes {rivals[best] / own:.1f} times as long"
    rate = cycles_per_second()
    if isinstance(case, Andrews) and rate:
        line += f"; {own * rate:.0f} cycles, {own * rate / LIMIT:.2f} of the limit {LIMIT}"
    made = model.motion or model.function("terms")
    print(line + f"; {made.facts.operations} operations, {made.bytes} bytes")


def first_evaluations() -> None:
    """From each example's statement to its first compiled numbers, nothing cached."""
    print("\nFrom the statement to the first compiled evaluation, cache empty")
    for path in sorted(SQUEEZER.parent.glob("*.toml")):
        system = lk.load(path)
        n = len(system.coordinates)
        begin = time.perf_counter()
        evaluation = system.compile().evaluate(0.0, np.linspace(0.3, 1.1, n) ** 2, np.ones(n))
        what = "h" if any(c.drives for c in system.constraints) else "accelerations"
        getattr(evaluation, what)
        print(f"  {path.stem:28s} n = {n}: {time.perf_counter() - begin:.3f} s")


def kernels() -> None:
    """How long the kernels take to compile in a new installation, and to load in a process after it."""
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


def count_operations() -> None:
    """Operations of A, h, G, g0 on the graph, beside CasADi's."""
    try:
        from peers.casadi_graph import operations, operations_relative
    except ImportError as reason:
        print(f"\nOperations are not compared: {reason}")
        return
    print("\nOperations of A, h, G, g0 (parameters as symbols): lienket, CasADi")
    for case in (*map(closed_chain, SIZES), squeezer()):
        _, model = lienket_peer(case)
        print(f"  {case.name:24s} {model.function('terms').facts.operations:6d} {operations(case):6d}")
    for n in (8, 12, 20):
        system = relative_chain(n)
        terms = CompiledModel(system.statement.free, (), system.parameters).function("terms")
        print(f"  open, relative angles {n:2d} {terms.facts.operations:6d} {operations_relative(n):6d}")


def relative_chain(n: int) -> lk.System:
    """The open chain in relative angles."""
    angles = lk.coordinates(" ".join(f"phi{i}" for i in range(1, n + 1)))
    m, length, g = lk.parameters("m l g")
    x = y = phi = T = V = sp.Integer(0)
    for angle in angles:
        phi = phi + angle
        middle = x + length / 2 * sp.cos(phi), y + length / 2 * sp.sin(phi)
        T += m * (der(middle[0]) ** 2 + der(middle[1]) ** 2) / 2 + m * length**2 / 24 * der(phi) ** 2
        V += m * g * middle[1]
        x, y = x + length * sp.cos(phi), y + length * sp.sin(phi)
    return lk.System(f"chain of {n}", angles, kinetic=T, potential=V)


def large(n: int = 40) -> None:
    """The worst case for expressions: the chain of 40 in relative angles, from its statement to machine code."""
    import resource

    system = relative_chain(n)
    begin = time.perf_counter()
    model = CompiledModel(system.statement.free, (), system.parameters)
    terms = model.function("terms")
    quick = time.perf_counter() - begin
    better = model.improved().function("terms")
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(
        f"\n{n} links in relative angles: {terms.facts.operations} operations, ready in {quick:.2f} s "
        f"({terms.bytes // 1024} KiB); better code after {better.facts.seconds:.2f} s more; {memory:.2f} GiB in all"
    )


if __name__ == "__main__":
    os.environ["LIENKET_CACHE_DIR"] = tempfile.mkdtemp(prefix="lienket-bench-")  # nothing is known from earlier runs
    print(f"Python {platform.python_version()}, {platform.machine()}, {platform.processor() or 'processor unknown'}")
    kernels()
    first_evaluations()
    for each in (*map(closed_chain, SIZES), squeezer()):
        compare(each, "--quick" in sys.argv)
    count_operations()
    large()
