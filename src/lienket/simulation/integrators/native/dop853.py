"""DOP853: explicit Runge-Kutta method of order 8, dense output of order 7; the default for motions that are not stiff.

Twelve stages, error estimate from embedded methods of order 5 and 3, three further stages for the dense output (Hairer,
Norsett and Wanner I, II.5, II.6 and II.10). The sums over the stages are written out without the zeros of the tableau,
so that they cost less than the evaluations of the model.
"""

from __future__ import annotations

from typing import Any

from ....kernels.native.runtime.address import vector
from ....kernels.native.runtime.blocks import views
from ....kernels.native.runtime.jit import kernel, product_kernel
from ...memory import control, counts, states
from ...methods import DOP853_ERROR_FACTOR
from ...stepping.native.corners import over_corner
from ...stepping.native.method import method_with
from ...stepping.native.rates import accelerate, rates
from ...stepping.native.run_view import state
from ..tableaus import dop853 as c
from .scratch.dop853 import dop853_scratch
from .stiffness import STIFFNESS_CHECK_INTERVAL, detects_stiffness

# With a safety factor of 0.9 one step in three is rejected for a mechanism with dead points; with 0.8, one in six.
DOP853_SAFETY = 0.8  # [1] proposed step size relative to the one whose error would be just accepted
DOP853_SMALLEST_FACTOR = 0.2  # [1] smallest ratio of two successive step sizes
DOP853_LARGEST_FACTOR = 8.0  # [1] largest ratio of two successive step sizes


kernel(dop853_scratch)  # a Python function that kernels call too


@product_kernel
def scratch_of(run: Any) -> Any:
    """Return the blocks of the scratch memory, see `Dop853Scratch`."""
    return views(run.scratch, 0, dop853_scratch(run.n, run.s))


@product_kernel
def early_stages(run: Any, t: Any, h: Any) -> Any:
    """Evaluate stages 1 to 8; return whether all have rates. Stages 2 to 5 need no power: the work does not use it."""
    m, y, k, x, rate = (
        run.y.shape[1],
        state(run, states.NOW),
        scratch_of(run).rates,
        scratch_of(run).stage,
        state(run, states.RATE),
    )
    for i in range(m):
        k[0, i] = rate[i]
    for i in range(m):
        x[i] = y[i] + h * (c.A2_1 * k[0, i])
    if not accelerate(run, t + c.C2 * h, x, vector(k, 1 * m, m)):
        return False
    for i in range(m):
        x[i] = y[i] + h * (c.A3_1 * k[0, i] + c.A3_2 * k[1, i])
    if not accelerate(run, t + c.C3 * h, x, vector(k, 2 * m, m)):
        return False
    for i in range(m):
        x[i] = y[i] + h * (c.A4_1 * k[0, i] + c.A4_3 * k[2, i])
    if not accelerate(run, t + c.C4 * h, x, vector(k, 3 * m, m)):
        return False
    for i in range(m):
        x[i] = y[i] + h * (c.A5_1 * k[0, i] + c.A5_3 * k[2, i] + c.A5_4 * k[3, i])
    if not accelerate(run, t + c.C5 * h, x, vector(k, 4 * m, m)):
        return False
    for i in range(m):
        x[i] = y[i] + h * (c.A6_1 * k[0, i] + c.A6_4 * k[3, i] + c.A6_5 * k[4, i])
    if not rates(run, t + c.C6 * h, x, vector(k, 5 * m, m)):
        return False
    for i in range(m):
        x[i] = y[i] + h * (c.A7_1 * k[0, i] + c.A7_4 * k[3, i] + c.A7_5 * k[4, i] + c.A7_6 * k[5, i])
    if not rates(run, t + c.C7 * h, x, vector(k, 6 * m, m)):
        return False
    for i in range(m):
        x[i] = y[i] + h * (c.A8_1 * k[0, i] + c.A8_4 * k[3, i] + c.A8_5 * k[4, i] + c.A8_6 * k[5, i] + c.A8_7 * k[6, i])
    return rates(run, t + c.C8 * h, x, vector(k, 7 * m, m))


