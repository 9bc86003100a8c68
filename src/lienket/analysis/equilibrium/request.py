"""Reading of the arguments `fixed` and `over` of `equilibrium`.

fixed   coordinates held in place: constraints x - held_x = 0 with the position as a parameter
over    a parameter and the values it passes through: ("load", [0, 1, 2])
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import sympy as sp

from ...errors import Faults, did_you_mean
from ...foundation.arrays import Array
from ...foundation.frozen_dataclass import dataclass
from ...language.names import name_among
from ...model.constraint import Constraint
from ...model.input.finite_number import finite_number
from ...model.statement import Statement


@dataclass(frozen=True)
class HeldCoordinates:
    """Statement with held coordinates, the position q (n) with their values, and the added (parameter, value)."""

    statement: Statement
    q: Array
    parameters: tuple[tuple[Any, float], ...]

    def numbers(self, parameters: Array, before: Statement) -> Array:
        """Return the values of all parameters, from those of the statement `before` and the held positions."""
        values = {**dict(zip(before.parameters, parameters, strict=True)), **dict(self.parameters)}
        return np.array([float(values[p]) for p in self.statement.parameters])


def hold(statement: Statement, fixed: object, q: Array, faults: Faults) -> HeldCoordinates:
    """Return the statement with coordinates held; `fixed` maps names to values, or lists names to hold as in q."""
    if fixed is None:
        return HeldCoordinates(statement, q, ())
    if isinstance(fixed, str) or not isinstance(fixed, Iterable):
        faults.add("fixed", f"a mapping such as {{'x': 1.0}} or a list of names is needed, not {fixed!r}")
        return HeldCoordinates(statement, q, ())
    names, q = statement.names, q.copy()
    taken = {p.name for p in statement.parameters} | set(names) | {c.name for c in statement.constraints}
    added, rows = [], []
    for key in fixed:
        name = name_among(key, names)
        if name not in names:
            faults.add("fixed", f"{name} is no coordinate of this system{did_you_mean(name, names)}")
            continue
        i = names.index(name)
        if isinstance(fixed, Mapping):
            q[i] = finite_number(fixed[key], "fixed", name, faults)
        symbol = sp.Symbol(_unused(f"held_{name}", taken))
        added.append((symbol, float(q[i])))
        expression = statement.coordinates[i] - symbol
        rows.append(Constraint(_unused(f"{name} held", taken), "holonomic", 0, (expression,)))
    return HeldCoordinates(statement.with_constraints((*statement.constraints, *rows)), q, tuple(added))


def _unused(name: str, taken: set[str]) -> str:
    """Return the name with underscores appended until it is not taken."""
    while name in taken:
        name += "_"
    return name


@dataclass(frozen=True)
class ParameterRange:
    """Name of a parameter and at least two values, strictly increasing or decreasing."""

    name: str
    values: tuple[float, ...]

    def index(self, statement: Statement) -> int:
        """Return the index of the parameter among those of a statement."""
        return [p.name for p in statement.parameters].index(self.name)


def read_branch(over: object, statement: Statement, faults: Faults) -> ParameterRange | None:
    """Return the parameter and its values from a pair; None if `over` is None or has faults."""
    if over is None:
        return None
    parts = list(over) if isinstance(over, (tuple, list)) else []
    if len(parts) != 2 or isinstance(parts[1], str) or not isinstance(parts[1], Iterable):
        faults.add("over", f"a pair such as ('load', [0, 1, 2]) is needed, not {over!r}")
        return None
    names = [p.name for p in statement.parameters]
    name = name_among(parts[0], names)
    if name not in names:
        faults.add("over", f"{name} is no parameter of this system{did_you_mean(name, names)}")
    values = tuple(finite_number(x, "over", name, faults) for x in parts[1])
    steps = np.diff(values)
    if len(values) < 2 or not (np.all(steps > 0) or np.all(steps < 0)):
        faults.add("over", f"at least two values of {name} are needed, strictly increasing or decreasing")
        return None
    return ParameterRange(name, values) if name in names else None
