"""The dense output of DOP853, of order 7, by three more stages."""

from __future__ import annotations

from typing import Any

from ...kernels.native.address import matrix, vector
from ...kernels.native.jit import product_kernel
from . import dop853_table as c
from . import memory as at
from .dop853_stages import STAGES, rates_of, stage
from .rates import rates
from .run import state

POWERS = 8


@product_kernel
def dense(run: Any, t: Any, h: Any) -> None:
    """The polynomial over the step."""
    m, y, k, x, end = run.y.shape[1], state(run, at.NOW), rates_of(run), stage(run), state(run, at.RATE_TRIED)
    for i in range(m):
        k[12, i] = end[i]
    # fmt: off
    for i in range(m):
        x[i] = y[i] + h * (
            c.A14_1 * k[0, i] + c.A14_7 * k[6, i] + c.A14_8 * k[7, i] + c.A14_9 * k[8, i] + c.A14_10 * k[9, i] +
            c.A14_11 * k[10, i] + c.A14_12 * k[11, i] + c.A14_13 * k[12, i]
        )
    rates(run, t + c.C14 * h, x, vector(run.scratch, 13 * m, m))
    for i in range(m):
        x[i] = y[i] + h * (
            c.A15_1 * k[0, i] + c.A15_6 * k[5, i] + c.A15_7 * k[6, i] + c.A15_8 * k[7, i] + c.A15_11 * k[10, i] +
            c.A15_12 * k[11, i] + c.A15_13 * k[12, i] + c.A15_14 * k[13, i]
        )
    rates(run, t + c.C15 * h, x, vector(run.scratch, 14 * m, m))
    for i in range(m):
        x[i] = y[i] + h * (
            c.A16_1 * k[0, i] + c.A16_6 * k[5, i] + c.A16_7 * k[6, i] + c.A16_8 * k[7, i] + c.A16_9 * k[8, i] +
            c.A16_13 * k[12, i] + c.A16_14 * k[13, i] + c.A16_15 * k[14, i]
        )
    rates(run, t + c.C16 * h, x, vector(run.scratch, 15 * m, m))
    # fmt: on
    _powers(run, h, y, k, end)


@product_kernel
def _powers(run: Any, h: Any, y: Any, k: Any, end: Any) -> None:
    """Its coefficients, POWERS x m."""
    tried, rate, F = state(run, at.TRIED), state(run, at.RATE), _polynomial(run)
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
    """The state at the share x of the step."""
    rest, F = 1.0 - x, _polynomial(run)
    for i in range(out.size):
        inner = F[4, i] + x * (F[5, i] + rest * (F[6, i] + x * F[7, i]))
        out[i] = F[0, i] + x * (F[1, i] + rest * (F[2, i] + x * (F[3, i] + rest * inner)))


@product_kernel
def _polynomial(run: Any) -> Any:
    m = run.y.shape[1]
    return matrix(run.scratch, (STAGES + 2) * m, POWERS, m)
