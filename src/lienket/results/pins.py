"""Constraints of several rows whose multipliers are the components of one force, as those of a pin."""

from __future__ import annotations

from ..language.units import is_angle, read_unit
from ..model.checks.units import expression_unit
from ..model.constraint import Constraint
from ..model.statement import Statement

FEWEST_ROWS, MOST_ROWS = 2, 3  # [rows] components of a position in the plane and in space


def pins(statement: Statement) -> tuple[str, ...]:
    """Return the names of the constraints whose multipliers are the components of the force at a joint.

    These are ideal holonomic constraints of two or three rows that are lengths in one unit and contain a common angle,
    as the difference of two positions a_i - b_i = 0 that `lk.catalogue.pin` writes; |lambda| is then the force in the
    joint, whatever the directions of the axes. It is proportional to 1/c if the rows are written with a factor c:
    no other information about the joint is part of a statement in angles.
    """
    return tuple(c.name for c in statement.every_constraint if _is_pin(c, statement))


def _is_pin(constraint: Constraint, statement: Statement) -> bool:
    """Return whether the rows have the form of the difference of two positions."""
    rows = constraint.expressions
    if constraint.kind != "holonomic" or constraint.law is not None or not FEWEST_ROWS <= len(rows) <= MOST_ROWS:
        return False
    units, metre = [expression_unit(statement, row) for row in rows], read_unit("m")
    if metre is None or any(u is None or u.powers != metre.powers or not u.agrees(units[0] or u) for u in units):
        return False
    labels = dict(statement.units)
    angles = [x for x in statement.coordinates if is_angle(labels.get(x, ""))]
    return any(all(row.has(x) for row in rows) for x in angles)
