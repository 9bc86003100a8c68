"""Overview: motion, reactions, energy and residuals in one figure."""

from __future__ import annotations

from typing import Any

from matplotlib.figure import Figure

from .energy import draw_energy
from .motion import draw_motion
from .reactions import draw_reactions
from .residuals import draw_residuals
from .smooth_rows import smooth
from .style import new_figure


def overview(trajectory: Any) -> Figure:
    """Plot motion, reactions, energy and residuals in one figure."""
    curves = smooth(trajectory)
    figure = new_figure(18.0, 12.0)
    parts: Any = figure.subfigures(2, 2)
    draw_motion(parts[0, 0], curves)
    draw_reactions(parts[0, 1], curves, trajectory.rank_events)
    draw_energy(parts[1, 0], curves, trajectory)
    draw_residuals(parts[1, 1], trajectory)
    figure.suptitle(trajectory.system.name, fontsize=13, parse_math=False)
    return figure
