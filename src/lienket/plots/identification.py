"""A fitted friction law with the measured forces and the residuals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.figure import Figure

from ..foundation.arrays import Array
from .style import COLOURS, GREY, add_legend, new_figure, prepare

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..analysis.identification.result import Identified

SAMPLE_LIMIT = 5000  # [samples] largest number of samples drawn; of more, every n-th
LAW_CURVE_POINTS = 400  # [points] points of the curve of the law on each side of zero slip
SMALLEST_SLIP = 1e-6  # [1] first point of that curve relative to the largest slip, since the force jumps at zero
BELL_CURVE_POINTS = 200  # [points] points of the normal distribution drawn over the histogram


def identification(fit: Identified) -> Figure:
    """Plot force and law over the slip; the residuals over the slip, over the samples and as a histogram.

    `fit` is the result of `identify`. The law is drawn at the mean |N|; each measured force is shown as its residual
    plus the law at the mean |N|.
    """
    figure = new_figure(11.0, 7.5)
    (top, right), (left, histogram) = figure.subplots(2, 2)
    every = -(-len(fit.slip) // SAMPLE_LIMIT)
    slip, residuals, rows = fit.slip[::every], fit.residuals[::every], fit.rows[::every]
    _draw_law(top, fit, slip, residuals)
    for axes, abscissa, label in ((left, slip, "slip"), (right, rows, "sample")):
        prepare(axes, f"residuals over the {label}", "measured - law", label)
        axes.plot(abscissa, residuals, ".", color=COLOURS[0], markersize=2.5)
        axes.axhline(0.0, color=GREY, linewidth=0.8)
        for height in (-2 * fit.sigma, 2 * fit.sigma):
            axes.axhline(height, color=GREY, linewidth=0.8, linestyle="--")
    _draw_histogram(histogram, fit)
    figure.suptitle(f"friction law {fit.law!r}", fontsize=12, parse_math=False)
    return figure


def _draw_law(axes: Axes, fit: Identified, slip: Array, residuals: Array) -> None:
    """Draw law and measured forces over the slip, at the mean normal force."""
    mean = float(np.mean(np.abs(fit.normal)))
    prepare(axes, f"at the mean normal force {mean:.4g}", "tangential force", "slip")
    curves = []
    for side in (-1.0, 1.0):  # the force jumps at zero
        speeds = np.abs(fit.slip[fit.slip * side > 0])
        if len(speeds):
            v = side * np.linspace(SMALLEST_SLIP * speeds.max(), speeds.max(), LAW_CURVE_POINTS)
            curves = axes.plot(v, fit.friction(np.full_like(v, mean), v), color=COLOURS[1], linewidth=1.5)
    dots = axes.plot(
        slip,
        fit.friction(np.full_like(slip, mean), slip) + residuals,
        ".",
        color=COLOURS[0],
        markersize=2.5,
        zorder=1,
    )
    add_legend(axes, [*dots, *curves], ["measured", "law"])


def _draw_histogram(axes: Axes, fit: Identified) -> None:
    """Draw the histogram of the residuals and the normal distribution of their standard deviation."""
    prepare(axes, "distribution of the residuals", "probability density", "measured - law")
    axes.hist(fit.residuals, bins="sqrt", density=True, color=COLOURS[5])
    if fit.sigma > 0:
        x = np.linspace(-4 * fit.sigma, 4 * fit.sigma, BELL_CURVE_POINTS)
        bell = np.exp(-((x / fit.sigma) ** 2) / 2) / (fit.sigma * np.sqrt(2 * np.pi))
        axes.plot(x, bell, color=COLOURS[1], linewidth=1.3)
