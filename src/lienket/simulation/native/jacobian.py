"""The derivatives of the accelerations by positions and velocities, for implicit methods.

With B the derivatives of A a - h - G^T lambda (rows n) and of G a + g0 (rows s), a and lambda held,

    A da - G^T dlambda = -B_upper dy,      G da = -B_lower dy.

It is solved by the chain that elimination leaves in the workspace, see chain_solve.py.
"""

from __future__ import annotations

from typing import Any

from ...kernels.native import layout
from ...kernels.native.address import call, matrix, vector
from ...kernels.native.jit import kernel
from ...kernels.native.layout import accelerations_at
from ...kernels.native.robust import SOLVE, call_robust
from ...kernels.native.views import by_coordinate
from . import memory as at
from .chain_solve import solve_chain


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
    along = by_coordinate(work, places, layout.BETA)
    solve_chain(matrix(room, n + s, n + s, n), by_q, along, work, places)
    solve_chain(matrix(room, (n + s) * (n + 1), n + s, n), by_v, along, work, places)
    return True
