"""How every plot looks: colours, axes, keys, empty places.

The colours are those of Okabe and Ito (Color Universal Design, 2008), which people with any kind of colour
vision tell apart; their yellow is left out, it is too pale on white. More than 14 curves are coloured by
their order along viridis, dark to light, with a scale of names instead of a legend.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import BoundaryNorm, ListedColormap
from matplotlib.figure import Figure

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
STYLES: tuple[Any, ...] = ("-", "--", ":", "-.")
MOST_IN_LEGEND = 14  # seven colours, solid and dashed
NAME_HEIGHT = 0.125  # inches that a name beside a scale of colours takes
LONGEST = 32  # characters of a name in a legend
GREY = "#808080"


def new_figure(width: float, height: float) -> Figure:
    """An empty figure of that size in inches, whose parts keep clear of each other."""
    return Figure(figsize=(width, height), layout="constrained", facecolor="white")


def looks(count: int) -> list[dict[str, Any]]:
    """Colour, line style and width of each of so many curves."""
    if count > MOST_IN_LEGEND:
        return [{"color": colour, "linestyle": "-", "linewidth": 0.8} for colour in _scale(count)]
    many = len(COLOURS)
    return [{"color": COLOURS[i % many], "linestyle": STYLES[i // many], "linewidth": 1.3} for i in range(count)]


def _scale(count: int) -> list[Any]:
    import matplotlib

    return list(matplotlib.colormaps["viridis"](np.linspace(0.0, 0.92, count)))


def prepare(axes: Axes, title: str, label: str = "", times: str = "") -> None:
    """Title, labels and a light grid."""
    axes.set_title(title, fontsize=10, loc="left", parse_math=False)
    axes.set_ylabel(label, fontsize=9, parse_math=False)
    axes.set_xlabel(times, fontsize=9, parse_math=False)
    axes.tick_params(labelsize=8)
    axes.grid(True, color="#DDDDDD", linewidth=0.6)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def draw(axes: Axes, t: Any, curve: Any, look: dict[str, Any]) -> Any:
    """One curve, with gaps where it is not finite; a run of a single row is a dot. Gives the line."""
    finite = np.where(np.isfinite(curve), curve, np.nan)
    marker = "o" if len(t) == 1 else None
    return axes.plot(t, finite, marker=marker, markersize=4, **look)[0]


def key(axes: Axes, lines: Sequence[Any], names: Sequence[str]) -> None:
    """Say which curve is which, outside on the right: a legend, or a scale if there are many."""
    if not lines:
        return
    if len(lines) > MOST_IN_LEGEND:
        _scale_of_names(axes, lines, names)
        return
    legend = axes.legend(
        lines, [str(i) for i in range(len(lines))], loc="upper left", bbox_to_anchor=(1.01, 1.0), frameon=False,
        fontsize=8, handlelength=2.4, borderaxespad=0.0,
    )  # fmt: skip
    for text, name in zip(legend.get_texts(), names, strict=True):
        # Names are the user's: a leading underscore or a dollar sign means nothing here.
        text.set_parse_math(False)
        text.set_text(shortened(name))


def _scale_of_names(axes: Axes, lines: Sequence[Any], names: Sequence[str]) -> None:
    count = len(lines)
    colours = ListedColormap([line.get_color() for line in lines])
    mappable = ScalarMappable(BoundaryNorm(np.arange(count + 1) - 0.5, count), colours)
    every = -(-count // _room(axes))
    scale = axes.figure.colorbar(mappable, ax=axes, pad=0.01, aspect=40, ticks=range(0, count, every))
    scale.ax.set_yticklabels([shortened(name) for name in names[::every]], fontsize=6, parse_math=False)
    scale.ax.invert_yaxis()
    scale.ax.tick_params(length=0)
    scale.outline.set_visible(False)


def _room(axes: Axes) -> int:
    """How many names can stand beside the axes; the layout is not made yet, so their share of the place is guessed."""
    grid = axes.get_subplotspec()
    rows = grid.get_gridspec().nrows if grid else 1
    inches = axes.figure.bbox.height / axes.figure.dpi / rows
    return max(4, int(0.7 * inches / NAME_HEIGHT))


def shortened(name: str) -> str:
    """A name on one line, not too long."""
    line = " ".join(str(name).split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"


def empty(axes: Axes, sentence: str) -> None:
    """Say why there is nothing to see."""
    axes.text(0.5, 0.5, sentence, transform=axes.transAxes, ha="center", va="center", fontsize=9, color=GREY)
    axes.set_axis_off()


def remark(axes: Axes, sentence: str) -> None:
    """A small note above the axes, on the right."""
    axes.set_title(sentence, fontsize=8, loc="right", color="#505050", parse_math=False)


def mark(axes: Axes, times: Iterable[float]) -> None:
    """Thin vertical lines at these times."""
    for time in times:
        axes.axvline(time, color=GREY, linewidth=0.6, linestyle=(0, (2, 2)), zorder=0)
