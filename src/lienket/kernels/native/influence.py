"""Changes of reactions that each constraint causes (theory 4 and 7).

The plain version is kernels/reactions/influence.py.

Without the rows J of a constraint the multipliers are lambda - S^-1 e_J ((S^-1)_JJ)^-1 lambda_J. With S = L L^T and
R = L^-1 the change is R^T y, y the least-norm solution of R_J^T y = lambda_J, R_J the columns J of R.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..memory.workspace import accelerations_at, slots
from .linear_algebra.least_norm import least_norm
from .linear_algebra.loops import invert_lower
from .robust_solve import REDUNDANT, SOLVE, call_robust
from .runtime.address import cube, doubles, integers, matrix, vector
from .runtime.jit import entry, kernel
from .runtime.views import accepted_of, by_row, small

SINGULAR = 4


@entry
def influences(words: Any) -> Any:
    """Fill changes[of, on] (n), the reaction of `on` minus its reaction without `of`, and return a status.

    Words: group, changes, work, iwork. A, h, G, g0 are in `work`; `group` (s) is the number of each row's constraint,
    from 0. The status is that of `accelerations_into`; if rows are redundant (3) or A is singular (4), the formula does
    not apply and all changes are NaN. The change of a constraint by itself is NaN.
    """
    group, changes, work, iwork = integers(words, 0), cube(words, 2), doubles(words, 6), integers(words, 8)
    s, count, n = group.size, changes.shape[0], changes.shape[2]
    _fill(changes, np.nan)
    status = call_robust(n, s, SOLVE, work, iwork)
    if status < 0 or status == REDUNDANT:
        return status
    if iwork[slots.MASSIVE] < n:
        return SINGULAR
    G, L, R = matrix(work, n * n + n, s, n), small(work, iwork, slots.L), small(work, iwork, slots.K)
    invert_lower(L, R, s)
    _fill(changes, 0.0)
    for of in range(count):
        _release_change(of, group, vector(work, accelerations_at(n, s) + n, s), R, L, work, iwork)
        y = vector(work, iwork[slots.E], s)
        for p in range(s):
            change, r = 0.0, accepted_of(iwork)[p]
            for k in range(s):
                change += R[k, p] * y[k]
            for i in range(n):
                changes[of, group[r], i] += change * G[r, i]
        for i in range(n):
            changes[of, of, i] = np.nan
    return status


@kernel
def _release_change(of: Any, group: Any, multipliers: Any, R: Any, columns: Any, work: Any, iwork: Any) -> None:
    """Write the least-norm y (s) with R_J^T y = lambda_J, J the rows of the constraint `of`, into the memory of E."""
    s, count, mu = group.size, 0, by_row(work, iwork, slots.MU)
    for p in range(s):  # rows in the order of their elimination, as in L
        r = accepted_of(iwork)[p]
        if group[r] == of:
            for k in range(s):
                columns[count, k] = R[k, p]
            mu[count] = multipliers[r]
            count += 1
    least_norm(columns, count, mu, vector(work, iwork[slots.E], s))


@kernel
def _fill(changes: Any, value: Any) -> None:
    """Set all changes to a value."""
    count, _, n = changes.shape
    for of in range(count):
        for on in range(count):
            for i in range(n):
                changes[of, on, i] = value
