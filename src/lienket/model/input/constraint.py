"""A constraint as the user says it becomes a checked Constraint; what is wrong becomes faults."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import sympy as sp

from ...language.as_expression import as_expression
from ...language.faults import Faults
from ...language.traversal import find as found_in
from ..constraint import LEVELS, Acceleration, Constraint, Holonomic, Program, Velocity
from ..laws import Law
from .law import read_law
from .program import read_program_drives, said_program, state_following

_SAID = {Holonomic: 0, Velocity: 1, Acceleration: 2}


def read_constraint(name: str, said: Any, coordinates: tuple[Any, ...], faults: Faults, law: Any = None) -> Constraint:
    """Classify and check one constraint statement with its law; what is wrong goes to `faults`.

    The law may also stand beside what is said: (statement, law).
    """
    where = f"constraint {name!r}"
    if not isinstance(name, str) or not name.strip() or not name.isprintable():
        faults.add("constraint", f"its name must be a printable text, not {name!r}")
        name = str(name)
    if isinstance(said, tuple) and len(said) == 2 and isinstance(said[1], Law):
        said, law = said
    if isinstance(said, Constraint):
        law = said.law if law is None else law
        said = _said_again(said)
    explicit = type(said) if isinstance(said, (*_SAID, Program)) else None
    rows = _rows(said.expression if explicit else said)
    if not rows:
        faults.add(where, "it has no expression")
    many = len(rows) > 1
    expressions = tuple(
        as_expression(row, f"{where}, row {i}" if many else where, faults, equation=True)
        for i, row in enumerate(rows, 1)
    )
    level = _common_level(expressions, where, faults)
    if explicit in _SAID and level is not None and level != _SAID[explicit]:
        faults.add(
            where,
            f"it is said to be {LEVELS[_SAID[explicit]]}, but its highest derivative makes it {LEVELS[level]}",
            f"Say lk.{LEVELS[level].capitalize()}(...), or give the expression alone.",
        )
    level = level or 0
    if isinstance(said, Program):
        drives = read_program_drives(said, coordinates, where, faults)
        following = state_following(said, [drive for drive, _ in drives], level, where, faults)
        found = Constraint(name, "program", level, expressions, drives, following)
    else:
        found = Constraint(name, LEVELS[level], level, expressions)
    return replace(found, law=read_law(law, found, coordinates, faults))


def _said_again(known: Constraint) -> Any:
    """The user's words for a constraint that has been checked before, so that it can be checked in a new system."""
    if known.kind == "program":
        return said_program(known)
    return list(known.expressions)


def _rows(said: Any) -> list[Any]:
    if isinstance(said, Mapping):
        return [said]  # which admit refuses
    if isinstance(said, sp.MatrixBase):
        return list(said)
    if isinstance(said, np.ndarray):
        return list(said.ravel())
    if isinstance(said, Iterable) and not isinstance(said, (str, sp.Basic)):
        return list(said)
    return [said]


def _common_level(expressions: tuple[Any, ...], where: str, faults: Faults) -> int | None:
    levels = set()
    for expression in expressions:
        orders = [d.derivative_count for d in found_in(expression, sp.Derivative)]
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
