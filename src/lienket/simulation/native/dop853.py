"""DOP853: explicit, order 8, dense output of order 7; the default where nothing is stiff.

Twelve stages, the error from embedded methods of order 5 and 3 (Hairer, Norsett and Wanner I, II.5 and II.10). The
table is written out with its zeros left out, so that the bookkeeping costs less than the model.
"""

from __future__ import annotations

from typing import Any

from ...kernels.native.address import matrix, vector
from ...kernels.native.jit import product_kernel
from . import dop853_table as c
from . import memory as at
from .driver import advance_with
from .rates import rates
from .run import state

STAGES = 16
POWERS = 8
SAFETY, LEAST, MOST = 0.9, 0.2, 8.0
STRICT = 10.0
"""The estimate is made ten times as large: a run of many steps should stay near its tolerances."""
STIFF_LIMIT = 6.1
"""h |lambda| at the border of the domain of stability (Hairer and Wanner II, IV.2)."""


def scratch_size(n: int) -> int:
    """Rates of all stages, the state of a stage and of the last but one, the polynomial."""
    return (STAGES + 2 + POWERS) * (2 * n + 1)


@product_kernel
def attempt(run: Any, t: Any, h: Any) -> Any:
    """The tried state and its error."""
    m = run.y.shape[1]
    y, k, x = state(run, at.NOW), matrix(run.scratch, 0, STAGES, m), vector(run.scratch, STAGES * m, m)
    rate, before = state(run, at.RATE), vector(run.scratch, (STAGES + 1) * m, m)
    for i in range(m):
        k[0, i] = rate[i]
    for i in range(m):
        x[i] = y[i] + h * (c.A2_1 * k[0, i])
    if not rates(run, t + c.C2 * h, x, vector(run.scratch, 1 * m, m)):
        return -1.0
    for i in range(m):
        x[i] = y[i] + h * (c.A3_1 * k[0, i] + c.A3_2 * k[1, i])
    if not rates(run, t + c.C3 * h, x, vector(run.scratch, 2 * m, m)):
        return -1.0
    for i in range(m):
        x[i] = y[i] + h * (c.A4_1 * k[0, i] + c.A4_3 * k[2, i])
    if not rates(run, t + c.C4 * h, x, vector(run.scratch, 3 * m, m)):
        return -1.0
    for i in range(m):
        x[i] = y[i] + h * (c.A5_1 * k[0, i] + c.A5_3 * k[2, i] + c.A5_4 * k[3, i])
    if not rates(run, t + c.C5 * h, x, vector(run.scratch, 4 * m, m)):
        return -1.0
    for i in range(m):
        x[i] = y[i] + h * (c.A6_1 * k[0, i] + c.A6_4 * k[3, i] + c.A6_5 * k[4, i])
    if not rates(run, t + c.C6 * h, x, vector(run.scratch, 5 * m, m)):
        return -1.0
    for i in range(m):
        x[i] = y[i] + h * (c.A7_1 * k[0, i] + c.A7_4 * k[3, i] + c.A7_5 * k[4, i] + c.A7_6 * k[5, i])
    if not rates(run, t + c.C7 * h, x, vector(run.scratch, 6 * m, m)):
        return -1.0
    for i in range(m):
        x[i] = y[i] + h * (c.A8_1 * k[0, i] + c.A8_4 * k[3, i] + c.A8_5 * k[4, i] + c.A8_6 * k[5, i] + c.A8_7 * k[6, i])
    if not rates(run, t + c.C8 * h, x, vector(run.scratch, 7 * m, m)):
        return -1.0
    for i in range(m):
        x[i] = y[i] + h * (
            c.A9_1 * k[0, i]
            + c.A9_4 * k[3, i]
            + c.A9_5 * k[4, i]
            + c.A9_6 * k[5, i]
            + c.A9_7 * k[6, i]
            + c.A9_8 * k[7, i]
        )
    if not rates(run, t + c.C9 * h, x, vector(run.scratch, 8 * m, m)):
        return -1.0
    for i in range(m):
        x[i] = y[i] + h * (
            c.A10_1 * k[0, i]
            + c.A10_4 * k[3, i]
            + c.A10_5 * k[4, i]
            + c.A10_6 * k[5, i]
            + c.A10_7 * k[6, i]
            + c.A10_8 * k[7, i]
            + c.A10_9 * k[8, i]
        )
    if not rates(run, t + c.C10 * h, x, vector(run.scratch, 9 * m, m)):
        return -1.0
    for i in range(m):
        before[i] = y[i] + h * (
            c.A11_1 * k[0, i]
            + c.A11_4 * k[3, i]
            + c.A11_5 * k[4, i]
            + c.A11_6 * k[5, i]
            + c.A11_7 * k[6, i]
            + c.A11_8 * k[7, i]
            + c.A11_9 * k[8, i]
            + c.A11_10 * k[9, i]
        )
    if not rates(run, t + c.C11 * h, before, vector(run.scratch, 10 * m, m)):
        return -1.0
    for i in range(m):
        x[i] = y[i] + h * (
            c.A12_1 * k[0, i]
            + c.A12_4 * k[3, i]
            + c.A12_5 * k[4, i]
            + c.A12_6 * k[5, i]
            + c.A12_7 * k[6, i]
            + c.A12_8 * k[7, i]
            + c.A12_9 * k[8, i]
            + c.A12_10 * k[9, i]
            + c.A12_11 * k[10, i]
        )
    if not rates(run, t + h, x, vector(run.scratch, 11 * m, m)):
        return -1.0
    return _finished(run, h, y, x, before, k)


