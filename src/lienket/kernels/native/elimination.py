"""Elimination of constraint rows one at a time (theory 4); compiled version of kernels/elimination/chain.py.

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
from ..memory.workspace import LAPACK_THRESHOLD, slots
from .linear_algebra.lapack import multiply_large, multiply_transposed_large, reflect_large
from .linear_algebra.loops import add_row, add_rows, add_to_row, norm, row_dot, rows_dot, sizes_dot, solve_lower
from .runtime.jit import kernel
from .runtime.views import accepted_of, by_coordinate, by_row, rows_of, small, square, verdicts_of

RANK_TOLERANCE = plain.RANK_TOLERANCE


@kernel
def eliminate(work: Any, iwork: Any) -> None:
    """Eliminate the rows of G in order. Fill E, L, a and the accepted rows; verdicts: 0 accepted, 1 skipped.

    Afterwards D has the free directions: rows FIRST to MASSIVE with mass, FIRST_MASSLESS to n without.
    """
    n, verdict, accepted = iwork[slots.N], verdicts_of(iwork), accepted_of(iwork)
    G, E, L = rows_of(work, iwork, slots.G), rows_of(work, iwork, slots.E), small(work, iwork, slots.L)
    for r in range(iwork[slots.ROWS]):
        verdict[r] = 1
        if _accept_row(r, work, iwork):
            k = iwork[slots.ACCEPTED]
            for i in range(k + 1):
                L[k, i] = rows_dot(G, r, E, i, n)
            accepted[k] = r
            verdict[r] = 0
            iwork[slots.ACCEPTED] = k + 1


@kernel
def refine(work: Any, iwork: Any) -> None:
    """Reduce the rounding of the accelerations: a <- a - E^T L^-1 (G a + g0), then a <- a + D^T D (h - A a)."""
    n, count, accepted, mu = (
        iwork[slots.N],
        iwork[slots.ACCEPTED],
        accepted_of(iwork),
        by_row(work, iwork, slots.MU),
    )
    G, E, g0 = rows_of(work, iwork, slots.G), rows_of(work, iwork, slots.E), by_row(work, iwork, slots.G0)
    a, rest = by_coordinate(work, iwork, slots.ACCELERATION), by_coordinate(work, iwork, slots.TURNED)
    for i in range(count):
        mu[i] = row_dot(G, accepted[i], a) + g0[accepted[i]]
    solve_lower(small(work, iwork, slots.L), mu, count)
    for i in range(count):
        add_row(a, -mu[i], E, i, n)
    A, D, h = square(work, iwork, slots.A), square(work, iwork, slots.D), by_coordinate(work, iwork, slots.H)
    for i in range(n):
        rest[i] = h[i] - row_dot(A, i, a)
    for j in range(iwork[slots.FIRST], iwork[slots.MASSIVE]):
        add_row(a, row_dot(D, j, rest), D, j, n)


@kernel
def _accept_row(r: Any, work: Any, iwork: Any) -> Any:
    """Bind row r, with its direction in E, if it is independent of the rows before it; return whether it is."""
    n, first, massive, first_massless = (
        iwork[slots.N],
        iwork[slots.FIRST],
        iwork[slots.MASSIVE],
        iwork[slots.FIRST_MASSLESS],
    )
    D, G, beta = square(work, iwork, slots.D), rows_of(work, iwork, slots.G), by_coordinate(work, iwork, slots.BETA)
    if n > LAPACK_THRESHOLD:
        multiply_large(D, first, massive, G, r, beta, iwork)
        multiply_large(D, first_massless, n, G, r, beta, iwork)
    else:
        for j in range(first, n):
            if j < massive or j >= first_massless:
                beta[j] = rows_dot(D, j, G, r, n)
    size, size_massless = sizes_dot(G, r, by_coordinate(work, iwork, slots.REACH)), 0.0
    if massive < n:
        size_massless = _size_massless(r, work, iwork)
        if norm(beta, first_massless, n) > RANK_TOLERANCE * size_massless:
            _bind(r, first_massless, n, work, iwork)
            return True
        size = max(size, size_massless * _massless_component(work, iwork))
    if norm(beta, first, massive) > RANK_TOLERANCE * size:
        _bind(r, first, massive, work, iwork)
        return True
    return False


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
def _reflect(first: Any, last: Any, k: Any, beta: Any, D: Any, E: Any, turned: Any, scratch: Any, iwork: Any) -> Any:
    """Reflect rows first, ..., last - 1 of D, write D^T beta/|beta| into row k of E, and return |beta|.

    With u = beta + s e1, s = sign(beta_1) |beta|: (I - 2 u u^T/u^T u) D needs u^T D = beta^T D + s D_1 only, and
    2/u^T u = 1/(|beta|^2 + s beta_1).
    """
    n = turned.size
    pivot = norm(beta, first, last)
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
