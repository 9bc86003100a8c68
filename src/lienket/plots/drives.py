"""The drives that make a motion, what they do, and what nobody supplies."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure

from .style import draw, key, looks, new_figure, prepare


def drives(answer: Any) -> Figure:
    """Drives above, their power in the middle, the forces that no drive supplies below."""
    figure = new_figure(9.0, 8.0)
    axes: Any = figure.subplots(3, 1, sharex=True)
    look = looks(len(answer.drives))
    for place, title, curves in ((axes[0], "drives", answer.drives), (axes[1], "power", answer.power)):
        prepare(place, title)
        key(place, [draw(place, answer.t, u, how) for u, how in zip(curves.values(), look, strict=True)], list(curves))
    prepare(axes[2], "supplied by nobody", times="t")
    columns = np.asarray(answer.residual).T
    lines = [draw(axes[2], answer.t, x, how) for x, how in zip(columns, looks(len(columns)), strict=True)]
    key(axes[2], lines, list(answer.names))
    return figure
