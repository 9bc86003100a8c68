"""Multipliers and magnitudes of the generalized reactions of the constraints."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from .smooth_rows import smooth
from .style import (
    COLOURS,
    DASHES,
    LEGEND_LIMIT,
    add_legend,
    add_note,
    draw,
    line_styles,
    mark_times,
    new_figure,
    prepare,
    shortened,
    show_message,
)
from .units import labelled, time_unit


def reactions(trajectory: Any) -> Figure:
    """Plot multipliers (top) and magnitudes of the generalized reactions (bottom), one colour per constraint."""
    figure = new_figure(10.0, 6.5)
    draw_reactions(figure, smooth(trajectory), trajectory.rank_events)
    figure.suptitle(f"{trajectory.system.name}: reactions", fontsize=12, parse_math=False)
    return figure


def draw_reactions(figure: Any, curves: Any, rank_events: Iterable[Any] = ()) -> None:
    """Draw into a figure or subfigure; `rank_events` are those of the run, not of its resampled rows."""
    if not curves.reactions:
        axes = figure.subplots()
        prepare(axes, "reactions")
        show_message(axes, "no constraints, so no reactions")
        return
    above, below = figure.subplots(2, 1, sharex=True)
    prepare(above, "multipliers", "λ")
    prepare(below, "magnitude of the generalized reactions", "|r|", labelled("t", time_unit(curves.system)))
    names = list(dict.fromkeys([*curves.constraints, *curves.reactions]))  # a sticking contact has a separate row
    styles = dict(zip(names, line_styles(len(names)), strict=True))
    _draw_multipliers(above, curves, styles)
    magnitudes = {name: np.linalg.norm(reaction, axis=1) for name, reaction in curves.reactions.items()}
    lines = [draw(below, curves.t, magnitude, styles[name]) for name, magnitude in magnitudes.items()]
    add_legend(below, lines, list(magnitudes))
    times = [event.t for event in rank_events]
    for axes in (above, below):
        mark_times(axes, times)
    gaps = "gaps: the constraint is not active" if getattr(curves, "switches", ()) else "gaps: not determined"
    notes = ["vertical lines: the rank of the constraints changes"] if times else []
    add_note(above, "; ".join([*notes, gaps] if np.isnan(curves.multipliers).any() else notes))
    add_note(below, gaps if any(np.isnan(magnitude).any() for magnitude in magnitudes.values()) else "")


def _draw_multipliers(axes: Any, curves: Any, styles: dict[str, dict[str, Any]]) -> None:
    """Draw one curve per row in the colour of its constraint; if colours suffice, the dashes number the rows."""
    lines: list[Any] = []
    names, first = [], []
    for name, columns in curves.multiplier_columns.items():
        numbers = range(columns.start, columns.stop)
        first.append(len(lines))
        for k, column in enumerate(numbers):
            dashes = {"linestyle": DASHES[k % len(DASHES)]} if len(styles) <= len(COLOURS) else {}
            lines.append(draw(axes, curves.t, curves.multipliers[:, column], styles[name] | dashes))
            names.append(name if len(numbers) == 1 else f"{shortened(name)}, row {k + 1}")
    if len(lines) <= LEGEND_LIMIT:
        add_legend(axes, lines, names)
    else:
        add_legend(axes, [lines[i] for i in first], list(curves.multiplier_columns))
