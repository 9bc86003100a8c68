"""A force against a sliding velocity: c = -b slip (d slip/d q')^T."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy as sp

from ...model.statement import velocity
from .law_force import Column


def slip_gradient(slip: Any, coordinates: Sequence[Any]) -> Column:
    """(d slip/d q')^T."""
    found = ((x, sp.diff(slip, velocity(x))) for x in coordinates)
    return tuple((x, e) for x, e in found if e != 0)


def viscous(coefficient: Any, slip: Any, coordinates: Sequence[Any]) -> Column:
    """The force, as a column."""
    if coefficient == 0:
        return ()
    return tuple((x, -coefficient * slip * e) for x, e in slip_gradient(slip, coordinates))
