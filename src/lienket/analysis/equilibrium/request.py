"""What `equilibrium` takes besides a guess.

Coordinates that are held where they are: constraints x - held_x = 0 with the place as a parameter.

A parameter and the numbers it is to pass, as a user gives them: ("load", [0, 1, 2]).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import sympy as sp

from ...errors import did_you_mean
from ...foundation.frozen_dataclass import dataclass
from ...language.faults import Faults
from ...language.names import key_name
from ...model.constraint import Constraint
from ...model.input.numbers import finite_number
from ...model.statement import Statement

Array = Any


@dataclass(frozen=True)
class HeldCoordinates:
    """A statement with coordinates held, the position q (n) with them in place, and where: (parameter, number)."""

    statement: Statement
    q: Array
    places: tuple[tuple[Any, float], ...]

    def numbers(self, parameters: Array, before: Statement) -> Array:
        """Numbers for all parameters, from those of the statement before."""
        known = {**dict(zip(before.parameters, parameters, strict=True)), **dict(self.places)}
        return np.array([float(known[p]) for p in self.statement.parameters])


def held(statement: Statement, fixed: Any, q: Array, faults: Faults) -> HeldCoordinates:
    """The statement with the coordinates of `fixed` held: a mapping to their places, or names, held as guessed in q."""
    if fixed is None:
        return HeldCoordinates(statement, q, ())
    if isinstance(fixed, str) or not isinstance(fixed, Iterable):
        faults.add("fixed", f"a mapping such as {{'x': 1.0}} or a list of names is needed, not {fixed!r}")
        return HeldCoordinates(statement, q, ())
    names, q = statement.names, q.copy()
    taken = {p.name for p in statement.parameters} | set(names) | {c.name for c in statement.constraints}
    places, rows = [], []
    for key in fixed:
        name = key_name(key)
        if name not in names:
            faults.add("fixed", f"{name} is no coordinate of this system{did_you_mean(name, names)}")
            continue
        i = names.index(name)
        if isinstance(fixed, Mapping):
            q[i] = finite_number(fixed[key], "fixed", name, faults)
        symbol = sp.Symbol(_unused(f"held_{name}", taken))
        places.append((symbol, float(q[i])))
        expression = statement.coordinates[i] - symbol
        rows.append(Constraint(_unused(f"{name} held", taken), "holonomic", 0, (expression,)))
    return HeldCoordinates(statement.with_constraints((*statement.constraints, *rows)), q, tuple(places))


def _unused(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    return name


@dataclass(frozen=True)
class ParameterRange:
    """The name of a parameter and its numbers, at least two, all rising or all falling."""

    name: str
    values: tuple[float, ...]

    def place(self, statement: Statement) -> int:
        """The place of the parameter among those of a statement."""
        return [p.name for p in statement.parameters].index(self.name)


def read_branch(over: Any, statement: Statement, faults: Faults) -> ParameterRange | None:
    """The parameter and its numbers from a pair; None if nothing is given or something is wrong with it."""
    if over is None:
        return None
    parts = list(over) if isinstance(over, (tuple, list)) else []
    if len(parts) != 2 or isinstance(parts[1], str) or not isinstance(parts[1], Iterable):
        faults.add("over", f"a pair such as ('load', [0, 1, 2]) is needed, not {over!r}")
        return None
    name, known = key_name(parts[0]), [p.name for p in statement.parameters]
    if name not in known:
        faults.add("over", f"{name} is no parameter of this system{did_you_mean(name, known)}")
    values = tuple(finite_number(x, "over", name, faults) for x in parts[1])
    steps = np.diff(values)
    if len(values) < 2 or not (np.all(steps > 0) or np.all(steps < 0)):
        faults.add("over", f"the numbers of {name} must all rise or all fall, at least two of them")
        return None
    return ParameterRange(name, values) if name in known else None
