"""Radau5: implicit Runge-Kutta method Radau IIA with three stages, order 5, for stiff systems; dense output of order 3.

The stages y + z_i are computed by Newton's method with one Jacobian, transformed so that its matrix separates into a
real and a complex system (`newton`). The error estimate is that of an embedded method of order 3, filtered by the real
matrix; the step size follows Gustafsson's predictive control (Hairer and Wanner II, IV.8). The work W is a sum over the
stages with the weights of the method; it is not an unknown of Newton's method.
"""

from __future__ import annotations

from typing import Any

from .....kernels.native.runtime.jit import product_kernel
from ....memory import addresses, control, counts, states
from ....stepping.native.method import method_with
from ....stepping.native.rates import accelerate, power
from ....stepping.native.run_view import state, weighted
from ...tableaus import radau5 as c
from ..jacobian import jacobian
from ..scratch.radau5 import numbers
from .memory import RADAU5_NEWTON_ITERATIONS, scratch_of
from .newton import factor_matrices, newton, solve_real

RADAU5_SAFETY = 0.9  # [1] proposed step size relative to the one whose error would be just accepted
RADAU5_SMALLEST_FACTOR = 0.2  # [1] smallest ratio of two successive step sizes
RADAU5_LARGEST_FACTOR = 8.0  # [1] largest ratio of two successive step sizes
RADAU5_ERROR_ALLOWANCE = 0.02  # [tolerances] largest error estimate accepted, divided by rtol^(-1/3)
RADAU5_UNCHANGED_BELOW = 1.2  # [1] growth below which step size and matrices stay, if Newton's method converges fast
RADAU5_JACOBIAN_REUSE = 1e-3  # [1] contraction of Newton's method up to which the Jacobian of an earlier step is reused
RADAU5_CONTRACTION_LIMIT = 0.2  # [1] contraction above which the step size does not grow, since longer steps diverge


@product_kernel
def attempt(run: Any, t: Any, h: Any) -> Any:
    """Fill the tried state at t + h; return its error, or -1 if Newton's method failed."""
    scratch, now = scratch_of(run), state(run, states.NOW)
    memory, steps = scratch.memory, run.counts[counts.STEPS]
    refine = _begin_attempt(run, scratch, t)
    while True:
        if memory[numbers.JACOBIAN_STEP] != steps and memory[numbers.CONTRACTION] > RADAU5_JACOBIAN_REUSE:
            memory[numbers.JACOBIAN_STEP], memory[numbers.FACTORED] = steps, 0.0
            memory[numbers.REMAINDER] = 1.0
            if not jacobian(run, t, now, state(run, states.RATE), scratch.by_q, scratch.by_v, scratch.derivatives):
                return -1.0
        if memory[numbers.FACTORED] != h and not factor_matrices(run, scratch, h):
            return -1.0
        _guess(run, scratch, h)
        if newton(run, scratch, t, h):
            break
        memory[numbers.CONTRACTION] = 1.0
        if memory[numbers.JACOBIAN_STEP] == steps or run.counts[counts.STATUS_WORST] < 0:
            return -1.0
    _finish(run, scratch, t, h)
    error = _error(run, scratch, t, h, refine)
    memory[numbers.ERROR] = error
    _propose(run, memory, h, error)
    return error


