"""Energies, the work of what is applied, and what is missing between them."""

from __future__ import annotations

from typing import Any

from matplotlib.figure import Figure

from .smooth_rows import smooth
from .style import draw, key, looks, new_figure, prepare
from .units import energy_label, labelled, time_unit

PARTS = ("kinetic", "potential", "total", "work")


def energy(trajectory: Any) -> Figure:
    """Kinetic, potential and total energy and work above; below, total - total(0) - work, which should be zero.

    The latter at the rows of the run itself: between them, dense output adds an error of its own.
    """
    figure = new_figure(10.0, 6.5)
    draw_energy(figure, smooth(trajectory), trajectory)
    figure.suptitle(f"{trajectory.system.name}: energy", fontsize=12, parse_math=False)
    return figure


def draw_energy(place: Any, curves: Any, trajectory: Any) -> None:
    """Draw into a figure or a part of one; `curves` is the trajectory with enough rows to be smooth."""
    above, below = place.subplots(2, 1, sharex=True, height_ratios=(2, 1))
    unit = energy_label(curves.system)
    prepare(above, "energy and work", labelled("energy", unit))
    prepare(
        below,
        "what is missing: total - total(0) - work",
        labelled("imbalance", unit),
        labelled("t", time_unit(curves.system)),
    )
    appearance = looks(len(PARTS))
    appearance[-1]["linestyle"] = "--"  # work often lies on the total energy
    lines = [
        draw(above, curves.t, getattr(curves.energy, part), look) for part, look in zip(PARTS, appearance, strict=True)
    ]
    key(above, lines, PARTS)
    draw(below, trajectory.t, trajectory.energy.imbalance, {"color": "black", "linewidth": 1.0})
