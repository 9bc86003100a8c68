"""Newton's method of BDF: (c - J) dd = f(t, p + d) - c (d + psi), c the shift G/h, J = [[0, 1], [a_q, a_v]].

As in `radau5.newton`, only the matrix c - a_v - a_q/c (n x n) for the velocities is inverted; positions follow.
Several products with the inverse follow each inversion, and take half the time of solutions with two triangles.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .....kernels.native.linear_algebra.loops import add_combination
from .....kernels.native.linear_algebra.lu import invert
from .....kernels.native.runtime.address import vector
from .....kernels.native.runtime.jit import product_kernel
from ....memory import control, counts
from ....stepping.native.rates import accelerate
from ..scratch.bdf import numbers
from .memory import BDF_NEWTON_ITERATIONS

UNIT_ROUNDOFF = 2.3e-16  # [1] relative rounding of a number
NEWTON_CONVERGED = 1e-3  # [tolerances] error that Newton's method leaves in the new state; these errors add up


@product_kernel
def invert_matrix(run: Any, scratch: Any, shift: Any) -> Any:
    """Fill the transposed inverse of the matrix c - a_v - a_q/c for the shift c; return whether it is regular."""
    n, M, period = run.n, scratch.inverse, 1.0 / shift
    for i in range(n):
        for j in range(n):
            coupling = scratch.by_q[i, j] * period
            scratch.coupling[j, i] = coupling
            M[j, i] = -scratch.by_v[i, j] - coupling
        M[i, i] += shift
    run.counts[counts.FACTORED] += 1
    scratch.memory[numbers.INVERTED] = shift
    return invert(M, scratch.pivots)


@product_kernel
def _solve(run: Any, scratch: Any, shift: Any) -> None:
    """Replace `step` (2 n) by (c - J)^-1 step."""
    n, step, right, period = run.n, scratch.step, scratch.right, 1.0 / shift
    dq, dv = vector(step, 0, n), vector(step, n, n)
    for i in range(n):
        right[i], dv[i] = dv[i], 0.0
    add_combination(right, dq, scratch.coupling, n)
    add_combination(dv, right, scratch.inverse, n)
    for i in range(n):
        dq[i] = (dv[i] + dq[i]) * period


@product_kernel
def smooth(run: Any, scratch: Any, shift: Any, times: Any) -> None:
    """Fill `step` with (1 - J/c)^-1 d, applied several times: slow parts of d remain, stiff ones vanish."""
    step = scratch.step
    for i in range(step.size):
        step[i] = scratch.d[i]
    for _ in range(times):
        for i in range(step.size):
            step[i] *= shift
        _solve(run, scratch, shift)


@product_kernel
def newton(run: Any, scratch: Any, t: Any, shift: Any) -> Any:
    """Iterate the correction d from 0; return whether it converged. Stores contraction and number of iterations."""
    n, memory, x, d, f, step = run.n, scratch.memory, scratch.x, scratch.d, scratch.rates, scratch.step
    tolerance, last = max(10 * UNIT_ROUNDOFF / run.control[control.RTOL], NEWTON_CONVERGED), 0.0
    contraction = 1.0
    for iteration in range(BDF_NEWTON_ITERATIONS):
        run.counts[counts.STATUS_WORST] = 0
        for i in range(2 * n):
            x[i] = scratch.predicted[i] + d[i]
        if not accelerate(run, t, x, f):
            return False
        for i in range(2 * n):
            step[i] = f[i] - shift * (d[i] + scratch.psi[i])
        _solve(run, scratch, shift)
        total = 0.0
        for i in range(2 * n):
            d[i] += step[i]
            ratio = step[i] * scratch.unit[i]
            total += ratio * ratio
        size = np.sqrt(total / (2 * n))
        if not np.isfinite(size):
            return False
        if iteration > 0:
            contraction = size / last
            memory[numbers.CONTRACTION] = contraction
            if contraction >= 1:
                return False
            if contraction ** (BDF_NEWTON_ITERATIONS - iteration) / (1 - contraction) * size > tolerance:
                return False
        if size <= 0.1 * tolerance or (contraction < 1 and contraction / (1 - contraction) * size <= tolerance):
            memory[numbers.ITERATIONS] = iteration + 1
            for i in range(run.s):
                scratch.multipliers[i] = run.inputs[n + i]
            return True
        last = size
    return False
