"""Blocks of numbers one after another in a flat array, described by their shapes alone. Nothing here needs numba.

A table of blocks is a named tuple with one shape for each, (size,) or (rows, columns), made by a plain function. Python
takes the length of the array from it, kernels their views (`runtime.blocks`): nothing is counted twice.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import prod


def length(shapes: Iterable[tuple[int, ...]]) -> int:
    """The length of an array that has all blocks."""
    return sum(map(prod, shapes))
