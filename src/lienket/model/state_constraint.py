"""A constraint as the user says it becomes a checked Constraint; what is wrong becomes faults."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import sympy as sp

from ..errors import did_you_mean
from .admit import admit
from .constraint import LEVELS, Acceleration, Constraint, Holonomic, Program, Velocity
from .faults import Faults, shown
from .symbols import name_of
from .walk import found

_SAID = {Holonomic: 0, Velocity: 1, Acceleration: 2}


def state_constraint(name: str, said: Any, coordinates: tuple[Any, ...], faults: Faults) -> Constraint:
    """Classify and check one constraint statement; what is wrong goes to `faults`."""
    where = f"constraint {name!r}"
    if not isinstance(name, str) or not name.strip() or not name.isprintable():
        faults.add("constraint", f"its name must be a printable text, not {name!r}")
        name = str(name)
    if isinstance(said, Constraint):
        said = _said_again(said)
    explicit = type(said) if isinstance(said, (*_SAID, Program)) else None
    rows = _rows(said.expression if explicit else said)
    if not rows:
        faults.add(where, "it has no expression")
    many = len(rows) > 1
    expressions = tuple(
        admit(row, f"{where}, row {i}" if many else where, faults, equation=True) for i, row in enumerate(rows, 1)
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
        return Constraint(name, "program", level, expressions, _state_drives(said, coordinates, where, faults))
    return Constraint(name, LEVELS[level], level, expressions)


def _said_again(known: Constraint) -> Any:
    """The user's words for a constraint that has been checked before, so that it can be checked in a new system."""
    if known.kind == "program":
        return Program(list(known.expressions), {name: dict(factors) for name, factors in known.drives})
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
        orders = [d.derivative_count for d in found(expression, sp.Derivative)]
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


def _state_drives(
    said: Program, coordinates: tuple[Any, ...], where: str, faults: Faults
) -> tuple[tuple[str, tuple[tuple[Any, Any], ...]], ...]:
    if not isinstance(said.drives, Mapping) or not said.drives:
        faults.add(where, "a program needs drives: a mapping from drive name to {coordinate: factor}")
        return ()
    by_name = {name_of(x): x for x in coordinates}
    drives = []
    for drive, given in said.drives.items():
        if not isinstance(given, Mapping) or not given:
            faults.add(where, f"drive {drive!r} needs a mapping from coordinate to factor, not {shown(given)}")
            continue
        factors: dict[Any, Any] = {}
        for key, factor in given.items():
            name = key if isinstance(key, str) else name_of(key) if key in coordinates else str(key)
            if name not in by_name:
                nearest = did_you_mean(name, by_name)
                faults.add(where, f"drive {drive!r} acts on {name}, which is no coordinate{nearest}")
            elif by_name[name] in factors:
                faults.add(where, f"drive {drive!r} has two factors for {name}")
            else:
                factors[by_name[name]] = admit(factor, f"{where}, drive {drive!r}", faults)
        ordered = tuple((x, factors[x]) for x in coordinates if factors.get(x, 0) != 0)
        if factors and not ordered:
            faults.add(where, f"drive {drive!r} has no factor that is not zero")
        drives.append((str(drive), ordered))
    if len({name for name, _ in drives}) < len(drives):
        faults.add(where, "two drives have the same name")
    return tuple(drives)
