"""Positions and velocities."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..style import LEGEND_LIMIT, add_legend, draw, line_styles, prepare, show_message
from ..units import coordinate_units, labelled, rate_unit, time_unit
from .curve_groups import curve_groups
from .panel import Panel

if TYPE_CHECKING:
    from matplotlib.figure import Figure, SubFigure

    from ...trajectory import Trajectory

ROW_HEIGHT, CROWDED_HEIGHT = 2.6, 3.5  # [inch] height of a row of axes, and of one with a colour bar
TIME_TICKS = 5  # [ticks] largest number of ticks of time, since two axes share the width
FEWEST_INCHES = 3.0  # [inch] smallest height of the panel


def draw_motion(figure: Figure | SubFigure, curves: Trajectory, trajectory: Trajectory) -> None:
    """Draw positions (left) and velocities (right), with one row of axes per group of coordinates."""
    names, units, second = curves.coordinate_names, coordinate_units(curves.system), time_unit(curves.system)
    rows = groups(curves)
    overall = line_styles(len(names))
    grid = figure.subplots(len(rows), 2, sharex=True, squeeze=False)
    for k, (group, pair) in enumerate(zip(rows, grid, strict=True)):
        unit = units[group[0]]
        bottom = labelled("t", second) if k == len(rows) - 1 else ""
        prepare(pair[0], "positions" if k == 0 else "", labelled("q", unit), bottom)
        prepare(pair[1], "velocities" if k == 0 else "", labelled("q'", rate_unit(unit, second)), bottom)
        # Every coordinate has a separate colour, unless there are too many to distinguish.
        styles = [overall[i] for i in group] if len(names) <= LEGEND_LIMIT else line_styles(len(group))
        for i, style in zip(group, styles, strict=True):
            draw(pair[0], curves.t, curves.q[:, i], style)
        lines = [draw(pair[1], curves.t, curves.v[:, i], style) for i, style in zip(group, styles, strict=True)]
        add_legend(pair[1], lines, [names[i] for i in group])
        for axes in pair:
            axes.locator_params(axis="x", nbins=TIME_TICKS)
        if not np.isfinite(curves.q[:, group]).any():
            show_message(pair[0], "no finite values")


def groups(curves: Trajectory) -> list[list[int]]:
    """Return the groups of coordinates, by index, that share axes: equal units and comparable sizes."""
    return curve_groups(coordinate_units(curves.system), list(curves.q.T))


def _height(curves: Trajectory) -> float:
    rows = groups(curves)
    crowded = max(map(len, rows)) > LEGEND_LIMIT
    return max(6.0, CROWDED_HEIGHT * len(rows)) if crowded else max(FEWEST_INCHES, ROW_HEIGHT * len(rows))


MOTION = Panel("motion", draw_motion, _height, lambda trajectory: "")
