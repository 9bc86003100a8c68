"""Plots as PNG files, each written whole or not at all."""

from __future__ import annotations

from io import BytesIO
from os import PathLike
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from ..foundation.atomic_file import write_whole
from .energy import energy
from .motion import motion
from .overview import overview
from .reactions import reactions
from .residuals import residuals

PLOTS = {"overview": overview, "motion": motion, "reactions": reactions, "energy": energy, "residuals": residuals}
DOTS_PER_INCH = 110


def save_all(trajectory: Any, folder: str | PathLike[str]) -> tuple[Path, ...]:
    """Write overview.png, motion.png, reactions.png, energy.png and residuals.png; gives their paths."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, plot in PLOTS.items():
        path = folder / f"{name}.png"
        write_whole(path, png(plot(trajectory)))
        written.append(path)
    return tuple(written)


def png(figure: Figure) -> bytes:
    """The figure as a PNG image, drawn once; `figure.savefig` would draw it twice, first for its layout."""
    image = BytesIO()
    figure.set_dpi(DOTS_PER_INCH)
    canvas: Any = FigureCanvasAgg(figure)
    # Very long curves are drawn in pieces, else the drawing library may refuse them.
    with matplotlib.rc_context({"agg.path.chunksize": 20_000}):
        canvas.print_png(image)
    return image.getvalue()
