"""Consecutive blocks of a flat array, described by their shapes. Nothing here needs numba.

A table of blocks is a named tuple of shapes, (size,) or (rows, columns), made by a plain function. Python computes the
length of the array from it, kernels their views (`runtime.blocks`), so that the two cannot disagree.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import prod


def length(shapes: Iterable[tuple[int, ...]]) -> int:
    """Return the length of an array that holds all blocks."""
    return sum(map(prod, shapes))
