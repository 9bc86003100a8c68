"""Equality and hashes of values that may contain arrays, whose own `==` is an array and not a truth value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def same(a: Any, b: Any) -> bool:
    """Return whether two values are equal; arrays entry by entry, with NaN equal to NaN, also within other values."""
    if a is b:
        return True
    if isinstance(a, float) and isinstance(b, float):
        return a == b or (a != a and b != b)
    if hasattr(a, "dtype") or hasattr(b, "dtype"):
        import numpy as np  # here, since `import lienket` does without it

        if np.shape(a) != np.shape(b):
            return False
        numeric = all(np.asarray(x).dtype.kind in "biufc" for x in (a, b))
        return bool(np.array_equal(a, b, equal_nan=numeric))
    if isinstance(a, (tuple, list)) and type(a) is type(b):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    return bool(a == b)


def hash_of(value: Any) -> int:
    """Return a hash that is the same for values that are `same`; of arrays and mappings only their outline counts."""
    if hasattr(value, "shape"):
        return hash(value.shape)
    if isinstance(value, Mapping):
        return hash(frozenset(value))
    if isinstance(value, (tuple, list)):
        return hash(tuple(map(hash_of, value)))
    try:
        return hash(value)
    except TypeError:
        return hash(type(value))
