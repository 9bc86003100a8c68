"""Reactions in expressions: symbols that stand for what a constraint exerts, in outputs and conditions of events."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import sympy as sp

from ..errors import did_you_mean
from ..language.faults import Faults
from ..language.symbols import is_coordinate_like, name_of
from ..language.traversal import symbols_in
from .constraint import Constraint
from .statement import velocity

_MULTIPLIER = re.compile(r"multiplier\((.+), (\d+)\)")
_REACTION = re.compile(r"reaction\((.+?)(?:; (.+))?\)")


def multiplier(constraint: str, row: int = 0) -> sp.Symbol:
    """The multiplier lambda of a row of the constraint of that name, in A q'' = h + G^T lambda."""
    if not isinstance(constraint, str) or not isinstance(row, int) or row < 0:
        raise TypeError(
            f"multiplier takes the name of a constraint and the number of a row, not {constraint!r}, {row!r}"
        )
    return sp.Symbol(f"multiplier({constraint}, {row})", real=True)


def row_multipliers(constraints: Sequence[Constraint]) -> tuple[sp.Symbol, ...]:
    """The multipliers of all rows of the constraints, in order."""
    return tuple(multiplier(c.name, k) for c in constraints for k in range(len(c.expressions)))


def reaction(constraint: str, coordinate: Any = None) -> sp.Symbol:
    """The reaction of the constraint of that name, for outputs and events: zero while it does not act.

    With a `coordinate`, the generalized force G^T lambda on it; without, the root of the sum of the squares of all,
    which is the size of the force where coordinates are those of points.
    """
    if not isinstance(constraint, str):
        raise TypeError(f"reaction takes the name of a constraint, not {constraint!r}")
    if coordinate is None:
        return sp.Symbol(f"reaction({constraint})", real=True)
    if isinstance(coordinate, str) or is_coordinate_like(coordinate):
        name = coordinate if isinstance(coordinate, str) else name_of(coordinate)
        return sp.Symbol(f"reaction({constraint}; {name})", real=True)
    raise TypeError(f"reaction takes a coordinate or its name, not {coordinate!r}")


def is_reaction(symbol: Any) -> bool:
    """Whether a symbol stands for a reaction or a multiplier."""
    name = getattr(symbol, "name", "")
    return bool(_MULTIPLIER.fullmatch(name) or _REACTION.fullmatch(name))


def reaction_parts(symbol: Any) -> tuple[str, str | None, int | None]:
    """The constraint, the coordinate of a reaction or None, and the row of a multiplier or None."""
    row = _MULTIPLIER.fullmatch(symbol.name)
    if row:
        return row[1], None, int(row[2])
    found = _REACTION.fullmatch(symbol.name)
    if found is None:
        raise ValueError(f"{symbol} is no reaction")
    return found[1], found[2], None


def check_reactions(where: str, expression: Any, constraints: Sequence[Constraint], names: Any, faults: Faults) -> None:
    """Note reactions of constraints, on coordinates, or of rows that there are not."""
    known = {c.name: c for c in constraints}
    for symbol in filter(is_reaction, symbols_in(expression)):
        name, on, row = reaction_parts(symbol)
        if name not in known:
            faults.add(where, f"there is no constraint {name!r}{did_you_mean(name, list(known))}")
        elif row is not None and row >= len(known[name].expressions):
            faults.add(where, f"the constraint {name!r} has {len(known[name].expressions)} rows, counted from 0")
        elif on is not None and on not in names:
            faults.add(where, f"{on} is no coordinate of this system{did_you_mean(on, list(names))}")


def resolved(expression: Any, constraints: Sequence[Constraint], coordinates: Sequence[Any]) -> Any:
    """The expression with reactions written in multipliers of the constraints that act; 0 for those that do not."""
    found = {}
    for symbol in filter(is_reaction, symbols_in(expression)):
        name, on, row = reaction_parts(symbol)
        acting = [c for c in constraints if c.name == name]
        if not acting:
            found[symbol] = sp.S.Zero
        elif row is None:
            parts = [_on(acting[0], x) for x in coordinates if on is None or name_of(x) == on]
            found[symbol] = sp.sqrt(sp.Add(*(p**2 for p in parts))) if on is None else parts[0]
    return expression.xreplace(found) if found else expression


def _on(constraint: Constraint, coordinate: Any) -> Any:
    """(G^T lambda) of one coordinate: G are the derivatives by the highest derivative in the constraint."""
    by = coordinate if constraint.level == 0 else velocity(coordinate, constraint.level)
    parts = [multiplier(constraint.name, k) * sp.diff(e, by) for k, e in enumerate(constraint.expressions)]
    return sp.Add(*parts)
