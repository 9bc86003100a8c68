"""Drives of a prescribed motion, their power, and the forces that they do not supply."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.figure import Figure

from .style import add_legend, draw, line_styles, new_figure, prepare

if TYPE_CHECKING:
    from ..analysis.drives.result import Drive


def drives(result: Drive) -> Figure:
    """Plot the drives (top), their power (middle) and the forces that no drive supplies (bottom)."""
    figure = new_figure(9.0, 8.0)
    axes: Any = figure.subplots(3, 1, sharex=True)
    styles = line_styles(len(result.drives))
    for panel, title, curves in ((axes[0], "drives", result.drives), (axes[1], "power", result.power)):
        prepare(panel, title)
        lines = [draw(panel, result.t, u, style) for u, style in zip(curves.values(), styles, strict=True)]
        add_legend(panel, lines, list(curves))
    prepare(axes[2], "unsupplied force", times="t")
    columns = np.asarray(result.residual).T
    lines = [draw(axes[2], result.t, x, style) for x, style in zip(columns, line_styles(len(columns)), strict=True)]
    add_legend(axes[2], lines, list(result.names))
    return figure
