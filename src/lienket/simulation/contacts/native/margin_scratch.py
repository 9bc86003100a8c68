"""Scratch memory of `native.force_margin`, at the end of `work`. This module does not need numba."""

from __future__ import annotations

from typing import Any, NamedTuple


class MarginScratch(NamedTuple):
    """Blocks for n coordinates, s constraint rows, K events and V values of their conditions."""

    state: Any  # (2 n + 1) the state at which the conditions are evaluated
    rows: Any  # (s, n) rows of the constraints with friction, scaled
    stresses: Any  # (s, s) combinations of rows; the last ones vanish
    multipliers: Any  # (s) multipliers before a self-stress is added
    values: Any  # (V) conditions with a self-stress
    conditions: Any  # (K) numbers of the conditions that self-stresses change
    dictionary: Any  # (K + 1, s + 2) of the simplex method
    basic: Any  # (K + 1) indices of its basic variables
    nonbasic: Any  # (s + 1) indices of the others


def margin_scratch(n: int, s: int, K: int, V: int) -> MarginScratch:
    """Return the shapes of the blocks of `MarginScratch`."""
    return MarginScratch(
        state=(2 * n + 1,),
        rows=(s, n),
        stresses=(s, s),
        multipliers=(s,),
        values=(V,),
        conditions=(K,),
        dictionary=(K + 1, s + 2),
        basic=(K + 1,),
        nonbasic=(s + 1,),
    )
