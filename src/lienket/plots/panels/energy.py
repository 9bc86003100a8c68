"""Energies, the work of the applied forces, and the energy imbalance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..style import add_legend, draw, line_styles, prepare
from ..units import energy_label, labelled, time_unit
from .panel import Panel

if TYPE_CHECKING:
    from matplotlib.figure import Figure, SubFigure

    from ...trajectory import Trajectory

PARTS = ("kinetic", "potential", "total", "work")
HEIGHT = 4.8  # [inch] height of the panel


def draw_energy(figure: Figure | SubFigure, curves: Trajectory, trajectory: Trajectory) -> None:
    """Draw kinetic, potential and total energy and work (top), and total - total(0) - work, ideally zero (bottom).

    The latter at the rows of the run, since dense output between the rows has an additional error.
    """
    above, below = figure.subplots(2, 1, sharex=True, height_ratios=(2, 1))
    unit = energy_label(curves.system)
    prepare(above, "energy and work", labelled("energy", unit))
    prepare(
        below,
        "energy imbalance: total - total(0) - work",
        labelled("imbalance", unit),
        labelled("t", time_unit(curves.system)),
    )
    styles = line_styles(len(PARTS))
    styles[-1]["linestyle"] = "--"  # work often coincides with the total energy
    lines = [
        draw(above, curves.t, getattr(curves.energy, part), style) for part, style in zip(PARTS, styles, strict=True)
    ]
    add_legend(above, lines, PARTS)
    draw(below, trajectory.t, trajectory.energy.imbalance, {"color": "black", "linewidth": 1.0})


ENERGY = Panel("energy", draw_energy, lambda curves: HEIGHT, lambda trajectory: "")