@product_kernel
def _begin_attempt(run: Any, scratch: Any, t: Any) -> Any:
    """Store the previous step if it was accepted; return whether the error estimate of this attempt must be refined.

    It must for a first step and after a rejected attempt (Hairer and Wanner II, IV.8).
    """
    memory, z = scratch.memory, scratch.z
    if run.counts[counts.RESTART] != 0:
        memory[numbers.HAS_PREVIOUS], memory[numbers.JACOBIAN_STEP], memory[numbers.FACTORED] = 0.0, -1.0, 0.0
        memory[numbers.CONTRACTION], memory[numbers.REMAINDER] = 1.0, 1.0
        _set_units(run, scratch)
    elif memory[numbers.ATTEMPT] != run.counts[counts.STEPS]:
        memory[numbers.HAS_PREVIOUS], memory[numbers.PREVIOUS_LENGTH] = 1.0, memory[numbers.LENGTH]
        memory[numbers.PREVIOUS_ERROR] = max(1e-2, memory[numbers.ERROR])
        for i in range(scratch.unit.size):
            for k in range(3):
                scratch.previous[k, i] = z[0, i] * c.POWERS[0][k] + z[1, i] * c.POWERS[1][k] + z[2, i] * c.POWERS[2][k]
        _set_units(run, scratch)
    repeated = memory[numbers.ATTEMPT] == run.counts[counts.STEPS]
    refine = memory[numbers.HAS_PREVIOUS] == 0 or (repeated and memory[numbers.ERROR] > 1)
    memory[numbers.ATTEMPT], memory[numbers.ERROR] = run.counts[counts.STEPS], 0.0
    return refine


@product_kernel
def _set_units(run: Any, scratch: Any) -> None:
    """Fill the reciprocals of the tolerances and the allowance of the error estimate."""
    y, rtol = state(run, states.NOW), run.control[control.RTOL]
    scratch.memory[numbers.ERROR_ALLOWANCE] = error_allowance(rtol)
    for i in range(scratch.unit.size):
        scratch.unit[i] = 1.0 / (run.atol[i] + rtol * abs(y[i]))


@product_kernel
def error_allowance(rtol: Any) -> Any:
    """Return how many tolerances the error estimate may reach: it is of order h^4, the error itself of order h^6.

    Hairer's code compares the estimate with rtol^(2/3)/10 for a tolerance rtol; a fifth of that keeps the error of
    whole runs near the tolerance.
    """
    return RADAU5_ERROR_ALLOWANCE * max(rtol, 1e-15) ** (-1.0 / 3.0)


@product_kernel
def _guess(run: Any, scratch: Any, h: Any) -> None:
    """Fill first values of the stages, by extrapolating the polynomial of the previous step; w = T^-1 z."""
    z, b, w, memory = scratch.z, scratch.previous, scratch.w, scratch.memory
    ratio = h / memory[numbers.PREVIOUS_LENGTH] if memory[numbers.HAS_PREVIOUS] == 1 else 0.0
    x1, x2, x3 = 1.0 + c.C1 * ratio, 1.0 + c.C2 * ratio, 1.0 + ratio
    for i in range(scratch.unit.size):
        z1, z2, z3 = 0.0, 0.0, 0.0
        if ratio > 0:
            end = b[0, i] + b[1, i] + b[2, i]
            z1 = x1 * (b[0, i] + x1 * (b[1, i] + x1 * b[2, i])) - end
            z2 = x2 * (b[0, i] + x2 * (b[1, i] + x2 * b[2, i])) - end
            z3 = x3 * (b[0, i] + x3 * (b[1, i] + x3 * b[2, i])) - end
        z[0, i], z[1, i], z[2, i] = z1, z2, z3
        for k in range(3):
            w[k, i] = c.T_INVERSE[k][0] * z1 + c.T_INVERSE[k][1] * z2 + c.T_INVERSE[k][2] * z3


@product_kernel
def _finish(run: Any, scratch: Any, t: Any, h: Any) -> None:
    """Fill the tried state and its work, from the power at the stages with the accelerations of the polynomial."""
    n, s, now, tried, z = (
        run.n,
        run.s,
        state(run, states.NOW),
        state(run, states.TRIED),
        scratch.z,
    )
    for i in range(2 * n):
        tried[i] = now[i] + z[2, i]
    powers = (0.0, 0.0, 0.0)
    if run.addresses[addresses.POWER] != 0:
        for k in range(3):
            row, nodes = c.A_INVERSE[k], (c.C1, c.C2, c.C3)
            for i in range(2 * n):
                scratch.x[i] = now[i] + z[k, i]
            for i in range(n):
                run.inputs[i] = (row[0] * z[0, n + i] + row[1] * z[1, n + i] + row[2] * z[2, n + i]) / h
            for i in range(s):
                run.inputs[n + i] = scratch.multipliers[k, i]
            powers = (powers[1], powers[2], power(run, t + nodes[k] * h, scratch.x))
    for k in range(3):
        z[k, 2 * n] = h * (c.A[k][0] * powers[0] + c.A[k][1] * powers[1] + c.A[k][2] * powers[2])
    tried[2 * n] = now[2 * n] + z[2, 2 * n]


