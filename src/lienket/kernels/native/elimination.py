"""One constraint row at a time on arrays (theory 4); kernels/elimination/chain.py, compiled.

    beta = 0            nothing new: the row is skipped
    beta on mass        e = D^T beta/|beta|, a <- a - e (J a + g0)/|beta|, the rest of D by Householder's reflection
    beta on no mass     z the massless direction it binds; the massive ones follow, D <- D - beta z^T/(J z)

Directions are rows of D. The reflection turns the row's direction into the first of them, which leaves by one step of
a count; nothing is moved.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..elimination import chain as plain
from ..memory.workspace import LARGE, slots
from .linear_algebra.lapack import across_large, along_large, reflect_large
from .linear_algebra.loops import add_row, add_rows, add_to_row, norm, row_dot, rows_dot, sizes_dot, solve_lower
from .runtime.jit import kernel
from .runtime.views import accepted_of, by_coordinate, by_row, rows_of, small, square, verdicts_of

RANK_TOLERANCE = plain.RANK_TOLERANCE


@kernel
def eliminate(work: Any, places: Any) -> None:
    """Takes in the rows of G in order. Fills E, L, a and the accepted rows; verdicts 0 accepted, 1 skipped.

    Left over in D: rows FIRST to MASSIVE with mass and FIRST_MASSLESS to n without.
    """
    n, verdict, accepted = places[slots.N], verdicts_of(places), accepted_of(places)
    G, E, L = rows_of(work, places, slots.G), rows_of(work, places, slots.E), small(work, places, slots.L)
    for r in range(places[slots.ROWS]):
        verdict[r] = 1
        if _accept_row(r, work, places):
            k = places[slots.ACCEPTED]
            for i in range(k + 1):
                L[k, i] = rows_dot(G, r, E, i, n)
            accepted[k] = r
            verdict[r] = 0
            places[slots.ACCEPTED] = k + 1


@kernel
def refine(work: Any, places: Any) -> None:
    """Takes the rounding out of the accelerations: a <- a - E^T L^-1 (G a + g0), then + D^T D (h - A a)."""
    n, count, accepted, mu = (
        places[slots.N],
        places[slots.ACCEPTED],
        accepted_of(places),
        by_row(work, places, slots.MU),
    )
    G, E, g0 = rows_of(work, places, slots.G), rows_of(work, places, slots.E), by_row(work, places, slots.G0)
    a, rest = by_coordinate(work, places, slots.ACCELERATION), by_coordinate(work, places, slots.TURNED)
    for i in range(count):
        mu[i] = row_dot(G, accepted[i], a) + g0[accepted[i]]
    solve_lower(small(work, places, slots.L), mu, count)
    for i in range(count):
        add_row(a, -mu[i], E, i, n)
    A, D, h = square(work, places, slots.A), square(work, places, slots.D), by_coordinate(work, places, slots.H)
    for i in range(n):
        rest[i] = h[i] - row_dot(A, i, a)
    for j in range(places[slots.FIRST], places[slots.MASSIVE]):
        add_row(a, row_dot(D, j, rest), D, j, n)


@kernel
def _accept_row(r: Any, work: Any, places: Any) -> Any:
    """Whether row r says something new; if so it is bound, its direction in E."""
    n, first, massive, first_massless = (
        places[slots.N],
        places[slots.FIRST],
        places[slots.MASSIVE],
        places[slots.FIRST_MASSLESS],
    )
    D, G, beta = square(work, places, slots.D), rows_of(work, places, slots.G), by_coordinate(work, places, slots.BETA)
    if n > LARGE:
        along_large(D, first, massive, G, r, beta, places)
        along_large(D, first_massless, n, G, r, beta, places)
    else:
        for j in range(first, n):
            if j < massive or j >= first_massless:
                beta[j] = rows_dot(D, j, G, r, n)
    size, size_massless = sizes_dot(G, r, by_coordinate(work, places, slots.REACH)), 0.0
    if massive < n:
        size_massless = _size_massless(r, work, places)
        if norm(beta, first_massless, n) > RANK_TOLERANCE * size_massless:
            _bind(r, first_massless, n, work, places)
            return True
        size = max(size, size_massless * _bind_massless(work, places))
    if norm(beta, first, massive) > RANK_TOLERANCE * size:
        _bind(r, first, massive, work, places)
        return True
    return False


@kernel
def _size_massless(r: Any, work: Any, places: Any) -> Any:
    """The size of row r by itself, along the directions that were massless in the free system."""
    n, G, free = places[slots.N], rows_of(work, places, slots.G), square(work, places, slots.FREE)
    total = 0.0
    for j in range(places[slots.MASSIVE], n):
        along = 0.0
        for k in range(n):
            along += abs(G[r, k] * free[j, k])
        total += along * along
    return np.sqrt(total)


@kernel
def _bind_massless(work: Any, places: Any) -> Any:
    """How far massive directions lean on massless ones, where these have been bound."""
    n, found, free = places[slots.N], 0.0, square(work, places, slots.FREE)
    D, E = square(work, places, slots.D), rows_of(work, places, slots.E)
    for z in range(places[slots.MASSIVE], n):
        for j in range(places[slots.ACCEPTED]):
            found = max(found, abs(rows_dot(free, z, E, j, n)))
        for j in range(places[slots.FIRST], places[slots.MASSIVE]):
            found = max(found, abs(rows_dot(free, z, D, j, n)))
    return found


@kernel
def _bind(r: Any, first: Any, last: Any, work: Any, places: Any) -> None:
    """Row r takes one of the directions first, ..., last - 1 of D, and the accelerations obey it."""
    n, k, massive, D = places[slots.N], places[slots.ACCEPTED], places[slots.MASSIVE], square(work, places, slots.D)
    E, G, a = (
        rows_of(work, places, slots.E),
        rows_of(work, places, slots.G),
        by_coordinate(work, places, slots.ACCELERATION),
    )
    beta, g0 = by_coordinate(work, places, slots.BETA), by_row(work, places, slots.G0)
    scratch = by_row(work, places, slots.MU)
    pivot = _reflect(first, last, k, beta, D, E, by_coordinate(work, places, slots.TURNED), scratch, places)
    if last == massive:
        places[slots.FIRST] += 1
    else:
        places[slots.FIRST_MASSLESS] += 1
        # A z = 0, so the force along z is carried by the constraint and pushes the massive motions that drag z along.
        pushed = row_dot(E, k, by_coordinate(work, places, slots.H))
        for j in range(places[slots.FIRST], massive):
            lean = beta[j] / pivot
            add_rows(D, j, -lean, E, k, n)
            add_row(a, -lean * pushed, D, j, n)
    add_row(a, -(row_dot(G, r, a) + g0[r]) / pivot, E, k, n)


@kernel
def _reflect(first: Any, last: Any, k: Any, beta: Any, D: Any, E: Any, turned: Any, scratch: Any, places: Any) -> Any:
    """|beta|; row k of E is D^T beta/|beta|, rows first + 1 to last of D what the reflection leaves of them.

    With u = beta + s e1, s = sign(beta_1) |beta|: (I - 2 u u^T/u^T u) D needs u^T D = beta^T D + s D_1 only, and
    2/u^T u = 1/(|beta|^2 + s beta_1).
    """
    n = turned.size
    pivot = norm(beta, first, last)
    shift = np.copysign(pivot, beta[first])
    if n > LARGE:
        across_large(D, first, last, beta, turned, places)
    else:
        for i in range(n):
            turned[i] = 0.0
        for j in range(first, last):
            add_row(turned, beta[j], D, j, n)
    for i in range(n):
        E[k, i] = turned[i] / pivot
    add_row(turned, shift, D, first, n)
    scale = 1.0 / (pivot * pivot + shift * beta[first])
    if n > LARGE:
        scratch[0] = -scale
        reflect_large(D, first + 1, last, beta, turned, scratch, places)
    else:
        for j in range(first + 1, last):
            add_to_row(D, j, -beta[j] * scale, turned)
    return pivot
