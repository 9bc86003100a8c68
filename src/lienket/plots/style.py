"""Common style of all plots: colours, axes, legends, notes.

The colours are those of Okabe and Ito (Color Universal Design, 2008), distinguishable with any kind of colour
vision; their yellow is omitted because it is too pale on white. More than 14 curves are coloured in order
along viridis, dark to light, with a colour bar of names instead of a legend.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import BoundaryNorm, ListedColormap
from matplotlib.figure import Figure

from ..foundation.arrays import Array
from ..language.written_names import readable

if TYPE_CHECKING:
    from matplotlib.lines import Line2D

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
DASHES: tuple[Any, ...] = ("-", "--", ":", "-.")
LEGEND_LIMIT = 14  # [curves] entries of a legend: seven colours, solid and dashed
NAME_HEIGHT = 0.125  # [inch] height of a name beside a colour bar
AXES_HEIGHT_SHARE = 0.7  # [1] estimated height of the axes relative to their grid cell
FEWEST_NAMES = 4  # [names] smallest number of names beside a colour bar
NAME_LENGTH_LIMIT = 40  # [characters] length of a name in a legend
SHORTEST_NAME = 12  # [characters] length to which a long suffix may shorten a name
VIRIDIS_END = 0.92  # [1] end of the colour range used, since the light end is too pale on white
GREY = "#808080"
DARK_GREY = "#505050"
NOT_OVER_TIME = "<not over time>"
"""Label of axes whose abscissa is not the time, set by axes.set_label: they get no limits and no marks of the run."""


def new_figure(width: float, height: float) -> Figure:
    """Return an empty figure of that size in inches, with constrained layout."""
    return Figure(figsize=(width, height), layout="constrained", facecolor="white")


def line_styles(count: int) -> list[dict[str, Any]]:
    """Return colour, dashes and width of `count` curves."""
    if count > LEGEND_LIMIT:
        return [{"color": colour, "linestyle": "-", "linewidth": 0.8} for colour in _viridis(count)]
    size = len(COLOURS)
    return [{"color": COLOURS[i % size], "linestyle": DASHES[i // size], "linewidth": 1.3} for i in range(count)]


def _viridis(count: int) -> list[Any]:
    import matplotlib

    return list(matplotlib.colormaps["viridis"](np.linspace(0.0, VIRIDIS_END, count)))


def prepare(axes: Axes, title: str, label: str = "", times: str = "") -> None:
    """Set title, labels and a light grid."""
    axes.set_title(title, fontsize=10, loc="left", parse_math=False)
    axes.set_ylabel(label, fontsize=9, parse_math=False)
    axes.set_xlabel(times, fontsize=9, parse_math=False)
    axes.tick_params(labelsize=8)
    axes.yaxis.get_offset_text().set_fontsize(8)
    axes.grid(True, color="#DDDDDD", linewidth=0.6)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def draw(axes: Axes, t: Array, curve: Array, style: dict[str, Any]) -> Line2D:
    """Draw a curve, with gaps where it is not finite and a dot for a single row; return the line."""
    finite = np.where(np.isfinite(curve), curve, np.nan)
    marker = "o" if len(t) == 1 else None
    return axes.plot(t, finite, marker=marker, markersize=4, **style)[0]


def add_legend(axes: Axes, lines: Sequence[Any], names: Sequence[str], columns: int = 1) -> None:
    """Add the names of the curves on the right: a legend, or a colour bar if there are many."""
    if not lines:
        return
    names = [readable(name) for name in names]
    if len(lines) > LEGEND_LIMIT:
        _add_colour_bar(axes, lines, names)
        return
    legend = axes.legend(
        lines, [str(i) for i in range(len(lines))], loc="upper left", bbox_to_anchor=(1.01, 1.0), frameon=False,
        fontsize=8, handlelength=2.4, borderaxespad=0.0, ncols=columns,
    )  # fmt: skip
    for text, name in zip(legend.get_texts(), names, strict=True):
        # In user-defined names a leading underscore or a dollar sign has no special meaning.
        text.set_parse_math(False)
        text.set_text(shortened(name))


def _add_colour_bar(axes: Axes, lines: Sequence[Any], names: Sequence[str]) -> None:
    """Add a colour bar with as many names as fit."""
    count = len(lines)
    colours = ListedColormap([line.get_color() for line in lines])
    mappable = ScalarMappable(BoundaryNorm(np.arange(count + 1) - 0.5, count), colours)
    every = -(-count // _name_capacity(axes))
    scale = axes.figure.colorbar(mappable, ax=axes, pad=0.01, aspect=40, ticks=range(0, count, every))
    scale.ax.set_yticklabels([shortened(name) for name in names[::every]], fontsize=6, parse_math=False)
    scale.ax.invert_yaxis()
    scale.ax.tick_params(length=0)
    scale.outline.set_visible(False)


def _name_capacity(axes: Axes) -> int:
    """Return the number of names that fit beside the axes; their height is estimated, before the layout."""
    grid = axes.get_subplotspec()
    rows = grid.get_gridspec().nrows if grid else 1
    inches = axes.figure.bbox.height / axes.figure.dpi / rows
    return max(FEWEST_NAMES, int(AXES_HEIGHT_SHARE * inches / NAME_HEIGHT))


def shortened(name: str, suffix: str = "") -> str:
    """Return a name and a suffix on one line; the name is shortened so that both have the length limit together.

    The middle is left out: long names often differ at their ends,.
    """
    line, limit = " ".join(str(name).split()), max(SHORTEST_NAME, NAME_LENGTH_LIMIT - len(suffix))
    tail = (limit - 1) // 2
    return (line if len(line) <= limit else f"{line[: limit - 1 - tail]}…{line[-tail:]}") + suffix


def show_message(axes: Axes, sentence: str) -> None:
    """Show a message in place of a plot without data."""
    axes.text(
        0.5,
        0.5,
        sentence,
        transform=axes.transAxes,
        ha="center",
        va="center",
        fontsize=9,
        color=DARK_GREY,
        parse_math=False,
    )
    axes.set_axis_off()


def add_note(axes: Axes, sentence: str) -> None:
    """Add a small note above the axes on the right."""
    axes.set_title(sentence, fontsize=8, loc="right", color=DARK_GREY, parse_math=False)


def mark_times(axes: Axes, times: Iterable[float]) -> None:
    """Draw thin vertical lines at the given times."""
    for time in times:
        axes.axvline(time, color=GREY, linewidth=0.6, linestyle=(0, (2, 2)), zorder=0)
