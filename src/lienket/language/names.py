"""Names of coordinates and parameters: what they may look like, how they sort, how they are looked up."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from .functions import RESERVED
from .symbols import is_coordinate_like, name_of

STICKING = ", sticking"
"""What the name of a contact is followed by in that of the constraint under which it sticks."""


def natural_order(name: str) -> list[tuple[int, int, str]]:
    """A sorting key that counts: m2 before m10."""
    return [(0, int(part), "") if part.isdigit() else (1, 0, part) for part in re.split(r"(\d+)", name) if part]


def name_problem(name: str) -> str:
    """Why a name cannot be used in formulas, or an empty text."""
    if name in RESERVED:
        return f"{name!r} is a word of the formula language"
    if not name.isidentifier() or not name.strip("_"):
        return f"{name!r} is no name: names start with a letter and go on with letters, digits and _"
    return ""


def key_name(key: Any) -> str:
    """The name meant by a mapping's key, which may be a text or a symbol."""
    if isinstance(key, str):
        return key
    return name_of(key) if is_coordinate_like(key) or getattr(key, "is_Symbol", False) else str(key)


def by_name(mapping: Mapping[Any, Any]) -> dict[str, Any]:
    """A mapping with its keys, texts or symbols, turned into names."""
    return {key_name(key): value for key, value in mapping.items()}
