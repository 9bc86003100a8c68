"""Newton's method of BDF: (c - J) dd = f(t, p + d) - c (d + psi), c the shift G/h, J = [[0, 1], [a_q, a_v]].

As in `radau5.newton`, one matrix c - a_v - a_q/c for the velocities; positions follow.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .....kernels.native.linear_algebra.lu import factor, solve
from .....kernels.native.runtime.address import vector
from .....kernels.native.runtime.jit import product_kernel
from ....memory import control, counts
from ....stepping.native.rates import accelerate
from ...scratch.bdf import numbers
from .memory import ITERATIONS

ROUNDING = 2.3e-16
CONVERGED = 1e-3
"""The error of the new state, in units of the tolerances. Such errors add up over the steps."""


@product_kernel
def factored(run: Any, scratch: Any, shift: Any) -> Any:
    """Factors the matrix for the shift; whether it is regular."""
    n, M = run.n, scratch.factors
    for i in range(n):
        for j in range(n):
            M[i, j] = -scratch.by_v[i, j] - scratch.by_q[i, j] / shift
        M[i, i] += shift
    run.counts[counts.FACTORED] += 1
    scratch.kept[numbers.FACTORED] = shift
    return factor(M, scratch.pivots)


@product_kernel
def newton(run: Any, scratch: Any, t: Any, shift: Any) -> Any:
    """Iterates d from 0; whether it converged. Notes how fast."""
    n, kept, x, d, f, step = run.n, scratch.kept, scratch.x, scratch.d, scratch.rates, scratch.step
    dq, dv = vector(step, 0, n), vector(step, n, n)
    tolerance, last, contraction = max(10 * ROUNDING / run.control[control.RTOL], CONVERGED), 0.0, 0.0
    for iteration in range(ITERATIONS):
        run.counts[counts.STATUS_WORST] = 0
        for i in range(2 * n):
            x[i] = scratch.predicted[i] + d[i]
        if not accelerate(run, t, x, f):
            return False
        for i in range(2 * n):
            step[i] = f[i] - shift * (d[i] + scratch.psi[i])
        for i in range(n):
            total = 0.0
            for j in range(n):
                total += scratch.by_q[i, j] * dq[j]
            dv[i] += total / shift
        solve(scratch.factors, scratch.pivots, dv)
        for i in range(n):
            dq[i] = (dv[i] + dq[i]) / shift
        total = 0.0
        for i in range(2 * n):
            d[i] += step[i]
            share = step[i] * scratch.unit[i]
            total += share * share
        size = np.sqrt(total / (2 * n))
        if not np.isfinite(size):
            return False
        if iteration > 0:
            contraction = size / last
            kept[numbers.CONTRACTION] = contraction
            if contraction >= 1 or contraction ** (ITERATIONS - iteration) / (1 - contraction) * size > tolerance:
                return False
        if size <= 0.1 * tolerance or (iteration > 0 and contraction / (1 - contraction) * size <= tolerance):
            kept[numbers.NEEDED] = iteration + 1
            for i in range(run.s):
                scratch.multipliers[i] = run.inputs[n + i]
            return True
        last = size
    return False
