"""Rows of a run: blocks of rows filled by the integrator, and fewer of them above the limit."""

from __future__ import annotations

import numpy as np

from ...foundation.arrays import Array
from ..memory import control, counts, row_columns
from ..stepping.workspace import Workspace


class CollectedRows:
    """Rows of a run so far, at most `limit` unless their times are prescribed."""

    def __init__(self, arrays: Workspace, limit: int) -> None:
        self.arrays, self.limit = arrays, limit
        self.blocks: list[Array] = []

    def make_room(self) -> None:
        """Store the filled rows; above the limit drop every other one, and write rows half as often from now on."""
        self.blocks.append(self.arrays.filled())
        self.arrays.counts[counts.ROWS_FILLED] = 0
        while sum(map(len, self.blocks)) > self.limit:
            rows = np.concatenate(self.blocks)
            self.blocks = [rows[::2]]
            if len(rows) % 2 == 0:  # the last one is dropped: the next row follows the one before it
                self.arrays.counts[counts.STEPS_SINCE_ROW] += self.arrays.counts[counts.ROW_EVERY]
            self.arrays.counts[counts.ROW_EVERY] *= 2

    def add_after_switch(self) -> None:
        """Write the state after a switch as a further row, unless rows are at prescribed times."""
        if not len(self.arrays.times):
            if self.arrays.counts[counts.ROWS_FILLED] >= len(self.arrays.rows):
                self.make_room()
            self.arrays.write(0.0)

    def all_rows(self, complete: bool) -> Array:
        """Return all rows, at most `limit` unless times are prescribed, with the last state reached."""
        arrays = self.arrays
        rows = arrays.rows[: arrays.counts[counts.ROWS_FILLED]]
        if self.blocks:
            rows = np.concatenate([*self.blocks, rows])
        if not complete and (not len(rows) or rows[-1, row_columns.T] < arrays.control[control.T]):
            rows = rows.copy()
            arrays.counts[counts.ROWS_FILLED] = 0
            arrays.write(0.0)  # the last state reached
            rows = np.concatenate([rows, arrays.filled()])
        while not len(arrays.times) and len(rows) > self.limit:
            rows = np.concatenate([rows[:-1:2], rows[-1:]])
            arrays.counts[counts.ROW_EVERY] *= 2
        return rows
