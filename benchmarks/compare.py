#!/usr/bin/env python3
"""Comparison of the speed of the working tree with that of a commit.

    python benchmarks/compare.py COMMIT [NAME ...] [--rounds 15] [--clock processor|wall]

The cases of benchmarks/cases.py, or the named ones (a benchmark such as `simulate`, or a case such as `simulate.bdf`),
are timed with the sources of COMMIT (old) and of the working tree (new). Each side has a process in which everything is
compiled and prepared. The two processes alternate, case by case, and in each round the best of several repetitions
counts. Both processes are restarted after every fifth round, since the location of code and data in memory can change
times by some percent for the whole life of a process. Processor time is measured by default, wall time on request.

The output has the medians of both sides in milliseconds, the median and the quartiles of the ratios new/old of all
rounds, the ratio of the best times, and a verdict. A case is slower if the median and the ratio of the best times are
above 1.03 and the lower quartile is above 1. A case that appears slower or faster is measured a second time, and the
second result is printed. The exit status is 1 if a case is slower or fails in the working tree, and 2 if the comparison
is impossible.
"""

from __future__ import annotations

import argparse
import math
import signal
import statistics
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from comparison.sides import Process, Side, Unfit, copy_commit, copy_working_tree, resolved
from comparison.verdict import RULE, ratios, verdict
from comparison.worker import CLOCKS

RENEWED = 5  # [rounds] after which both processes are restarted
LEAST = 4  # [rounds] minimum for meaningful quartiles
REPETITION = 0.005  # [s] minimum duration of a repetition
SHARE = 0.08  # [s] target time of a case in a round, with 2 to 5 repetitions


@dataclass
class Measured:
    """Pairs of seconds (old, new) of every case, and the reasons why cases fail on the old or on the new side."""

    pairs: dict[str, list[tuple[float, float]]] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)

    def verdict(self, name: str) -> str:
        """Return the verdict on a case."""
        return verdict(ratios(self.pairs[name]))


def note(text: str) -> None:
    """Print a line to stderr."""
    print(text, file=sys.stderr, flush=True)


def chosen(asked: list[str], names: list[str]) -> list[str]:
    """Return the requested cases, selected by their names or by those of benchmarks."""
    groups = list(dict.fromkeys(name.split(".")[0] for name in names))
    unknown = [name for name in asked if name not in names and name not in groups]
    if unknown:
        lines = [f"  {group:12s}" + " ".join(n for n in names if n.split(".")[0] == group) for group in groups]
        what = "is not a benchmark or case" if len(unknown) == 1 else "are not benchmarks or cases"
        raise Unfit(f"{', '.join(map(repr, unknown))} {what}. Available:\n" + "\n".join(lines))
    return [name for name in names if not asked or name in asked or name.split(".")[0] in asked]


def prepared(names: list[str], old: Process, new: Process, found: Measured) -> dict[str, dict[str, int]]:
    """Prepare every case on both sides and return its numbers of calls and repetitions."""
    plans = {}
    for name in names:
        one, other = old.ask(prepare=name), new.ask(prepare=name)
        if "error" in other:
            found.failed[name] = other["error"]
        elif "error" in one:
            found.left_out[name] = one["error"]
        else:
            plans[name] = plan(min(one["seconds"], other["seconds"]), fresh=other["fresh"])
    old.ask(settle=True)
    new.ask(settle=True)
    return plans


def plan(seconds: float, fresh: bool) -> dict[str, int]:
    """Return the calls per repetition and repetitions per round, equal on both sides, from the seconds of a call."""
    calls = 1 if fresh else max(1, math.ceil(REPETITION / max(seconds, 1e-9)))
    return {"calls": calls, "repetitions": max(2, min(5, int(SHARE / (calls * max(seconds, 1e-9)))))}


