"""Newton's method for the transformed stages w = T^-1 z of Radau5 (Hairer and Wanner II, IV.8).

    (GAMMA/h - J) dw1 = r1,     ((ALPHA - i BETA)/h - J) (dw2 + i dw3) = r2 + i r3,     r = T^-1 f - (T^-1 A^-1 T) w/h

J = [[0, 1], [a_q, a_v]] is never formed: (c - J)(dq, dv) = (p, r) is (c - a_v - a_q/c) dv = r + a_q p/c,
dq = (dv + p)/c, with one matrix (n x n) for each of the two shifts c.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .....kernels.native.linear_algebra.lu import factor, factor_complex, solve, solve_complex
from .....kernels.native.runtime.address import vector
from .....kernels.native.runtime.jit import product_kernel
from ....memory import control, counts, states
from ....stepping.native.rates import accelerate
from ....stepping.native.run_view import state
from ...tableaus import radau5 as c
from ..scratch.radau5 import numbers
from .memory import RADAU5_NEWTON_ITERATIONS

UNIT_ROUNDOFF = 2.3e-16  # [1] relative rounding of a number
# If a stiff direction rotates within the step, two iterations together contract while one alone may not.
CORRECTION_GROWTH_LIMIT = 10.0  # [1] largest ratio of the second correction of Newton's method to the first
NEWTON_CONVERGED = 1e-3  # [tolerances] error that Newton's method leaves in the stages; these errors add up
(_11, _12, _13), (_21, _22, _23), _ = c.T
(_I11, _I12, _I13), (_I21, _I22, _I23), (_I31, _I32, _I33) = c.T_INVERSE


@product_kernel
def factor_matrices(run: Any, scratch: Any, h: Any) -> Any:
    """Factor the real and the complex matrix for the step size h; return whether both are regular."""
    n, by_q, by_v, M, R, J = run.n, scratch.by_q, scratch.by_v, scratch.real, scratch.complex_r, scratch.complex_i
    size = c.ALPHA * c.ALPHA + c.BETA * c.BETA
    real, inverse = c.GAMMA / h, h / c.GAMMA
    inverse_r, inverse_i = c.ALPHA / size * h, c.BETA / size * h
    for i in range(n):
        for j in range(n):
            M[i, j] = -by_v[i, j] - by_q[i, j] * inverse
            R[i, j] = -by_v[i, j] - by_q[i, j] * inverse_r
            J[i, j] = -by_q[i, j] * inverse_i
        M[i, i] += real
        R[i, i] += c.ALPHA / h
        J[i, i] -= c.BETA / h
    run.counts[counts.FACTORED] += 1
    scratch.memory[numbers.FACTORED] = h
    return factor(M, scratch.real_pivots) and factor_complex(R, J, scratch.pivots)


@product_kernel
def newton(run: Any, scratch: Any, t: Any, h: Any) -> Any:
    """Iterate the stages z from their first values; return whether they converged. Stores how fast they did."""
    memory, w, z, d = scratch.memory, scratch.w, scratch.z, scratch.correction
    memory[numbers.REMAINDER] = max(memory[numbers.REMAINDER], UNIT_ROUNDOFF) ** 0.8
    tolerance = max(10 * UNIT_ROUNDOFF / run.control[control.RTOL], NEWTON_CONVERGED)
    last_size, last_ratio = 0.0, 1.0
    for iteration in range(RADAU5_NEWTON_ITERATIONS):
        run.counts[counts.STATUS_WORST] = 0
        if not _stage_rates(run, scratch, t, h):
            return False
        size = _corrections(run, scratch, h)
        if not np.isfinite(size):
            return False
        if iteration > 0:
            ratio = size / last_size
            contraction = ratio if iteration == 1 else np.sqrt(ratio * last_ratio)
            last_ratio, memory[numbers.CONTRACTION] = ratio, contraction
            if contraction >= (CORRECTION_GROWTH_LIMIT if iteration == 1 else 0.99):
                return False
            memory[numbers.REMAINDER] = contraction / (1 - contraction) if contraction < 0.99 else 100.0
            left = RADAU5_NEWTON_ITERATIONS - 1 - iteration
            if contraction < 0.99 and memory[numbers.REMAINDER] * size * contraction**left > tolerance:
                return False
        for i in range(scratch.unit.size):
            w[0, i] += d[0, i]
            w[1, i] += d[1, i]
            w[2, i] += d[2, i]
            z[0, i] = _11 * w[0, i] + _12 * w[1, i] + _13 * w[2, i]
            z[1, i] = _21 * w[0, i] + _22 * w[1, i] + _23 * w[2, i]
            z[2, i] = w[0, i] + w[1, i]
        last_size = max(size, UNIT_ROUNDOFF)
        if memory[numbers.REMAINDER] * size <= tolerance:
            memory[numbers.ITERATIONS] = iteration + 1
            return True
    return False


@product_kernel
def _stage_rates(run: Any, scratch: Any, t: Any, h: Any) -> Any:
    """Fill the rates and multipliers of the three stages; return whether accelerations exist."""
    n, now, x, nodes = run.n, state(run, states.NOW), scratch.x, (c.C1, c.C2, c.C3)
    for k in range(3):
        for i in range(2 * n):
            x[i] = now[i] + scratch.z[k, i]
        if not accelerate(run, t + nodes[k] * h, x, vector(scratch.rates, k * x.size, x.size)):
            return False
        for i in range(run.s):
            scratch.multipliers[k, i] = run.inputs[n + i]
    return True


@product_kernel
def _corrections(run: Any, scratch: Any, h: Any) -> Any:
    """Fill the corrections of w; return their root mean square in units of the tolerances."""
    f, w, d, a, b, g = scratch.rates, scratch.w, scratch.correction, c.ALPHA / h, c.BETA / h, c.GAMMA / h
    size = scratch.unit.size
    for i in range(size):
        d[0, i] = _I11 * f[0, i] + _I12 * f[1, i] + _I13 * f[2, i] - g * w[0, i]
        d[1, i] = _I21 * f[0, i] + _I22 * f[1, i] + _I23 * f[2, i] - a * w[1, i] - b * w[2, i]
        d[2, i] = _I31 * f[0, i] + _I32 * f[1, i] + _I33 * f[2, i] - a * w[2, i] + b * w[1, i]
    solve_real(run, scratch, h)
    _solve_pair(run, scratch, h)
    total = 0.0
    for k in range(3):
        for i in range(size):
            ratio = d[k, i] * scratch.unit[i]
            total += ratio * ratio
    return np.sqrt(total / (3 * size))


@product_kernel
def solve_real(run: Any, scratch: Any, h: Any) -> None:
    """Replace correction 0 by its product with (GAMMA/h - J)^-1."""
    n, inverse, d = run.n, h / c.GAMMA, scratch.correction
    dq, dv = vector(d, 0, n), vector(d, n, n)
    for i in range(n):
        total = 0.0
        for j in range(n):
            total += scratch.by_q[i, j] * dq[j]
        dv[i] += total * inverse
    solve(scratch.real, scratch.real_pivots, dv)
    for i in range(n):
        dq[i] = (dv[i] + dq[i]) * inverse


@product_kernel
def _solve_pair(run: Any, scratch: Any, h: Any) -> None:
    """Replace corrections 1 + i 2, as one complex vector, by their product with ((ALPHA - i BETA)/h - J)^-1."""
    n, d, size = run.n, scratch.correction, c.ALPHA * c.ALPHA + c.BETA * c.BETA
    real, imaginary = c.ALPHA / size * h, c.BETA / size * h
    q1, v1, q2, v2 = vector(d, 2 * n, n), vector(d, 3 * n, n), vector(d, 4 * n, n), vector(d, 5 * n, n)
    for i in range(n):
        x, y = 0.0, 0.0
        for j in range(n):
            x += scratch.by_q[i, j] * q1[j]
            y += scratch.by_q[i, j] * q2[j]
        v1[i] += real * x - imaginary * y
        v2[i] += real * y + imaginary * x
    solve_complex(scratch.complex_r, scratch.complex_i, scratch.pivots, v1, v2)
    for i in range(n):
        x, y = v1[i] + q1[i], v2[i] + q2[i]
        q1[i], q2[i] = real * x - imaginary * y, real * y + imaginary * x
