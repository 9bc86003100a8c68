"""Elimination of constraint rows, the most independent first (theory 4).

Each row is eliminated as in the plain version, kernels/elimination/chain.py, which keeps the order of statement:

    beta = 0               the row is dependent and is skipped
    beta on mass           e = D^T beta/|beta|, a <- a - e (J a + g0)/|beta|, the rest of D by a Householder reflection
    beta on no mass        z is the massless direction it binds; massive directions change by D <- D - beta z^T/(J z)

Directions are rows of D. The reflection maps the direction of the row to the first row of D, which is dropped by
increasing the counter FIRST; no rows are moved.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..elimination import chain as plain
from ..elimination import pivoted_rows as plain_rows
from ..memory.workspace import LAPACK_THRESHOLD, least_pivot_at, slots
from .linear_algebra.lapack import multiply_large, multiply_transposed_large, reflect_large
from .linear_algebra.loops import add_row, add_rows, add_to_row, norm, row_dot, rows_dot, sizes_dot, solve_lower
from .linear_algebra.stated_units import may_differ, next_stated_row
from .runtime.jit import kernel
from .runtime.views import accepted_of, by_coordinate, by_row, rows_of, small, square, verdicts_of

RANK_TOLERANCE = plain.RANK_TOLERANCE
MASSLESS_NOISE = plain.MASSLESS_NOISE
LEADING_SHARE = plain.LEADING_SHARE
PIVOT_SHARE = plain_rows.PIVOT_SHARE


@kernel
def eliminate(work: Any, iwork: Any) -> None:
    """Eliminate the rows of G. Fill E, L, a and the accepted rows; verdicts: 0 accepted, 1 skipped.

    The next row is always the one with the largest part on the free directions, relative to its own size: so the
    accepted rows are as independent as all rows together. Rows that bind massless directions come first. At most
    iwork[RANK] rows are accepted if that is not 0. Afterwards D has the free directions: rows FIRST to MASSIVE with
    mass, FIRST_MASSLESS to n without; the least pivot relative to its row is at `least_pivot_at`.
    """
    n, s, verdict = iwork[slots.N], iwork[slots.ROWS], verdicts_of(iwork)
    limit, least = iwork[slots.RANK] if iwork[slots.RANK] > 0 else s, 1.0
    for r in range(s):
        verdict[r] = 1
    if iwork[slots.MASSIVE] < n:
        least = _bind_massless_rows(limit, work, iwork)
    _fill_sizes(work, iwork)
    exact = True  # nothing has been subtracted from the rests yet
    while iwork[slots.ACCEPTED] < limit:
        r, rest, filled = _next_row(exact, work, iwork)
        if r < 0:
            break
        if not rest > RANK_TOLERANCE:
            if may_differ(rest, work, iwork):
                rest = _accept_as_stated(limit, rest, work, iwork)
            least = min(least, rest)
            break
        least = min(least, rest)
        _accept(r, iwork[slots.FIRST], iwork[slots.MASSIVE], filled, work, iwork)
        _reduce_rests(work, iwork)
        exact = False
    work[least_pivot_at(n, s)] = least


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
        _accept(r, iwork[slots.FIRST], iwork[slots.MASSIVE], False, work, iwork)
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
                _fill_beta(r, iwork[slots.FIRST_MASSLESS], n, work, iwork)
                size = max(_size_massless(r, work, iwork), MASSLESS_NOISE * _row_size(r, work, iwork))
                part = norm(beta, iwork[slots.FIRST_MASSLESS], n)
                if part > largest * size:
                    best, largest = r, part / size
        if best < 0:
            break
        least = min(least, largest)
        _accept(best, iwork[slots.FIRST_MASSLESS], n, False, work, iwork)
    return least


@kernel
def _fill_sizes(work: Any, iwork: Any) -> None:
    """Fill the size of each row in the unconstrained basis, and its squared rest on the free massive directions."""
    sizes, rests, verdict = by_row(work, iwork, slots.SIZES), by_row(work, iwork, slots.REST), verdicts_of(iwork)
    G, reach = rows_of(work, iwork, slots.G), by_coordinate(work, iwork, slots.REACH)
    first, massive, beta = iwork[slots.FIRST], iwork[slots.MASSIVE], by_coordinate(work, iwork, slots.BETA)
    component = _massless_component(work, iwork) if massive < iwork[slots.N] else 0.0
    for r in range(iwork[slots.ROWS]):
        sizes[r] = sizes_dot(G, r, reach)
        if component > 0:
            sizes[r] = max(sizes[r], component * _size_massless(r, work, iwork))
        rests[r] = 0.0
        if verdict[r] and sizes[r] > 0:
            _fill_beta(r, first, massive, work, iwork)
            rest = norm(beta, first, massive) / sizes[r]
            rests[r] = rest * rest


@kernel
def _next_row(exact: Any, work: Any, iwork: Any) -> Any:
    """Return the row with the largest rest, -1 if no row is left, that rest, and whether beta is that of the row.

    Unless all rests are `exact`, they have been reduced from row to row, which leaves rounding in them: the largest is
    computed anew. Of rows with nearly as large a rest the longest is taken: a row whose gradient is about to vanish has
    a rest as large as any.
    """
    rests, sizes = by_row(work, iwork, slots.REST), by_row(work, iwork, slots.SIZES)
    verdict, beta = verdicts_of(iwork), by_coordinate(work, iwork, slots.BETA)
    first, massive, renewed = iwork[slots.FIRST], iwork[slots.MASSIVE], -1
    while True:
        best = -1
        for r in range(rests.size):
            if verdict[r] and sizes[r] > 0 and (best < 0 or rests[r] > rests[best]):
                best = r
        if best < 0:
            return best, 0.0, False
        if exact or best == renewed:
            longest = best
            for r in range(rests.size):
                if verdict[r] and rests[r] > PIVOT_SHARE * rests[best]:
                    if rests[r] * sizes[r] ** 2 > rests[longest] * sizes[longest] ** 2:
                        longest = r
            return longest, np.sqrt(rests[longest]), longest == renewed
        _fill_beta(best, first, massive, work, iwork)
        rest = norm(beta, first, massive) / sizes[best]
        rests[best], renewed = rest * rest, best


@kernel
def _reduce_rests(work: Any, iwork: Any) -> None:
    """Subtract from the rest of each row its part along the direction accepted last."""
    n, k, verdict = iwork[slots.N], iwork[slots.ACCEPTED] - 1, verdicts_of(iwork)
    rests, sizes = by_row(work, iwork, slots.REST), by_row(work, iwork, slots.SIZES)
    G, E = rows_of(work, iwork, slots.G), rows_of(work, iwork, slots.E)
    for r in range(rests.size):
        if verdict[r] and rests[r] > 0:
            part = rows_dot(G, r, E, k, n) / sizes[r]
            rests[r] = max(0.0, rests[r] - part * part)


@kernel
def _accept(r: Any, first: Any, last: Any, filled: Any, work: Any, iwork: Any) -> None:
    """Accept row r, which binds one of the directions first, ..., last - 1: its direction in E, its row of L.

    beta may be `filled` already.
    """
    n, k = iwork[slots.N], iwork[slots.ACCEPTED]
    G, E, L = rows_of(work, iwork, slots.G), rows_of(work, iwork, slots.E), small(work, iwork, slots.L)
    if last != iwork[slots.MASSIVE]:
        _fill_beta(r, iwork[slots.FIRST], iwork[slots.MASSIVE], work, iwork)
    if not filled:
        _fill_beta(r, first, last, work, iwork)
    _bind(r, first, last, work, iwork)
    for i in range(k + 1):
        L[k, i] = rows_dot(G, r, E, i, n)
    accepted_of(iwork)[k] = r
    verdicts_of(iwork)[r] = 0
    iwork[slots.ACCEPTED] = k + 1


@kernel
def _fill_beta(r: Any, first: Any, last: Any, work: Any, iwork: Any) -> None:
    """Fill beta = D G_r^T on the directions first, ..., last - 1."""
    n, D, G = iwork[slots.N], square(work, iwork, slots.D), rows_of(work, iwork, slots.G)
    beta = by_coordinate(work, iwork, slots.BETA)
    if n > LAPACK_THRESHOLD and last > first:
        multiply_large(D, first, last, G, r, beta, iwork)
    else:
        for j in range(first, last):
            beta[j] = rows_dot(D, j, G, r, n)


@kernel
def _row_size(r: Any, work: Any, iwork: Any) -> Any:
    """Return the largest entry of row r in scaled coordinates."""
    G, largest = rows_of(work, iwork, slots.G), 0.0
    for k in range(iwork[slots.N]):
        largest = max(largest, abs(G[r, k]))
    return largest


@kernel
def refine(work: Any, iwork: Any) -> None:
    """Reduce the rounding of the accelerations: a <- a - E^T L^-1 (G a + g0), then a <- a + D^T D (h - A a).

    Beside very light coordinates it begins with a = 0 and ends with its first step again, for the reason given in the
    plain version.
    """
    n, a, rest = (
        iwork[slots.N],
        by_coordinate(work, iwork, slots.ACCELERATION),
        by_coordinate(work, iwork, slots.TURNED),
    )
    light = may_differ(0.0, work, iwork)
    if light:
        for i in range(n):
            a[i] = 0.0
    _satisfy_rows(a, work, iwork)
    A, D, h = square(work, iwork, slots.A), square(work, iwork, slots.D), by_coordinate(work, iwork, slots.H)
    for i in range(n):
        rest[i] = h[i] - row_dot(A, i, a)
    for j in range(iwork[slots.FIRST], iwork[slots.MASSIVE]):
        add_row(a, row_dot(D, j, rest), D, j, n)
    if light:
        _satisfy_rows(a, work, iwork)


@kernel
def _satisfy_rows(a: Any, work: Any, iwork: Any) -> None:
    """Make a (n) satisfy the accepted rows: a <- a - E^T L^-1 (G a + g0)."""
    n, count, accepted = iwork[slots.N], iwork[slots.ACCEPTED], accepted_of(iwork)
    G, E, g0 = rows_of(work, iwork, slots.G), rows_of(work, iwork, slots.E), by_row(work, iwork, slots.G0)
    mu = by_row(work, iwork, slots.MU)
    for i in range(count):
        mu[i] = row_dot(G, accepted[i], a) + g0[accepted[i]]
    solve_lower(small(work, iwork, slots.L), mu, count)
    for i in range(count):
        add_row(a, -mu[i], E, i, n)


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


@kernel
def _bind(r: Any, first: Any, last: Any, work: Any, iwork: Any) -> None:
    """Bind row r to one of the directions first, ..., last - 1 of D, and make the accelerations satisfy it."""
    n, k, massive, D = iwork[slots.N], iwork[slots.ACCEPTED], iwork[slots.MASSIVE], square(work, iwork, slots.D)
    E, G, a = (
        rows_of(work, iwork, slots.E),
        rows_of(work, iwork, slots.G),
        by_coordinate(work, iwork, slots.ACCELERATION),
    )
    beta, g0 = by_coordinate(work, iwork, slots.BETA), by_row(work, iwork, slots.G0)
    scratch = by_row(work, iwork, slots.MU)
    pivot = _reflect(first, last, k, beta, D, E, by_coordinate(work, iwork, slots.TURNED), scratch, iwork)
    if last == massive:
        iwork[slots.FIRST] += 1
    else:
        iwork[slots.FIRST_MASSLESS] += 1
        # A z = 0: the constraint carries the force along z and transmits it to the massive motions that move z.
        force = row_dot(E, k, by_coordinate(work, iwork, slots.H))
        for j in range(iwork[slots.FIRST], massive):
            coupling = beta[j] / pivot
            add_rows(D, j, -coupling, E, k, n)
            add_row(a, -coupling * force, D, j, n)
    add_row(a, -(row_dot(G, r, a) + g0[r]) / pivot, E, k, n)


@kernel
def _interchange(first: Any, last: Any, beta: Any, D: Any) -> None:
    """Interchange the first of the rows first, ..., last - 1 of D and the one with the largest |beta|."""
    best = first
    for j in range(first + 1, last):
        if abs(beta[j]) > abs(beta[best]):
            best = j
    beta[first], beta[best] = beta[best], beta[first]
    for i in range(D.shape[1]):
        D[first, i], D[best, i] = D[best, i], D[first, i]


@kernel
def _reflect(first: Any, last: Any, k: Any, beta: Any, D: Any, E: Any, turned: Any, scratch: Any, iwork: Any) -> Any:
    """Reflect rows first, ..., last - 1 of D, write D^T beta/|beta| into row k of E, and return |beta|.

    With u = beta + s e1, s = sign(beta_1) |beta|: (I - 2 u u^T/u^T u) D needs u^T D = beta^T D + s D_1 only, and
    2/u^T u = 1/(|beta|^2 + s beta_1). If beta_1 is small, the row with the largest entry takes the place of the first,
    for the reason given in the plain version.
    """
    n = turned.size
    pivot = norm(beta, first, last)
    if abs(beta[first]) < LEADING_SHARE * pivot:
        _interchange(first, last, beta, D)
    shift = np.copysign(pivot, beta[first])
    if n > LAPACK_THRESHOLD:
        multiply_transposed_large(D, first, last, beta, turned, iwork)
    else:
        for i in range(n):
            turned[i] = 0.0
        for j in range(first, last):
            add_row(turned, beta[j], D, j, n)
    for i in range(n):
        E[k, i] = turned[i] / pivot
    add_row(turned, shift, D, first, n)
    scale = 1.0 / (pivot * pivot + shift * beta[first])
    if n > LAPACK_THRESHOLD:
        scratch[0] = -scale
        reflect_large(D, first + 1, last, beta, turned, scratch, iwork)
    else:
        for j in range(first + 1, last):
            add_to_row(D, j, -beta[j] * scale, turned)
    return pivot
