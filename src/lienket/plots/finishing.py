"""Last step of every plot over time: common limits, and marks at the events."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .panels.event_panel import UNMARKED, event_marks
from .style import GREY, NOT_OVER_TIME

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

    from ..trajectory import Trajectory

TIME_MARGIN = 0.02  # [1] margin on both sides of the run, relative to its length
CONSTANT_RANGE = 1e-6  # [1] range of the curves, relative to their size, below which they are drawn as constant
CONSTANT_MARGIN = 0.1  # [1] margin of the axis of constant curves, relative to their size


def finish(figure: Figure | SubFigure, trajectory: Trajectory) -> bool:
    """Give all axes over time the limits of the run and mark its events; return whether there are marks."""
    begin, end = float(trajectory.t[0]), float(trajectory.t[-1])
    marks, marked = event_marks(trajectory), False
    for axes in time_axes(figure):
        if end > begin:
            margin = TIME_MARGIN * (end - begin)
            axes.set_xlim(begin - margin, end + margin)
        if axes.get_yscale() == "linear":
            _calm(axes)
        for time in marks if axes.get_label() != UNMARKED else ():
            axes.axvline(time, color=GREY, linewidth=0.7, linestyle=":", zorder=0)
            marked = True
    return marked


def time_axes(figure: Figure | SubFigure) -> list[Axes]:
    """Return the axes over time, without colour bars."""
    return [axes for axes in figure.axes if axes.get_label() not in ("<colorbar>", NOT_OVER_TIME)]


def _calm(axes: Axes) -> None:
    """Widen the limits around curves that are constant up to rounding, which would otherwise fill the axes."""
    curves = [np.asarray(line.get_ydata(), dtype=float) for line in axes.get_lines() if line.get_marker() != "|"]
    values = np.concatenate([np.zeros(0), *(c[np.isfinite(c)] for c in curves)])
    if not values.size:
        return
    low, high = float(values.min()), float(values.max())
    size = max(abs(low), abs(high))
    if 0 < high - low < CONSTANT_RANGE * size:
        axes.set_ylim(low - CONSTANT_MARGIN * size, high + CONSTANT_MARGIN * size)
