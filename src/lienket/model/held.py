"""Coordinates that are held where they are: constraints x - held_x = 0 with the place as a parameter."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import sympy as sp

from ..errors import did_you_mean
from ..records import dataclass
from .constraint import Constraint
from .faults import Faults
from .given import number
from .names import key_name
from .statement import Statement

Array = Any


@dataclass(frozen=True)
class Held:
    """A statement with coordinates held, the position q (n) with them in place, and where: (parameter, number)."""

    statement: Statement
    q: Array
    places: tuple[tuple[Any, float], ...]

    def numbers(self, parameters: Array, before: Statement) -> Array:
        """Numbers for all parameters, from those of the statement before."""
        known = {**dict(zip(before.parameters, parameters, strict=True)), **dict(self.places)}
        return np.array([float(known[p]) for p in self.statement.parameters])


def held(statement: Statement, fixed: Any, q: Array, faults: Faults) -> Held:
    """The statement with the coordinates of `fixed` held: a mapping to their places, or names, held as guessed in q."""
    if fixed is None:
        return Held(statement, q, ())
    if isinstance(fixed, str) or not isinstance(fixed, Iterable):
        faults.add("fixed", f"a mapping such as {{'x': 1.0}} or a list of names is needed, not {fixed!r}")
        return Held(statement, q, ())
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
            q[i] = number(fixed[key], "fixed", name, faults)
        symbol = sp.Symbol(_unused(f"held_{name}", taken))
        places.append((symbol, float(q[i])))
        expression = statement.coordinates[i] - symbol
        rows.append(Constraint(_unused(f"{name} held", taken), "holonomic", 0, (expression,)))
    return Held(statement.with_constraints((*statement.constraints, *rows)), q, tuple(places))


def _unused(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    return name
