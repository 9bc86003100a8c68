"""The first minutes of a user: the built wheel in a new environment without numba, with an empty cache of machine code.

    python benchmarks/first_run.py [--rounds 5] [--short]        (make bench)

It builds the wheel, installs it with what it depends on outside the checkout, and checks that neither numba nor the
checkout can be imported there. Then it measures, from the start of Python to the end of the process: the first
simulation of a four-bar linkage with an empty cache, a second process, and `lienket demo` with an empty cache. It ends
with status 1 if something does not run, not if a limit is missed.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from start import MODEL, RUN

ROOT = Path(__file__).parents[1]
CHECK = """
import importlib.util, pathlib, sys, lienket
folder = pathlib.Path(lienket.__file__).parent
sys.exit("numba is installed" if importlib.util.find_spec("numba") else
         0 if folder.is_relative_to(sys.prefix) else f"lienket comes from {folder}")
"""
PIP = ("-m", "pip", "--disable-pip-version-check", "--quiet")
LIMITS = {"first simulation": 2.0, "second process": 0.4, "lienket demo": 6.0}  # seconds


class Installation:
    """The wheel in an environment of its own, below a temporary folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "LIENKET_"))}
        self.run(sys.executable, *PIP, "wheel", "--no-deps", "--wheel-dir", folder / "dist", ROOT)
        self.run(sys.executable, "-m", "venv", folder / "venv")
        self.programs = folder / "venv" / ("Scripts" if os.name == "nt" else "bin")
        (self.wheel,) = (folder / "dist").glob("lienket-*.whl")
        self.run(self.programs / "python", *PIP, "install", "--only-binary", ":all:", self.wheel)
        self.run(self.programs / "python", "-c", CHECK)
        (folder / "model.toml").write_bytes(MODEL.read_bytes())

    def run(self, *command: str | Path, cache: str = "cache") -> float:
        """Run a command in the folder and return its wall time in seconds; end if it fails."""
        settings = self.environment | {"LIENKET_CACHE_DIR": str(self.folder / cache), "OPENBLAS_NUM_THREADS": "1"}
        began = time.perf_counter()
        finished = subprocess.run(
            [str(word) for word in command], cwd=self.folder, env=settings, capture_output=True, text=True
        )
        if finished.returncode:
            sys.exit(f"{' '.join(map(str, command))}\n{finished.stdout}\n{finished.stderr}")
        return time.perf_counter() - began


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="measurements of each")
    parser.add_argument("--short", action="store_true", help="one of each")
    chosen = parser.parse_args()
    simulation = RUN.replace(str(MODEL), "model.toml")
    with tempfile.TemporaryDirectory(prefix="lienket-first-run-") as name:
        installed = Installation(Path(name))
        python, lienket = installed.programs / "python", installed.programs / "lienket"
        installed.run(lienket, "demo", cache="warm")  # writes Matplotlib's index of fonts
        seconds: dict[str, list[float]] = {case: [] for case in LIMITS}
        for k in range(1 if chosen.short else chosen.rounds):
            seconds["first simulation"].append(installed.run(python, "-c", simulation, cache=f"cache{k}"))
            seconds["second process"].append(installed.run(python, "-c", simulation, cache=f"cache{k}"))
            seconds["lienket demo"].append(installed.run(lienket, "demo", cache=f"demo{k}"))
        size = installed.wheel.stat().st_size / 2**20
    print(f"wheel of {size:.1f} MiB, no numba, empty cache; seconds from the start of the process to its end")
    for case, times in seconds.items():
        least, median = min(times), sorted(times)[len(times) // 2]
        verdict = "met" if median < LIMITS[case] else "missed"
        print(f"  {case:18s} least {least:6.2f}  median {median:6.2f}  limit {LIMITS[case]:.1f}: {verdict}")


if __name__ == "__main__":
    main()
