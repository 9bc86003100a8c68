"""Projection of derivatives onto the tangent space of the constraints, and its transpose.

    dq <- dq - W (G dq + g_p dp)                  the holonomic rows,     W = A^-1 G^T (G A^-1 G^T)^-1 = E^T L^-1
    dv <- dv - W (G dv + g'_q dq + g'_p dp)       holonomic rows and rows on velocities

A run projects its states after each step; this is the derivative of that projection. The term with the derivative of
W is left out: it is multiplied by the residual before the projection, which is of the order of the tolerances.
"""

from __future__ import annotations

from typing import Any

from ....kernels.memory.workspace import slots
from ....kernels.native.robust_solve import CHAIN, call_robust
from ....kernels.native.runtime.address import call, vector
from ....kernels.native.runtime.jit import kernel, product_kernel
from ....kernels.native.runtime.views import accepted_of, by_coordinate, rows_of, small, terms_of
from ....simulation.memory import addresses, control
from ....simulation.stepping.native.known_times import model_time
from ..columns import RESIDUAL_SCALE_FLOOR


@kernel
def chain_of_rows(run: Any, room: Any, what: Any, t: Any, y: Any) -> Any:
    """Eliminate the rows on positions (what = 0) or velocities (1) at t, y; return their number, -1 on failure."""
    n, s, work, level, t = run.n, run.s, run.work, run.level, model_time(run, t)
    count = 0
    for r in range(s):
        if level[r] <= what:
            room.taken[count] = r
            count += 1
    if count == 0:
        return 0
    q, v = vector(y, 0, n), vector(y, n, n)
    call(run.addresses[addresses.SURFACE], t, q, v, run.parameters, run.inputs, room.surface_answer)
    call(
        run.addresses[addresses.SURFACE_DERIVATIVES],
        t,
        q,
        v,
        run.parameters,
        run.inputs,
        room.surface_derivatives_answer,
    )
    terms = terms_of(work, n, count)
    for i in range(n):
        for j in range(n):
            terms.A[i, j] = room.surface.A[i, j]
        terms.h[i] = 0.0
    for r in range(count):
        row = int(room.taken[r])
        for i in range(n):
            terms.G[r, i] = room.surface.G[row, i]
        terms.g0[r] = 0.0
    run.places[slots.INERTIAS] = 0
    return count if call_robust(n, count, CHAIN, work, run.places) >= 0 else -1


@kernel
def rows_by_parameters(room: Any, what: Any) -> Any:
    """Return the derivatives of the position or velocity residuals by the parameters, s x p."""
    derivatives = room.surface_derivatives
    return derivatives.position_by_parameters if what == 0 else derivatives.velocity_by_parameters


@kernel
def onto_tangents(run: Any, room: Any, t: Any, y: Any, d: Any) -> Any:
    """Project d (2 n x K) onto the tangent space at t, y; return whether the elimination succeeded.

    The largest relative residuals before and after go to control[MOVED_BY] and control[OFF].
    """
    for what in range(2):
        count = chain_of_rows(run, room, what, t, y)
        if count < 0:
            return False
        if count == 0:
            continue
        run.control[control.OFF_TANGENT_BEFORE] = max(
            run.control[control.OFF_TANGENT_BEFORE], _residuals(run, room, what, count, y, d)
        )
        _correct(run, room, what, d)
        run.control[control.OFF_TANGENT] = max(
            run.control[control.OFF_TANGENT], _residuals(run, room, what, count, y, d)
        )
    return True


