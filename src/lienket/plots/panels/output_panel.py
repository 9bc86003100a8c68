"""Outputs that the user asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..style import add_legend, draw, line_styles, prepare
from ..units import expression_label, labelled, time_unit
from .curve_groups import GROUP_LIMIT, curve_groups
from .panel import AXES_HEIGHT, MARGIN, Panel

if TYPE_CHECKING:
    from matplotlib.figure import Figure, SubFigure

    from ...trajectory import Trajectory


def draw_outputs(figure: Figure | SubFigure, curves: Trajectory, trajectory: Trajectory) -> None:
    """Draw the outputs, those of equal units and comparable sizes on the same axes."""
    names, columns, units = list(curves.outputs), list(curves.outputs.values()), _units(curves)
    rows = _groups(curves)
    grid = figure.subplots(len(rows), 1, sharex=True, squeeze=False)[:, 0]
    overall = line_styles(len(names))
    for axes, group in zip(grid, rows, strict=True):
        prepare(axes, "outputs" if axes is grid[0] else "", labelled("output", units[group[0]]))
        lines = [draw(axes, curves.t, columns[i], overall[i]) for i in group]
        add_legend(axes, lines, [names[i] for i in group])
    grid[-1].set_xlabel(labelled("t", time_unit(curves.system)), fontsize=9, parse_math=False)


def _units(curves: Trajectory) -> list[str]:
    """Return the unit label of each output, empty if it does not follow from the stated units."""
    stated = dict(curves._run.problem.model.stated_outputs)
    return [expression_label(curves.system, stated[name]) for name in curves.outputs]


def _groups(curves: Trajectory) -> list[list[int]]:
    """Return the outputs, by index, that share axes; a few outputs without a unit have separate axes."""
    units = _units(curves)
    separate = [unit or f"output {i}" for i, unit in enumerate(units)]
    columns = list(curves.outputs.values())
    rows = curve_groups(separate, columns)
    return rows if len(rows) <= GROUP_LIMIT else curve_groups(units, columns)


def _missing(trajectory: Trajectory) -> str:
    if trajectory.outputs:
        return ""
    return 'There are no outputs:\nsystem.simulate(..., outputs={"name": expression}) adds them.'


def _height(curves: Trajectory) -> float:
    return MARGIN + AXES_HEIGHT * len(_groups(curves))


OUTPUTS = Panel("outputs", draw_outputs, _height, _missing)
