"""The derivatives of the accelerations by positions and velocities, for implicit methods.

With B the derivatives of A a - h - G^T lambda (rows n) and of G a + g0 (rows s), a and lambda held,

    A da - G^T dlambda = -B_upper dy,      G da = -B_lower dy.

It is solved by the chain that elimination leaves in the workspace (kernels/native/elimination.py), so that redundant
rows and coordinates without mass need no care of their own: E, L are the directions and the triangle of the rows
accepted, D the directions left, and da = x - D^T D (B_upper + A x) with x = -E^T L^-1 B_lower.
"""

from __future__ import annotations

from typing import Any

from ...kernels.native import layout
from ...kernels.native.address import call, matrix, vector
from ...kernels.native.jit import kernel, product_kernel
from ...kernels.native.layout import accelerations_at
from ...kernels.native.robust import SOLVE, call_robust
from ...kernels.native.views import accepted_of, by_coordinate, rows_of, small, square
from . import memory as at


def room_size(n: int, s: int) -> int:
    """What `jacobian` needs of memory: the answer of the model's function `derivatives`."""
    return (n + s) * (2 * n + 2)


@kernel
def jacobian(run: Any, t: Any, y: Any, f: Any, by_q: Any, by_v: Any, room: Any) -> Any:
    """Fills by_q and by_v (n x n) at t, y (m) with rates f (m); whether there are accelerations."""
    n, s = run.model[at.COORDINATES], run.model[at.ROWS]
    q, v, inputs, work, places = vector(y, 0, n), vector(y, n, n), run.inputs, run.work, run.places
    for i in range(n):
        inputs[i] = f[n + i]
    call(run.model[at.TERMS], t, q, v, run.parameters, inputs, work)
    places[layout.INERTIAS] = 0
    if call_robust(n, s, SOLVE, work, places) < 0:
        return False
    found = vector(work, accelerations_at(n, s), n + s)
    for i in range(n + s):
        inputs[i] = found[i]
    call(run.model[at.DERIVATIVES], t, q, v, run.parameters, inputs, room)
    _solve_chain(matrix(room, n + s, n + s, n), by_q, work, places)
    _solve_chain(matrix(room, (n + s) * (n + 1), n + s, n), by_v, work, places)
    return True


@product_kernel
def _solve_chain(B: Any, X: Any, work: Any, places: Any) -> None:
    """X (n x n) with A X - G^T Y = -B_upper, G X = -B_lower; uses B up. The chain has coordinates in its own units."""
    n, count, accepted = places[layout.N], places[layout.ACCEPTED], accepted_of(places)
    E, L, D = rows_of(work, places, layout.E), small(work, places, layout.L), square(work, places, layout.D)
    A, scale = square(work, places, layout.A), by_coordinate(work, places, layout.SCALE)
    along = by_coordinate(work, places, layout.BETA)
    for i in range(n):
        for j in range(n):
            X[i, j] = 0.0
    for k in range(count):
        row = n + accepted[k]
        for i in range(k):
            for j in range(n):
                B[row, j] -= L[k, i] * B[n + accepted[i], j]
        for j in range(n):
            B[row, j] /= L[k, k]
        for i in range(n):
            for j in range(n):
                X[i, j] -= E[k, i] * B[row, j]
    for i in range(n):
        for j in range(n):
            B[i, j] *= scale[i]
        for k in range(n):
            for j in range(n):
                B[i, j] += A[i, k] * X[k, j]
    for d in range(places[layout.FIRST], places[layout.MASSIVE]):
        for j in range(n):
            along[j] = 0.0
        for i in range(n):
            for j in range(n):
                along[j] += D[d, i] * B[i, j]
        for i in range(n):
            for j in range(n):
                X[i, j] -= D[d, i] * along[j]
    for i in range(n):
        for j in range(n):
            X[i, j] *= scale[i]
