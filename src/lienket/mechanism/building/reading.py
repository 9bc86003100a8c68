"""Reading of the numbers and expressions that users give: one function for builders and solids."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import sympy as sp
from sympy.core.function import AppliedUndef

from ...errors import Faults
from ...language.as_expression import as_expression
from ...language.expression import Expression
from ...language.short_text import short_text
from ...language.symbols import t
from ...language.traversal import find

ORTHONORMAL = 1e-9  # [1] largest deviation of R R^T from the unit matrix


def expression_of(thing: object, where: str, faults: Faults, moving: bool = False) -> Expression:
    """Return an expression of parameters, and of time if it may be `moving`; a number of NumPy as Python's."""
    e = as_expression(thing.item() if isinstance(thing, np.generic) else thing, where, faults)
    if find(e, AppliedUndef):
        faults.add(where, f"{short_text(e)} contains coordinates", "Numbers, parameters and lk.t are possible.")
    elif not moving and t in find(e, sp.Symbol):
        faults.add(
            where,
            f"{short_text(e)} depends on time",
            "The place of a joint or element may be moved by time, what a body consists of may not.",
        )
    return e


def number_of(
    thing: object, where: str, faults: Faults, least: float | None = None, positive: bool = False
) -> Expression:
    """Return a number or parameter that is not below the bound `least`, and if it must be `positive`, above it."""
    before = len(faults)
    e = expression_of(thing, where, faults)
    if (
        least is not None
        and len(faults) == before
        and e.is_number
        and (float(e) < least or (positive and not float(e) > least))
    ):
        faults.add(where, f"{short_text(e)} is {'not positive' if positive else 'negative'}")
    return e


def listed(thing: object) -> list[Any]:
    """Return the entries of a sequence, an array or a matrix, and anything else as the only entry."""
    if isinstance(thing, (np.ndarray, sp.MatrixBase)):
        thing = thing.tolist()
    if isinstance(thing, Iterable) and not isinstance(thing, (str, sp.Basic)):
        return list(thing)
    return [thing]


def rotation_of(rotation: object, where: str, faults: Faults, moving: bool = False) -> tuple[Expression, ...]:
    """Return the nine entries of a rotation matrix, row by row; () for None and for the unit matrix."""
    if rotation is None:
        return ()
    rows = [listed(row) for row in listed(rotation)]
    if [len(row) for row in rows] != [3, 3, 3]:
        faults.add(where, "the rotation is no 3 x 3 matrix")
        return ()
    entries = tuple(expression_of(e, f"{where}, rotation", faults, moving) for row in rows for e in row)
    if all(e.is_number for e in entries):
        R = np.array(entries, dtype=float).reshape(3, 3)
        if np.abs(R @ R.T - np.eye(3)).max() > ORTHONORMAL or np.linalg.det(R) < 0:
            faults.add(where, "the matrix is no rotation: R R^T = 1, det R = 1", "Its columns are the axes.")
        if np.array_equal(R, np.eye(3)):
            return ()
    return entries
