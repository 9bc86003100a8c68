"""The stages of DOP853, written out with the zeros of its table left out."""

from __future__ import annotations

from typing import Any

from ...kernels.native.address import matrix, vector
from ...kernels.native.jit import product_kernel
from . import dop853_table as c
from . import memory as at
from .rates import accelerate, rates
from .run import state

STAGES = 16


@product_kernel
def rates_of(run: Any) -> Any:
    """The rates of all stages, STAGES x m."""
    return matrix(run.scratch, 0, STAGES, run.y.shape[1])


@product_kernel
def stage(run: Any) -> Any:
    """The state of a stage, m."""
    m = run.y.shape[1]
    return vector(run.scratch, STAGES * m, m)


@product_kernel
def stage_before(run: Any) -> Any:
    """The state of the last stage but one, m; the test for stiffness wants it."""
    m = run.y.shape[1]
    return vector(run.scratch, (STAGES + 1) * m, m)


@product_kernel
def early_stages(run: Any, t: Any, h: Any) -> Any:
    """Stages 1 to 8; whether all have rates. The work is a sum in which stages 2 to 5 have no part."""
    m, y, k, x, rate = run.y.shape[1], state(run, at.NOW), rates_of(run), stage(run), state(run, at.RATE)
    for i in range(m):
        k[0, i] = rate[i]
    for i in range(m):
        x[i] = y[i] + h * (c.A2_1 * k[0, i])
    if not accelerate(run, t + c.C2 * h, x, vector(run.scratch, 1 * m, m)):
        return False
    for i in range(m):
        x[i] = y[i] + h * (c.A3_1 * k[0, i] + c.A3_2 * k[1, i])
    if not accelerate(run, t + c.C3 * h, x, vector(run.scratch, 2 * m, m)):
        return False
    for i in range(m):
        x[i] = y[i] + h * (c.A4_1 * k[0, i] + c.A4_3 * k[2, i])
    if not accelerate(run, t + c.C4 * h, x, vector(run.scratch, 3 * m, m)):
        return False
    for i in range(m):
        x[i] = y[i] + h * (c.A5_1 * k[0, i] + c.A5_3 * k[2, i] + c.A5_4 * k[3, i])
    if not accelerate(run, t + c.C5 * h, x, vector(run.scratch, 4 * m, m)):
        return False
    for i in range(m):
        x[i] = y[i] + h * (c.A6_1 * k[0, i] + c.A6_4 * k[3, i] + c.A6_5 * k[4, i])
    if not rates(run, t + c.C6 * h, x, vector(run.scratch, 5 * m, m)):
        return False
    for i in range(m):
        x[i] = y[i] + h * (c.A7_1 * k[0, i] + c.A7_4 * k[3, i] + c.A7_5 * k[4, i] + c.A7_6 * k[5, i])
    if not rates(run, t + c.C7 * h, x, vector(run.scratch, 6 * m, m)):
        return False
    for i in range(m):
        x[i] = y[i] + h * (c.A8_1 * k[0, i] + c.A8_4 * k[3, i] + c.A8_5 * k[4, i] + c.A8_6 * k[5, i] + c.A8_7 * k[6, i])
    return rates(run, t + c.C8 * h, x, vector(run.scratch, 7 * m, m))


@product_kernel
def late_stages(run: Any, t: Any, h: Any) -> Any:
    """Stages 9 to 12; whether all have rates."""
    m, y, k, x, before = run.y.shape[1], state(run, at.NOW), rates_of(run), stage(run), stage_before(run)
    # fmt: off
    for i in range(m):
        x[i] = y[i] + h * (
            c.A9_1 * k[0, i] + c.A9_4 * k[3, i] + c.A9_5 * k[4, i] + c.A9_6 * k[5, i] + c.A9_7 * k[6, i] + c.A9_8 *
            k[7, i]
        )
    if not rates(run, t + c.C9 * h, x, vector(run.scratch, 8 * m, m)):
        return False
    for i in range(m):
        x[i] = y[i] + h * (
            c.A10_1 * k[0, i] + c.A10_4 * k[3, i] + c.A10_5 * k[4, i] + c.A10_6 * k[5, i] + c.A10_7 * k[6, i] +
            c.A10_8 * k[7, i] + c.A10_9 * k[8, i]
        )
    if not rates(run, t + c.C10 * h, x, vector(run.scratch, 9 * m, m)):
        return False
    for i in range(m):
        before[i] = y[i] + h * (
            c.A11_1 * k[0, i] + c.A11_4 * k[3, i] + c.A11_5 * k[4, i] + c.A11_6 * k[5, i] + c.A11_7 * k[6, i] +
            c.A11_8 * k[7, i] + c.A11_9 * k[8, i] + c.A11_10 * k[9, i]
        )
    if not rates(run, t + c.C11 * h, before, vector(run.scratch, 10 * m, m)):
        return False
    for i in range(m):
        x[i] = y[i] + h * (
            c.A12_1 * k[0, i] + c.A12_4 * k[3, i] + c.A12_5 * k[4, i] + c.A12_6 * k[5, i] + c.A12_7 * k[6, i] +
            c.A12_8 * k[7, i] + c.A12_9 * k[8, i] + c.A12_10 * k[9, i] + c.A12_11 * k[10, i]
        )
    # fmt: on
    return rates(run, t + h, x, vector(run.scratch, 11 * m, m))
