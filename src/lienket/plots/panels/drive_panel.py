"""Drives of the programs of a run, and the errors of the programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...foundation.arrays import Array
from ..style import add_legend, add_note, draw, line_styles, prepare, shortened
from ..units import drive_unit, expression_label, labelled, time_unit
from .curve_groups import curve_groups
from .panel import AXES_HEIGHT, MARGIN, Panel

if TYPE_CHECKING:
    from matplotlib.figure import Figure, SubFigure

    from ...trajectory import Trajectory

Curves = list[tuple[str, str, Array]]  # name, unit and values (N) of each curve


def draw_drives(figure: Figure | SubFigure, curves: Trajectory, trajectory: Trajectory) -> None:
    """Draw the drives (top) and, for programs with feedback or bounds, the errors of the programs (bottom)."""
    panels = [("drives", "drive", group) for group in _grouped(_drives(curves))]
    panels += [("errors of the programs", "error", group) for group in _grouped(_errors(curves))]
    grid = figure.subplots(len(panels), 1, sharex=True, squeeze=False)[:, 0]
    titled = set()
    for axes, (title, quantity, group) in zip(grid, panels, strict=True):
        prepare(axes, "" if title in titled else title, labelled(quantity, group[0][1]))
        titled.add(title)
        styles = line_styles(len(group))
        lines = [draw(axes, curves.t, values, style) for (_, _, values), style in zip(group, styles, strict=True)]
        add_legend(axes, lines, [name for name, _, _ in group])
        if any(values[values != values].size for _, _, values in group):
            add_note(axes, "gaps: the program is not active")
    grid[-1].set_xlabel(labelled("t", time_unit(curves.system)), fontsize=9, parse_math=False)


def _drives(curves: Trajectory) -> Curves:
    """Return name, unit and values of each drive."""
    factors = {name: e for c in curves.system.statement.every_constraint for name, e in c.drives}
    return [(name, drive_unit(curves.system, factors.get(name, ())), values) for name, values in curves.drives.items()]


def _errors(curves: Trajectory) -> Curves:
    """Return name, unit and values of the error of each row of each program that may deviate."""
    stated = {c.name: c for c in curves.system.statement.every_constraint}
    errors: Curves = []
    for name, values in curves.program_errors.items():
        units = [expression_label(curves.system, e) for e in stated[name].expressions]
        for k, unit in enumerate(units):
            errors.append((name if len(units) == 1 else shortened(name, f", row {k + 1}"), unit, values[:, k]))
    return errors


def _grouped(curves: Curves) -> list[Curves]:
    """Return the curves that share axes: equal units and comparable sizes."""
    if not curves:
        return []
    indices = curve_groups([unit for _, unit, _ in curves], [values for _, _, values in curves])
    return [[curves[i] for i in group] for group in indices]


def _missing(trajectory: Trajectory) -> str:
    if trajectory.drives:
        return ""
    return (
        "There are no drives: the system has no program.\n"
        'system.constrain(name, lk.Program(expression, drives={"F": {x: 1}})) adds one.'
    )


def _height(curves: Trajectory) -> float:
    return MARGIN + AXES_HEIGHT * (len(_grouped(_drives(curves))) + len(_grouped(_errors(curves))))


DRIVES = Panel("drives", draw_drives, _height, _missing)
