"""BDF: Gear's backward differentiation formulas of variable order 1 to 5 and variable step, for stiff systems.

The step is quasi-constant: the differences D_k = nabla^k y belong to steps of equal length, and are computed again when
the step size changes (Shampine and Reichelt, SIAM J. Sci. Comput. 18, 1997). With the prediction p = sum D_k,
psi = sum g_k D_k/G, g_k = 1 + 1/2 + ... + 1/k, G = (1 - kappa) g_order, the new state p + d solves

    d + psi = h/G f(t + h, p + d),       error d (kappa g_order + 1/(order + 1)).

The work W is not an unknown of Newton's method. Its increment is h sum ADAMS_k nabla^k P of the power P (Adams and
Moulton), whose differences are the last column of D. After the attempt the new state is projected onto its constraints;
the differences are updated with the projected state when the next step starts.

If a stiff spring holds a coordinate, its velocity is the derivative of the polynomial, and a change of the step size
disturbs it by (error)/h, the more the shorter the new step. Small tolerances then need many steps; Radau5 does not have
this problem.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .....kernels.native.runtime.jit import product_kernel
from ....memory import addresses, control, counts, states
from ....stepping.native.method import method_with
from ....stepping.native.rates import power
from ....stepping.native.run_view import state, weighted
from ..jacobian import jacobian
from ..scratch.bdf import BDF_HIGHEST_ORDER, DIFFERENCE_ROWS, numbers
from .memory import BDF_JACOBIAN_REUSE, BDF_NEWTON_ITERATIONS, scratch_of
from .newton import factor_matrix, newton

# Tables that are read by the order are arrays: a tuple would have to raise IndexError.
# Sums 1 + 1/2 + ... + 1/k.
HARMONIC = np.array((0.0, 1.0, 1.5, 11 / 6, 25 / 12, 137 / 60))
# Klopfenstein's and Shampine's coefficients, which make orders 1 and 2 more accurate and keep them A-stable. Orders 3
# and 4 would lose stability by them, which vibrations need.
KAPPA = np.array((0.0, -0.185, -1 / 9, 0.0, 0.0, 0.0))
# Coefficients of the Adams-Moulton formulas.
ADAMS = np.array((1.0, -1 / 2, -1 / 12, -1 / 24, -19 / 720, -3 / 160))
BDF_SMALLEST_FACTOR = 0.2  # [1] smallest ratio of the step sizes of a repeated and a rejected attempt
BDF_LARGEST_FACTOR = 10.0  # [1] largest ratio of two successive step sizes
BDF_ERROR_FACTOR = 10.0  # [1] factor on the error estimate; keeps the error of a long run near its tolerances


@product_kernel
def attempt(run: Any, t: Any, h: Any) -> Any:
    """Fill the tried state at t + h; return its error, or -1 if Newton's method failed."""
    scratch = scratch_of(run)
    memory = scratch.memory
    _update_differences(run, scratch, t, h)
    while True:
        if memory[numbers.STALE] == 1:
            memory[numbers.STALE], memory[numbers.FACTORED] = 0.0, 0.0
            memory[numbers.JACOBIAN_STEP] = run.counts[counts.STEPS]
            if not jacobian(
                run, t, state(run, states.NOW), state(run, states.RATE), scratch.by_q, scratch.by_v, scratch.derivatives
            ):
                return -1.0
        order = int(memory[numbers.ORDER])
        shift = (1 - KAPPA[order]) * HARMONIC[order] / h
        if memory[numbers.FACTORED] != shift and not factor_matrix(run, scratch, shift):
            return -1.0
        _predict(scratch, order)
        if newton(run, scratch, t + h, shift):
            break
        if memory[numbers.JACOBIAN_STEP] == run.counts[counts.STEPS] or run.counts[counts.STATUS_WORST] < 0:
            memory[numbers.EQUAL_STEPS] = 0.0
            return -1.0
        memory[numbers.STALE] = 1.0
    return _finish(run, scratch, t, h, order, shift)


