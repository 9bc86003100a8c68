"""Viscous force opposite to a sliding velocity: c = -b slip (d slip/d q')^T."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy as sp

from ...language.symbols import velocity
from .law_force import Column


def slip_gradient(slip: Any, coordinates: Sequence[Any]) -> Column:
    """Return (d slip/d q')^T as a column."""
    entries = ((x, sp.diff(slip, velocity(x))) for x in coordinates)
    return tuple((x, e) for x, e in entries if e != 0)


def viscous(coefficient: Any, slip: Any, coordinates: Sequence[Any]) -> Column:
    """Return c = -b slip (d slip/d q')^T as a column."""
    if coefficient == 0:
        return ()
    return tuple((x, -coefficient * slip * e) for x, e in slip_gradient(slip, coordinates))