@product_kernel
def late_stages(run: Any, t: Any, h: Any) -> Any:
    """Evaluate stages 9 to 12; return whether all have rates."""
    m, y, k, x, before = (
        run.y.shape[1],
        state(run, states.NOW),
        scratch_of(run).rates,
        scratch_of(run).stage,
        scratch_of(run).stage_before,
    )
    # fmt: off
    for i in range(m):
        x[i] = y[i] + h * (
            c.A9_1 * k[0, i] + c.A9_4 * k[3, i] + c.A9_5 * k[4, i] + c.A9_6 * k[5, i] + c.A9_7 * k[6, i] + c.A9_8 *
            k[7, i]
        )
    if not rates(run, t + c.C9 * h, x, vector(k, 8 * m, m)):
        return False
    for i in range(m):
        x[i] = y[i] + h * (
            c.A10_1 * k[0, i] + c.A10_4 * k[3, i] + c.A10_5 * k[4, i] + c.A10_6 * k[5, i] + c.A10_7 * k[6, i] +
            c.A10_8 * k[7, i] + c.A10_9 * k[8, i]
        )
    if not rates(run, t + c.C10 * h, x, vector(k, 9 * m, m)):
        return False
    for i in range(m):
        before[i] = y[i] + h * (
            c.A11_1 * k[0, i] + c.A11_4 * k[3, i] + c.A11_5 * k[4, i] + c.A11_6 * k[5, i] + c.A11_7 * k[6, i] +
            c.A11_8 * k[7, i] + c.A11_9 * k[8, i] + c.A11_10 * k[9, i]
        )
    if not rates(run, t + c.C11 * h, before, vector(k, 10 * m, m)):
        return False
    for i in range(m):
        x[i] = y[i] + h * (
            c.A12_1 * k[0, i] + c.A12_4 * k[3, i] + c.A12_5 * k[4, i] + c.A12_6 * k[5, i] + c.A12_7 * k[6, i] +
            c.A12_8 * k[7, i] + c.A12_9 * k[8, i] + c.A12_10 * k[9, i] + c.A12_11 * k[10, i]
        )
    # fmt: on
    return rates(run, t + h, x, vector(k, 11 * m, m))


@product_kernel
def dense(run: Any, t: Any, h: Any) -> None:
    """Evaluate stages 14 to 16 and fill the coefficients of the dense output."""
    m, y, k, x, end = (
        run.y.shape[1],
        state(run, states.NOW),
        scratch_of(run).rates,
        scratch_of(run).stage,
        state(run, states.RATE_TRIED),
    )
    for i in range(m):
        k[12, i] = end[i]
    # fmt: off
    for i in range(m):
        x[i] = y[i] + h * (
            c.A14_1 * k[0, i] + c.A14_7 * k[6, i] + c.A14_8 * k[7, i] + c.A14_9 * k[8, i] + c.A14_10 * k[9, i] +
            c.A14_11 * k[10, i] + c.A14_12 * k[11, i] + c.A14_13 * k[12, i]
        )
    rates(run, t + c.C14 * h, x, vector(k, 13 * m, m))
    for i in range(m):
        x[i] = y[i] + h * (
            c.A15_1 * k[0, i] + c.A15_6 * k[5, i] + c.A15_7 * k[6, i] + c.A15_8 * k[7, i] + c.A15_11 * k[10, i] +
            c.A15_12 * k[11, i] + c.A15_13 * k[12, i] + c.A15_14 * k[13, i]
        )
    rates(run, t + c.C15 * h, x, vector(k, 14 * m, m))
    for i in range(m):
        x[i] = y[i] + h * (
            c.A16_1 * k[0, i] + c.A16_6 * k[5, i] + c.A16_7 * k[6, i] + c.A16_8 * k[7, i] + c.A16_9 * k[8, i] +
            c.A16_13 * k[12, i] + c.A16_14 * k[13, i] + c.A16_15 * k[14, i]
        )
    rates(run, t + c.C16 * h, x, vector(k, 15 * m, m))
    # fmt: on
    _dense_coefficients(run, h, y, k, end)


@product_kernel
def _dense_coefficients(run: Any, h: Any, y: Any, k: Any, end: Any) -> None:
    """Fill the coefficients of the dense output (POWERS x m)."""
    tried, rate, F = state(run, states.TRIED), state(run, states.RATE), scratch_of(run).polynomial
    for i in range(y.size):
        change = tried[i] - y[i]
        F[0, i], F[1, i] = y[i], change
        F[2, i] = h * rate[i] - change
        F[3, i] = 2 * change - h * (rate[i] + end[i])
        # fmt: off
        F[4, i] = h * (
            c.D4_1 * k[0, i] + c.D4_6 * k[5, i] + c.D4_7 * k[6, i] + c.D4_8 * k[7, i] + c.D4_9 * k[8, i] + c.D4_10 *
            k[9, i] + c.D4_11 * k[10, i] + c.D4_12 * k[11, i] + c.D4_13 * k[12, i] + c.D4_14 * k[13, i] + c.D4_15 *
            k[14, i] + c.D4_16 * k[15, i]
        )
        F[5, i] = h * (
            c.D5_1 * k[0, i] + c.D5_6 * k[5, i] + c.D5_7 * k[6, i] + c.D5_8 * k[7, i] + c.D5_9 * k[8, i] + c.D5_10 *
            k[9, i] + c.D5_11 * k[10, i] + c.D5_12 * k[11, i] + c.D5_13 * k[12, i] + c.D5_14 * k[13, i] + c.D5_15 *
            k[14, i] + c.D5_16 * k[15, i]
        )
        F[6, i] = h * (
            c.D6_1 * k[0, i] + c.D6_6 * k[5, i] + c.D6_7 * k[6, i] + c.D6_8 * k[7, i] + c.D6_9 * k[8, i] + c.D6_10 *
            k[9, i] + c.D6_11 * k[10, i] + c.D6_12 * k[11, i] + c.D6_13 * k[12, i] + c.D6_14 * k[13, i] + c.D6_15 *
            k[14, i] + c.D6_16 * k[15, i]
        )
        F[7, i] = h * (
            c.D7_1 * k[0, i] + c.D7_6 * k[5, i] + c.D7_7 * k[6, i] + c.D7_8 * k[7, i] + c.D7_9 * k[8, i] + c.D7_10 *
            k[9, i] + c.D7_11 * k[10, i] + c.D7_12 * k[11, i] + c.D7_13 * k[12, i] + c.D7_14 * k[13, i] + c.D7_15 *
            k[14, i] + c.D7_16 * k[15, i]
        )
        # fmt: on


