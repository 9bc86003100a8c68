"""Positions and velocities."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure

from .smooth_rows import smooth
from .style import MOST_IN_LEGEND, draw, empty, key, looks, new_figure, prepare
from .units import coordinate_units, labelled, rate_unit, time_unit

APART = 50.0  # curves whose sizes differ by more are not drawn on the same axes
MOST_GROUPS = 6


def motion(trajectory: Any) -> Figure:
    """Positions on the left, velocities on the right; a row of axes for each unit and size of coordinates."""
    curves = smooth(trajectory)
    rows = groups(curves)
    crowded = max(map(len, rows)) > MOST_IN_LEGEND
    figure = new_figure(12.0, max(7.0, 1.0 + 3.5 * len(rows)) if crowded else max(4.0, 1.0 + 2.6 * len(rows)))
    draw_motion(figure, curves)
    figure.suptitle(f"{trajectory.system.name}: motion", fontsize=12, parse_math=False)
    return figure


def draw_motion(place: Any, curves: Any) -> None:
    """Draw into a figure or a part of one."""
    names, units, second = curves.names, coordinate_units(curves.system), time_unit(curves.system)
    rows = groups(curves)
    overall = looks(len(names))
    grid = place.subplots(len(rows), 2, sharex=True, squeeze=False)
    for k, (group, pair) in enumerate(zip(rows, grid, strict=True)):
        unit = units[group[0]]
        bottom = labelled("t", second) if k == len(rows) - 1 else ""
        prepare(pair[0], "positions" if k == 0 else "", labelled("q", unit), bottom)
        prepare(pair[1], "velocities" if k == 0 else "", labelled("q'", rate_unit(unit, second)), bottom)
        # A colour of its own for every coordinate, unless there are too many to be told apart.
        appearance = [overall[i] for i in group] if len(names) <= MOST_IN_LEGEND else looks(len(group))
        for i, look in zip(group, appearance, strict=True):
            draw(pair[0], curves.t, curves.q[:, i], look)
        lines = [draw(pair[1], curves.t, curves.v[:, i], look) for i, look in zip(group, appearance, strict=True)]
        key(pair[1], lines, [names[i] for i in group])
        if not np.isfinite(curves.q[:, group]).any():
            empty(pair[0], "no finite number")


def groups(curves: Any) -> list[list[int]]:
    """The coordinates, by place, that share axes: the same unit, and sizes that can be seen together."""
    by_unit: dict[str, list[int]] = {}
    for i, unit in enumerate(coordinate_units(curves.system)):
        by_unit.setdefault(unit, []).append(i)
    sizes = np.max(np.abs(np.nan_to_num(curves.q, nan=0.0, posinf=0.0, neginf=0.0)), axis=0, initial=0.0)
    found = []
    for members in by_unit.values():
        found += _by_size(members, sizes)
    if len(found) > MOST_GROUPS:  # rather flat curves than a tower of axes
        found = list(by_unit.values())
    return found


def _by_size(members: list[int], sizes: Any) -> list[list[int]]:
    """The members cut where their sizes, in order, jump; those that never move from zero stay with the smallest."""
    moving = sorted((i for i in members if sizes[i] > 0), key=lambda i: -sizes[i])
    bands: list[list[int]] = []
    for i in moving:
        if bands and sizes[bands[-1][-1]] <= APART * sizes[i]:
            bands[-1].append(i)
        else:
            bands.append([i])
    resting = [i for i in members if not sizes[i] > 0]
    if not bands:
        return [resting]
    bands[-1] += resting
    return [sorted(band) for band in bands]
