"""Where results go: a file for the trajectory, a folder for the trajectory and the plots."""

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
    """The file of the trajectory and the folder of the plots, each if it is wanted."""

    trajectory: Path | None = None
    plots: Path | None = None

    def write(self, trajectory: Any) -> list[Path]:
        """Write what is wanted; gives the files in the order in which they were written."""
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
    """What `-o OUT` and `--plots FOLDER` mean; what cannot work is refused before a long run, not after it."""
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
        text = f"{path.suffix} is no format; name a file {', '.join('*' + f for f in FORMATS)}, or a folder/"
        raise typer.BadParameter(text, param_hint="-o")
    folder = _folder(path, "-o")
    return Outputs(path / "trajectory.npz", _folder(plots, "--plots") or folder)


def check_writable(path: Path, option: str) -> None:
    """Refuse a file that could not be written, before the work rather than after it."""
    if not path.parent.is_dir():
        raise typer.BadParameter(f"there is no folder {path.parent}", param_hint=option)
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise typer.BadParameter(f"{path} may not be written", param_hint=option)


def _folder(path: Path | None, option: str) -> Path | None:
    """The folder, or None; a file of that name, or a place where it cannot be made, is refused."""
    if path is None:
        return None
    nearest = next(place for place in (path, *path.absolute().parents) if place.exists())
    if not nearest.is_dir():
        raise typer.BadParameter(f"{nearest} is a file, not a folder", param_hint=option)
    if not os.access(nearest, os.W_OK):
        raise typer.BadParameter(f"nothing may be written in {nearest}", param_hint=option)
    return path
