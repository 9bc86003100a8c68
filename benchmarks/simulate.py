"""Work-precision comparison of whole simulations with other programs.

    python benchmarks/simulate.py [--short] [--json OUT] [--only TEXT]        (make bench)

The problems (benchmarks/peers/problems.py) are Andrews' squeezer, a four-bar, five and forty four-bars in a row (forty
also with 3 coordinates for each body), a rolling carriage, and a carriage with stiff steering. Each is simulated from
its start to its end time by System.simulate and by other programs: SciPy, scikit-sundae IDA, CasADi, Pinocchio, Exudyn,
MuJoCo. Derivation, compilation and model building are not timed. The programs alternate, each with its tolerances or
step sizes from coarse to fine. Errors are those of the final positions, relative to independent references. The time at
an accuracy is that of the cheapest run that reaches it, provided that the next finer run reaches it too (accidental
hits do not count). Candidates for the cheapest run are repeated alternately, short ones several times in a row, and the
best time counts. All programs use one thread; processor time is measured, which other load on the machine affects less.
Problems that a program cannot solve are printed.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import math
import os
import platform
import sys
import time
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy is loaded

from numpy.linalg import LinAlgError
from peers.problems import ACCURACIES, Problem, problems
from peers.run import Cannot, Deadline, Late, Runner

OURS = "lienket"
SURE = 4.0  # [1] factor by which the finest run must exceed an accuracy, since no finer run confirms it
MODULES = {
    "own_simulation": OURS,
    "scipy_ivp": "SciPy",
    "sundae_ida": "scikit-sundae IDA",
    "casadi_idas": "CasADi",
    "pinocchio_run": "Pinocchio",
    "exudyn_run": "Exudyn",
    "mujoco_run": "MuJoCo",
}
SHORT, MANY = 0.005, 5  # [s], [runs]: runs shorter than SHORT are made up to MANY times in a row
NEAR = 3.0  # [1] runs up to this multiple of the best time are repeated
LARGE, PATIENCE = 100, 5  # problems with more than LARGE coordinates have PATIENCE times the time limit
PEERS = ("SciPy", "scikit-sundae IDA", "CasADi IDAS", "Pinocchio", "Exudyn", "MuJoCo")
"""Programs to which the aims refer; other integrators of CasADi are listed separately."""
AIMS = {"Andrews' squeezer": 30.0, "four-bar, 10 s": 50.0, "carriage, 100 s": 80.0, "stiff carriage, 10 s": 1.0}


@dataclass
class Result:
    """Runs of one program on one problem: setting -> (error, best seconds), and the reason of the last failure."""

    runner: Runner
    runs: dict[float, tuple[float, float]] = field(default_factory=dict)
    note: str = ""
    ended: bool = False

    def reaching(self, accuracy: float) -> list[float]:
        """Return the settings of the runs with this accuracy, without accidental hits."""
        done = [s for s in self.runner.settings if s in self.runs]
        errors = [self.runs[s][0] for s in done]
        after = [*errors[1:], SURE * errors[-1]] if errors else []
        return [s for s, now, then in zip(done, errors, after, strict=True) if max(now, then) <= accuracy]

    def seconds(self, accuracy: float) -> float | None:
        """Return the time of the cheapest run with this accuracy."""
        return min((self.runs[s][1] for s in self.reaching(accuracy)), default=None)

    def near(self, accuracy: float) -> list[float]:
        """Return the settings that may be the cheapest; the first run of each takes longer, since caches are empty."""
        least = self.seconds(accuracy)
        return [s for s in self.reaching(accuracy) if least is not None and self.runs[s][1] <= NEAR * least]


@contextlib.contextmanager
def silence() -> Iterator[None]:
    """Suppress the output of the programs while they run, including output from C."""
    sys.stdout.flush()
    sys.stderr.flush()
    kept, nowhere = [os.dup(1), os.dup(2)], os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        yield
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        for number, old in enumerate(kept, 1):
            os.dup2(old, number)
            os.close(old)
        os.close(nowhere)


def prepared(problem: Problem, missing: set[str]) -> tuple[list[Result], dict[str, str]]:
    """Return the programs that can solve the problem, and the reasons why others cannot."""
    found, reasons = [], {}
    for module, name in MODULES.items():
        if name in missing:
            continue
        try:
            with silence():
                found += [Result(r) for r in import_module(f"peers.{module}").runners(problem)]
        except ImportError as reason:
            missing.add(name)
            print(f"{name} is left out, it is not installed: {reason}")
        except Cannot as reason:
            reasons[name] = str(reason)
    return found, reasons


def once(problem: Problem, result: Result, setting: float, limit: float) -> None:
    """Make one run; the error is equal each time, and the best time is kept."""
    try:
        with silence():
            begin = time.process_time()
            q = result.runner.run(setting, Deadline(limit))
            seconds = time.process_time() - begin
    except Cannot as reason:
        result.note = f"at {setting:.0e}: {reason}"
        result.ended = result.ended or isinstance(reason, Late)
        if not isinstance(reason, Late):
            result.runs[setting] = math.inf, math.inf
        return
    except (
        ArithmeticError,
        ValueError,
        LinAlgError,
    ) as reason:  # the solution of a peer diverged, or a matrix was singular
        result.note = f"at {setting:.0e}: failed, {reason}"
        result.runs[setting] = math.inf, math.inf
        return
    before = result.runs.get(setting, (0.0, math.inf))[1]
    result.runs[setting] = problem.error(q), min(before, seconds)


def sweep(problem: Problem, results: list[Result], limit: float) -> None:
    """Run all settings, programs alternating, until a program is accurate enough or would exceed the time limit."""
    for k in range(max((len(r.runner.settings) for r in results), default=0)):
        for result in results:
            settings = result.runner.settings
            if k >= len(settings) or result.ended:
                continue
            begin = time.process_time()
            once(problem, result, settings[k], limit)
            took = time.process_time() - begin
            good = [result.runs[s][0] <= ACCURACIES[-1] for s in settings[: k + 1] if s in result.runs]
            enough = good[-2:] == [True, True]
            result.ended = result.ended or enough or took * result.runner.growth > limit


def repeat(problem: Problem, results: list[Result], limit: float, seconds: float) -> None:
    """Repeat the candidates for the cheapest run alternately until the time is used up; short ones more often."""
    end = time.perf_counter() + seconds
    spent: dict[tuple[str, float], float] = {}
    while time.perf_counter() < end:
        turns = {(r.runner.name, s): r for r in results for a in ACCURACIES for s in r.near(a)}
        turns = {key: r for key, r in turns.items() if spent.get(key, 0.0) < seconds / len(turns)}
        if not turns:
            return
        for (name, setting), result in turns.items():
            begin = time.perf_counter()
            for _ in range(
                1 + int(min(SHORT / result.runs[setting][1], MANY))
            ):  # other programs have replaced the contents of the caches
                once(problem, result, setting, limit)
            spent[name, setting] = spent.get((name, setting), 0.0) + time.perf_counter() - begin


def table(problem: Problem, results: list[Result], reasons: dict[str, str]) -> None:
    """Print the milliseconds at each accuracy, and their ratio to ours."""
    print(f"\n{problem.name}: {problem.n} coordinates; milliseconds at an error of (ratio to ours)")
    print(f"  {'':22s}" + "".join(f"{accuracy:>20.0e}" for accuracy in ACCURACIES))
    own = next((r for r in results if r.runner.name == OURS), None)
    for r in results:
        cells = ""
        for accuracy in ACCURACIES:
            mine, theirs = own.seconds(accuracy) if own else None, r.seconds(accuracy)
            ratio = f"({theirs / mine:.1f})" if mine and theirs and r is not own else ""
            cells += f"{1e3 * theirs:>11.2f} {ratio:<8s}" if theirs else f"{'-':>11s}{'':9s}"
        best = min((error for error, _ in r.runs.values()), default=math.inf)
        print(f"  {r.runner.name:22s}{cells} best error {best:.0e}{'; ' + r.note if r.note else ''}")
    for name, reason in reasons.items():
        print(f"  {name:22s} cannot: {reason}")
    if own:
        verdict(problem, own, [r for r in results if not r.runner.name.startswith(OURS)])


def verdict(problem: Problem, own: Result, rivals: list[Result]) -> None:
    """Print the best peer at each accuracy with the aim, then the best of the other programs."""
    named = [r for r in rivals if r.runner.name.startswith(PEERS)]
    aim = AIMS.get(problem.name)
    print(f"  best peer at {best_of(named, own)}" + (f"   (aim {aim:.0f})" if aim else ""))
    others = [r for r in rivals if r not in named]
    if others:
        print(f"  best of the others at {best_of(others, own)}")


def best_of(rivals: list[Result], own: Result) -> str:
    """Return the fastest program at each accuracy, and the ratio of its time to ours."""
    said = []
    for accuracy in ACCURACIES:
        times = {r.runner.name: s for r in rivals if (s := r.seconds(accuracy))}
        mine = own.seconds(accuracy)
        if times and mine:
            best = min(times, key=times.__getitem__)
            said.append(f"{accuracy:.0e}: {best} {times[best] / mine:.1f} times as long")
    return "; ".join(said or ["none"])


def as_json(results: list[Result], reasons: dict[str, str]) -> dict[str, Any]:
    """Return the content of the table and every run."""
    told: dict[str, Any] = {name: {"cannot": reason} for name, reason in reasons.items()}
    for r in results:
        told[r.runner.name] = {
            "milliseconds": {f"{a:.0e}": s and 1e3 * s for a in ACCURACIES for s in [r.seconds(a)]},
            "runs": [
                {
                    "setting": s,
                    "error": error if math.isfinite(error) else None,
                    "milliseconds": 1e3 * seconds if math.isfinite(seconds) else None,
                }
                for s, (error, seconds) in r.runs.items()
            ],
            "note": r.note,
        }
    return told


def main() -> None:
    """Run and print all problems."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--short", action="store_true", help="about ten seconds: short limits, N = 40 left out")
    parser.add_argument("--json", type=Path, metavar="OUT", help="write all results to this file")
    parser.add_argument("--only", default="", metavar="TEXT", help="only problems whose name contains this text")
    chosen = parser.parse_args()
    warnings.simplefilter("ignore")
    limit, again = (0.15, 0.3) if chosen.short else (2.0, 6.0)
    print(f"Python {platform.python_version()}, {platform.machine()}, {platform.processor() or 'processor unknown'}")
    missing: set[str] = set()
    told = {}
    for problem in problems():
        if chosen.only not in problem.name or (chosen.short and problem.n > 20):
            continue
        clock = [time.perf_counter()]
        results, reasons = prepared(problem, missing)
        clock.append(time.perf_counter())
        longest = limit * (PATIENCE if problem.n > LARGE else 1)
        sweep(problem, results, longest)
        clock.append(time.perf_counter())
        repeat(problem, results, longest, again)
        table(problem, results, reasons)
        told[problem.name] = as_json(results, reasons)
        print(f"  prepared in {clock[1] - clock[0]:.1f} s, first runs in {clock[2] - clock[1]:.1f} s", flush=True)
    if chosen.json:
        part = chosen.json.with_name(chosen.json.name + ".part")
        part.write_text(json.dumps(told, indent=1), encoding="utf-8")
        part.replace(chosen.json)


if __name__ == "__main__":
    main()
