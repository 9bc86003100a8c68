"""Times of the events."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...foundation.arrays import Array
from ..style import prepare, shortened
from ..units import labelled, time_unit
from .panel import MARGIN, Panel

if TYPE_CHECKING:
    from matplotlib.figure import Figure, SubFigure

    from ...trajectory import Trajectory

TITLE_HEIGHT, EVENT_HEIGHT = 0.5, 0.22  # [inch] height of the axes without events, and of an event
CLOSEST_MARKS = 0.004  # [1] distance of marked times, relative to the run, below which one mark stands for several
UNMARKED = "events"  # label of axes that show the events themselves
MARK_LIMIT = 30  # [marks] number of marks above which they would hide the curves and are omitted


def draw_events(figure: Figure | SubFigure, curves: Trajectory, trajectory: Trajectory) -> None:
    """Draw a row for each event that occurred, with a tick at each of its times."""
    axes = figure.subplots()
    axes.set_label(UNMARKED)
    prepare(axes, "events", times=labelled("t", time_unit(trajectory.system)))
    occurred = _occurred(trajectory)
    for k, times in enumerate(occurred.values()):
        axes.plot(times, np.full(len(times), k), "|", color="black", markersize=8, markeredgewidth=1.0)
    axes.set_yticks(range(len(occurred)))
    axes.set_yticklabels([shortened(name) for name in occurred], fontsize=8, parse_math=False)
    axes.set_ylim(len(occurred) - 0.5, -0.5)


def event_marks(trajectory: Trajectory) -> list[float]:
    """Return the times to be marked in other plots; none if there are too many, one for several close together."""
    times = np.unique(np.concatenate([[], *_occurred(trajectory).values()]))
    closest = CLOSEST_MARKS * float(trajectory.t[-1] - trajectory.t[0])
    marks: list[float] = []
    for time in times:
        if not marks or time - marks[-1] > closest:
            marks.append(float(time))
    return marks if len(marks) <= MARK_LIMIT else []


def _occurred(trajectory: Trajectory) -> dict[str, Array]:
    """Return the times of each event that occurred between the first and the last row."""
    begin, end = trajectory.t[0], trajectory.t[-1]
    within = {name: times[(times >= begin) & (times <= end)] for name, times in trajectory.events.items()}
    return {name: times for name, times in within.items() if len(times)}


def _missing(trajectory: Trajectory) -> str:
    if _occurred(trajectory):
        return ""
    if trajectory.events:
        names = ", ".join(shortened(name) for name in trajectory.events)
        return f"No event occurred during the run.\nThe system watches for: {names}."
    return (
        "There are no events: the system watches for none and has no contacts.\n"
        "system.watch(lk.Event(name, when=expression)) adds one."
    )


def _height(curves: Trajectory) -> float:
    return MARGIN + TITLE_HEIGHT + EVENT_HEIGHT * len(_occurred(curves))


EVENTS = Panel("events", draw_events, _height, _missing)
