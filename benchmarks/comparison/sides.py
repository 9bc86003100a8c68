"""The two sides: sources of a commit and of the working tree, copied into one folder, and a worker process for each.

Both are copies, so that their location favours neither, and edits during a comparison have no effect.
"""

from __future__ import annotations

import io
import json
import os
import shutil
import signal
import subprocess
import sys
import tarfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
BENCHMARKS = Path(__file__).parents[1]


class Unfit(Exception):
    """The comparison is impossible; the text has the reason and advice."""


def git(*arguments: str) -> bytes:
    """Return the output of a git command."""
    try:
        return subprocess.run(["git", "-C", str(ROOT), *arguments], check=True, capture_output=True).stdout
    except FileNotFoundError:
        raise Unfit("git is not installed, or not on the path; it is needed to read commits.") from None


def resolved(commit: str) -> str:
    """Return the full hash of a commit."""
    try:
        return git("rev-parse", "--verify", "--quiet", f"{commit}^{{commit}}").decode().strip()
    except subprocess.CalledProcessError:
        pass
    try:
        latest = git("log", "--oneline", "-8").decode().rstrip()
    except subprocess.CalledProcessError as reason:
        raise Unfit(f"{ROOT} is not a git repository: {reason.stderr.decode().strip()}") from None
    raise Unfit(f"There is no commit {commit!r} in this repository. The latest are\n{latest}")


def copy_commit(commit: str, place: Path) -> None:
    """Copy the folder src of a commit."""
    try:
        packed = git("archive", "--format=tar", commit, "src")
    except subprocess.CalledProcessError:
        raise Unfit(f"The commit {commit[:7]} has no folder src.") from None
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        archive.extractall(place, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))


def copy_working_tree(place: Path) -> None:
    """Copy the folder src of the working tree, with uncommitted changes."""
    shutil.copytree(ROOT / "src", place / "src", ignore=shutil.ignore_patterns("__pycache__"))


@dataclass(frozen=True)
class Side:
    """A name for messages and a folder with src."""

    name: str
    folder: Path

    def environment(self) -> dict[str, str]:
        """Return the environment: byte code is written, sets have a fixed order, BLAS uses one thread."""
        kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        paths = os.pathsep.join([str(self.folder / "src"), str(BENCHMARKS)])
        return kept | {"PYTHONPATH": paths, "PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1"}


class Process:
    """Worker process of a side, as a context manager that ends it."""

    def __init__(self, side: Side, clock: str) -> None:
        self.side = side
        self.popen = subprocess.Popen(
            [sys.executable, "-m", "comparison.worker", str(side.folder), clock], env=side.environment(),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True,
        )  # fmt: skip

    def __enter__(self) -> Process:
        self.names: list[str] = self.answer()["names"]
        return self

    def __exit__(self, *reason: object) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.popen.pid, signal.SIGKILL)  # with its child processes
        self.popen.wait()
        for stream in (self.popen.stdin, self.popen.stdout):
            with suppress(OSError):
                stream.close()

    def answer(self) -> dict[str, Any]:
        """Return the next answer."""
        line = self.popen.stdout.readline()
        if not line:
            raise Unfit(f"The process that measures {self.side.name} has ended; its message is above.")
        return json.loads(line)

    def ask(self, **question: Any) -> dict[str, Any]:
        """Send a question and return its answer."""
        with suppress(BrokenPipeError):  # then there is no answer either
            self.popen.stdin.write(json.dumps(question) + "\n")
            self.popen.stdin.flush()
        return self.answer()
