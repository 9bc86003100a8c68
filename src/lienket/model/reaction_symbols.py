"""Reactions in expressions: symbols for multipliers and reactions, in outputs and in conditions of events."""

from __future__ import annotations

import re
from collections.abc import Sequence

import sympy as sp

from ..errors import Faults, did_you_mean
from ..language.expression import Coordinate, Expression, Key, Symbol
from ..language.symbols import is_coordinate_like, name_of, velocity
from ..language.traversal import symbols_in
from ..language.written_names import full_name
from .constraint import Constraint

_MULTIPLIER = re.compile(r"multiplier\((.+), (\d+)\)")
_REACTION = re.compile(r"reaction\((.+?)(?:; (.+))?\)")


def multiplier(constraint: str, row: int = 0) -> sp.Symbol:
    """Return the multiplier lambda of a constraint row in A q'' = h + G^T lambda, for outputs and events.

    Parameters
    ----------
    constraint : str
        Name of the constraint.
    row : int
        Index of the row, from 0.

    Returns
    -------
    Symbol
        Symbol whose value is zero while the constraint is not active.

    Raises
    ------
    TypeError
        If the arguments are not a name and an index.

    Examples
    --------
    >>> disc = lk.load("examples/models/rolling_disc.toml")
    >>> motion = disc.simulate(times=[0, 1], outputs={"N": lk.multiplier("contact")})
    >>> motion.outputs["N"].round(9)
    array([23.163, 23.163])
    """
    if not isinstance(constraint, str) or not isinstance(row, int) or row < 0:
        raise TypeError(
            f"multiplier takes the name of a constraint and the number of a row, not {constraint!r}, {row!r}"
        )
    return sp.Symbol(f"multiplier({constraint}, {row})", real=True)


def row_multipliers(constraints: Sequence[Constraint]) -> tuple[sp.Symbol, ...]:
    """Return the multipliers of all rows of the constraints, in order."""
    return tuple(multiplier(c.name, k) for c in constraints for k in range(len(c.expressions)))


def reaction(constraint: str, coordinate: Key | None = None) -> sp.Symbol:
    """Return the reaction of a constraint, for outputs and events.

    Parameters
    ----------
    constraint : str
        Name of the constraint.
    coordinate : coordinate or str, optional
        Coordinate on which the generalized force G^T lambda acts. Without it the result is the root of the sum of the
        squares over all coordinates, which is the magnitude of the force if they are coordinates of points.

    Returns
    -------
    Symbol
        Symbol whose value is zero while the constraint is not active.

    Raises
    ------
    TypeError
        If the arguments are not a name and a coordinate.

    Examples
    --------
    >>> disc = lk.load("examples/models/rolling_disc.toml")
    >>> motion = disc.simulate(times=[0, 1], outputs={"N": lk.reaction("contact", "y")})
    >>> motion.outputs["N"].round(9)
    array([23.163, 23.163])
    """
    if not isinstance(constraint, str):
        raise TypeError(f"reaction takes the name of a constraint, not {constraint!r}")
    if coordinate is None:
        return sp.Symbol(f"reaction({constraint})", real=True)
    if isinstance(coordinate, str) or is_coordinate_like(coordinate):
        name = coordinate if isinstance(coordinate, str) else name_of(coordinate)
        return sp.Symbol(f"reaction({constraint}; {name})", real=True)
    raise TypeError(f"reaction takes a coordinate or its name, not {coordinate!r}")


def is_reaction(symbol: object) -> bool:
    """Return whether a symbol stands for a reaction or a multiplier."""
    name = getattr(symbol, "name", "")
    return bool(_MULTIPLIER.fullmatch(name) or _REACTION.fullmatch(name))


def reaction_parts(symbol: Symbol) -> tuple[str, str | None, int | None]:
    """Return (constraint, coordinate of a reaction or None, row of a multiplier or None)."""
    row_match = _MULTIPLIER.fullmatch(symbol.name)
    if row_match:
        return row_match[1], None, int(row_match[2])
    reaction_match = _REACTION.fullmatch(symbol.name)
    if reaction_match is None:
        raise ValueError(f"{symbol} is neither a reaction nor a multiplier")
    return reaction_match[1], reaction_match[2], None


def with_full_names(expression: Expression, names: Sequence[str]) -> Expression:
    """Return the expression with reactions that name a coordinate by its alias under the name itself."""
    replacements = {}
    for symbol in filter(is_reaction, symbols_in(expression)):
        constraint, coordinate, _ = reaction_parts(symbol)
        if coordinate is not None and full_name(coordinate, names) != coordinate:
            replacements[symbol] = reaction(constraint, full_name(coordinate, names))
    return expression.xreplace(replacements) if replacements else expression


def check_reactions(
    where: str, expression: Expression, constraints: Sequence[Constraint], names: Sequence[str], faults: Faults
) -> None:
    """Report reactions of unknown constraints, on unknown coordinates, or of rows that do not exist."""
    by_name = {c.name: c for c in constraints}
    for symbol in filter(is_reaction, symbols_in(expression)):
        name, coordinate, row = reaction_parts(symbol)
        if name not in by_name:
            faults.add(where, f"there is no constraint {name!r}{did_you_mean(name, list(by_name))}")
        elif row is not None and row >= len(by_name[name].expressions):
            faults.add(where, f"the constraint {name!r} has {len(by_name[name].expressions)} rows, counted from 0")
        elif coordinate is not None and full_name(coordinate, names) not in names:
            faults.add(where, f"{coordinate} is not a coordinate of this system{did_you_mean(coordinate, list(names))}")


def with_multipliers(
    expression: Expression, constraints: Sequence[Constraint], coordinates: Sequence[Coordinate]
) -> Expression:
    """Return the expression with its reactions written as G^T lambda in the multipliers of the active constraints.

    Reactions of constraints that are not among `constraints` become 0.
    """
    replacements = {}
    for symbol in filter(is_reaction, symbols_in(expression)):
        name, coordinate, row = reaction_parts(symbol)
        active = [c for c in constraints if c.name == name]
        if not active:
            replacements[symbol] = sp.S.Zero
        elif row is None:
            on = None if coordinate is None else full_name(coordinate, [name_of(x) for x in coordinates])
            parts = [_generalized_force(active[0], x) for x in coordinates if on in (None, name_of(x))]
            replacements[symbol] = sp.sqrt(sp.Add(*(p**2 for p in parts))) if coordinate is None else parts[0]
    return expression.xreplace(replacements) if replacements else expression


def _generalized_force(constraint: Constraint, coordinate: Coordinate) -> Expression:
    """Return (G^T lambda) of one coordinate; G holds the derivatives by the highest derivative in the constraint."""
    by = coordinate if constraint.level == 0 else velocity(coordinate, constraint.level)
    parts = [multiplier(constraint.name, k) * sp.diff(e, by) for k, e in enumerate(constraint.expressions)]
    return sp.Add(*parts)
