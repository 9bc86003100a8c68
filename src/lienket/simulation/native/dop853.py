"""DOP853: explicit, order 8, dense output of order 7; the default where nothing is stiff.

Twelve stages, the error from embedded methods of order 5 and 3 (Hairer, Norsett and Wanner I, II.5 and II.10). The
table is written out with its zeros left out, so that the bookkeeping costs less than the model.
"""

from __future__ import annotations

from typing import Any

from ...kernels.native.jit import product_kernel
from . import dop853_table as c
from . import memory as at
from .dop853_dense import dense, interpolate
from .dop853_stages import early_stages, late_stages, rates_of, stage, stage_before
from .driver import advance_with
from .run import state

SAFETY, LEAST, MOST = 0.9, 0.2, 8.0
STRICT = 40.0
"""The estimate is made forty times as large: a run of many steps should stay near its tolerances."""
STIFF_LIMIT = 6.1
"""h |lambda| at the border of the domain of stability (Hairer and Wanner II, IV.2)."""


@product_kernel
def attempt(run: Any, t: Any, h: Any) -> Any:
    """The tried state and its error."""
    if not early_stages(run, t, h) or not late_stages(run, t, h):
        return -1.0
    return _finished(run, h, state(run, at.NOW), stage(run), stage_before(run), rates_of(run))


@product_kernel
def _finished(run: Any, h: Any, y: Any, x: Any, before: Any, k: Any) -> Any:
    """The tried state and its error from the stages; proposes the next step and looks for stiffness."""
    n2, tried, rtol = run.atol.size, state(run, at.TRIED), run.control[at.RTOL]
    five, three, change, distance = 0.0, 0.0, 0.0, 0.0
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


advance = advance_with(attempt, dense, interpolate, 7)
