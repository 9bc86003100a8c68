"""A fitted law of friction beside what was measured, and what it leaves."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure

from .style import COLOURS, GREY, key, new_figure, prepare

MOST_DOTS = 5000  # samples drawn; of more, every so many


def identification(found: Any) -> Figure:
    """The force over the slip with the law; the residuals over the slip, in time and by size.

    `found` is what `identify` gives. The law is drawn at the mean |N|, and the measured forces are brought there:
    to each residual the law at the mean is added.
    """
    figure = new_figure(11.0, 7.5)
    (top, right), (left, sizes) = figure.subplots(2, 2)
    every = -(-len(found.slip) // MOST_DOTS)
    slip, residuals, rows = (column[::every] for column in (found.slip, found.residuals, found.rows))
    _draw_law(top, found, slip, residuals)
    for axes, places, label in ((left, slip, "slip"), (right, rows, "sample")):
        prepare(axes, f"residuals over the {label}", "measured - law", label)
        axes.plot(places, residuals, ".", color=COLOURS[0], markersize=2.5)
        axes.axhline(0.0, color=GREY, linewidth=0.8)
        for height in (-2 * found.sigma, 2 * found.sigma):
            axes.axhline(height, color=GREY, linewidth=0.8, linestyle="--")
    _draw_sizes(sizes, found)
    figure.suptitle(f"friction, law {found.law!r}", fontsize=12, parse_math=False)
    return figure


def _draw_law(axes: Any, found: Any, slip: Any, residuals: Any) -> None:
    mean = float(np.mean(np.abs(found.normal)))
    prepare(axes, f"at the mean normal force {mean:.4g}", "tangential force", "slip")
    curves = []
    for side in (-1.0, 1.0):  # the force jumps at zero
        reached = np.abs(found.slip[found.slip * side > 0])
        if len(reached):
            v = side * np.linspace(1e-6 * reached.max(), reached.max(), 400)
            curves = axes.plot(v, found.friction(np.full_like(v, mean), v), color=COLOURS[1], linewidth=1.5)
    dots = axes.plot(
        slip,
        found.friction(np.full_like(slip, mean), slip) + residuals,
        ".",
        color=COLOURS[0],
        markersize=2.5,
        zorder=1,
    )
    key(axes, [*dots, *curves], ["measured", "law"])


def _draw_sizes(axes: Any, found: Any) -> None:
    prepare(axes, "residuals by size", "share", "measured - law")
    axes.hist(found.residuals, bins="sqrt", density=True, color=COLOURS[5])
    if found.sigma > 0:
        x = np.linspace(-4 * found.sigma, 4 * found.sigma, 200)
        bell = np.exp(-((x / found.sigma) ** 2) / 2) / (found.sigma * np.sqrt(2 * np.pi))
        axes.plot(x, bell, color=COLOURS[1], linewidth=1.3)
