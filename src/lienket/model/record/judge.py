"""Whether columns can be a record: times that increase without gaps, and enough of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..faults import Faults
from .sheet import Sheet

FEWEST = 4  # rows; a cubic polynomial has four coefficients


def judge_times(t: Any, gap: float | None, sheet: Sheet, name: str, faults: Faults) -> None:
    """Note times that do not increase, and intervals longer than `gap` times the median one."""
    where = f"column {name!r}"
    if len(t) < FEWEST:
        rows = "1 row" if len(t) == 1 else f"{len(t) or 'no'} rows"
        faults.add("", f"there {'is' if len(t) == 1 else 'are'} {rows} of numbers, and {FEWEST} are needed")
        return
    steps = np.diff(t)  # NaN where a time is missing, which was said already

    def listed(rows: Any, what: str) -> list[str]:
        return [f"{sheet.where(i + 1)}: {t[i + 1]:.9g} {what} {t[i]:.9g} in {sheet.where(i)}" for i in rows]

    faults.add_some(where, listed(np.flatnonzero(steps == 0), "repeats"), "Keep one row of each time.")
    faults.add_some(where, listed(np.flatnonzero(steps < 0), "is earlier than"), "Sort the rows by time.")
    rising = steps[steps > 0]
    if gap is None or not len(rising):
        return
    usual = float(np.median(rising))
    gaps = [
        f"{sheet.where(i)}: a gap from {t[i]:.9g} to {t[i + 1]:.9g}, {steps[i] / usual:.3g} times the usual {usual:.3g}"
        for i in np.flatnonzero(steps > gap * usual)
    ]
    faults.add_some(where, gaps, "gap=None lets the spline bridge it; or make a record of each part.")
