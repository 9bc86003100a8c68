"""Reader of constraints: classifies a user's constraint statement and returns a checked Constraint."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np
import sympy as sp

from ...errors import Faults
from ...language.as_expression import as_expression
from ...language.expression import Coordinate, Expression
from ...language.short_text import short_text
from ...language.traversal import find
from ..constraint import LEVELS, Acceleration, Constraint, Holonomic, Program, Velocity
from ..laws import Law
from ..laws.catalogue_row import CatalogueRow
from ..laws.fields import law_fields
from .law import read_law
from .program import program_of, read_program_control, read_program_drives

_LEVEL_OF = {Holonomic: 0, Velocity: 1, Acceleration: 2}
_EXPLICIT = (Holonomic, Velocity, Acceleration, Program)


def read_constraint(
    name: str, stated: object, coordinates: tuple[Coordinate, ...], faults: Faults, law: object = None
) -> Constraint:
    """Classify and check one constraint statement with its law; faults are collected in `faults`.

    The law may also be part of the statement: (statement, law).
    """
    where = f"constraint {name!r}"
    if not isinstance(name, str) or not name.strip() or not name.isprintable():
        faults.add("constraint", f"its name must be a printable text, not {name!r}")
        name = str(name)
    if isinstance(stated, tuple) and len(stated) == 2 and isinstance(stated[1], Law):
        stated, law = stated
    if isinstance(stated, Constraint):
        law = stated.law if law is None else law
        stated = _as_stated(stated)
    explicit = type(stated) if isinstance(stated, _EXPLICIT) else None
    rows = _rows(stated.expression if isinstance(stated, _EXPLICIT) else stated)
    if len(rows) == 1 and isinstance(rows[0], CatalogueRow) and isinstance(law, Law):
        law = _with_normal_factor(law, rows[0])
    if not rows:
        faults.add(where, "it has no expression")
    numbered = len(rows) > 1
    expressions = tuple(_row(row, f"{where}, row {i}" if numbered else where, faults) for i, row in enumerate(rows, 1))
    level = _common_level(expressions, coordinates, where, faults)
    if explicit in _LEVEL_OF and level is not None and level != _LEVEL_OF[explicit]:
        faults.add(
            where,
            f"it is stated as {LEVELS[_LEVEL_OF[explicit]]}, but its highest derivative makes it {LEVELS[level]}",
            f"Write lk.{LEVELS[level].capitalize()}(...), or give the expression alone.",
        )
    level = level or 0
    if isinstance(stated, Program):
        drives = read_program_drives(stated, coordinates, where, faults)
        control = read_program_control(stated, [drive for drive, _ in drives], level, where, faults)
        constraint = Constraint(name, "program", level, expressions, drives, control)
    else:
        constraint = Constraint(name, LEVELS[level], level, expressions)
    return replace(constraint, law=read_law(law, constraint, coordinates, faults))


def _row(row: object, where: str, faults: Faults) -> Expression:
    """Return the expression of a row; an inequality is a fault."""
    if isinstance(row, sp.Rel) and not isinstance(row, sp.Equality):
        advice = "Give the expression that is not negative, with law=lk.laws.Unilateral(...) or lk.Coulomb(...)."
        faults.add(where, f"an inequality was given, {short_text(row)}", advice)
        return sp.S.Zero
    return as_expression(row, where, faults, equation=True)


def _as_stated(constraint: Constraint) -> Program | list[Expression]:
    """Return a checked constraint as a user's statement, so that it can be checked in another system."""
    if constraint.kind == "program":
        return program_of(constraint)
    return list(constraint.expressions)


def _with_normal_factor(law: Law, row: CatalogueRow) -> Law:
    """Return the law of a contact with the normal force per multiplier of a row, unless the user states it."""
    told = law.contact_point is not None or law.stated_normal_factor is not None
    if not law.is_contact or told or "normal_factor" not in law_fields(type(law)):
        return law
    return replace(law, normal_factor=row.normal_factor)  # type: ignore[call-arg]


def _rows(stated: object) -> list[object]:
    """Return the rows of a single expression, a sequence, a matrix or an array."""
    if isinstance(stated, Mapping):
        return [stated]  # as_expression rejects it
    if isinstance(stated, sp.MatrixBase):
        return list(stated)
    if isinstance(stated, np.ndarray):
        return list(stated.ravel())
    if isinstance(stated, Iterable) and not isinstance(stated, (str, sp.Basic)):
        return list(stated)
    return [stated]


def _common_level(
    expressions: tuple[Expression, ...], coordinates: tuple[Coordinate, ...], where: str, faults: Faults
) -> int | None:
    """Return the level that all rows share; None and a fault if they differ or are above accelerations."""
    levels = set()
    for expression in expressions:
        orders = [d.derivative_count for d in find(expression, sp.Derivative) if d.expr in coordinates]
        levels.add(max(orders, default=0))
    if not levels:
        return None
    if max(levels) > 2:
        faults.add(
            where,
            f"it contains a derivative of order {max(levels)}",
            "A constraint is stated on positions, velocities or accelerations; integrate it in time.",
        )
        return None
    if len(levels) > 1:
        kinds = " and ".join(LEVELS[level] for level in sorted(levels))
        faults.add(where, f"its rows are of different kinds ({kinds})", "State them as two constraints.")
        return None
    return int(levels.pop())
