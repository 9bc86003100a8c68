"""Statements as keys: what follows from a statement is kept by it, so its hash is asked for all the time."""

from __future__ import annotations

from dataclasses import fields
from functools import cached_property
from typing import Any, ClassVar


class CachedHash:
    """A frozen dataclass whose hash is computed once; SymPy takes its time to hash numbers.

    Hashes differ from process to process, so neither they nor anything else that is kept goes into a pickle.
    """

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @cached_property
    def _hash(self) -> int:
        return hash((type(self), *(getattr(self, field.name) for field in fields(self))))

    def __getstate__(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(self)}


def kept_hash(statement: CachedHash) -> int:
    """The hash of a statement; a dataclass takes it as `__hash__ = kept_hash`, which it would overwrite otherwise."""
    return statement._hash