@product_kernel
def _error(run: Any, scratch: Any, t: Any, h: Any, refine: Any) -> Any:
    """Return the error e = (GAMMA/h - J)^-1 (f(y) + sum e_i z_i/h) in units of its allowance.

    With `refine`, an error above 1 is computed again with f(y + e), because stiff components may dominate the first.
    """
    z, errors, rate, now = scratch.z, scratch.correction[0], state(run, states.RATE), state(run, states.NOW)
    size, tried, allowance = scratch.unit.size, state(run, states.TRIED), scratch.memory[numbers.ERROR_ALLOWANCE]
    for i in range(size):
        scratch.w[0, i] = (c.ERROR[0] * z[0, i] + c.ERROR[1] * z[1, i] + c.ERROR[2] * z[2, i]) / h
        errors[i] = rate[i] + scratch.w[0, i]
    solve_real(run, scratch, h)
    error = weighted(run, errors, now, tried) / allowance
    if refine and error > 1:
        for i in range(size):
            scratch.x[i] = now[i] + errors[i]
        worst = run.counts[counts.STATUS_WORST]
        if accelerate(run, t, scratch.x, scratch.rates[0]):
            for i in range(size):
                errors[i] = scratch.rates[0, i] + scratch.w[0, i]
            solve_real(run, scratch, h)
            error = weighted(run, errors, now, tried) / allowance
        run.counts[counts.STATUS_WORST] = worst
    return error


@product_kernel
def _propose(run: Any, memory: Any, h: Any, error: Any) -> None:
    """Propose the next step size: the smaller of those from this error and from its growth since the previous step."""
    memory[numbers.LENGTH] = h
    most = 2 * RADAU5_NEWTON_ITERATIONS
    safety = RADAU5_SAFETY * (most + 1) / (most + memory[numbers.ITERATIONS])
    error = max(error, 1e-10)
    factor = safety * error**-0.25
    if memory[numbers.HAS_PREVIOUS] == 1 and error <= 1:
        growth = memory[numbers.PREVIOUS_ERROR] / (error * error)
        factor = min(factor, RADAU5_SAFETY * h / memory[numbers.PREVIOUS_LENGTH] * growth**0.25)
    if memory[numbers.ITERATIONS] > 1 and memory[numbers.CONTRACTION] > 0:
        factor = min(factor, max(0.8, (RADAU5_CONTRACTION_LIMIT / memory[numbers.CONTRACTION]) ** 0.5))
    factor = min(RADAU5_LARGEST_FACTOR, max(RADAU5_SMALLEST_FACTOR, factor))
    if 1 <= factor <= RADAU5_UNCHANGED_BELOW and memory[numbers.CONTRACTION] <= RADAU5_JACOBIAN_REUSE:
        factor = 1.0
    run.control[control.STEP_FACTOR] = factor


@product_kernel
def dense(run: Any, t: Any, h: Any) -> None:
    """Do nothing: the stages determine the polynomial of the dense output."""


@product_kernel
def interpolate(run: Any, h: Any, x: Any, out: Any) -> None:
    """Fill out (m) with the state at the fraction x of the step, by the collocation polynomial."""
    z, now = scratch_of(run).z, state(run, states.NOW)
    p1 = x * (c.POWERS[0][0] + x * (c.POWERS[0][1] + x * c.POWERS[0][2]))
    p2 = x * (c.POWERS[1][0] + x * (c.POWERS[1][1] + x * c.POWERS[1][2]))
    p3 = x * (c.POWERS[2][0] + x * (c.POWERS[2][1] + x * c.POWERS[2][2]))
    for i in range(out.size):
        out[i] = now[i] + p1 * z[0, i] + p2 * z[1, i] + p3 * z[2, i]


method = method_with(attempt, dense, interpolate)
