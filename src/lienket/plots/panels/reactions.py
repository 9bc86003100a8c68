"""Reactions of the constraints, forces apart from moments, and their multipliers.

`results.reaction_parts` has the rule: on a point in Cartesian coordinates the magnitude of the force, otherwise the
component r_i on each coordinate. Quantities of different units have separate axes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...foundation.arrays import Array
from ...foundation.frozen_dataclass import dataclass
from ...language.written_names import readable
from ...results.pins import pins
from ...results.reaction_parts import ReactionPart, reaction_parts
from ..style import (
    COLOURS,
    DASHES,
    add_legend,
    add_note,
    draw,
    line_styles,
    mark_times,
    prepare,
    shortened,
)
from ..units import labelled, multiplier_units, reaction_quantity, reaction_unit, time_unit
from .panel import AXES_HEIGHT, MARGIN, Panel

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

    from ...trajectory import Trajectory

TITLES = {
    "force": "forces of the constraints",
    "moment": "moments of the constraints",
    "generalized reaction": "generalized reactions of the constraints",
}
POINT_NOTE = "on a point in brackets: magnitude"


@dataclass(frozen=True, eq=False)
class Curve:
    """A curve of a constraint (N): its name in the legend and its values; `row` chooses its dashes."""

    constraint: str
    name: str
    values: Array
    row: int


def draw_reactions(figure: Figure | SubFigure, curves: Trajectory, trajectory: Trajectory) -> None:
    """Draw the parts of the reactions by kind and unit (top) and the multipliers by unit (bottom).

    A constraint has one colour in all axes, unless it is the only one; dashes distinguish its curves. Vertical lines
    mark the rank events of the run, gaps the times at which a constraint does not act or its reaction is not
    determined.
    """
    parts, multipliers = _part_groups(curves), _multiplier_groups(curves)
    panels: Any = figure.subplots(len(parts) + len(multipliers), 1, sharex=True, squeeze=False)[:, 0]
    names = list(dict.fromkeys([*curves.constraints, *curves.reactions]))
    styles = dict(zip(names, line_styles(len(names)), strict=True))
    gaps = "gaps: not active" if curves.switches else "gaps: not determined"
    for axes, ((quantity, unit), group) in zip(panels, parts.items(), strict=False):
        prepare(axes, TITLES[quantity], labelled(quantity, unit))
        notes = [POINT_NOTE] if any(part.magnitude for part in group) else []
        _draw_curves(axes, curves.t, _part_curves(group, curves.coordinate_names), styles)
        add_note(axes, "; ".join([*notes, gaps] if _has_gaps(part.values for part in group) else notes))
    for axes, (unit, rows) in zip(panels[len(parts) :], multipliers.items(), strict=True):
        prepare(axes, "multipliers", labelled("λ", unit))
        _draw_curves(axes, curves.t, rows, styles)
        add_note(axes, gaps if _has_gaps(row.values for row in rows) else "")
    panels[-1].set_xlabel(labelled("t", time_unit(curves.system)), fontsize=9, parse_math=False)
    _mark_rank_events(panels, trajectory)


def _part_groups(curves: Trajectory) -> dict[tuple[str, str], list[ReactionPart]]:
    """Return the parts of the reactions by quantity and unit: forces, moments, then all others."""
    groups: dict[tuple[str, str], list[ReactionPart]] = {}
    for part in reaction_parts(curves.system.statement, curves.reactions):
        coordinate = part.points[0][0]
        key = reaction_quantity(curves.system, coordinate), reaction_unit(curves.system, coordinate)
        groups.setdefault(key, []).append(part)
    return {key: groups[key] for kind in TITLES for key in groups if key[0] == kind}


def _part_curves(parts: Sequence[ReactionPart], names: tuple[str, ...]) -> list[Curve]:
    """Return a curve for each part, numbered within its constraint."""
    curves: list[Curve] = []
    names = tuple(map(readable, names))
    for part in parts:
        row = sum(curve.constraint == part.constraint for curve in curves)
        curves.append(Curve(part.constraint, shortened(part.constraint, f" on {part.text(names)}"), part.values, row))
    return curves


def _multiplier_groups(curves: Trajectory) -> dict[str, list[Curve]]:
    """Return the multipliers of each row by unit, followed for a pin by the magnitude of its force.

    Programs are omitted: drives act instead of their reactions, and their multipliers are zero.
    """
    groups: dict[str, list[Curve]] = {}
    joints = pins(curves.system.statement)
    stated = {c.name: c for c in curves.system.statement.every_constraint}
    for name, columns in curves.multiplier_columns.items():
        if stated[name].kind == "program":
            continue
        values = curves.multipliers[:, columns]
        count = values.shape[1]
        units = multiplier_units(curves.system, stated[name])
        for k in range(count):
            label = name if count == 1 else shortened(name, f", row {k + 1}")
            groups.setdefault(units[k], []).append(Curve(name, label, values[:, k], k + (name in joints)))
        if name in joints:
            magnitude = np.linalg.norm(values, axis=1)
            groups[units[0]].append(Curve(name, shortened(name, ", magnitude"), magnitude, 0))
    return groups


def _draw_curves(axes: Axes, t: Array, curves: Sequence[Curve], styles: dict[str, dict[str, Any]]) -> None:
    """Draw the curves in the colours of their constraints, dashes for its rows.

    Each curve has a colour of its own if there is only one constraint, or if colours and dashes do not suffice.
    """
    if len(styles) == 1:
        single = line_styles(1 + max(c.row for c in curves))
        looks = [single[c.row] for c in curves]
    elif max(c.row for c in curves) >= len(DASHES) or len(styles) > len(COLOURS):
        looks = line_styles(len(curves))
    else:
        looks = [styles[c.constraint] | {"linestyle": DASHES[c.row]} for c in curves]
    lines = [draw(axes, t, curve.values, look) for curve, look in zip(curves, looks, strict=True)]
    add_legend(axes, lines, [curve.name for curve in curves])


def _mark_rank_events(panels: Sequence[Axes], trajectory: Trajectory) -> None:
    """Draw vertical lines where the rank of the constraints changes, with a note on the last axes."""
    times = [event.t for event in trajectory.rank_events]
    for axes in panels:
        mark_times(axes, times)
    if times:
        others = panels[-1].get_title(loc="right")
        note = "dashed lines: the rank of the constraints changes"
        add_note(panels[-1], f"{note}; {others}" if others else note)


def _has_gaps(columns: Iterable[Array]) -> bool:
    return any(np.isnan(column).any() for column in columns)


def _missing(trajectory: Trajectory) -> str:
    if trajectory.reactions:
        return ""
    return "There are no reactions: the system has no constraints.\nsystem.constrain(name, expression) adds one."


def _height(curves: Trajectory) -> float:
    return MARGIN + AXES_HEIGHT * (len(_part_groups(curves)) + len(_multiplier_groups(curves)))


REACTIONS = Panel("reactions", draw_reactions, _height, _missing)
