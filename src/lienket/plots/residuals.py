"""How well the constraints are kept, in positions, velocities and accelerations."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator, StrMethodFormatter

from .style import draw, empty, key, looks, new_figure, prepare, remark
from .units import labelled, time_unit

LEVELS = {"position": "positions", "velocity": "velocities", "acceleration": "accelerations"}
FLOOR = 1e-17  # what is smaller is drawn there, so that zero is seen on a logarithmic axis


def residuals(trajectory: Any) -> Figure:
    """The largest residual of each constraint on a logarithmic axis, one axis per level.

    At the rows of the run itself: between them, dense output adds an error of its own.
    """
    figure = new_figure(10.0, 7.5)
    draw_residuals(figure, trajectory)
    figure.suptitle(f"{trajectory.system.name}: residuals of the constraints", fontsize=12, parse_math=False)
    return figure


def draw_residuals(place: Any, trajectory: Any) -> None:
    """Draw into a figure or a part of one."""
    levels = [level for level in LEVELS if trajectory.residuals.get(level)]
    if not levels:
        axes = place.subplots()
        prepare(axes, "residuals")
        empty(axes, "no constraints, so no residuals")
        return
    names = [name for name in trajectory.constraints if any(name in trajectory.residuals[level] for level in levels)]
    appearance = dict(zip(names, looks(len(names)), strict=True))
    grid = place.subplots(len(levels), 1, sharex=True, squeeze=False)[:, 0]
    for level, axes in zip(levels, grid, strict=True):
        prepare(
            axes,
            f"residuals of {LEVELS[level]}",
            "residual",
            labelled("t", time_unit(trajectory.system)) if axes is grid[-1] else "",
        )
        axes.set_yscale("log")
        axes.yaxis.set_minor_locator(NullLocator())  # decades in plain text are enough, and much faster to lay out
        axes.yaxis.set_major_formatter(StrMethodFormatter("{x:.0e}"))
        shown = [name for name in names if name in trajectory.residuals[level]]
        heights = [np.maximum(np.abs(trajectory.residuals[level][name]), FLOOR) for name in shown]
        lines = [draw(axes, trajectory.t, h, appearance[name]) for h, name in zip(heights, shown, strict=True)]
        _limit(axes, heights)
        if any((h <= FLOOR).any() for h in heights):
            remark(axes, f"zero is drawn at {FLOOR:g}")
        if axes is grid[0] or len(shown) != len(names):
            key(axes, lines, shown)


def _limit(axes: Any, heights: list[Any]) -> None:
    """At least a decade, and no more room below the floor than needed to see it."""
    finite = np.concatenate([h[np.isfinite(h)] for h in heights] or [np.empty(0)])
    if finite.size:
        low, high = float(finite.min()), float(finite.max())
        axes.set_ylim(low / 3, max(3 * high, 10 * low))
