"""Radau5: implicit, Radau IIA with three stages, order 5, for stiff systems; dense output of order 3.

The stages y + z_i are found by Newton's method with one Jacobian, transformed so that its matrix falls into a real and
a complex system (`newton`). The error is that of an embedded method of order 3, filtered by the real matrix,
the step follows Gustafsson's predictive control (Hairer and Wanner II, IV.8). The work W is a sum over the stages
with the same weights; it takes no part in Newton's method.
"""

from __future__ import annotations

from typing import Any

from .....kernels.native.runtime.jit import product_kernel
from ....memory import addresses, control, counts, states
from ....stepping.native.method import method_with
from ....stepping.native.rates import accelerate, power
from ....stepping.native.run_view import state, weighted
from ...scratch.radau5 import numbers
from ...tableaus import radau5 as c
from ..jacobian import jacobian
from .memory import ITERATIONS, scratch_of
from .newton import factored, newton, solve_real

SAFETY, LEAST, MOST = 0.9, 0.2, 8.0
LOOSE = 0.02
KEEP = 1.2
"""A step that would grow by less stays as it is, and so do its matrices, if Newton's method converges fast."""
FAST = 1e-3
"""The contraction of Newton's method at which the Jacobian of an earlier step is still good."""
SLOW = 0.2
"""The one that steps are not to grow beyond: longer ones would not converge."""


@product_kernel
def attempt(run: Any, t: Any, h: Any) -> Any:
    """The tried state and its error."""
    scratch, now = scratch_of(run), state(run, states.NOW)
    kept = scratch.kept
    again = _begin(run, scratch, t)
    while True:
        if kept[numbers.JACOBIAN_AT] != t and kept[numbers.CONTRACTION] > FAST:
            kept[numbers.JACOBIAN_AT], kept[numbers.FACTORED], kept[numbers.FIT] = t, 0.0, 1.0
            if not jacobian(run, t, now, state(run, states.RATE), scratch.by_q, scratch.by_v, scratch.derivatives):
                return -1.0
        if kept[numbers.FACTORED] != h and not factored(run, scratch, h):
            return -1.0
        _guess(run, scratch, h)
        if newton(run, scratch, t, h):
            break
        kept[numbers.CONTRACTION] = 1.0
        if kept[numbers.JACOBIAN_AT] == t or run.counts[counts.STATUS_WORST] < 0:
            return -1.0
    _finish(run, scratch, t, h)
    error = _error(run, scratch, t, h, again)
    kept[numbers.ERROR] = error
    _propose(run, kept, h, error)
    return error


@product_kernel
def _begin(run: Any, scratch: Any, t: Any) -> Any:
    """Takes over the step before, if it was accepted; whether the error may come from a strange start."""
    kept, z = scratch.kept, scratch.z
    if run.counts[counts.RESTART] == 1:
        kept[numbers.KNOWN], kept[numbers.JACOBIAN_AT], kept[numbers.FACTORED], kept[numbers.CONTRACTION] = (
            0.0,
            t - 1.0,
            0.0,
            1.0,
        )
        kept[numbers.FIT] = 1.0
        _units(run, scratch)
    elif kept[numbers.BEGAN] != t:
        kept[numbers.KNOWN], kept[numbers.LENGTH_BEFORE] = 1.0, kept[numbers.LENGTH]
        kept[numbers.ERROR_BEFORE] = max(1e-2, kept[numbers.ERROR])
        for i in range(scratch.unit.size):
            for k in range(3):
                scratch.before[k, i] = z[0, i] * c.POWERS[0][k] + z[1, i] * c.POWERS[1][k] + z[2, i] * c.POWERS[2][k]
        _units(run, scratch)
    again = kept[numbers.KNOWN] == 0 or (kept[numbers.BEGAN] == t and kept[numbers.ERROR] > 1)
    kept[numbers.BEGAN], kept[numbers.ERROR] = t, 0.0
    return again


@product_kernel
def _units(run: Any, scratch: Any) -> None:
    """The reciprocals of what the tolerances allow."""
    y, rtol = state(run, states.NOW), run.control[control.RTOL]
    scratch.kept[numbers.LOOSE] = loosened(rtol)
    for i in range(scratch.unit.size):
        scratch.unit[i] = 1.0 / (run.atol[i] + rtol * abs(y[i]))


@product_kernel
def loosened(rtol: Any) -> Any:
    """How much larger than the tolerance the estimate may be: it is of order h^4, the error itself h^6.

    Hairer's code measures rtol^(2/3)/10 where rtol is asked for; a fifth of that keeps whole runs near it.
    """
    return LOOSE * max(rtol, 1e-15) ** (-1.0 / 3.0)