@product_kernel
def _finished(run: Any, h: Any, y: Any, x: Any, before: Any, k: Any) -> Any:
    """The tried state and its error from the stages; proposes the next step and looks for stiffness."""
    n2, tried, rtol = run.atol.size, state(run, at.TRIED), run.control[at.RTOL]
    five, three, change, distance = 0.0, 0.0, 0.0, 0.0
    for i in range(tried.size):
        step = (
            c.B1 * k[0, i]
            + c.B6 * k[5, i]
            + c.B7 * k[6, i]
            + c.B8 * k[7, i]
            + c.B9 * k[8, i]
            + c.B10 * k[9, i]
            + c.B11 * k[10, i]
            + c.B12 * k[11, i]
        )
        tried[i] = y[i] + h * step
        if i < n2:
            weight = run.atol[i] + rtol * max(abs(y[i]), abs(tried[i]))
            error5 = (
                c.E1 * k[0, i]
                + c.E6 * k[5, i]
                + c.E7 * k[6, i]
                + c.E8 * k[7, i]
                + c.E9 * k[8, i]
                + c.E10 * k[9, i]
                + c.E11 * k[10, i]
                + c.E12 * k[11, i]
            ) / weight
            error3 = (step - c.S1 * k[0, i] - c.S9 * k[8, i] - c.S12 * k[11, i]) / weight
            five += error5 * error5
            three += error3 * error3
            change += (k[11, i] - k[10, i]) ** 2
            distance += (x[i] - before[i]) ** 2
    error = STRICT * h * five / ((five + 0.01 * three) * n2) ** 0.5 if five > 0 else 0.0 * three
    run.control[at.FACTOR] = min(MOST, max(LEAST, SAFETY * error**-0.125)) if error > 0 else MOST
    _watch(run.counts, h * h * change > STIFF_LIMIT * STIFF_LIMIT * distance and distance > 0)
    return error


@product_kernel
def _watch(counts: Any, stiff: Any) -> None:
    """Counts steps whose length stability dictates; six calm ones in a row make them forgotten."""
    if stiff:
        counts[at.STIFF] += 1
        counts[at.CALM] = 0
    else:
        counts[at.CALM] += 1
        if counts[at.CALM] >= 6:
            counts[at.STIFF] = 0


