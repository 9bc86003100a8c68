"""Residuals of the constraints in positions, velocities and accelerations."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.ticker import NullLocator, StrMethodFormatter

from ...foundation.arrays import Array
from ..style import add_legend, add_note, draw, line_styles, prepare
from ..units import labelled, time_unit
from .panel import MARGIN, Panel

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

    from ...trajectory import Trajectory

LEVELS = {"position": "positions", "velocity": "velocities", "acceleration": "accelerations"}
SMALLEST_RESIDUAL = 1e-17  # [1] value at which smaller residuals are drawn on the logarithmic axis
LEVEL_HEIGHT = 1.7  # [inch] height of the axes of a level


def draw_residuals(figure: Figure | SubFigure, curves: Trajectory, trajectory: Trajectory) -> None:
    """Draw the largest residual of each constraint on logarithmic axes, one per level.

    At the rows of the run, since dense output between the rows has an additional error.
    """
    levels = _levels(trajectory)
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


def _set_limits(axes: Axes, heights: list[Array]) -> None:
    """Set the limits of the axis: at least a decade, with a small margin below the smallest residual."""
    finite = np.concatenate([h[np.isfinite(h)] for h in heights] or [np.empty(0)])
    if finite.size:
        low, high = float(finite.min()), float(finite.max())
        axes.set_ylim(low / 3, max(3 * high, 10 * low))


def _levels(trajectory: Trajectory) -> list[str]:
    """Return the levels at which there are residuals."""
    return [level for level in LEVELS if trajectory.residuals.get(level)]


def _missing(trajectory: Trajectory) -> str:
    if _levels(trajectory):
        return ""
    return "There are no residuals: the system has no constraints.\nsystem.constrain(name, expression) adds one."


def _height(curves: Trajectory) -> float:
    return MARGIN + LEVEL_HEIGHT * len(_levels(curves))


RESIDUALS = Panel("residuals of the constraints", draw_residuals, _height, _missing)
