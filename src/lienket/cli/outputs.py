"""Destinations of results: a file for the trajectory, a folder for the trajectory and the plots."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from ..foundation.frozen_dataclass import dataclass
from .failures import writing_failures

if TYPE_CHECKING:
    from ..trajectory import Trajectory


FORMATS = (".npz", ".csv", ".parquet")


@dataclass(frozen=True)
class Outputs:
    """File of the trajectory and folder of the plots; None where nothing is written."""

    trajectory: Path | None = None
    plots: Path | None = None

    @property
    def files(self) -> list[Path]:
        """All files that may be written; plots only if the run has data for them."""
        files = [] if self.trajectory is None else [self.trajectory]
        if self.plots is not None:
            from ..plots.saving import FILES

            files += [self.plots / name for name in FILES]
        return files

    def write(self, trajectory: Trajectory) -> list[Path]:
        """Write the requested results; return the paths in the order of writing."""
        written = []
        for folder in (self.plots, self.trajectory and self.trajectory.parent):
            if folder:
                folder.mkdir(parents=True, exist_ok=True)
        if self.trajectory:
            with writing_failures():
                trajectory.save(self.trajectory)
            written.append(self.trajectory)
        if self.plots:
            from ..plots import save_all

            written += save_all(trajectory, self.plots)
        return written


def outputs(out: str | None, plots: str | None) -> Outputs:
    """Return the destinations of `-o OUT` and `--plots FOLDER`; invalid ones are refused before the run."""
    folder = None if plots is None else _path(plots, "--plots")
    destination = Outputs(None, folder) if out is None else _of_out(out, folder)
    for file in destination.files:
        option = "-o" if folder is None or file == destination.trajectory else "--plots"
        check_writable(file, option)
    return destination


def _of_out(out: str, plots: Path | None) -> Outputs:
    """Return the destinations of `-o OUT`, with the plots in the folder `plots` if there is one."""
    path = _path(out, "-o")
    suffix = path.suffix.lower()
    folder = path.is_dir() or out.endswith(("/", os.sep))
    if folder or not suffix:
        return Outputs(path / "trajectory.npz", plots or path)
    if suffix not in FORMATS:
        text = f"{path.suffix} is not a known format; name a file {', '.join('*' + f for f in FORMATS)}, or a folder/"
        raise typer.BadParameter(text, param_hint="-o")
    if suffix == ".parquet" and find_spec("pyarrow") is None:
        install = 'pip install "lienket[sweep]"'
        text = f"a .parquet file needs pyarrow, which is not installed: {install}, or choose .npz or .csv"
        raise typer.BadParameter(text, param_hint="-o")
    if not path.parent.exists():
        raise typer.BadParameter(f"the folder {path.parent} does not exist", param_hint="-o")
    return Outputs(path, plots)


def check_writable(path: Path, option: str) -> None:
    """Refuse, before the computation, a file that cannot be written; folders that are missing can be made."""
    from ..foundation import atomic_file

    try:
        atomic_file.check_writable(path)
    except OSError as error:
        where = error.filename or path
        raise typer.BadParameter(f"{path} cannot be written: {where}: {error.strerror}", param_hint=option) from None
    except (ValueError, RuntimeError) as error:  # a name with a null character, a circle of links
        raise typer.BadParameter(f"{path} cannot be written: {error}", param_hint=option) from None


def _path(text: str, option: str) -> Path:
    """Return the path of an option; refuse an empty one."""
    if not text.strip():
        raise typer.BadParameter("it is empty; name a file or a folder", param_hint=option)
    return Path(text)
