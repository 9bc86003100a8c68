"""Independence of rows in the coordinates as stated, for rows that share a very light coordinate.

The plain version, with the reason, is kernels/elimination/stated_units.py. The orthonormal basis of the accepted rows
is kept in the memory of the Cholesky factor of A, which is not needed after the directions are known.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...elimination import stated_units as plain
from ...memory.workspace import slots
from ..runtime.jit import kernel
from ..runtime.views import accepted_of, by_coordinate, rows_of, square, verdicts_of
from .loops import add_row, norm, row_dot

STATED_TOLERANCE = plain.STATED_TOLERANCE
METRIC_ROUNDING = plain.METRIC_ROUNDING
PART_ROUNDING = plain.PART_ROUNDING
BASIS_ROUNDING = 1e-12  # [1] rest of an accepted row, relative to its length, below which it adds nothing to the basis


@kernel
def may_differ(rest: Any, work: Any, iwork: Any) -> Any:
    """Return whether a row with a `rest` in the metric of A may be independent as stated."""
    scale, largest, least = by_coordinate(work, iwork, slots.SCALE), 0.0, np.inf
    for x in scale:
        largest, least = max(largest, x), min(least, x)
    return largest * max(rest, METRIC_ROUNDING) > STATED_TOLERANCE * least


@kernel
def next_stated_row(first: Any, count: Any, work: Any, iwork: Any) -> Any:
    """Return the skipped row with the largest rest as stated, that rest, and the length of the basis.

    The basis has `count` directions, of the accepted rows before `first`; those from `first` on are added to it. -1 is
    returned if no skipped row is independent.
    """
    n, verdict, accepted = iwork[slots.N], verdicts_of(iwork), accepted_of(iwork)
    basis, rest = square(work, iwork, slots.L0), by_coordinate(work, iwork, slots.TURNED)
    for k in range(first, iwork[slots.ACCEPTED]):
        length = _fill_rest(accepted[k], count, work, iwork)
        if length > BASIS_ROUNDING and count < n:
            for i in range(n):
                basis[count, i] = rest[i] / length
            count += 1
    best, largest = -1, STATED_TOLERANCE
    for r in range(verdict.size):
        if verdict[r]:
            length = _fill_rest(r, count, work, iwork)
            if length > largest and _is_no_rounding(r, work, iwork):
                best, largest = r, length
    return best, largest, count


@kernel
def _fill_rest(r: Any, count: Any, work: Any, iwork: Any) -> Any:
    """Fill the rest of row r, of unit length, beside the `count` directions of the basis; return its length."""
    n, G, basis = iwork[slots.N], rows_of(work, iwork, slots.G), square(work, iwork, slots.L0)
    scale, rest = by_coordinate(work, iwork, slots.SCALE), by_coordinate(work, iwork, slots.TURNED)
    for i in range(n):
        rest[i] = G[r, i] / scale[i]
    length = norm(rest, 0, n)
    if not length > 0:
        return 0.0
    for i in range(n):
        rest[i] /= length
    for _ in range(2):  # twice, against rounding
        for k in range(count):
            add_row(rest, -row_dot(basis, k, rest), basis, k, n)
    return norm(rest, 0, n)


@kernel
def _is_no_rounding(r: Any, work: Any, iwork: Any) -> Any:
    """Return whether the part of row r along a free direction with mass is more than the rounding of its terms."""
    n, G, D = iwork[slots.N], rows_of(work, iwork, slots.G), square(work, iwork, slots.D)
    for j in range(iwork[slots.FIRST], iwork[slots.MASSIVE]):
        part, terms = 0.0, 0.0
        for k in range(n):
            part += D[j, k] * G[r, k]
            terms += abs(D[j, k] * G[r, k])
        if abs(part) > PART_ROUNDING * terms:
            return True
    return False