@product_kernel
def _residuals(run: Any, room: Any, what: Any, count: Any, y: Any, d: Any) -> Any:
    """Fill the right sides (count x K) with the residuals of the linearized rows; return the largest relative one."""
    n, K, first, worst = d.shape[0] // 2, d.shape[1], what * (d.shape[0] // 2), 0.0
    by_p, by_q = rows_by_parameters(room, what), room.surface_derivatives.velocity_by_q
    most = room.along
    for j in range(K):
        most[j] = 0.0
        for i in range(n):
            most[j] = max(most[j], abs(d[first + i, j]))
    for r in range(count):
        row = int(room.taken[r])
        for j in range(K):
            total = by_p[row, run.columns[j]] if run.columns[j] >= 0 else 0.0
            terms, natural = abs(total), 0.0
            for i in range(n):
                part = room.surface.G[row, i] * d[first + i, j]
                other = by_q[row, i] * d[i, j] if what == 1 else 0.0
                total += part + other
                terms += abs(part) + abs(other)
                natural += abs(room.surface.G[row, i]) * (abs(y[first + i]) / run.sizes[j] + most[j])
            room.right[r, j] = total
            if total != 0:
                worst = max(worst, abs(total) / (terms + RESIDUAL_SCALE_FLOOR * natural))
    return worst


@product_kernel
def _correct(run: Any, room: Any, what: Any, d: Any) -> None:
    """Subtract W times the residuals of the accepted rows from dq or dv."""
    n, K, first, places, work = d.shape[0] // 2, d.shape[1], what * (d.shape[0] // 2), run.places, run.work
    E, L = rows_of(work, places, slots.E), small(work, places, slots.L)
    scale, accepted, right = by_coordinate(work, places, slots.SCALE), accepted_of(places), room.right
    for k in range(places[slots.ACCEPTED]):
        row = accepted[k]
        for i in range(k):
            for j in range(K):
                right[row, j] -= L[k, i] * right[accepted[i], j]
        for j in range(K):
            right[row, j] /= L[k, k]
        for i in range(n):
            for j in range(K):
                d[first + i, j] -= scale[i] * E[k, i] * right[row, j]


@kernel
def onto_tangents_transposed(run: Any, room: Any, t: Any, y: Any, d: Any) -> Any:
    """Apply the transpose of `onto_tangents` to d (2 n x K) and to the gradient; return whether it succeeded."""
    for back in range(2):
        what = 1 - back
        count = chain_of_rows(run, room, what, t, y)
        if count < 0:
            return False
        if count > 0:
            _weights(run, room, what, d)
            _correct_transposed(run, room, what, d)
    return True


@product_kernel
def _weights(run: Any, room: Any, what: Any, d: Any) -> None:
    """Fill the right sides of the accepted rows with W^T times the part of d on positions or velocities."""
    n, K, first, places, work = d.shape[0] // 2, d.shape[1], what * (d.shape[0] // 2), run.places, run.work
    E, L = rows_of(work, places, slots.E), small(work, places, slots.L)
    scale, accepted, right = by_coordinate(work, places, slots.SCALE), accepted_of(places), room.right
    count = places[slots.ACCEPTED]
    for k in range(count):
        for j in range(K):
            right[accepted[k], j] = 0.0
        for i in range(n):
            for j in range(K):
                right[accepted[k], j] += E[k, i] * scale[i] * d[first + i, j]
    for back in range(count):
        k = count - 1 - back
        for i in range(k + 1, count):
            for j in range(K):
                right[accepted[k], j] -= L[i, k] * right[accepted[i], j]
        for j in range(K):
            right[accepted[k], j] /= L[k, k]


@product_kernel
def _correct_transposed(run: Any, room: Any, what: Any, d: Any) -> None:
    """Subtract the weighted rows from d and from the gradient."""
    n, K, first, places = d.shape[0] // 2, d.shape[1], what * (d.shape[0] // 2), run.places
    accepted, right, gradient = accepted_of(places), room.right, run.gradient
    by_p, by_q = rows_by_parameters(room, what), room.surface_derivatives.velocity_by_q
    for k in range(places[slots.ACCEPTED]):
        row = int(room.taken[accepted[k]])
        for i in range(n):
            for j in range(K):
                d[first + i, j] -= room.surface.G[row, i] * right[accepted[k], j]
                if what == 1:
                    d[i, j] -= by_q[row, i] * right[accepted[k], j]
        for i in range(gradient.shape[0]):
            for j in range(K):
                gradient[i, j] -= by_p[row, i] * right[accepted[k], j]