@product_kernel
def dense(run: Any, t: Any, h: Any) -> Any:
    """The polynomial over the step, by three more stages."""
    m = run.y.shape[1]
    y, k, x = state(run, at.NOW), matrix(run.scratch, 0, STAGES, m), vector(run.scratch, STAGES * m, m)
    tried, rate, end = state(run, at.TRIED), state(run, at.RATE), state(run, at.RATE_TRIED)
    F = matrix(run.scratch, (STAGES + 2) * m, POWERS, m)
    for i in range(m):
        k[12, i] = end[i]
    for i in range(m):
        x[i] = y[i] + h * (
            c.A14_1 * k[0, i]
            + c.A14_7 * k[6, i]
            + c.A14_8 * k[7, i]
            + c.A14_9 * k[8, i]
            + c.A14_10 * k[9, i]
            + c.A14_11 * k[10, i]
            + c.A14_12 * k[11, i]
            + c.A14_13 * k[12, i]
        )
    rates(run, t + c.C14 * h, x, vector(run.scratch, 13 * m, m))
    for i in range(m):
        x[i] = y[i] + h * (
            c.A15_1 * k[0, i]
            + c.A15_6 * k[5, i]
            + c.A15_7 * k[6, i]
            + c.A15_8 * k[7, i]
            + c.A15_11 * k[10, i]
            + c.A15_12 * k[11, i]
            + c.A15_13 * k[12, i]
            + c.A15_14 * k[13, i]
        )
    rates(run, t + c.C15 * h, x, vector(run.scratch, 14 * m, m))
    for i in range(m):
        x[i] = y[i] + h * (
            c.A16_1 * k[0, i]
            + c.A16_6 * k[5, i]
            + c.A16_7 * k[6, i]
            + c.A16_8 * k[7, i]
            + c.A16_9 * k[8, i]
            + c.A16_13 * k[12, i]
            + c.A16_14 * k[13, i]
            + c.A16_15 * k[14, i]
        )
    rates(run, t + c.C16 * h, x, vector(run.scratch, 15 * m, m))
    for i in range(m):
        change = tried[i] - y[i]
        F[0, i] = y[i]
        F[1, i] = change
        F[2, i] = h * rate[i] - change
        F[3, i] = 2 * change - h * (rate[i] + end[i])
        F[4, i] = h * (
            c.D4_1 * k[0, i]
            + c.D4_6 * k[5, i]
            + c.D4_7 * k[6, i]
            + c.D4_8 * k[7, i]
            + c.D4_9 * k[8, i]
            + c.D4_10 * k[9, i]
            + c.D4_11 * k[10, i]
            + c.D4_12 * k[11, i]
            + c.D4_13 * k[12, i]
            + c.D4_14 * k[13, i]
            + c.D4_15 * k[14, i]
            + c.D4_16 * k[15, i]
        )
        F[5, i] = h * (
            c.D5_1 * k[0, i]
            + c.D5_6 * k[5, i]
            + c.D5_7 * k[6, i]
            + c.D5_8 * k[7, i]
            + c.D5_9 * k[8, i]
            + c.D5_10 * k[9, i]
            + c.D5_11 * k[10, i]
            + c.D5_12 * k[11, i]
            + c.D5_13 * k[12, i]
            + c.D5_14 * k[13, i]
            + c.D5_15 * k[14, i]
            + c.D5_16 * k[15, i]
        )
        F[6, i] = h * (
            c.D6_1 * k[0, i]
            + c.D6_6 * k[5, i]
            + c.D6_7 * k[6, i]
            + c.D6_8 * k[7, i]
            + c.D6_9 * k[8, i]
            + c.D6_10 * k[9, i]
            + c.D6_11 * k[10, i]
            + c.D6_12 * k[11, i]
            + c.D6_13 * k[12, i]
            + c.D6_14 * k[13, i]
            + c.D6_15 * k[14, i]
            + c.D6_16 * k[15, i]
        )
        F[7, i] = h * (
            c.D7_1 * k[0, i]
            + c.D7_6 * k[5, i]
            + c.D7_7 * k[6, i]
            + c.D7_8 * k[7, i]
            + c.D7_9 * k[8, i]
            + c.D7_10 * k[9, i]
            + c.D7_11 * k[10, i]
            + c.D7_12 * k[11, i]
            + c.D7_13 * k[12, i]
            + c.D7_14 * k[13, i]
            + c.D7_15 * k[14, i]
            + c.D7_16 * k[15, i]
        )


@product_kernel
def interpolate(run: Any, h: Any, x: Any, out: Any) -> None:
    """The state at the share x of the step."""
    m, rest = out.size, 1.0 - x
    F = matrix(run.scratch, (STAGES + 2) * m, POWERS, m)
    for i in range(m):
        inner = F[4, i] + x * (F[5, i] + rest * (F[6, i] + x * F[7, i]))
        out[i] = F[0, i] + x * (F[1, i] + rest * (F[2, i] + x * (F[3, i] + rest * inner)))


advance = advance_with(attempt, dense, interpolate, 7)
