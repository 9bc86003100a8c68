"""Overview: every kind of plot for which there are data, in one figure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from matplotlib.figure import Figure

from .finishing import finish
from .panels.panel import Panel
from .smooth_rows import smooth
from .style import new_figure

if TYPE_CHECKING:
    from ..trajectory import Trajectory

WIDTH = 18.0  # [inch] width of the figure
TITLE_HEIGHT = 0.4  # [inch] height of its title


def overview(trajectory: Trajectory, panels: Mapping[str, Panel]) -> Figure:
    """Plot the panels in two columns of about equal height, in order down the first column, then down the second."""
    curves = smooth(trajectory)
    heights = [panel.height(curves) for panel in panels.values()]
    first = _first_column(heights)
    columns = [range(first), range(first, len(heights))]
    tallest = max(sum(heights[i] for i in column) for column in columns)
    figure = new_figure(WIDTH, TITLE_HEIGHT + tallest)
    in_order = list(panels.values())
    halves: Any = figure.subfigures(1, 2)
    for part, column in zip(halves, columns, strict=True):
        rows = part.subfigures(len(column), 1, height_ratios=[heights[i] for i in column], squeeze=False)[:, 0]
        for i, row in zip(column, rows, strict=True):
            in_order[i].draw(row, curves, trajectory)
    marked = finish(figure, trajectory)
    name = trajectory.system.name
    figure.suptitle(f"{name} (dotted lines: events)" if marked else name, fontsize=13, parse_math=False)
    return figure


def _first_column(heights: Sequence[float]) -> int:
    """Return how many of at least two panels make the first column, so that the taller column is lowest."""
    return min(range(1, len(heights)), key=lambda k: max(sum(heights[:k]), sum(heights[k:])))
