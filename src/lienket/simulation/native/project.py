"""States brought onto their constraints, positions first, then velocities."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...kernels.native.address import call, vector
from ...kernels.native.jit import kernel
from ...kernels.native.projection import project_here
from . import memory as at

QUADRATIC = 1e-8
"""A correction, as a share of what it corrects, after which Newton's next one would be rounding."""
REPEATS = 6
NOISE = 0.01
"""A correction, as a share of the tolerances, that does not matter where rounding in the constraints keeps it up."""


@kernel
def project(run: Any, t: Any, y: Any) -> Any:
    """Brings y onto its constraints, first positions, then velocities; whether that could be done."""
    n = run.model[at.COORDINATES]
    q, v = vector(y, 0, n), vector(y, n, n)
    for what in range(2):
        address = run.model[at.POSITIONS + what]
        if address == 0:
            continue
        x = q if what == 0 else v
        if address < 0 or not _corrected(run, address, t, q, v, x, vector(run.atol, what * n, n)):
            given = (run.parameters, run.inputs, run.work, run.places)
            if project_here(what, run.model[at.SURFACE], run.level, t, q, v, *given) < 0:
                return False
    return True


@kernel
def _corrected(run: Any, address: Any, t: Any, q: Any, v: Any, x: Any, atol: Any) -> Any:
    """Newton's steps by the emitted function at the address; whether it trusts itself."""
    n, small = x.size, False
    for _ in range(REPEATS):
        if call(address, t, q, v, run.parameters, run.inputs, run.work) != 0:
            return False
        most, again, small = 0.0, False, True
        for i in range(n):
            if not np.isfinite(run.work[i]):
                return False
            most = max(most, abs(x[i]))
        for i in range(n):
            again |= abs(run.work[i]) > QUADRATIC * abs(x[i]) + 1e-15 * most
            small &= abs(run.work[i]) <= NOISE * (atol[i] + run.control[at.RTOL] * abs(x[i]))
            x[i] += run.work[i]
        if not again:
            return True
    return small
