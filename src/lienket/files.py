"""Files: systems as model files (TOML), trajectories as .npz, .csv or .parquet."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import Any

from .system import System

TRAJECTORIES = (".npz", ".csv", ".parquet")


def load(path: str | PathLike[str]) -> Any:
    """The system stated in a model file (TOML), or the trajectory in a .npz, .csv or .parquet file.

    A model file raises one ModelFileError with all its faults.
    """
    if Path(path).suffix.lower() in TRAJECTORIES:
        return _trajectory(path)
    from .model.file import read_file  # pydantic is imported only by those who read files

    return System.from_statement(read_file(path))


def save(what: Any, path: str | PathLike[str]) -> None:
    """Write `what`, a system to a model file (TOML) or a trajectory to .npz, .csv or .parquet, whole or not at all.

    `load` gives an equal one back.
    """
    from .model.file import write_file

    if isinstance(what, System):
        write_file(what.statement, path)
        return
    from .trajectory import Trajectory

    if not isinstance(what, Trajectory):
        raise TypeError(f"save takes a system or a trajectory, then a path; the first is {type(what).__name__}")
    what.save(path)


def _trajectory(path: str | PathLike[str]) -> Any:
    raise NotImplementedError
