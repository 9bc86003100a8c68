"""Names of coordinates and parameters: validity, sorting, lookup by name or symbol."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from .functions import RESERVED
from .symbols import is_coordinate_like, name_of

STICKING = ", sticking"
"""Suffix that turns the name of a contact into the name of its sticking constraint."""


def natural_order(name: str) -> list[tuple[int, int, str]]:
    """Return a sorting key that orders numbers in names by value: m2 before m10."""
    return [(0, int(part), "") if part.isdigit() else (1, 0, part) for part in re.split(r"(\d+)", name) if part]


def name_problem(name: str) -> str:
    """Return the reason why a name cannot be used in formulas, or an empty text."""
    if name in RESERVED:
        return f"{name!r} is a reserved word of the formula language"
    if not name.isidentifier() or not name.strip("_"):
        return (
            f"{name!r} is not a valid name: a name consists of letters, digits and _, and does not start with a digit"
        )
    return ""


def key_name(key: Any) -> str:
    """Return the name of a mapping's key, which may be a text or a symbol."""
    if isinstance(key, str):
        return key
    return name_of(key) if is_coordinate_like(key) or getattr(key, "is_Symbol", False) else str(key)


def by_name(mapping: Mapping[Any, Any]) -> dict[str, Any]:
    """Return a mapping whose keys, texts or symbols, are replaced by names."""
    return {key_name(key): value for key, value in mapping.items()}
