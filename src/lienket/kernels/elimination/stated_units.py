"""Independence of rows in the coordinates as stated, for rows that share a very light coordinate.

In the metric of A a coordinate of mass m counts 1/sqrt(m). Two rows x - y = 0 and z - y = 0 with a very light y are
both nearly the row y = 0 there: they look parallel, though no state is near one at which they are dependent. Whether
rows are independent is a question of geometry. A row that looks dependent in the metric of A is therefore measured a
second time, against the accepted rows in the coordinates as stated, each divided by its length; it is dependent only
if it is so in both measures.
"""

from __future__ import annotations

import numpy as np

from ...foundation.arrays import Array

# The tolerance is larger than that in the metric of A, since stated units of coordinates may differ by some factor.
# [1] rest of a row in the coordinates as stated, relative to its length, above which it is independent
STATED_TOLERANCE = 1e-6
# [1] rest of a row in the metric of A, relative to its size, that rounding may leave
METRIC_ROUNDING = 1e-12
# [1] part of a row along a free direction, relative to the absolute terms of that part, above which it is not rounding
PART_ROUNDING = 1e-9


def may_differ(scale: Array, rest: float) -> bool:
    """Return whether a row with a `rest` in the metric of A may be independent as stated; `scale` as in `Metric`."""
    units = scale.tolist()
    largest, least = max(units, default=1.0), min(units, default=1.0)
    return max(largest, 1.0) * max(rest, METRIC_ROUNDING) > STATED_TOLERANCE * min(least, 1.0)


def stated_rests(rows: Array, accepted: Array) -> Array:
    """Return the rest of each row (m x n) beside the accepted rows (k x n), relative to its length (m)."""
    rest = unit_rows(rows)
    if len(accepted):
        basis = np.linalg.qr(unit_rows(accepted).T)[0]
        for _ in range(2):  # twice, against rounding
            rest = rest - (rest @ basis) @ basis.T
    return np.asarray(np.linalg.norm(rest, axis=1), dtype=np.float64)


def unit_rows(rows: Array) -> Array:
    """Return the rows divided by their lengths; rows of zeros stay."""
    lengths = np.linalg.norm(rows, axis=1)
    return rows / np.where(lengths > 0, lengths, 1.0)[:, None]
