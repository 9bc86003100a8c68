"""What Radau5 keeps in its scratch. `methods` has its length."""

from __future__ import annotations

from typing import Any, NamedTuple

from .....kernels.native.runtime.address import matrix, vector
from .....kernels.native.runtime.jit import kernel
from .... import memory as at

ITERATIONS = 7
"""The most of Newton's method."""

# kept
BEGAN, LENGTH, ERROR, KNOWN, LENGTH_BEFORE, ERROR_BEFORE, LOOSE = range(7)
"""Of the last attempt: its time, step, error; whether a step before is known, its step and error; the factor between
the error and what is allowed of it."""
JACOBIAN_AT, FACTORED, CONTRACTION, FIT, NEEDED = range(7, 12)
"""The time of the Jacobian; the step its matrices are factored for, 0 if for none; how Newton's method contracts, and
what that made of its last correction; iterations needed."""
KEPT_SIZE = 16


class Room(NamedTuple):
    """Numbers kept; units (2 n) of the error; the polynomial before (3 x 2 n); stages z (3 x m), transformed w, rates
    of the stages (3 x m), corrections (3 x 2 n), multipliers (3 x s); a state x (m); derivatives of the accelerations
    (n x n each) and the answer they come from; factors of the real matrix and of both parts of the complex one.
    """

    kept: Any
    unit: Any
    before: Any
    z: Any
    w: Any
    rates: Any
    correction: Any
    multipliers: Any
    x: Any
    by_q: Any
    by_v: Any
    derivatives: Any
    real: Any
    real_pivots: Any
    complex_r: Any
    complex_i: Any
    pivots: Any


@kernel
def room_of(run: Any) -> Any:
    """The parts of the scratch, in the order of `Room`."""
    n, s, x = run.model[at.COORDINATES], run.model[at.ROWS], run.scratch
    m, d, square = 2 * n + 1, 2 * n, n * n
    states = KEPT_SIZE + d
    jacobians = states + 13 * m + 3 * s
    factors = jacobians + 2 * square + (n + s) * (2 * n + 2)
    return Room(
        vector(x, 0, KEPT_SIZE),
        vector(x, KEPT_SIZE, d),
        matrix(x, states, 3, d),
        matrix(x, states + 3 * m, 3, m),
        matrix(x, states + 6 * m, 3, d),
        matrix(x, states + 9 * m, 3, m),
        matrix(x, factors + 3 * square + 2 * n, 3, d),
        matrix(x, states + 12 * m, 3, s),
        vector(x, states + 12 * m + 3 * s, m),
        matrix(x, jacobians, n, n),
        matrix(x, jacobians + square, n, n),
        vector(x, jacobians + 2 * square, (n + s) * (2 * n + 2)),
        matrix(x, factors, n, n),
        vector(x, factors + 3 * square, n),
        matrix(x, factors + square, n, n),
        matrix(x, factors + 2 * square, n, n),
        vector(x, factors + 3 * square + n, n),
    )