@product_kernel
def _guess(run: Any, scratch: Any, h: Any) -> None:
    """First values of the stages: the polynomial of the step before goes on; w = T^-1 z."""
    z, b, w, kept = scratch.z, scratch.before, scratch.w, scratch.kept
    ratio = h / kept[numbers.LENGTH_BEFORE] if kept[numbers.KNOWN] == 1 else 0.0
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
    """The tried state, and the work: its power at the stages, with the accelerations of the polynomial there."""
    n, s, now, tried, z = (
        run.n,
        run.s,
        state(run, states.NOW),
        state(run, states.TRIED),
        scratch.z,
    )
    for i in range(2 * n):
        tried[i] = now[i] + z[2, i]
    found = (0.0, 0.0, 0.0)
    if run.addresses[addresses.POWER] != 0:
        for k in range(3):
            row, nodes = c.A_INVERSE[k], (c.C1, c.C2, c.C3)
            for i in range(2 * n):
                scratch.x[i] = now[i] + z[k, i]
            for i in range(n):
                run.inputs[i] = (row[0] * z[0, n + i] + row[1] * z[1, n + i] + row[2] * z[2, n + i]) / h
            for i in range(s):
                run.inputs[n + i] = scratch.multipliers[k, i]
            here = power(run, t + nodes[k] * h, scratch.x)
            found = (found[1], found[2], here)
    for k in range(3):
        z[k, 2 * n] = h * (c.A[k][0] * found[0] + c.A[k][1] * found[1] + c.A[k][2] * found[2])
    tried[2 * n] = now[2 * n] + z[2, 2 * n]


@product_kernel
def _error(run: Any, scratch: Any, t: Any, h: Any, again: Any) -> Any:
    """The error (GAMMA/h - J)^-1 (f(y) + sum e_i z_i/h); once more from y + itself where stiff parts may spoil it."""
    z, found, rate, now = scratch.z, scratch.correction[0], state(run, states.RATE), state(run, states.NOW)
    size, tried, loose = scratch.unit.size, state(run, states.TRIED), scratch.kept[numbers.LOOSE]
    for i in range(size):
        scratch.w[0, i] = (c.ERROR[0] * z[0, i] + c.ERROR[1] * z[1, i] + c.ERROR[2] * z[2, i]) / h
        found[i] = rate[i] + scratch.w[0, i]
    solve_real(run, scratch, h)
    error = weighted(run, found, now, tried) / loose
    if again and error > 1:
        for i in range(size):
            scratch.x[i] = now[i] + found[i]
        worst = run.counts[counts.STATUS_WORST]
        if accelerate(run, t, scratch.x, scratch.rates[0]):
            for i in range(size):
                found[i] = scratch.rates[0, i] + scratch.w[0, i]
            solve_real(run, scratch, h)
            error = weighted(run, found, now, tried) / loose
        run.counts[counts.STATUS_WORST] = worst
    return error


@product_kernel
def _propose(run: Any, kept: Any, h: Any, error: Any) -> None:
    """The next step: by this error, or by how it grew since the step before, whichever is shorter."""
    kept[numbers.LENGTH] = h
    safety = SAFETY * (2 * ITERATIONS + 1) / (2 * ITERATIONS + kept[numbers.NEEDED])
    error = max(error, 1e-10)
    factor = safety * error**-0.25
    if kept[numbers.KNOWN] == 1 and error <= 1:
        growth = kept[numbers.ERROR_BEFORE] / (error * error)
        factor = min(factor, SAFETY * h / kept[numbers.LENGTH_BEFORE] * growth**0.25)
    if kept[numbers.NEEDED] > 1 and kept[numbers.CONTRACTION] > 0:
        factor = min(factor, max(0.8, (SLOW / kept[numbers.CONTRACTION]) ** 0.5))
    factor = min(MOST, max(LEAST, factor))
    if 1 <= factor <= KEEP and kept[numbers.CONTRACTION] <= FAST:
        factor = 1.0
    run.control[control.STEP_FACTOR] = factor


@product_kernel
def dense(run: Any, t: Any, h: Any) -> None:
    """Nothing: the stages are the polynomial."""


@product_kernel
def interpolate(run: Any, h: Any, x: Any, out: Any) -> None:
    """The state at the share x of the step, by collocation."""
    z, now = scratch_of(run).z, state(run, states.NOW)
    p1 = x * (c.POWERS[0][0] + x * (c.POWERS[0][1] + x * c.POWERS[0][2]))
    p2 = x * (c.POWERS[1][0] + x * (c.POWERS[1][1] + x * c.POWERS[1][2]))
    p3 = x * (c.POWERS[2][0] + x * (c.POWERS[2][1] + x * c.POWERS[2][2]))
    for i in range(out.size):
        out[i] = now[i] + p1 * z[0, i] + p2 * z[1, i] + p3 * z[2, i]


method = method_with(attempt, dense, interpolate)
