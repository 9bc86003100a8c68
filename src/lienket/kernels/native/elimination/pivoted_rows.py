"""Elimination of constraint rows, the most independent first (theory 4).

Each row is eliminated as in the plain version, kernels/elimination/chain.py, which keeps the order of statement:

    beta = 0               the row is dependent and is skipped
    beta on mass           e = D^T beta/|beta|, a <- a - e (J a + g0)/|beta|, the rest of D by a Householder reflection
    beta on no mass        z is the massless direction it binds; massive directions change by D <- D - beta z^T/(J z)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...elimination import chain as plain
from ...elimination import pivoted_rows as plain_rows
from ...memory.workspace import least_pivot_at, slots
from ..linear_algebra.loops import norm, rows_dot, sizes_dot, squares
from ..linear_algebra.stated_units import may_differ, next_stated_row
from ..runtime.jit import kernel
from ..runtime.views import by_coordinate, by_row, rows_of, square, verdicts_of
from .accepted_row import accept, fill_beta

RANK_TOLERANCE = plain.RANK_TOLERANCE
MASSLESS_NOISE = plain.MASSLESS_NOISE
PIVOT_SHARE = plain_rows.PIVOT_SHARE
LEAST_SIZE = float(np.finfo(float).tiny)  # [1] size of a row below which it counts as empty, the smallest normal number


@kernel
def eliminate(work: Any, iwork: Any) -> None:
    """Eliminate the rows of G. Fill E, L, a and the accepted rows; verdicts: 0 accepted, 1 skipped.

    The next row is always the one with the largest part on the free directions, relative to its own size: so the
    accepted rows are as independent as all rows together. Rows that bind massless directions come first. At most
    iwork[RANK] rows are accepted if that is not 0. Afterwards D has the free directions: rows FIRST to MASSIVE with
    mass, FIRST_MASSLESS to n without; the least pivot relative to its row is at `least_pivot_at`.
    """
    n, s, verdict = iwork[slots.N], iwork[slots.ROWS], verdicts_of(iwork)
    limit, least, smallest = iwork[slots.RANK] if iwork[slots.RANK] > 0 else s, 1.0, 1.0
    for r in range(s):
        verdict[r] = 1
    if iwork[slots.MASSIVE] < n:
        least = _bind_massless_rows(limit, work, iwork)
    current = _fill_sizes(work, iwork)  # row of which beta is
    exact = True  # nothing has been subtracted from the rests yet
    while iwork[slots.ACCEPTED] < limit:
        r, rest, filled = _next_row(exact, current, work, iwork)
        if r < 0:
            break
        if not rest > RANK_TOLERANCE * RANK_TOLERANCE:
            pivot = np.sqrt(rest)
            if may_differ(pivot, work, iwork):
                pivot = _accept_as_stated(limit, pivot, work, iwork)
            least = min(least, pivot)
            break
        smallest = min(smallest, rest)
        accept(r, iwork[slots.FIRST], iwork[slots.MASSIVE], filled, work, iwork)
        _reduce_rests(work, iwork)
        exact, current = False, -1
    work[least_pivot_at(n, s)] = min(least, np.sqrt(smallest))


@kernel
def eliminate_in_order(work: Any, iwork: Any) -> Any:
    """Eliminate the rows of G in the order of statement; return whether all are independent, and no mass is missing.

    Faster than `eliminate`, and enough where few digits are needed: for the derivatives of an implicit method.
    """
    if iwork[slots.MASSIVE] < iwork[slots.N]:
        return False
    G, reach, beta = (
        rows_of(work, iwork, slots.G),
        by_coordinate(work, iwork, slots.REACH),
        by_coordinate(work, iwork, slots.BETA),
    )
    for r in range(iwork[slots.ROWS]):
        first, massive = iwork[slots.FIRST], iwork[slots.MASSIVE]
        fill_beta(r, first, massive, work, iwork)
        if not norm(beta, first, massive) > RANK_TOLERANCE * sizes_dot(G, r, reach):
            return False
        accept(r, first, massive, True, work, iwork)
    return True


@kernel
def _accept_as_stated(limit: Any, rest: Any, work: Any, iwork: Any) -> Any:
    """Accept rows that are dependent in the metric of A only, since they share very light coordinates.

    Returns the least pivot: in the coordinates as stated if every row could be accepted, else `rest`.
    """
    first, count, least = 0, 0, 1.0
    while iwork[slots.ACCEPTED] < limit and iwork[slots.FIRST] < iwork[slots.MASSIVE]:
        accepted = iwork[slots.ACCEPTED]
        r, largest, count = next_stated_row(first, count, work, iwork)
        if r < 0:
            return rest
        first, least = accepted, min(least, largest)
        accept(r, iwork[slots.FIRST], iwork[slots.MASSIVE], False, work, iwork)
    return least if iwork[slots.ACCEPTED] == limit else rest


@kernel
def _bind_massless_rows(limit: Any, work: Any, iwork: Any) -> Any:
    """Accept rows that bind massless directions, the largest first; return the least pivot relative to its row."""
    n, s, verdict, least = iwork[slots.N], iwork[slots.ROWS], verdicts_of(iwork), 1.0
    beta = by_coordinate(work, iwork, slots.BETA)
    while iwork[slots.ACCEPTED] < limit and iwork[slots.FIRST_MASSLESS] < n:
        best, largest = -1, RANK_TOLERANCE
        for r in range(s):
            if verdict[r]:
                fill_beta(r, iwork[slots.FIRST_MASSLESS], n, work, iwork)
                size = max(_size_massless(r, work, iwork), MASSLESS_NOISE * _row_size(r, work, iwork))
                part = norm(beta, iwork[slots.FIRST_MASSLESS], n)
                if part > largest * size:
                    best, largest = r, part / size
        if best < 0:
            break
        least = min(least, largest)
        accept(best, iwork[slots.FIRST_MASSLESS], n, False, work, iwork)
    return least


@kernel
def _fill_sizes(work: Any, iwork: Any) -> Any:
    """Fill 1/size of each row in the unconstrained basis (0 for an empty row), and its squared rest.

    The rest is the part of the row on the free massive directions, relative to its size. Returns the row of which beta
    is filled last, -1 if all are empty.
    """
    inverse, rests, verdict = (
        by_row(work, iwork, slots.INVERSE_SIZES),
        by_row(work, iwork, slots.REST),
        verdicts_of(iwork),
    )
    G, reach = rows_of(work, iwork, slots.G), by_coordinate(work, iwork, slots.REACH)
    first, massive, beta = iwork[slots.FIRST], iwork[slots.MASSIVE], by_coordinate(work, iwork, slots.BETA)
    component = _massless_component(work, iwork) if massive < iwork[slots.N] else 0.0
    current = -1
    for r in range(iwork[slots.ROWS]):
        size = sizes_dot(G, r, reach)
        if component > 0:
            size = max(size, component * _size_massless(r, work, iwork))
        inverse[r], rests[r] = 1.0 / size if size >= LEAST_SIZE else 0.0, 0.0
        if verdict[r] and inverse[r] > 0:
            fill_beta(r, first, massive, work, iwork)
            rests[r], current = squares(beta, first, massive) * inverse[r] * inverse[r], r
    return current


@kernel
def _next_row(exact: Any, current: Any, work: Any, iwork: Any) -> Any:
    """Return the row with the largest rest (-1: none is left), its squared rest, and whether beta is that of the row.

    beta is that of the row `current` before (-1: of none). Unless all rests are `exact`, they have been reduced from
    row to row, which leaves rounding in them: the largest is computed anew. Of rows with nearly as large a rest the
    longest is taken: a row whose gradient is about to vanish has a rest as large as any.
    """
    rests, inverse = by_row(work, iwork, slots.REST), by_row(work, iwork, slots.INVERSE_SIZES)
    verdict, beta = verdicts_of(iwork), by_coordinate(work, iwork, slots.BETA)
    first, massive = iwork[slots.FIRST], iwork[slots.MASSIVE]
    while True:
        best = -1
        for r in range(rests.size):
            if verdict[r] and inverse[r] > 0 and (best < 0 or rests[r] > rests[best]):
                best = r
        if best < 0:
            return best, 0.0, False
        if exact or best == current:
            longest = best
            for r in range(rests.size):
                if verdict[r] and rests[r] > PIVOT_SHARE * rests[best]:
                    if rests[r] * inverse[longest] ** 2 > rests[longest] * inverse[r] ** 2:
                        longest = r
            return longest, rests[longest], longest == current
        fill_beta(best, first, massive, work, iwork)
        rests[best], current = squares(beta, first, massive) * inverse[best] * inverse[best], best


@kernel
def _reduce_rests(work: Any, iwork: Any) -> None:
    """Subtract from the rest of each row its part along the direction accepted last."""
    n, k, verdict = iwork[slots.N], iwork[slots.ACCEPTED] - 1, verdicts_of(iwork)
    rests, inverse = by_row(work, iwork, slots.REST), by_row(work, iwork, slots.INVERSE_SIZES)
    G, E = rows_of(work, iwork, slots.G), rows_of(work, iwork, slots.E)
    for r in range(rests.size):
        if verdict[r] and rests[r] > 0:
            part = rows_dot(G, r, E, k, n) * inverse[r]
            rests[r] = max(0.0, rests[r] - part * part)


@kernel
def _row_size(r: Any, work: Any, iwork: Any) -> Any:
    """Return the largest entry of row r in scaled coordinates."""
    G, largest = rows_of(work, iwork, slots.G), 0.0
    for k in range(iwork[slots.N]):
        largest = max(largest, abs(G[r, k]))
    return largest


@kernel
def _size_massless(r: Any, work: Any, iwork: Any) -> Any:
    """Return the size of row r along the directions that are massless in the free system."""
    n, G, free = iwork[slots.N], rows_of(work, iwork, slots.G), square(work, iwork, slots.FREE)
    total = 0.0
    for j in range(iwork[slots.MASSIVE], n):
        component = 0.0
        for k in range(n):
            component += abs(G[r, k] * free[j, k])
        total += component * component
    return np.sqrt(total)


@kernel
def _massless_component(work: Any, iwork: Any) -> Any:
    """Return the largest component of massive directions along massless ones; not 0 once these have been bound."""
    n, largest, free = iwork[slots.N], 0.0, square(work, iwork, slots.FREE)
    D, E = square(work, iwork, slots.D), rows_of(work, iwork, slots.E)
    for z in range(iwork[slots.MASSIVE], n):
        for j in range(iwork[slots.ACCEPTED]):
            largest = max(largest, abs(rows_dot(free, z, E, j, n)))
        for j in range(iwork[slots.FIRST], iwork[slots.MASSIVE]):
            largest = max(largest, abs(rows_dot(free, z, D, j, n)))
    return largest
