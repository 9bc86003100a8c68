"""From nothing to a finished run: how long a fresh process takes, beside processes that only import.

    python benchmarks/start.py [--processes 15] [--short]        (make bench)

The process loads examples/models/four_bar.toml and simulates 10 s of it, with all that is compiled in the caches.
Beside it, in turns in one run: Python that does nothing, `import numpy`, `import sympy`. Wall time from the start of
the process to its end, and until its work is done: then Python takes down what was imported. The first round is not
counted: it fills the caches, of byte code too (in a folder of its own, as some environments forbid to write it). Then
the modules on which the process spends most, by `python -X importtime`.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

MODEL = Path(__file__).parent.parent / "examples" / "models" / "four_bar.toml"
RUN = f"""
import lienket
system = lienket.load({str(MODEL)!r})
motion = system.simulate(start={{"a": 1.0, "a'": 3.0}}, guess={{"b": 0.5, "c": 1.5}}, until=10)
assert motion.outcome.complete
"""
OURS = "load and simulate"
DONE = "\nimport time; print(time.time())"
PROGRAMS = {"python": "pass", "import numpy": "import numpy", "import sympy": "import sympy", OURS: RUN}
AIM = 0.8  # seconds
SHOWN = 12


def environment(folder: str) -> dict[str, str]:
    """The surroundings of the processes: byte code is written, and into this folder."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return kept | {"PYTHONPYCACHEPREFIX": folder, "OPENBLAS_NUM_THREADS": "1"}


def seconds(program: str, surroundings: dict[str, str]) -> tuple[float, float]:
    """Wall time of one process to its end, and until its work is done."""
    begin = time.time()
    command = [sys.executable, "-c", program + DONE]
    done = float(subprocess.run(command, env=surroundings, check=True, capture_output=True, text=True).stdout)
    return time.time() - begin, done - begin


def measured(count: int, surroundings: dict[str, str]) -> dict[str, list[tuple[float, float]]]:
    """The times of each program, in turns."""
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in PROGRAMS}
    for turn in range(count + 1):
        for name, program in PROGRAMS.items():
            took = seconds(program, surroundings)
            if turn:
                found[name].append(took)
    return found


def imports(surroundings: dict[str, str]) -> dict[str, float]:
    """Milliseconds that each module of our process takes to import, those it imports itself not counted."""
    command = [sys.executable, "-X", "importtime", "-c", RUN]
    told = subprocess.run(command, env=surroundings, check=True, capture_output=True, text=True).stderr
    rows = [
        line.removeprefix("import time:").split("|") for line in told.splitlines() if line.startswith("import time:")
    ]
    return {name.strip(): int(own) / 1e3 for own, _, name in rows if own.strip().isdigit()}


def show_imports(own: dict[str, float]) -> None:
    """The slowest modules, and the libraries they belong to."""
    libraries: dict[str, list[float]] = defaultdict(list)
    for name, took in own.items():
        libraries[name.split(".")[0]].append(took)
    print(f"\nImports of that process, milliseconds (with the clock of importtime): {sum(own.values()):.0f} in all")
    for name, parts in sorted(libraries.items(), key=lambda item: -sum(item[1]))[:SHOWN]:
        print(f"  {sum(parts):8.1f}  {name} ({len(parts)} module{'s' if len(parts) != 1 else ''})")
    print("The slowest modules, what they import not counted:")
    for name, took in sorted(own.items(), key=lambda item: -item[1])[:SHOWN]:
        print(f"  {took:8.1f}  {name}")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--processes", type=int, default=15, metavar="N", help="how many of each")
    parser.add_argument("--short", action="store_true", help="3 processes of each")
    chosen = parser.parse_args()
    count = 3 if chosen.short else max(1, chosen.processes)
    print(f"Python {platform.python_version()}, {platform.machine()}; {count} processes of each, in turns")
    with tempfile.TemporaryDirectory() as folder:
        surroundings = environment(folder)
        found = measured(count, surroundings)
        own = imports(surroundings)
    print(f"  {'seconds':20s}{'least':>8s}{'median':>8s}{'least':>12s}{'median':>8s}, work done")
    middle = {}
    for name, times in found.items():
        whole, done = zip(*times, strict=True)
        middle[name] = statistics.median(whole)
        print(f"  {name:20s}{min(whole):8.3f}{middle[name]:8.3f}{min(done):12.3f}{statistics.median(done):8.3f}")
    best = min(whole for whole, _ in found[OURS])
    verdict = "met" if middle[OURS] < AIM else "met by the fastest only" if best < AIM else "missed"
    print(f"  {OURS}: {middle[OURS]:.2f} s, {middle[OURS] / middle['import sympy']:.2f} times import sympy")
    print(f"  aim: under {AIM} s: {verdict}")
    show_imports(own)


if __name__ == "__main__":
    main()
