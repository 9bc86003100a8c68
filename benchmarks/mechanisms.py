"""Mechanisms of bodies and joints: time from the first call to the first numbers, and of one evaluation.

    python benchmarks/mechanisms.py [--short]        (make bench)

Three mechanisms are stated, derived and compiled, each in a process of its own with an empty cache: a spatial arm of 12
hinges with dense placements (aim: 5 s), a planar tree of 30 links (3 s), a ladder of 10 four-bars in absolute
coordinates (3 s). Then the accelerations of a spatial arm of 7 hinges, with a torque in each, by generated code and by
Pinocchio's articulated body algorithm (ABA) in C++, in the same compiled loop, alternately in one process; the best of
several times counts (aim: at most 2 times the time of the faster ABA). lienket's code has the placements as constants,
and the masses, centres, inertias and torques either as constants or as parameters that are read at every evaluation;
Pinocchio reads its model. --short takes fewer rounds.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib import import_module
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from peers import Peer, measured
from peers.arm import Arm, arm

import lienket as lk

AIM = 2.0  # [1] largest ratio to Pinocchio's ABA
ENTRIES = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
State = tuple[np.ndarray, np.ndarray]


def numbers_of(case: Arm) -> dict[str, float]:
    """Return masses, centres, inertias and torques of the arm by names of parameters."""
    numbers: dict[str, float] = {}
    for k in range(case.n):
        numbers |= {f"m{k}": case.mass[k], f"tau{k}": case.torque[k]}
        numbers |= {f"c{k}{i}": case.centre[k, i] for i in range(3)}
        numbers |= {f"J{k}{i}{j}": case.inertia[k, i, j] for i, j in ENTRIES}
    return {name: float(x) for name, x in numbers.items()}


def spatial_arm(case: Arm, torques: bool = False, parameters: bool = False) -> lk.System:
    """Return the arm of the case, with `torques` in its hinges; with `parameters` for all numbers but the places."""
    read = lk.parameters if parameters else numbers_of(case).__getitem__
    mechanism = lk.spatial.Mechanism(case.name, gravity=case.gravity)
    before = mechanism.ground
    for k in range(case.n):
        inertia, centre = [read(f"J{k}{i}{j}") for i, j in ENTRIES], [read(f"c{k}{i}") for i in range(3)]
        link = mechanism.body(f"link{k}", mass=read(f"m{k}"), inertia=inertia, centre=centre)
        x, y, z = case.place[k]
        mechanism.revolute(f"q{k}", before.at(x, y, z, case.rotation[k]), link.at())
        if torques:
            mechanism.motor(f"motor{k}", f"q{k}", read(f"tau{k}"))
        before = link
    return mechanism.system()


def arm_of_twelve() -> tuple[lk.System, State]:
    """Return a spatial arm of 12 hinges with a state."""
    case = arm(12)
    return spatial_arm(case), case.start


def planar_tree() -> tuple[lk.System, State]:
    """Return 30 rods, each hung on the end of one of the four before it, with a state."""
    mechanism, rng, ends = lk.planar.Mechanism("tree of 30 links"), np.random.default_rng(1), list[Any]()
    for k in range(30):
        length = float(rng.uniform(0.3, 0.8))
        link = mechanism.body(f"link{k}", mass=float(rng.uniform(0.5, 2.0)), length=length)
        place = ends[rng.integers(max(0, k - 4), k)] if k else mechanism.ground.at(0, 0)
        mechanism.revolute(f"q{k}", place, link.at(0, 0))
        ends.append(link.at(length, 0))
    return mechanism.system(), (np.linspace(-1.5, 1.0, 30), np.linspace(1.0, -2.0, 30))


def ladder() -> tuple[lk.System, State]:
    """Return 10 four-bars side by side in absolute coordinates, with all rockers at the same angle, at rest."""
    mechanism, angle, places = lk.planar.Mechanism("ladder of 10 four-bars"), 1.2, {}
    tip = np.array([np.cos(angle), np.sin(angle)])
    before = None
    for i in range(11):
        rocker = mechanism.body(f"rocker{i}", mass=1.0, length=1.0)
        places[rocker.name] = (i + tip[0] / 2, tip[1] / 2, angle)
        mechanism.revolute(f"O{i}", mechanism.ground.at(i, 0), rocker.at(0, 0))
        if before is not None:
            coupler = mechanism.body(f"coupler{i}", mass=1.0, length=1.0)
            places[coupler.name] = (i - 0.5 + tip[0], tip[1], 0.0)
            mechanism.revolute(f"A{i}", before.at(1.0, 0), coupler.at(0, 0))
            mechanism.revolute(f"B{i}", coupler.at(1.0, 0), rocker.at(1.0, 0))
        before = rocker
    q = np.concatenate([places[name] for name in mechanism.bodies])
    return mechanism.system("absolute"), (q, np.zeros(len(q)))


CASES: dict[str, tuple[Callable[[], tuple[lk.System, State]], float]] = {
    "spatial arm, 12 hinges": (arm_of_twelve, 5.0),
    "planar tree, 30 links": (planar_tree, 3.0),
    "ladder of 10 four-bars, absolute": (ladder, 3.0),
}


def first_numbers(name: str) -> dict[str, float]:
    """Return the seconds of stating, of deriving and compiling until the first accelerations, and of the processor."""
    begin, used = time.perf_counter(), time.process_time()
    system, (q, v) = CASES[name][0]()
    stated = time.perf_counter()
    code = system.compile()
    accelerations = code.evaluate(0.0, q, v).accelerations
    ready, used = time.perf_counter(), time.process_time() - used
    if not np.isfinite(accelerations).all():
        raise ArithmeticError(f"{name}: the accelerations are not finite")
    made = code.model.motion or code.model.function("terms")
    operations = float(made.info.operations)
    return {"stating": stated - begin, "compiling": ready - stated, "processor": used, "operations": operations}


def in_a_new_process(name: str) -> dict[str, float]:
    """Return the same, measured in a process of its own with an empty cache."""
    with tempfile.TemporaryDirectory(prefix="lienket-mechanisms-") as place:
        command = [sys.executable, __file__, "--case", name]
        surroundings = {**os.environ, "LIENKET_CACHE_DIR": place}
        done = subprocess.run(command, env=surroundings, capture_output=True, check=True, text=True)
    return json.loads(done.stdout)


def lienket_peer(case: Arm, parameters: bool) -> Peer:
    """Return the arm as generated code."""
    from peers.own_loop import code_loop

    begin = time.perf_counter()
    system = spatial_arm(case, torques=True, parameters=parameters)
    model, known = system.compile().model, numbers_of(case)
    motion, numbers = model.function("motion"), np.array([known[p.name] for p in system.parameters])
    inputs, none = np.zeros(model.n + model.s), np.zeros(0)

    def solve(t: float, q: np.ndarray, v: np.ndarray) -> State:
        return motion(t, q, v, numbers, inputs)[1], none

    solve(0.0, *case.start)
    seconds = time.perf_counter() - begin
    name = f"lienket, {'parameters' if parameters else 'constants'}"
    print(f"  {name}: {motion.info.operations} operations, {motion.bytes} bytes, ready after {seconds:.2f} s")
    return Peer(name, seconds, solve, code_loop(motion.address, *case.start, numbers, model.n))


def compare(case: Arm, rounds: int) -> None:
    """Print the time of the accelerations by lienket and by Pinocchio, from Python and inside a compiled loop."""
    print(f"\nAccelerations of a {case.name}, a torque in each")
    own = [lienket_peer(case, parameters) for parameters in (False, True)]
    peers = list(own)
    try:
        peers += import_module("peers.pinocchio_arm").prepare(case)
    except (ImportError, OSError) as reason:
        print(f"  Pinocchio is left out: {reason}")
    figures, (reference, _) = measured(case, peers, rounds), own[0].at(*case.start)  # type: ignore[arg-type]
    for peer in peers:
        python, inside = figures[peer.name]
        off = np.max(np.abs(peer.at(*case.start)[0] - reference)) / np.max(np.abs(reference))
        within = f"{1e6 * inside:8.3f} us in a loop" if inside else " " * 21
        print(f"  {peer.name:20s} {1e6 * python:8.2f} us from Python  {within}   differs by {off:.0e}")
    fastest = min((figures[peer.name][1] or np.inf for peer in peers[len(own) :]), default=np.inf)
    for peer in own if np.isfinite(fastest) else ():
        ratio = (figures[peer.name][1] or np.inf) / fastest
        print(f"  {peer.name}: {ratio:.2f} of the faster ABA   (aim {AIM:g}: {'met' if ratio <= AIM else 'missed'})")


def main() -> None:
    """Print all tables, or measure one case for the process that asks."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--short", action="store_true", help="one process for each mechanism, and fewer rounds")
    parser.add_argument("--case", choices=CASES, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.case:
        print(json.dumps(first_numbers(chosen.case)))
        return
    print("Seconds from the first call to the first accelerations, cache empty")
    for name, (_, aim) in CASES.items():
        runs = [in_a_new_process(name) for _ in range(1 if chosen.short else 3)]
        best = min(runs, key=lambda x: x["stating"] + x["compiling"])
        seconds = best["stating"] + best["compiling"]
        parts = f"{best['stating']:.2f} stating, {best['compiling']:.2f} deriving and compiling"
        parts += f"; {best['processor']:.2f} of the processor; {best['operations']:.0f} operations"
        print(f"  {name:33s} {seconds:5.2f} s   {parts}   (aim {aim:g} s: {'met' if seconds <= aim else 'missed'})")
    compiler = os.environ.get("CC", "cc")
    if shutil.which(compiler) is None:
        print(f"\nSingle evaluations are not compared: there is no C compiler {compiler!r}")
    else:
        compare(arm(7), rounds=20 if chosen.short else 60)


if __name__ == "__main__":
    main()
