"""Destinations of results: a file for the trajectory, a folder for the trajectory and the plots."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import typer

from ..foundation.frozen_dataclass import dataclass

FORMATS = (".npz", ".csv", ".parquet")


@dataclass(frozen=True)
class Outputs:
    """File of the trajectory and folder of the plots; None where nothing is written."""

    trajectory: Path | None = None
    plots: Path | None = None

    def write(self, trajectory: Any) -> list[Path]:
        """Write the requested results; return the paths in the order of writing."""
        written = []
        for folder in (self.plots, self.trajectory and self.trajectory.parent):
            if folder:
                folder.mkdir(parents=True, exist_ok=True)
        if self.trajectory:
            trajectory.save(self.trajectory)
            written.append(self.trajectory)
        if self.plots:
            from ..plots import save_all

            written += save_all(trajectory, self.plots)
        return written


def outputs(out: str | None, plots: Path | None) -> Outputs:
    """Return the destinations of `-o OUT` and `--plots FOLDER`; invalid ones are refused before the run."""
    if out is None:
        return Outputs(None, _folder(plots, "--plots"))
    path = Path(out)
    if path.suffix.lower() in FORMATS and not path.is_dir():
        if path.suffix.lower() == ".parquet" and find_spec("pyarrow") is None:
            install = 'pip install "lienket[sweep]"'
            text = f"a .parquet file needs pyarrow, which is not installed: {install}, or choose .npz or .csv"
            raise typer.BadParameter(text, param_hint="-o")
        check_writable(path, "-o")
        return Outputs(path, _folder(plots, "--plots"))
    if path.suffix and not path.is_dir() and not out.endswith(("/", os.sep)):
        text = f"{path.suffix} is not a known format; name a file {', '.join('*' + f for f in FORMATS)}, or a folder/"
        raise typer.BadParameter(text, param_hint="-o")
    folder = _folder(path, "-o")
    return Outputs(path / "trajectory.npz", _folder(plots, "--plots") or folder)


def check_writable(path: Path, option: str) -> None:
    """Refuse, before the computation, a file that cannot be written."""
    if not path.parent.is_dir():
        raise typer.BadParameter(f"the folder {path.parent} does not exist", param_hint=option)
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise typer.BadParameter(f"{path} is not writable", param_hint=option)


def _folder(path: Path | None, option: str) -> Path | None:
    """Return the folder, or None; refuse a path that is a file or cannot be created."""
    if path is None:
        return None
    nearest = next(folder for folder in (path, *path.absolute().parents) if folder.exists())
    if not nearest.is_dir():
        raise typer.BadParameter(f"{nearest} is a file, not a folder", param_hint=option)
    if not os.access(nearest, os.W_OK):
        raise typer.BadParameter(f"the folder {nearest} is not writable", param_hint=option)
    return path
