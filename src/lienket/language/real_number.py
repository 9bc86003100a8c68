"""The real number of an expression without symbols."""

from __future__ import annotations

import math

from .expression import Expression


def real_number(e: Expression) -> float:
    """Return the number of an expression without symbols; NaN where it is not real or not defined.

    `float` would raise TypeError for sqrt(-1) and for 1/0.
    """
    try:
        return float(e)
    except (TypeError, ValueError, OverflowError):
        return math.nan
