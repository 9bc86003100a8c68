"""Names of coordinates and parameters: validity, sorting, lookup by name or symbol."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TypeVar

from ..errors import UnknownName
from .expression import Key
from .reserved_words import RESERVED
from .written_names import full_name, written_name_problem

T = TypeVar("T")

POWER_OF = "power of "
"""Prefix that turns the name of an input into the name of the column of its power."""


def natural_order(name: str) -> list[tuple[int, int, str]]:
    """Return a sorting key that orders numbers in names by value: m2 before m10."""
    return [(0, int(part), "") if part.isdigit() else (1, 0, part) for part in re.split(r"(\d+)", name) if part]


def name_problem(name: str) -> str:
    """Return the reason why a name cannot be used in formulas, or an empty text."""
    if name in RESERVED:
        return f"{name!r} is a reserved word of the formula language"
    if not name.strip("_"):
        return f"{name!r} is not a valid name: a name contains a letter"
    return "" if name.isidentifier() else written_name_problem(name)


def identifier_problem(name: str) -> str:
    """Return the reason why a name is not a plain word that formulas as text can use, or an empty text."""
    if name in RESERVED or (name.isidentifier() and name.strip("_")):
        return name_problem(name)
    return f"{name!r} is not a valid name: a name consists of letters, digits and _, and does not start with a digit"


def key_name(key: Key) -> str:
    """Return the name of a mapping's key, which may be a text, a symbol or a derivative: x' of der(x)."""
    if isinstance(key, str):
        return key
    from .symbols import is_coordinate_like, name_of  # with SymPy: whoever has a symbol has imported it

    if is_coordinate_like(key.expr if getattr(key, "is_Derivative", False) else key):
        return name_of(key)
    return name_of(key) if getattr(key, "is_Symbol", False) else str(key)


def name_among(key: Key, names: Sequence[str], others: Sequence[str] = ()) -> str:
    """Return the one of `names` that a key denotes: a text, also an alias, a symbol or a derivative.

    If there is none, the result is the name of the key. `others` are further names of the system, see `full_name`.
    """
    return full_name(key_name(key), names, others)


def column_index(key: Key, names: Sequence[str], others: Sequence[str] = ()) -> tuple[int, int]:
    """Return (order of the derivative, index of the coordinate) of a key such as "x", "x'", x or der(x).

    Raises UnknownName unless it is a position, velocity or acceleration of the coordinates `names`.
    """
    column = name_among(key, names, others)
    name = column.rstrip("'")
    order = len(column) - len(name)
    if name not in names or order > 2:
        raise UnknownName("column", column, [x + mark for x in names for mark in ("", "'", "''")])
    return order, names.index(name)


def by_name(mapping: Mapping[Key, T], names: Sequence[str]) -> dict[str, T]:
    """Return a mapping whose keys, texts, aliases or symbols, are replaced by the `names` that they denote."""
    return {name_among(key, names): value for key, value in mapping.items()}