def measure(names: list[str], sides: tuple[Side, Side], rounds: int, clock: str) -> Measured:
    """Run all rounds and return the times; the order of the sides alternates."""
    found = Measured({name: [] for name in names})
    for begin in range(0, rounds, RENEWED):
        with Process(sides[0], clock) as old, Process(sides[1], clock) as new:
            plans = prepared([n for n in names if n not in found.left_out and n not in found.failed], old, new, found)
            for turn in range(begin, min(begin + RENEWED, rounds)):
                note(f"  round {turn + 1} of {rounds}")
                for name, wanted in plans.items():
                    order = (old, new) if turn % 2 else (new, old)
                    seconds = {p.side.name: p.ask(time=name, **wanted)["seconds"] for p in order}
                    found.pairs[name].append((seconds[old.side.name], seconds[new.side.name]))
    for name in (*found.left_out, *found.failed):
        found.pairs.pop(name, None)
    return found


def table(found: Measured, again: list[str]) -> None:
    """Print one line for each case, then the cases without times."""
    print(f"{'milliseconds':26s}{'old':>10s}{'new':>10s}{'new/old':>9s}   {'spread':14s}{'best':>8s}   verdict")
    for name, pairs in found.pairs.items():
        ratio = ratios(pairs)
        old, new = (1e3 * statistics.median(side) for side in zip(*pairs, strict=True))
        said = verdict(ratio) + (" (second measurement)" if name in again else "")
        interval = f"{ratio.low:.3f}..{ratio.high:.3f}"
        print(f"{name:26s}{old:10.3f}{new:10.3f}{ratio.median:9.3f}   {interval:14s}{ratio.best:8.3f}   {said}")
    for name, reason in found.left_out.items():
        print(f"{name:26s}left out, it fails in the old commit: {reason}")
    for name, reason in found.failed.items():
        print(f"{name:26s}FAILS in the working tree: {reason}")
    said = [found.verdict(name) for name in found.pairs]
    counts = ", ".join(f"{said.count(word)} {word}" for word in ("slower", "faster", "same"))
    print(f"{counts}\n{RULE}")


def compare(commit: str, asked: list[str], rounds: int, clock: str) -> int:
    """Measure, print and return the exit status."""
    commit = resolved(commit)
    with tempfile.TemporaryDirectory(prefix="lienket-compare-", ignore_cleanup_errors=True) as place:
        sides = Side(f"the commit {commit[:7]}", Path(place, "old")), Side("the working tree", Path(place, "new"))
        copy_commit(commit, sides[0].folder)
        copy_working_tree(sides[1].folder)
        with Process(sides[1], clock) as new:
            names = chosen(asked, new.names)
        note(f"The working tree compared with {commit[:7]}: {len(names)} cases. Kernels that are not in the cache are")
        note("compiled first, in about 90 s for a new commit.")
        found = measure(names, sides, rounds, clock)
        again = [name for name in found.pairs if found.verdict(name) != "same"]
        if again:
            note(f"Measured a second time: {', '.join(again)}")
            second = measure(again, sides, rounds, clock)
            found.pairs |= second.pairs
            found.failed |= second.failed
    print(f"The working tree (new) compared with {commit[:7]} (old), {rounds} rounds, {clock} time")
    table(found, again)
    return int(bool(found.failed) or any(found.verdict(name) == "slower" for name in found.pairs))


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("commit", metavar="COMMIT", help="the old side: any name that git resolves to a commit")
    parser.add_argument("names", nargs="*", metavar="NAME", help="benchmarks or cases; all if none is named")
    parser.add_argument("--rounds", type=int, default=15, metavar="N", help="rounds (15)")
    parser.add_argument("--clock", choices=sorted(CLOCKS), default="processor", help="time to measure (processor)")
    given = parser.parse_args()
    if given.rounds < LEAST:
        parser.error(f"--rounds must be at least {LEAST}, for quartiles")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the folder is removed in this case too
    try:
        return compare(given.commit, given.names, given.rounds, given.clock)
    except Unfit as reason:
        note(str(reason))
        return 2
    except KeyboardInterrupt:
        note("Interrupted; temporary files are removed.")
        return 130


if __name__ == "__main__":
    sys.exit(main())
