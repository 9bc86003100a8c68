"""Kinds of plots by name, and the figure of one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matplotlib.figure import Figure

from ..errors import UnknownName
from .finishing import finish
from .overview import overview
from .panels.contact_panel import CONTACTS
from .panels.drive_panel import DRIVES
from .panels.energy import ENERGY
from .panels.event_panel import EVENTS
from .panels.motion import MOTION
from .panels.output_panel import OUTPUTS
from .panels.panel import Panel
from .panels.reactions import REACTIONS
from .panels.residuals import RESIDUALS
from .smooth_rows import smooth
from .style import new_figure, show_message

if TYPE_CHECKING:
    from ..trajectory import Trajectory

OVERVIEW = "overview"
PANELS: dict[str, Panel] = {
    "motion": MOTION,
    "reactions": REACTIONS,
    "contacts": CONTACTS,
    "events": EVENTS,
    "drives": DRIVES,
    "outputs": OUTPUTS,
    "energy": ENERGY,
    "residuals": RESIDUALS,
}
"""Panels by name, in the order of the overview."""

WIDTH, MOTION_WIDTH = 10.0, 12.0  # [inch] width of a figure, and of that of the motion, which has two columns
TITLE_HEIGHT = 0.5  # [inch] height of the title of a figure
MESSAGE_HEIGHT = 2.0  # [inch] height of a figure without data


def plot(trajectory: Trajectory, kind: str = OVERVIEW) -> Figure:
    """Return the figure of a kind of plot, one of PANELS or "overview"; without data, it says what would be needed."""
    if kind == OVERVIEW:
        return overview(trajectory, present_panels(trajectory))
    if kind not in PANELS:
        raise UnknownName("plot", kind, [OVERVIEW, *PANELS])
    panel = PANELS[kind]
    sentence = panel.missing(trajectory)
    if sentence:
        figure = new_figure(WIDTH, MESSAGE_HEIGHT)
        show_message(figure.subplots(), sentence)
        marked = False
    else:
        curves = smooth(trajectory)
        figure = new_figure(MOTION_WIDTH if kind == "motion" else WIDTH, TITLE_HEIGHT + panel.height(curves))
        panel.draw(figure, curves, trajectory)
        marked = finish(figure, trajectory)
    title = f"{trajectory.system.name}: {panel.title}"
    figure.suptitle(f"{title} (dotted lines: events)" if marked else title, fontsize=12, parse_math=False)
    return figure


def present_panels(trajectory: Trajectory) -> dict[str, Panel]:
    """Return the panels for which the trajectory has data, by name."""
    return {name: panel for name, panel in PANELS.items() if not panel.missing(trajectory)}
