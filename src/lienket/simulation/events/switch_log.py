"""SwitchLog: what is written down of every switch, one row of numbers each."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from ..memory import control, states
from ..stepping.workspace import Workspace
from .history import History
from .watch import EventPlan, Structure

Array = Any

FIRST = 64  # rows there is room for at first


class SwitchLog:
    """Rows of numbers: time, event, structure, state before and after, energy lost and impulses, parameters."""

    def __init__(self, watch: EventPlan, arrays: Workspace) -> None:
        """Room for some rows; it doubles as they fill up."""
        self.watch, self.arrays = watch, arrays
        self.order: dict[tuple[int, ...], int] = {}
        m, struck = arrays.y.shape[1], len(arrays.struck)
        ends = np.cumsum([0, 3, m, m, struck, len(arrays.parameters)])
        self.places = [slice(a, b) for a, b in pairwise(ends)]
        self.rows, self.count = np.zeros((FIRST, ends[-1])), 0
        self.contacts: list[tuple[tuple[int, float], ...]] = []

    def write(
        self,
        event: int,
        structure: Structure,
        before: Array,
        struck: Array,
        contacts: tuple[tuple[int, float], ...] = (),
    ) -> None:
        """The switch to a structure at the state now; `before` is the state it led from, `contacts` their impulses."""
        row, (_, was, now, hit, parameters) = self._row(contacts), self.places
        place = self.order.setdefault(structure.active, len(self.order))
        row[0], row[1], row[2] = self.arrays.control[control.T], event, place
        row[was], row[now], row[hit] = before, self.arrays.y[states.NOW], struck
        row[parameters] = self.arrays.parameters

    def write_flip(self, event: int, structure: Structure, t: float, y: list[float], place: int) -> None:
        """The event at t, y that has turned the sign of the parameter at a place, after what was written last."""
        row, (_, was, now, _, parameters) = self._row(()), self.places
        row[0], row[1], row[2] = t, event, self.order[structure.active]
        row[was] = row[now] = y
        row[parameters] = self.rows[self.count - 2, parameters]
        row[parameters.start + place] *= -1

    def _row(self, contacts: tuple[tuple[int, float], ...]) -> Array:
        """The next row, of zeros."""
        if self.count == len(self.rows):
            self.rows = np.concatenate([self.rows, np.zeros_like(self.rows)])
        self.count += 1
        self.contacts.append(contacts)
        return self.rows[self.count - 1]

    def history(self, part: Array, happened: tuple[tuple[str, float], ...]) -> History:
        """All of it, for rows of a run that belong to these parts (N)."""
        rows, n = self.rows[: self.count], self.arrays.problem.n
        head, was, now, struck, parameters = (np.ascontiguousarray(rows[:, place]) for place in self.places)
        return History(
            self.watch.constraints,
            self.watch.names,
            part,
            head[:, 0].copy(),
            now,
            tuple(self.watch.of(active).problem for active in self.order),
            tuple(self.order),
            head[:, 2].astype(np.int64),
            parameters,
            head[:, 1].astype(np.int64),
            was[:, n : 2 * n].copy(),
            struck[:, 0].copy(),
            struck[:, 1:].copy(),
            happened,
            tuple(self.contacts),
        )
