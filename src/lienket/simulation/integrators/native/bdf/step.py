"""BDF: Gear's backward differentiation formulas of variable order 1 to 5 and variable step, for stiff systems.

The step is quasi-constant: the differences D_k = nabla^k y belong to steps of equal length, and are computed again when
the step size changes (Shampine and Reichelt, SIAM J. Sci. Comput. 18, 1997). With the prediction p = sum D_k,
psi = sum g_k D_k/G, g_k = 1 + 1/2 + ... + 1/k, G = (1 - kappa) g_order, the new state p + d solves

    d + psi = h/G f(t + h, p + d),       error C d,   C = kappa g_order + 1/(order + 1).

The known error is removed, which raises the order by one:

    d <- d - C/g_(order + 1) (1 - J/c)^-3 d,       c = G/h.

The factor keeps the correction away from stiff components; with three of them the corrected formulas are more stable
than the others (A(alpha) for orders 1 to 5: 90, 89, 89, 79, 53 degrees; BDF 90, 90, 86, 73, 51). Without the correction
the errors of all steps of a vibration have one sign and add up: runs over ten turns were off by 3000 tolerances, as
those of other codes. So that it holds after a change of the step size, the difference of order + 1 is converted as
well; at a start, before which no states are known, there is no correction.

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
from ..scratch.bdf import BDF_HIGHEST_ORDER, numbers
from .differences import HARMONIC, KAPPA, constant, predict, update_differences
from .memory import BDF_NEWTON_ITERATIONS, scratch_of
from .newton import invert_matrix, newton, smooth

# Coefficients of the Adams-Moulton formulas.
ADAMS = np.array((1.0, -1 / 2, -1 / 12, -1 / 24, -19 / 720, -3 / 160))
SMOOTHINGS = 3  # [1] divisions by 1 - J/c of the correction of a step
BDF_SMALLEST_FACTOR = 0.2  # [1] smallest ratio of the step sizes of a repeated and a rejected attempt
BDF_LARGEST_FACTOR = 10.0  # [1] largest ratio of two successive step sizes
BDF_ERROR_FACTOR = 7.0  # [1] factor on the error estimate; keeps the error of a long run near its tolerances


@product_kernel
def attempt(run: Any, t: Any, h: Any) -> Any:
    """Fill the tried state at t + h; return its error, or -1 if Newton's method failed."""
    scratch = scratch_of(run)
    memory = scratch.memory
    update_differences(run, scratch, h)
    while True:
        if memory[numbers.STALE] == 1:
            memory[numbers.STALE], memory[numbers.INVERTED] = 0.0, 0.0
            memory[numbers.JACOBIAN_STEP] = run.counts[counts.STEPS]
            if not jacobian(
                run, t, state(run, states.NOW), state(run, states.RATE), scratch.by_q, scratch.by_v, scratch.derivatives
            ):
                return -1.0
        order = int(memory[numbers.ORDER])
        shift = (1 - KAPPA[order]) * HARMONIC[order] / h
        if memory[numbers.INVERTED] != shift and not invert_matrix(run, scratch, shift):
            return -1.0
        predict(scratch, order)
        if newton(run, scratch, t + h, shift):
            break
        if memory[numbers.JACOBIAN_STEP] == run.counts[counts.STEPS] or run.counts[counts.STATUS_WORST] < 0:
            memory[numbers.EQUAL_STEPS] = 0.0
            return -1.0
        memory[numbers.STALE] = 1.0
    return _finish(run, scratch, t, h, order, shift)


@product_kernel
def _finish(run: Any, scratch: Any, t: Any, h: Any, order: Any, shift: Any) -> Any:
    """Fill the tried state with its work and propose the next step size and order; return the error."""
    n, s, tried = run.n, run.s, state(run, states.TRIED)
    d, p = scratch.d, scratch.predicted
    for i in range(n):  # accelerations by the formula, not those of the last iterate
        run.inputs[i] = (d[n + i] + scratch.psi[n + i]) * shift
    if scratch.memory[numbers.KNOWN_STATES] >= order:
        smooth(run, scratch, shift, SMOOTHINGS)
        part = constant(order) / HARMONIC[order + 1]
        for i in range(2 * n):
            d[i] -= part * scratch.step[i]
    for i in range(2 * n):
        tried[i] = p[i] + d[i]
    now = state(run, states.NOW)
    tried[2 * n] = now[2 * n]
    if run.addresses[addresses.POWER] != 0:
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
    error = BDF_ERROR_FACTOR * constant(order) * weighted(run, d, now, tried)
    _propose(run, scratch, order, error)
    return error


@product_kernel
def _propose(run: Any, scratch: Any, order: Any, error: Any) -> None:
    """Propose the next order, one more or one less if that allows the longest step, and the step size.

    After a change, order + 1 steps of equal length are needed before the differences give an estimate.
    """
    memory, d, x = scratch.memory, scratch.d, scratch.x
    safety = 0.9 * (2 * BDF_NEWTON_ITERATIONS + 1) / (2 * BDF_NEWTON_ITERATIONS + memory[numbers.ITERATIONS])
    best = (max(error, 1e-10)) ** (-1.0 / (order + 1))
    memory[numbers.NEXT_ORDER] = order
    if error > 1:
        best = _lower_order(run, scratch, order, best)
        run.control[control.STEP_FACTOR] = max(BDF_SMALLEST_FACTOR, min(0.9, safety * best))
        return
    if memory[numbers.EQUAL_STEPS] < order:
        run.control[control.STEP_FACTOR] = 1.0
        return
    for other in (order - 1, order + 1):
        if 1 <= other <= BDF_HIGHEST_ORDER:
            for i in range(d.size):
                x[i] = scratch.D[order, i] + d[i] if other < order else d[i] - scratch.D[order + 1, i]
            factor = _factor(run, x, other)
            if factor > best:
                best, memory[numbers.NEXT_ORDER] = factor, other
    factor = min(BDF_LARGEST_FACTOR, safety * best)
    if memory[numbers.NEXT_ORDER] == order and 0.95 < factor < 1.1:
        factor = 1.0
    run.control[control.STEP_FACTOR] = factor


@product_kernel
def _lower_order(run: Any, scratch: Any, order: Any, best: Any) -> Any:
    """Lower the order of a rejected step, if that allows a longer one; return the factor of the step.

    Disturbances of the differences, as after a bridge, grow with the order; steps of the same order that become ever
    shorter need not make them smaller, since each change of the step size disturbs them again.
    """
    memory, d, x = scratch.memory, scratch.d, scratch.x
    for i in range(d.size):
        x[i] = d[i]
    for back in range(1, order):
        for i in range(d.size):
            x[i] += scratch.D[order - back + 1, i]
        factor = _factor(run, x, order - back)
        if factor > best:
            best, memory[numbers.ORDER], memory[numbers.NEXT_ORDER] = factor, order - back, order - back
            memory[numbers.EQUAL_STEPS] = 0.0
    return best


@product_kernel
def _factor(run: Any, difference: Any, order: Any) -> Any:
    """Return the ratio of the step size that an order allows to that of the step, by its difference of order + 1."""
    size = (
        BDF_ERROR_FACTOR * constant(order) * weighted(run, difference, state(run, states.NOW), state(run, states.TRIED))
    )
    return max(size, 1e-10) ** (-1.0 / (order + 1))


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
