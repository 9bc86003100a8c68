"""DOP853: explicit, order 8, dense output of order 7; the default where nothing is stiff.

Twelve stages, the error from embedded methods of order 5 and 3 (Hairer, Norsett and Wanner I, II.5 and II.10). The
table is written out with its zeros left out, so that the bookkeeping costs less than the model.
"""

from __future__ import annotations

from typing import Any

from ...kernels.native.jit import kernel, product_kernel
from . import dop853_table as c
from . import memory as at
from .dop853_dense import dense, interpolate
from .dop853_stages import early_stages, late_stages, rates_of, stage, stage_before
from .method import method_with
from .run import state
from .stiffness import EVERY, looks_stiff

SAFETY, LEAST, MOST = 0.8, 0.2, 8.0
"""Of 0.9 of the step that would just do, one in three fails in a mechanism with dead points; of 0.8, one in six."""
STRICT = 40.0
"""The estimate is made forty times as large: a run of many steps should stay near its tolerances."""


@product_kernel
def attempt(run: Any, t: Any, h: Any) -> Any:
    """The tried state and its error."""
    if not early_stages(run, t, h) or not late_stages(run, t, h):
        return -1.0
    return _finished(run, h, state(run, at.NOW), rates_of(run))


@product_kernel
def _finished(run: Any, h: Any, y: Any, k: Any) -> Any:
    """The tried state and its error from the stages; proposes the next step."""
    n2, tried, rtol = run.atol.size, state(run, at.TRIED), run.control[at.RTOL]
    five, three = 0.0, 0.0
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
            five += error5 * error5
            three += error3 * error3
    error = STRICT * h * five / ((five + 0.01 * three) * n2) ** 0.5 if five > 0 else 0.0 * three
    run.control[at.FACTOR] = min(MOST, max(LEAST, SAFETY * error**-0.125)) if error > 0 else MOST
    return error


@kernel
def watch(run: Any, h: Any) -> Any:
    """Whether the run should go on with an implicit method, from the error of the step just taken."""
    if run.counts[at.STEPS] % EVERY != 0:
        return False
    k, error = rates_of(run), stage_before(run)
    for i in range(run.atol.size):
        error[i] = (
            c.E1 * k[0, i] + c.E6 * k[5, i] + c.E7 * k[6, i] + c.E8 * k[7, i] + c.E9 * k[8, i] + c.E10 * k[9, i] +
            c.E11 * k[10, i] + c.E12 * k[11, i]
        )  # fmt: skip
    return looks_stiff(run, h, error, stage(run), state(run, at.TRIED))


method = method_with(attempt, dense, interpolate, watch=watch)
