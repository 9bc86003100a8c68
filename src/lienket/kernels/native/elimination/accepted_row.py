"""Acceptance of one row: its direction, the accelerations that satisfy it, the directions that stay free (theory 4).

Directions are rows of D. A Householder reflection maps the direction of the row to the first row of D, which is dropped
by increasing the counter FIRST; no rows are moved.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...elimination import chain as plain
from ...memory.workspace import LAPACK_THRESHOLD, slots
from ..linear_algebra.lapack import multiply_large, multiply_transposed_large, reflect_large
from ..linear_algebra.loops import add_row, add_rows, add_to_row, norm, row_dot, rows_dot
from ..runtime.jit import kernel
from ..runtime.views import accepted_of, by_coordinate, by_row, rows_of, small, square, verdicts_of

LEADING_SHARE = plain.LEADING_SHARE


@kernel
def accept(r: Any, first: Any, last: Any, filled: Any, work: Any, iwork: Any) -> None:
    """Accept row r, which binds one of the directions first, ..., last - 1: its direction in E, its row of L.

    beta may be `filled` already.
    """
    n, k = iwork[slots.N], iwork[slots.ACCEPTED]
    G, E, L = rows_of(work, iwork, slots.G), rows_of(work, iwork, slots.E), small(work, iwork, slots.L)
    if last != iwork[slots.MASSIVE]:
        fill_beta(r, iwork[slots.FIRST], iwork[slots.MASSIVE], work, iwork)
    if not filled:
        fill_beta(r, first, last, work, iwork)
    _bind(r, first, last, work, iwork)
    for i in range(k + 1):
        L[k, i] = rows_dot(G, r, E, i, n)
    accepted_of(iwork)[k] = r
    verdicts_of(iwork)[r] = 0
    iwork[slots.ACCEPTED] = k + 1


@kernel
def fill_beta(r: Any, first: Any, last: Any, work: Any, iwork: Any) -> None:
    """Fill beta = D G_r^T on the directions first, ..., last - 1."""
    n, D, G = iwork[slots.N], square(work, iwork, slots.D), rows_of(work, iwork, slots.G)
    beta = by_coordinate(work, iwork, slots.BETA)
    if n > LAPACK_THRESHOLD and last > first:
        multiply_large(D, first, last, G, r, beta, iwork)
    else:
        for j in range(first, last):
            beta[j] = rows_dot(D, j, G, r, n)


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
