"""Panel: one kind of plot, drawn as a figure of its own or as a part of the overview."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ...foundation.frozen_dataclass import dataclass

if TYPE_CHECKING:
    from matplotlib.figure import Figure, SubFigure

    from ...trajectory import Trajectory

AXES_HEIGHT = 2.1  # [inch] height of axes with the whole width of a panel
MARGIN = 0.4  # [inch] height of a panel beside that of its axes, for the labels of time


@dataclass(frozen=True, eq=False)
class Panel:
    """A kind of plot.

    Attributes
    ----------
    title : str
        What the plot shows, for the title of its figure.
    draw : function
        draw(figure, curves, trajectory) draws into a figure or subfigure; `curves` is the trajectory with enough rows
        for smooth curves, `trajectory` has the rows of the run. Axes whose abscissa is not the time have the label
        `style.NOT_OVER_TIME`.
    height : function
        height(curves) is its height in inches.
    missing : function
        missing(trajectory) is a sentence that says what the system needs for this plot; empty if there are data.
    """

    title: str
    draw: Callable[[Figure | SubFigure, Trajectory, Trajectory], None]
    height: Callable[[Trajectory], float]
    missing: Callable[[Trajectory], str]