@product_kernel
def _update_differences(run: Any, scratch: Any, t: Any, h: Any) -> None:
    """Update the table of differences to the time t and the step size h."""
    memory, D, now, rate = scratch.memory, scratch.D, state(run, states.NOW), state(run, states.RATE)
    if run.counts[counts.RESTART] == 1:
        _first_differences(run, D, h)
        memory[numbers.ORDER], memory[numbers.EQUAL_STEPS], memory[numbers.STALE] = 2.0, 0.0, 1.0
        memory[numbers.LENGTH] = h
    elif memory[numbers.ATTEMPT] != run.counts[counts.STEPS]:
        _append_state(scratch, now, rate[now.size - 1])
    memory[numbers.ATTEMPT] = run.counts[counts.STEPS]
    if memory[numbers.LENGTH] != h:
        _rescale(scratch, int(memory[numbers.ORDER]), h / memory[numbers.LENGTH])
        memory[numbers.LENGTH], memory[numbers.EQUAL_STEPS] = h, 0.0
    rtol = run.control[control.RTOL]
    for i in range(scratch.unit.size):
        scratch.unit[i] = 1.0 / (run.atol[i] + rtol * abs(now[i]))


@product_kernel
def _first_differences(run: Any, D: Any, h: Any) -> None:
    """Fill the table of differences at a start, with a state before it that follows from velocities and accelerations.

    Positions have two known derivatives, so the first step may be of order 2. With order 1 each start would move them
    by h^2 q''/2 in the direction of the force, nearly a tolerance, and small bounces would lose their height.
    """
    n, now, rate = run.n, state(run, states.NOW), state(run, states.RATE)
    for k in range(DIFFERENCE_ROWS):
        for i in range(now.size):
            D[k, i] = now[i] if k == 0 else h * rate[i] if k == 1 else 0.0
        D[k, now.size] = rate[now.size - 1] if k == 0 else 0.0
    for i in range(n):
        D[1, i] -= 0.5 * h * h * rate[n + i]
        D[2, i] = h * h * rate[n + i]


@product_kernel
def _append_state(scratch: Any, y: Any, end_power: Any) -> None:
    """Append the accepted state y (m) and its power to the table of differences; set the order of the next step."""
    memory, D, p = scratch.memory, scratch.D, scratch.predicted
    order = int(memory[numbers.ORDER])
    for i in range(y.size + 1):
        new = y[i] if i < y.size else end_power
        d = new - p[i]
        D[order + 2, i] = d - D[order + 1, i]
        D[order + 1, i] = d
        for back in range(order + 1):
            D[order - back, i] += D[order - back + 1, i]
        D[0, i] = new
    memory[numbers.EQUAL_STEPS] += 1.0
    if memory[numbers.NEXT_ORDER] != memory[numbers.ORDER]:
        memory[numbers.ORDER], memory[numbers.EQUAL_STEPS] = memory[numbers.NEXT_ORDER], 0.0
    if memory[numbers.CONTRACTION] > BDF_JACOBIAN_REUSE:
        memory[numbers.STALE] = 1.0


@product_kernel
def _rescale(scratch: Any, order: Any, factor: Any) -> None:
    """Convert the differences D_1, ..., D_order to a step size `factor` times as large, for the same polynomial.

    With x the time in steps, 0 at the end, y(x) = sum_j D_j (x)(x + 1) ... (x + j - 1)/j!; new differences follow from
    its values at x = 0, -factor, ..., -order factor.
    """
    D, m, values = scratch.D, scratch.D.shape[1], scratch.values
    for i in range(m):
        for k in range(order + 1):
            x, term, total = -k * factor, 1.0, 0.0
            for j in range(1, order + 1):
                term *= (x + j - 1) / j
                total += term * D[j, i]
            values[k] = total
        for j in range(1, order + 1):
            for back in range(order + 1 - j):
                k = order - back
                values[k] = values[k - 1] - values[k]
            D[j, i] = values[j]


@product_kernel
def _predict(scratch: Any, order: Any) -> None:
    """Fill the prediction (m + 1) and psi (2 n); set d = 0."""
    D = scratch.D
    G = (1 - KAPPA[order]) * HARMONIC[order]
    for i in range(scratch.predicted.size):
        total, psi = D[0, i], 0.0
        for k in range(1, order + 1):
            total += D[k, i]
            psi += HARMONIC[k] * D[k, i]
        scratch.predicted[i] = total
        if i < scratch.unit.size:
            scratch.psi[i], scratch.d[i] = psi / G, 0.0


