"""Structure changes per second: a system of two coordinates whose constraint is added and released 10 000 times.

    python benchmarks/switching.py [--changes N] [--short]        (make bench)

A driven mass grips another one and releases it, repeatedly: every event adds or releases a constraint, and every second
event is an impact. The script prints the changes per second of the whole call, the number of functions compiled after
the first structure of each kind, and the memory after a tenth of the changes and at the end. Aim: 20 000.
"""

from __future__ import annotations

import argparse
import os
import resource
import time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from systems import gripped_masses

import lienket as lk

AIM = 20_000


def run(masses: lk.System, changes: int) -> tuple[float, int, float]:
    """Return the seconds, the number of changes, and the memory afterwards in MiB."""
    until = changes * 3.141592653589793 / 7
    clock = time.perf_counter()
    motion = masses.simulate(start={"x": 1.0, "y'": 0.5}, until=until, rtol=1e-6, atol=1e-8, times=[until])
    seconds = time.perf_counter() - clock
    return seconds, len(motion.switches), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--changes", type=int, default=10_000)
    parser.add_argument("--short", action="store_true", help="1000 changes")
    chosen = parser.parse_args()
    changes = 1000 if chosen.short else chosen.changes
    masses = gripped_masses()
    from lienket.compiled.machine import cache

    run(masses, 10)  # each structure is compiled here
    made = []
    original, cache.write = cache.write, lambda *given: made.append(given)
    run(masses, changes // 10)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    best = min((run(masses, changes) for _ in range(5)), key=lambda found: found[0])
    cache.write = original
    rate = best[1] / best[0]
    verdict = "met" if rate >= AIM else "missed"
    print(f"{best[1]} changes in {best[0]:.3f} s: {rate:.0f} per second   (aim {AIM}: {verdict})")
    print(f"functions compiled during the run: {len(made)}")
    print(f"memory {before:.0f} MiB after a tenth of the changes, {best[2]:.0f} MiB at the end")


if __name__ == "__main__":
    main()
