"""Rows of a run at which an audit computes what costs too much for all of them."""

from __future__ import annotations

import numpy as np

from ...foundation.arrays import IntArray
from ...simulation.run.result import Run

AUDITED_ROWS = 25  # [rows] at which the conditioning and the clock are judged


def sample_rows(run: Run) -> IntArray:
    """Return the indices of some rows of a run, evenly spread, with the first and the last."""
    return np.unique(np.linspace(0, len(run.t) - 1, AUDITED_ROWS).astype(int))
