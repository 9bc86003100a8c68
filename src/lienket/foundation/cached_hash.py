"""Cached hashes: statements are the keys of all result caches."""

from __future__ import annotations

from dataclasses import fields
from functools import cached_property
from typing import Any, ClassVar


class CachedHash:
    """Base of frozen dataclasses whose hash is computed once, since SymPy hashes numbers slowly.

    Hashes differ between processes, so a pickle contains the fields only, not the hash or other cached values.
    """

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @cached_property
    def _hash(self) -> int:
        return hash((type(self), *(getattr(self, field.name) for field in fields(self))))

    def __getstate__(self) -> dict[str, object]:
        return {field.name: getattr(self, field.name) for field in fields(self)}


def cached_hash(statement: CachedHash) -> int:
    """Return the cached hash of a statement.

    A class assigns `__hash__ = cached_hash` in its body; otherwise the dataclass decorator would define `__hash__`.
    """
    return statement._hash
