"""Runs of overconstrained systems, compared with the same runs after the redundant rows have been taken out by hand.

    python benchmarks/overconstrained.py [--rounds 30] [--short] [--random 100] [--seeds 94,41]      (make bench)

The systems are those of tests/data/overconstrained.json; with `--random` also as many random linkages of
tests/attacks/overconstrained_families.py, each with its rows forwards and backwards, with `--seeds` these alone. By
hand: the rows that are the pivots of a QR decomposition of G^T at the start are kept. Both runs are made in turns; the
ratio of the medians of their processor times is shown. All code has been compiled before. Where a run without the
redundant rows stops, it is said: rows chosen once may become dependent along the motion.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from scipy.linalg import qr

import lienket as lk

TESTS = Path(__file__).parent.parent / "tests"
DATA = TESTS / "data" / "overconstrained.json"
RANK_TOLERANCE = 1e-9  # [1] pivot relative to the first, below which a row is dependent
SLOWER = 2.0  # [1] ratio above which a linkage is shown by name
UNTIL = 1.2  # [s] end of the runs of random linkages
ACCURACY = {"rtol": 1e-9, "atol": 1e-11}  # of the runs of random linkages


def loaded(text: str) -> lk.System:
    """Return the system of a model text."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.toml"
        path.write_text(text)
        return lk.load(path)


def by_hand(system: lk.System, q: list[float], v: list[float]) -> lk.System:
    """Return the system with independent rows only."""
    _, R, order = qr(system.at(q, v).G.T, mode="economic", pivoting=True)
    pivots = np.abs(np.diagonal(R))
    kept, row, reduced = set(order[: int(np.sum(pivots > RANK_TOLERANCE * pivots[0]))].tolist()), 0, system
    for constraint in system.constraints:
        reduced = reduced.release(constraint.name)
    for constraint in system.constraints:
        rows = [e for k, e in enumerate(constraint.expressions) if row + k in kept]
        row += len(constraint.expressions)
        reduced = reduced.constrain(constraint.name, rows) if rows else reduced
    return reduced


def ratio(
    system: lk.System, q: list[float], v: list[float], rounds: int, **settings: float
) -> tuple[float, float, bool]:
    """Return the medians of the times of both runs in milliseconds, and whether that without redundant rows ends."""
    pair, times, complete = (system, by_hand(system, q, v)), ([], []), [True, True]
    for turn in range(rounds + 2):
        for k, which in enumerate(pair):
            begin = time.process_time()
            run = which.simulate(start=(q, v), **settings)
            if turn > 1:
                times[k].append(time.process_time() - begin)
            complete[k] = run.outcome.complete
    assert complete[0], system.name
    whole, reduced = (1e3 * statistics.median(x) for x in times)
    return whole, reduced, complete[1]


def random_systems(seeds: list[int]) -> Iterator[tuple[str, lk.System, list[float], list[float]]]:
    """Return name, system and start of random linkages, rows forwards and backwards."""
    sys.path.insert(0, str(TESTS))
    from attacks.overconstrained_families import random_linkage

    for seed in seeds:
        name, linkage = random_linkage(seed)
        yield f"{name} {seed}", linkage.system, linkage.q, linkage.v
        yield f"{name} {seed} backwards", linkage.reversed, linkage.q, linkage.v


def show(name: str, whole: float, reduced: float, ends: bool) -> None:
    """Print the comparison of one system."""
    stopped = "" if ends else "; without the redundant rows the run stops"
    print(f"{name:28} {whole:8.3f} ms, by hand {reduced:8.3f} ms, ratio {whole / reduced:5.2f}{stopped}", flush=True)


def main() -> None:
    """Measure all systems and print the ratios."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--random", type=int, default=0)
    parser.add_argument("--seeds", default="")
    arguments = parser.parse_args()
    rounds = 3 if arguments.short else arguments.rounds
    if not arguments.seeds:
        for case in json.loads(DATA.read_text()):
            q, v = case["start"]["q"], case["start"]["v"]
            show(case["id"], *ratio(loaded(case["model"]), q, v, rounds, until=case["until"]))
    seeds = [int(x) for x in arguments.seeds.split(",") if x] or list(range(arguments.random))
    ratios = []
    for name, system, q, v in random_systems(seeds):
        measured = ratio(system, q, v, rounds, until=UNTIL, **ACCURACY)
        ratios.append(measured[0] / measured[1])
        if ratios[-1] > SLOWER or arguments.seeds:
            show(name, *measured)
    if ratios:
        above = sum(x > SLOWER for x in ratios)
        spread = f"median {statistics.median(ratios):.2f}, worst {max(ratios):.2f}"
        print(f"{len(ratios)} random: {spread}, {above} above {SLOWER:g}")


if __name__ == "__main__":
    main()
