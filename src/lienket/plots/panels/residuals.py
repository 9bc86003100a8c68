"""Residuals of the constraints in positions, velocities and accelerations."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator, StrMethodFormatter

from .style import add_legend, add_note, draw, line_styles, new_figure, prepare, show_message
from .units import labelled, time_unit

LEVELS = {"position": "positions", "velocity": "velocities", "acceleration": "accelerations"}
SMALLEST_RESIDUAL = 1e-17  # [1] value at which smaller residuals are drawn on the logarithmic axis


def residuals(trajectory: Any) -> Figure:
    """Plot the largest residual of each constraint on logarithmic axes, one per level.

    At the rows of the run, since dense output between the rows has an additional error.
    """
    figure = new_figure(10.0, 7.5)
    draw_residuals(figure, trajectory)
    figure.suptitle(f"{trajectory.system.name}: residuals of the constraints", fontsize=12, parse_math=False)
    return figure


def draw_residuals(figure: Any, trajectory: Any) -> None:
    """Draw into a figure or subfigure."""
    levels = [level for level in LEVELS if trajectory.residuals.get(level)]
    if not levels:
        axes = figure.subplots()
        prepare(axes, "residuals")
        show_message(axes, "no constraints, so no residuals")
        return
    names = [name for name in trajectory.constraints if any(name in trajectory.residuals[level] for level in levels)]
    styles = dict(zip(names, line_styles(len(names)), strict=True))
    grid = figure.subplots(len(levels), 1, sharex=True, squeeze=False)[:, 0]
    for level, axes in zip(levels, grid, strict=True):
        prepare(
            axes,
            f"residuals of {LEVELS[level]}",
            "residual",
            labelled("t", time_unit(trajectory.system)) if axes is grid[-1] else "",
        )
        axes.set_yscale("log")
        axes.yaxis.set_minor_locator(NullLocator())  # decades in plain text suffice and are much faster to lay out
        axes.yaxis.set_major_formatter(StrMethodFormatter("{x:.0e}"))
        present = [name for name in names if name in trajectory.residuals[level]]
        heights = [np.maximum(np.abs(trajectory.residuals[level][name]), SMALLEST_RESIDUAL) for name in present]
        lines = [draw(axes, trajectory.t, h, styles[name]) for h, name in zip(heights, present, strict=True)]
        _set_limits(axes, heights)
        if any((h <= SMALLEST_RESIDUAL).any() for h in heights):
            add_note(axes, f"zero is drawn at {SMALLEST_RESIDUAL:g}")
        if axes is grid[0] or len(present) != len(names):
            add_legend(axes, lines, present)


def _set_limits(axes: Any, heights: list[Any]) -> None:
    """Set the limits of the axis: at least a decade, with a small margin below the smallest residual."""
    finite = np.concatenate([h[np.isfinite(h)] for h in heights] or [np.empty(0)])
    if finite.size:
        low, high = float(finite.min()), float(finite.max())
        axes.set_ylim(low / 3, max(3 * high, 10 * low))
