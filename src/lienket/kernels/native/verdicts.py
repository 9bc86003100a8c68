"""Verdicts on skipped rows from A, h, G, g0: redundant, or contradictory to the accepted rows.

The plain version, kernels/elimination/verdicts.py, also compares positions and velocities and names constraints.

A skipped row J = x G depends on accepted rows G; it is consistent with them if g0 = x g0_G, relative to the terms.
"""

from __future__ import annotations

from typing import Any

from ..elimination import residual_scales as plain_scales
from ..elimination import verdicts as plain
from ..memory.workspace import slots
from .linear_algebra.stated_units import may_differ
from .runtime.jit import kernel
from .runtime.views import accepted_of, by_coordinate, by_row, rows_of, verdicts_of
from .shares import coefficients

CONSISTENCY_TOLERANCE = plain.CONSISTENCY_TOLERANCE
UNDERFLOW = plain.UNDERFLOW
ACCELERATION_MOTION_SHARE = plain_scales.ACCELERATION_MOTION_SHARE


@kernel
def judge_skipped(work: Any, iwork: Any) -> Any:
    """Set the verdict on skipped rows to 1 (redundant) or 2 (contradictory); return the number of the latter."""
    contradictions, verdict, accepted = 0, verdicts_of(iwork), accepted_of(iwork)
    g0, x = by_row(work, iwork, slots.G0), by_row(work, iwork, slots.MU)
    for r in range(g0.size):
        if not verdict[r]:
            continue
        coefficients(r, x, work, iwork)
        mismatch, limit = g0[r], _size(r, work, iwork)
        for i in range(iwork[slots.ACCEPTED]):
            if x[i] != 0:
                mismatch -= x[i] * g0[accepted[i]]
                limit += abs(x[i]) * _size(accepted[i], work, iwork)
        if abs(mismatch) > CONSISTENCY_TOLERANCE * limit + UNDERFLOW:
            verdict[r] = 2
            contradictions += 1
    return contradictions


@kernel
def _size(r: Any, work: Any, iwork: Any) -> Any:
    """Return the size of the terms of J a + g0 with a share of the largest acceleration: see `residual_scales`."""
    G, a = rows_of(work, iwork, slots.G), by_coordinate(work, iwork, slots.ACCELERATION)
    a_free = by_coordinate(work, iwork, slots.FREE_ACCELERATION)
    total, reach, largest = abs(by_row(work, iwork, slots.G0)[r]), 0.0, 0.0
    scale, reach_stated, largest_stated = by_coordinate(work, iwork, slots.SCALE), 0.0, 0.0
    for j in range(a.size):
        size = max(abs(a[j]), abs(a_free[j]))
        total += abs(G[r, j]) * size
        reach += abs(G[r, j])
        largest = max(largest, size)
        reach_stated += abs(G[r, j]) / scale[j]
        largest_stated = max(largest_stated, size * scale[j])
    motion = reach * largest
    if may_differ(0.0, work, iwork):
        motion = min(motion, reach_stated * largest_stated)
    return total + ACCELERATION_MOTION_SHARE * motion
