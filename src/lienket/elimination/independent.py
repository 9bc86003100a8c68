"""Independent coordinates that a user names, and the choice of columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..errors import LienketError, UnknownName
from ..language.expression import Key
from ..language.names import name_among
from .null_space_step import COLUMNS


def independent_indices(names: Sequence[str], independent: Iterable[Key] | None, choice: str) -> frozenset[int]:
    """Return the indices of those of the coordinates `names` that must stay independent."""
    if choice not in COLUMNS:
        raise LienketError(f"choice must be 'pivot' or 'orthogonal', not {choice!r}.")
    if independent is None:
        return frozenset()
    if choice != "pivot":
        raise LienketError("independent=... can be used with choice='pivot' only.")
    keys = [independent] if isinstance(independent, str) or not isinstance(independent, Iterable) else independent
    indices = set()
    for key in keys:
        name = name_among(key, names)
        if name not in names:
            raise UnknownName("coordinate", name, names)
        indices.add(names.index(name))
    return frozenset(indices)
