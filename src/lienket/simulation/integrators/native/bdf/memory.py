"""What BDF keeps in its scratch. `methods` has its length."""

from __future__ import annotations

from typing import Any, NamedTuple

from .....kernels.native.runtime.address import matrix, vector
from .....kernels.native.runtime.jit import kernel
from .... import memory as at

HIGHEST = 5
"""The highest order."""
TABLE = HIGHEST + 3
"""Rows of the table of differences."""
ITERATIONS = 4
"""The most of Newton's method."""
FAST = 0.1
"""The contraction of Newton's method at which the Jacobian of an earlier step is still good."""

# kept
BEGAN, LENGTH, ORDER, NEXT, DONE, EQUAL, WAITING = range(7)
"""The time of the last attempt; the step and order of the table, the order proposed, and that of the last step; equal
steps so far; whether the last attempt is not in the table yet."""
JACOBIAN_AT, STALE, FACTORED, CONTRACTION, NEEDED = range(7, 12)
"""The time of the Jacobian, whether it is to be renewed; the shift its matrix is factored for, 0 if for none; how
Newton's method contracts; iterations needed."""
KEPT_SIZE = 16


class Room(NamedTuple):
    """Numbers kept; units (2 n) of the error; differences D (8 x (m + 1)) of the state and the power, and their
    prediction; psi and correction d (2 n each), a state x and rates (m each); values of one coordinate (8); a step of
    Newton's method (2 n); multipliers (s); derivatives of the accelerations (n x n each) and the answer they come
    from; the factors of the matrix.
    """

    kept: Any
    unit: Any
    D: Any
    predicted: Any
    psi: Any
    d: Any
    x: Any
    rates: Any
    values: Any
    step: Any
    multipliers: Any
    by_q: Any
    by_v: Any
    derivatives: Any
    factors: Any
    pivots: Any


@kernel
def room_of(run: Any) -> Any:
    """The parts of the scratch, in the order of `Room`."""
    n, s, x = run.model[at.COORDINATES], run.model[at.ROWS], run.scratch
    m, square = 2 * n + 1, n * n
    table = KEPT_SIZE + 2 * n
    states = table + TABLE * (m + 1)
    small = states + 5 * (m + 1)
    jacobians = small + TABLE + 2 * n + s
    factors = jacobians + 2 * square + (n + s) * (2 * n + 2)
    return Room(
        vector(x, 0, KEPT_SIZE),
        vector(x, KEPT_SIZE, 2 * n),
        matrix(x, table, TABLE, m + 1),
        vector(x, states, m + 1),
        vector(x, states + (m + 1), 2 * n),
        vector(x, states + 2 * (m + 1), 2 * n),
        vector(x, states + 3 * (m + 1), m),
        vector(x, states + 4 * (m + 1), m),
        vector(x, small, TABLE),
        vector(x, small + TABLE, 2 * n),
        vector(x, small + TABLE + 2 * n, s),
        matrix(x, jacobians, n, n),
        matrix(x, jacobians + square, n, n),
        vector(x, jacobians + 2 * square, (n + s) * (2 * n + 2)),
        matrix(x, factors, n, n),
        vector(x, factors + square, n),
    )
