"""Plots as PNG files, each written atomically."""

from __future__ import annotations

from io import BytesIO
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import matplotlib
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from ..foundation.atomic_file import write_whole
from .kinds import OVERVIEW, PANELS, plot, present_panels

if TYPE_CHECKING:
    from ..trajectory import Trajectory

FILES = tuple(f"{name}.png" for name in (OVERVIEW, *PANELS))
"""Names of the files that may be written."""

DOTS_PER_INCH = 110  # [1/inch] resolution of the PNG files
PATH_CHUNK_SIZE = 20_000  # [points] longest piece of a curve drawn at once; Agg may refuse longer ones


def save_all(trajectory: Trajectory, folder: str | PathLike[str]) -> tuple[Path, ...]:
    """Write overview.png and a file for each panel with data, such as motion.png; return their paths."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name in (OVERVIEW, *present_panels(trajectory)):
        path = folder / f"{name}.png"
        write_whole(path, png(plot(trajectory, name)))
        written.append(path)
    return tuple(written)


def png(figure: Figure) -> bytes:
    """Return the figure as a PNG image, drawn once; `figure.savefig` would draw it twice, first for its layout."""
    image = BytesIO()
    figure.set_dpi(DOTS_PER_INCH)
    canvas: Any = FigureCanvasAgg(figure)
    with matplotlib.rc_context({"agg.path.chunksize": PATH_CHUNK_SIZE}):
        canvas.print_png(image)
    return image.getvalue()
