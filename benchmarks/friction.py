"""Cost of friction: a slider-crank with friction in its guide compared with the ideal one, and stick-slip events.

    python benchmarks/friction.py [--rounds N] [--short]        (make bench)

The crank is driven by a torque and turns about 50 times. The friction depends on the reaction of the guide, which
changes its sign in every turn; the slip changes its sign at both dead points: about 300 events in a run. Runs with and
without friction alternate, so that other load on the machine affects both, and the ratio of the best times is printed.
Aim: at most 1.5. A mass on a moving belt sticks and slips a thousand times; the events per second of the whole
call are printed. Aim: 30 000.
"""

from __future__ import annotations

import argparse
import os
import time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from systems import belt, slider_crank, slider_crank_start

import lienket as lk

AIM = 1.5
DECISIONS_AIM = 30_000


def turned(system: lk.System, start: object, until: float) -> tuple[float, float, lk.Trajectory]:
    """Return the seconds of the whole call, those of the integration, and the motion."""
    clock = time.perf_counter()
    motion = system.simulate(start=start, until=until, times=[until])
    seconds = time.perf_counter() - clock
    return seconds, motion.audit.run.statistics.seconds, motion


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--short", action="store_true", help="3 rounds, and a tenth of the time on the belt")
    chosen = parser.parse_args()
    rounds, until = (3, 167.8) if chosen.short else (chosen.rounds, 1678.0)
    systems = [slider_crank(False), slider_crank(True)]
    starts = [slider_crank_start(system) for system in systems]
    best = [(9e9, 9e9)] * 2
    for _ in range(rounds):
        for k, (system, start) in enumerate(zip(systems, starts, strict=True)):
            seconds, inside, motion = turned(system, start, 5.0)
            best[k] = (min(best[k][0], seconds), min(best[k][1], inside))
            steps, events = motion.outcome, len(motion.switches)
    ratio = best[1][0] / best[0][0]
    verdict = "met" if ratio <= AIM else "missed"
    print(f"slider-crank, ideal      {1e3 * best[0][0]:8.2f} ms, {1e3 * best[0][1]:8.2f} ms of it integration")
    print(f"             friction    {1e3 * best[1][0]:8.2f} ms, {1e3 * best[1][1]:8.2f} ms of it, {events} events")
    print(f"ratio {ratio:.2f}   (aim {AIM:g}: {verdict}); {steps}")
    mass = belt()
    turned(mass, {"x": 0.0, "x'": 0.5}, 10.0)
    seconds, _, motion = min((turned(mass, {"x": 0.0, "x'": 0.5}, until) for _ in range(5)), key=lambda f: f[0])
    count = len(motion.switches)
    verdict = "met" if count / seconds >= DECISIONS_AIM else "missed"
    rate = f"{count / seconds:.0f} per second   (aim {DECISIONS_AIM}: {verdict})"
    print(f"stick-slip: {count} events in {seconds:.3f} s: {rate}")


if __name__ == "__main__":
    main()
