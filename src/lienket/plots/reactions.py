"""What the constraints exert: multipliers and the size of the generalized reaction of each."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from .smooth_rows import smooth
from .style import (
    COLOURS,
    MOST_IN_LEGEND,
    STYLES,
    draw,
    empty,
    key,
    looks,
    mark,
    new_figure,
    prepare,
    remark,
    shortened,
)
from .units import labelled, time_unit


def reactions(trajectory: Any) -> Figure:
    """Multipliers above, sizes of the generalized reactions below, a colour for each constraint."""
    figure = new_figure(10.0, 6.5)
    draw_reactions(figure, smooth(trajectory), trajectory.rank_events)
    figure.suptitle(f"{trajectory.system.name}: reactions", fontsize=12, parse_math=False)
    return figure


def draw_reactions(place: Any, curves: Any, rank_events: Iterable[Any] = ()) -> None:
    """Draw into a figure or a part of one; rank events are those of the run itself, not of its sampled rows."""
    if not curves.reactions:
        axes = place.subplots()
        prepare(axes, "reactions")
        empty(axes, "no constraints, so no reactions")
        return
    above, below = place.subplots(2, 1, sharex=True)
    prepare(above, "multipliers", "λ")
    prepare(below, "size of the generalized reactions", "|r|", labelled("t", time_unit(curves.system)))
    names = list(dict.fromkeys([*curves.constraints, *curves.reactions]))  # a contact that sticks has a row of its own
    appearance = dict(zip(names, looks(len(names)), strict=True))
    _draw_multipliers(above, curves, appearance)
    sizes = {name: np.linalg.norm(reaction, axis=1) for name, reaction in curves.reactions.items()}
    lines = [draw(below, curves.t, size, appearance[name]) for name, size in sizes.items()]
    key(below, lines, list(sizes))
    times = [event.t for event in rank_events]
    for axes in (above, below):
        mark(axes, times)
    gaps = "gaps: it does not act there" if getattr(curves, "switches", ()) else "gaps: not determined there"
    notes = ["vertical lines: the rank of the constraints changes"] if times else []
    remark(above, "; ".join([*notes, gaps] if np.isnan(curves.multipliers).any() else notes))
    remark(below, gaps if any(np.isnan(size).any() for size in sizes.values()) else "")


def _draw_multipliers(axes: Any, curves: Any, appearance: dict[str, dict[str, Any]]) -> None:
    """One curve per row in the colour of its constraint; where colours suffice, the line style counts the rows."""
    lines: list[Any] = []
    names, first = [], []
    for name, places in curves.multiplier_columns.items():
        numbers = range(places.start, places.stop)
        first.append(len(lines))
        for k, column in enumerate(numbers):
            style = {"linestyle": STYLES[k % len(STYLES)]} if len(appearance) <= len(COLOURS) else {}
            lines.append(draw(axes, curves.t, curves.multipliers[:, column], appearance[name] | style))
            names.append(name if len(numbers) == 1 else f"{shortened(name)}, row {k + 1}")
    if len(lines) <= MOST_IN_LEGEND:
        key(axes, lines, names)
    else:
        key(axes, [lines[i] for i in first], list(curves.multiplier_columns))