@product_kernel
def _finish(run: Any, scratch: Any, t: Any, h: Any, order: Any, shift: Any) -> Any:
    """Fill the tried state with its work and propose the next step size and order; return the error."""
    n, s, tried = run.n, run.s, state(run, states.TRIED)
    d, p = scratch.d, scratch.predicted
    for i in range(2 * n):
        tried[i] = p[i] + d[i]
    now = state(run, states.NOW)
    tried[2 * n] = now[2 * n]
    if run.addresses[addresses.POWER] != 0:
        for i in range(n):  # accelerations by the formula, not those of the last iterate
            run.inputs[i] = (d[n + i] + scratch.psi[n + i]) * shift
        for i in range(s):
            run.inputs[n + i] = scratch.multipliers[i]
        difference = power(run, t + h, tried) - p[2 * n + 1]
        differences = 1 if run.counts[counts.RESTART] == 1 else order  # that of the power before a start is unknown
        for k in range(differences + 1, order + 1):
            difference += scratch.D[k, 2 * n + 1]
        for back in range(differences + 1):
            k = differences - back
            difference += scratch.D[k, 2 * n + 1]
            tried[2 * n] += h * ADAMS[k] * difference
    error = BDF_ERROR_FACTOR * _constant(order) * weighted(run, d, now, tried)
    _propose(run, scratch, order, error)
    return error


@product_kernel
def _constant(order: Any) -> Any:
    """Return the coefficient of the difference of order + 1 in the error."""
    return abs(KAPPA[order] * HARMONIC[order] + 1.0 / (order + 1))


@product_kernel
def _propose(run: Any, scratch: Any, order: Any, error: Any) -> None:
    """Propose the next order, one more or one less if that allows the longest step, and the step size.

    After a change, order + 1 steps of equal length are needed before the differences give an estimate.
    """
    memory, D, d, x = scratch.memory, scratch.D, scratch.d, scratch.x
    now, tried = state(run, states.NOW), state(run, states.TRIED)
    safety = 0.9 * (2 * BDF_NEWTON_ITERATIONS + 1) / (2 * BDF_NEWTON_ITERATIONS + memory[numbers.ITERATIONS])
    best = (max(error, 1e-10)) ** (-1.0 / (order + 1))
    memory[numbers.NEXT_ORDER] = order
    if error > 1:
        run.control[control.STEP_FACTOR] = max(BDF_SMALLEST_FACTOR, min(0.9, safety * best))
        return
    if memory[numbers.EQUAL_STEPS] < order:
        run.control[control.STEP_FACTOR] = 1.0
        return
    for other in (order - 1, order + 1):
        if 1 <= other <= BDF_HIGHEST_ORDER:
            for i in range(d.size):
                x[i] = D[order, i] + d[i] if other < order else d[i] - D[order + 1, i]
            size = BDF_ERROR_FACTOR * _constant(other) * weighted(run, x, now, tried)
            factor = max(size, 1e-10) ** (-1.0 / (other + 1))
            if factor > best:
                best, memory[numbers.NEXT_ORDER] = factor, other
    factor = min(BDF_LARGEST_FACTOR, safety * best)
    if memory[numbers.NEXT_ORDER] == order and 0.95 < factor < 1.1:
        factor = 1.0
    run.control[control.STEP_FACTOR] = factor


@product_kernel
def dense(run: Any, t: Any, h: Any) -> None:
    """Fill the differences at the end of the step. Those of the next step stay: this one may still be rejected."""
    scratch, tried = scratch_of(run), state(run, states.TRIED)
    D, ended, order = scratch.D, scratch.ended, int(scratch.memory[numbers.ORDER])
    scratch.memory[numbers.DENSE_ORDER] = order
    for i in range(tried.size):
        following = tried[i] - scratch.predicted[i]
        for back in range(order):
            following += D[order - back, i]
            ended[order - back, i] = following
        ended[0, i] = tried[i]


@product_kernel
def interpolate(run: Any, h: Any, x: Any, out: Any) -> None:
    """Fill out (m) with the state at the fraction x of the step: the polynomial through the last order + 1 states."""
    scratch = scratch_of(run)
    ended, order = scratch.ended, int(scratch.memory[numbers.DENSE_ORDER])
    for i in range(out.size):
        term, total = 1.0, ended[0, i]
        for j in range(1, order + 1):
            term *= (x - 1.0 + j - 1) / j
            total += term * ended[j, i]
        out[i] = total


method = method_with(attempt, dense, interpolate)
