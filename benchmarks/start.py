"""Time of a fresh process from its start to a finished run, compared with processes that only import.

    python benchmarks/start.py [--processes 15] [--short]        (make bench)

The process loads examples/models/four_bar.toml and simulates 10 s, with all compiled code in the caches. It alternates
with an empty Python process, `import numpy` and `import sympy`. Two wall times are measured: from the start of the
process to its end, and to the end of its work, before Python unloads the modules. The first round is not counted: it
fills the caches, including byte code (in a separate folder, since some environments forbid writing it). Finally the
modules with the longest import times are listed, by `python -X importtime`.
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
    """Return the environment of the processes, in which byte code is written into this folder."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return kept | {"PYTHONPYCACHEPREFIX": folder, "OPENBLAS_NUM_THREADS": "1"}


def seconds(program: str, surroundings: dict[str, str]) -> tuple[float, float]:
    """Return the wall time of one process to its end, and to the end of its work."""
    begin = time.time()
    command = [sys.executable, "-c", program + DONE]
    done = float(subprocess.run(command, env=surroundings, check=True, capture_output=True, text=True).stdout)
    return time.time() - begin, done - begin


def measured(count: int, surroundings: dict[str, str]) -> dict[str, list[tuple[float, float]]]:
    """Return the times of each program, measured alternately."""
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in PROGRAMS}
    for turn in range(count + 1):
        for name, program in PROGRAMS.items():
            took = seconds(program, surroundings)
            if turn:
                found[name].append(took)
    return found


def imports(surroundings: dict[str, str]) -> dict[str, float]:
    """Return the import time of each module in milliseconds, without the modules that it imports."""
    command = [sys.executable, "-X", "importtime", "-c", RUN]
    told = subprocess.run(command, env=surroundings, check=True, capture_output=True, text=True).stderr
    rows = [
        line.removeprefix("import time:").split("|") for line in told.splitlines() if line.startswith("import time:")
    ]
    return {name.strip(): int(own) / 1e3 for own, _, name in rows if own.strip().isdigit()}


def show_imports(own: dict[str, float]) -> None:
    """Print the slowest modules and the libraries they belong to."""
    libraries: dict[str, list[float]] = defaultdict(list)
    for name, took in own.items():
        libraries[name.split(".")[0]].append(took)
    print(f"\nImports of this process in milliseconds (measured by importtime): {sum(own.values()):.0f} in total")
    for name, parts in sorted(libraries.items(), key=lambda item: -sum(item[1]))[:SHOWN]:
        print(f"  {sum(parts):8.1f}  {name} ({len(parts)} module{'s' if len(parts) != 1 else ''})")
    print("The slowest modules, without the modules that they import:")
    for name, took in sorted(own.items(), key=lambda item: -item[1])[:SHOWN]:
        print(f"  {took:8.1f}  {name}")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--processes", type=int, default=15, metavar="N", help="number of processes of each program")
    parser.add_argument("--short", action="store_true", help="3 processes of each")
    chosen = parser.parse_args()
    count = 3 if chosen.short else max(1, chosen.processes)
    print(f"Python {platform.python_version()}, {platform.machine()}; {count} processes of each program, alternating")
    with tempfile.TemporaryDirectory() as folder:
        surroundings = environment(folder)
        found = measured(count, surroundings)
        own = imports(surroundings)
    print(f"  {'seconds':20s}{'least':>8s}{'median':>8s}{'least':>12s}{'median':>8s}, to the end of the work")
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
