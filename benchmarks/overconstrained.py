"""Runs of overconstrained systems, compared with the same runs after the redundant rows have been taken out by hand.

    python benchmarks/overconstrained.py [--rounds 30] [--short]        (make bench)

The systems are those of tests/data/overconstrained.json. By hand: the rows that are the pivots of a QR decomposition of
G^T at the start are kept. Both runs are made in turns; the ratio of the medians of their processor times is shown. All
code has been compiled before. Where a run without the redundant rows stops, it is said: rows chosen once may become
dependent along the motion.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from pathlib import Path

import numpy as np
from scipy.linalg import qr

import lienket as lk

DATA = Path(__file__).parent.parent / "tests" / "data" / "overconstrained.json"
RANK_TOLERANCE = 1e-9  # [1] pivot relative to the first, below which a row is dependent


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


def main() -> None:
    """Measure all systems and print the ratios."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--short", action="store_true")
    arguments = parser.parse_args()
    rounds = 3 if arguments.short else arguments.rounds
    for case in json.loads(DATA.read_text()):
        q, v = case["start"]["q"], case["start"]["v"]
        system = loaded(case["model"])
        pair, times, complete = (system, by_hand(system, q, v)), ([], []), [True, True]
        for turn in range(rounds + 2):
            for k, which in enumerate(pair):
                begin = time.process_time()
                run = which.simulate(start=(q, v), until=case["until"])
                if turn > 1:
                    times[k].append(time.process_time() - begin)
                complete[k] = run.outcome.complete
        whole, reduced = (1e3 * statistics.median(x) for x in times)
        stopped = "" if complete[1] else "; without the redundant rows the run stops"
        assert complete[0], case["id"]
        print(f"{case['id']:20} {whole:7.3f} ms, by hand {reduced:7.3f} ms, ratio {whole / reduced:5.2f}{stopped}")


if __name__ == "__main__":
    main()