@product_kernel
def interpolate(run: Any, h: Any, x: Any, out: Any) -> None:
    """Fill out (m) with the state at the fraction x of the step."""
    rest, F = 1.0 - x, scratch_of(run).polynomial
    for i in range(out.size):
        inner = F[4, i] + x * (F[5, i] + rest * (F[6, i] + x * F[7, i]))
        out[i] = F[0, i] + x * (F[1, i] + rest * (F[2, i] + x * (F[3, i] + rest * inner)))


@product_kernel
def attempt(run: Any, t: Any, h: Any) -> Any:
    """Fill the tried state at t + h; return its error, or -1 if a stage has no rates."""
    if not early_stages(run, t, h) or not late_stages(run, t, h):
        return -1.0
    return _finish_step(run, t, h, state(run, states.NOW), scratch_of(run).rates)


@product_kernel
def _finish_step(run: Any, t: Any, h: Any, y: Any, k: Any) -> Any:
    """Fill the tried state from the stages; return its error and propose the next step size."""
    n2, tried, rtol = run.atol.size, state(run, states.TRIED), run.control[control.RTOL]
    sum5, sum3 = 0.0, 0.0
    for i in range(tried.size):
        # fmt: off
        step = (
            c.B1 * k[0, i] + c.B6 * k[5, i] + c.B7 * k[6, i] + c.B8 * k[7, i] + c.B9 * k[8, i] + c.B10 * k[9, i] +
            c.B11 * k[10, i] + c.B12 * k[11, i]
        )
        tried[i] = y[i] + h * step
        if i < n2:
            weight = run.atol[i] + rtol * max(abs(y[i]), abs(tried[i]))
            error5 = (
                c.E1 * k[0, i] + c.E6 * k[5, i] + c.E7 * k[6, i] + c.E8 * k[7, i] + c.E9 * k[8, i] + c.E10 * k[9, i] +
                c.E11 * k[10, i] + c.E12 * k[11, i]
            ) / weight
            # fmt: on
            error3 = (step - c.S1 * k[0, i] - c.S9 * k[8, i] - c.S12 * k[11, i]) / weight
            sum5 += error5 * error5
            sum3 += error3 * error3
    error = DOP853_ERROR_FACTOR * h * sum5 / ((sum5 + 0.01 * sum3) * n2) ** 0.5 if sum5 > 0 else 0.0 * sum3
    if over_corner(run, t, h):
        error = DOP853_ERROR_FACTOR * h * (max(sum5, sum3) / n2) ** 0.5
    factor = DOP853_SAFETY * error**-0.125 if error > 0 else DOP853_LARGEST_FACTOR
    run.control[control.STEP_FACTOR] = min(DOP853_LARGEST_FACTOR, max(DOP853_SMALLEST_FACTOR, factor))
    return error


@kernel
def check_stiffness(run: Any, h: Any) -> Any:
    """Return whether the motion is stiff, from the error of the step just accepted."""
    if run.counts[counts.STEPS] % STIFFNESS_CHECK_INTERVAL != 0:
        return False
    k, error = scratch_of(run).rates, scratch_of(run).stage_before
    for i in range(run.atol.size):
        error[i] = (
            c.E1 * k[0, i] + c.E6 * k[5, i] + c.E7 * k[6, i] + c.E8 * k[7, i] + c.E9 * k[8, i] + c.E10 * k[9, i] +
            c.E11 * k[10, i] + c.E12 * k[11, i]
        )  # fmt: skip
    return detects_stiffness(run, h, error, scratch_of(run).stage, state(run, states.TRIED))


method = method_with(attempt, dense, interpolate, check_stiffness=check_stiffness)
