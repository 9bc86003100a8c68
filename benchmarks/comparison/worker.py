"""Worker process that measures one side: it prepares cases and times them on request.

    python -m comparison.worker SOURCE CLOCK

Questions and answers are lines of JSON on stdin and stdout. The first line is {"names": [...]}, the names of all cases.

    {"prepare": name}                                  -> {"seconds": of one call, "fresh": ...} or {"error": reason}
    {"settle": true}                                   -> {}
    {"time": name, "calls": n, "repetitions": r}       -> {"seconds": of a call in the best repetition}

CLOCK is "processor", the time of this process and of those it has waited for, or "wall".
"""

from __future__ import annotations

import gc
import json
import os
import resource
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

WORDS = 200  # [characters] longest reason in an answer
LONG_ENOUGH = 0.02  # [s] duration of the calls from which the time of one call is estimated


def processor() -> float:
    """Return the processor time of this process and of its finished child processes, in seconds."""
    others = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + others.ru_utime + others.ru_stime


CLOCKS: dict[str, Callable[[], float]] = {"processor": processor, "wall": time.perf_counter}


class Worker:
    """Prepared cases and a clock."""

    def __init__(self, cases: dict[str, Any], clock: Callable[[], float]) -> None:
        self.cases, self.clock = cases, clock
        self.works: dict[str, Callable[[], Any]] = {}

    def prepare(self, name: str) -> dict[str, Any]:
        """Prepare a case, call it once, which may compile, and return the seconds of a further call."""
        try:
            work = self.cases[name].prepare()
            work()
            self.works[name] = work
            calls, seconds = 0, 0.0
            while seconds < LONG_ENOUGH and not (calls and self.cases[name].fresh):
                seconds += self.once(name, 1)
                calls += 1
        except Exception as reason:  # an older commit may fail in any way
            return {"error": f"{type(reason).__name__}: {' '.join(str(reason).split())[:WORDS]}"}
        return {"seconds": seconds / calls, "fresh": self.cases[name].fresh}

    def once(self, name: str, calls: int) -> float:
        """Return the seconds of several calls; a fresh case is prepared first."""
        work = self.cases[name].prepare() if self.cases[name].fresh else self.works[name]
        begin = self.clock()
        for _ in range(calls):
            work()
        return self.clock() - begin

    def time(self, name: str, calls: int, repetitions: int) -> dict[str, Any]:
        """Return the seconds of a call in the best of several repetitions."""
        gc.collect()
        return {"seconds": min(self.once(name, calls) for _ in range(repetitions)) / calls}

    def answer(self, question: dict[str, Any]) -> dict[str, Any]:
        """Return the answer to a question."""
        if "prepare" in question:
            return self.prepare(question["prepare"])
        if "settle" in question:
            gc.collect()
            gc.freeze()  # excludes the prepared objects from later collections
            return {}
        return self.time(question["time"], question["calls"], question["repetitions"])


def main() -> None:
    """Answer questions until stdin ends."""
    source, clock = sys.argv[1:]
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # keeps output of the cases out of the answers
    warnings.simplefilter("ignore")
    from cases import CASES

    import lienket

    if Path(source) not in Path(lienket.__file__).parents:
        sys.exit(f"lienket was imported from {lienket.__file__}, not from {source}")
    worker = Worker(CASES, CLOCKS[clock])
    print(json.dumps({"names": list(CASES)}), file=answers)
    for line in sys.stdin:
        print(json.dumps(worker.answer(json.loads(line))), file=answers)


if __name__ == "__main__":
    main()
