"""Positions and velocities."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure

from .smooth_rows import smooth
from .style import LEGEND_LIMIT, add_legend, draw, line_styles, new_figure, prepare, show_message
from .units import coordinate_units, labelled, rate_unit, time_unit

SIZE_RATIO_LIMIT = 50.0  # [1] ratio of sizes above which two curves are drawn on separate axes
GROUP_LIMIT = 6  # [1] rows of axes above which coordinates are grouped by unit alone


def motion(trajectory: Any) -> Figure:
    """Plot positions (left) and velocities (right), with one row of axes per group of coordinates."""
    curves = smooth(trajectory)
    rows = groups(curves)
    crowded = max(map(len, rows)) > LEGEND_LIMIT
    figure = new_figure(12.0, max(7.0, 1.0 + 3.5 * len(rows)) if crowded else max(4.0, 1.0 + 2.6 * len(rows)))
    draw_motion(figure, curves)
    figure.suptitle(f"{trajectory.system.name}: motion", fontsize=12, parse_math=False)
    return figure


def draw_motion(figure: Any, curves: Any) -> None:
    """Draw into a figure or subfigure."""
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
        if not np.isfinite(curves.q[:, group]).any():
            show_message(pair[0], "no finite values")


def groups(curves: Any) -> list[list[int]]:
    """Return the groups of coordinates, by index, that share axes: equal units and comparable sizes."""
    by_unit: dict[str, list[int]] = {}
    for i, unit in enumerate(coordinate_units(curves.system)):
        by_unit.setdefault(unit, []).append(i)
    sizes = np.max(np.abs(np.nan_to_num(curves.q, nan=0.0, posinf=0.0, neginf=0.0)), axis=0, initial=0.0)
    by_size = []
    for members in by_unit.values():
        by_size += _by_size(members, sizes)
    return by_size if len(by_size) <= GROUP_LIMIT else list(by_unit.values())


def _by_size(members: list[int], sizes: Any) -> list[list[int]]:
    """Split the members, ordered by size, where the size ratio exceeds the limit; those at zero join the smallest."""
    moving = sorted((i for i in members if sizes[i] > 0), key=lambda i: -sizes[i])
    bands: list[list[int]] = []
    for i in moving:
        if bands and sizes[bands[-1][-1]] <= SIZE_RATIO_LIMIT * sizes[i]:
            bands[-1].append(i)
        else:
            bands.append([i])
    at_zero = [i for i in members if not sizes[i] > 0]
    if not bands:
        return [at_zero]
    bands[-1] += at_zero
    return [sorted(band) for band in bands]
