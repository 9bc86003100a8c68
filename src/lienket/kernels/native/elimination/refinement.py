"""Refinement of the accelerations after elimination, against rounding."""

from __future__ import annotations

from typing import Any

from ...memory.workspace import slots
from ..linear_algebra.loops import add_row, row_dot, solve_lower
from ..linear_algebra.stated_units import may_differ
from ..runtime.jit import kernel
from ..runtime.views import accepted_of, by_coordinate, by_row, rows_of, small, square


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
