"""Which skipped rows contradict the accepted ones, as far as A, h, G, g0 tell.

The plain version, kernels/elimination/verdicts.py, has the names.

J = x G follows from accepted rows G; it agrees with them if g0 = x g0_G, measured against the terms.
"""

from __future__ import annotations

from typing import Any

from ..elimination import residual_scales as plain_sizes
from ..elimination import verdicts as plain
from ..memory.workspace import slots
from .runtime.jit import kernel
from .runtime.views import accepted_of, by_coordinate, by_row, rows_of, verdicts_of
from .shares import coefficients

CONSISTENCY = plain.CONSISTENCY
OTHERS = plain_sizes.OTHERS[2]


@kernel
def judge(work: Any, places: Any) -> Any:
    """Sets the verdict on skipped rows to 1 (consistent) or 2 (contradictory); how many are contradictory."""
    contradictions, verdict, accepted = 0, verdicts_of(places), accepted_of(places)
    g0, x = by_row(work, places, slots.G0), by_row(work, places, slots.MU)
    for r in range(g0.size):
        if not verdict[r]:
            continue
        coefficients(r, x, work, places)
        differ, limit = g0[r], _size(r, work, places)
        for i in range(places[slots.ACCEPTED]):
            if x[i] != 0:
                differ -= x[i] * g0[accepted[i]]
                limit += abs(x[i]) * _size(accepted[i], work, places)
        if abs(differ) > CONSISTENCY * limit:
            verdict[r] = 2
            contradictions += 1
    return contradictions


@kernel
def _size(r: Any, work: Any, places: Any) -> Any:
    """The size of the terms of J a + g0, with a little of what the largest acceleration would make of the row."""
    G, a = rows_of(work, places, slots.G), by_coordinate(work, places, slots.ACCELERATION)
    a_free = by_coordinate(work, places, slots.FREE_ACCELERATION)
    own, reach, most = abs(by_row(work, places, slots.G0)[r]), 0.0, 0.0
    for j in range(a.size):
        size = max(abs(a[j]), abs(a_free[j]))
        own += abs(G[r, j]) * size
        reach += abs(G[r, j])
        most = max(most, size)
    return own + OTHERS * reach * most
