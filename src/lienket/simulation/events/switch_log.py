"""SwitchLog: record of the switches of a run, one row of numbers each."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from ...foundation.arrays import Array, IntArray
from ..memory import control, counts, events, states
from ..stepping.workspace import Workspace
from .history import History
from .watch import EventPlan, Structure

INITIAL_CAPACITY = 64  # [rows] of the log; it doubles whenever it is full


class SwitchLog:
    """Rows of numbers: time, event, structure, state before and after, energy lost, impulses, parameters."""

    def __init__(self, plan: EventPlan, arrays: Workspace) -> None:
        """Allocate the first rows."""
        self.plan, self.arrays = plan, arrays
        self.structure_numbers: dict[tuple[int, ...], int] = {}
        m, struck = arrays.y.shape[1], len(arrays.struck)
        ends = np.cumsum([0, 3, m, m, struck, len(arrays.parameters)])
        self.columns = [slice(a, b) for a, b in pairwise(ends)]
        self.rows, self.count = np.zeros((INITIAL_CAPACITY, ends[-1])), 0
        self.contacts: list[tuple[tuple[int, float], ...]] = []
        self.laws: list[str] = []

    def write(
        self,
        event: int,
        structure: Structure,
        before: Array,
        struck: Array,
        contacts: tuple[tuple[int, float], ...] = (),
        law: str = "",
    ) -> None:
        """Write the switch to a structure at the current state; `before` is the state before it.

        `struck` are the energy lost and the impulses of the rows, `contacts` (constraint, impulse) of contacts,
        `law` that of their impact.
        """
        row, (_, was, now, impulses, parameters) = self._row(contacts, law), self.columns
        number = self.structure_numbers.setdefault(structure.active, len(self.structure_numbers))
        self.arrays.counts[counts.STRUCTURE] = number
        row[0], row[1], row[2] = self.arrays.control[control.T], event, number
        row[was], row[now], row[impulses] = before, self.arrays.y[states.NOW], struck
        row[parameters] = self.arrays.parameters

    def append(self, rows: Array) -> None:
        """Append the rows of changes that kernels have made (`native.change_record`)."""
        self._make_room(len(rows))
        self.rows[self.count : self.count + len(rows)] = rows
        self.count += len(rows)
        self.contacts += [()] * len(rows)
        self.laws += [""] * len(rows)

    def _row(self, contacts: tuple[tuple[int, float], ...], law: str = "") -> Array:
        """Return the next row, filled with zeros."""
        self._make_room(1)
        self.count += 1
        self.contacts.append(contacts)
        self.laws.append(law)
        return self.rows[self.count - 1]

    def _make_room(self, more: int) -> None:
        """Double the capacity, several times if need be, until there is room for more rows."""
        capacity = len(self.rows)
        while capacity < self.count + more:
            capacity *= 2
        if capacity > len(self.rows):
            rows = np.zeros((capacity, self.rows.shape[1]))
            rows[: self.count] = self.rows[: self.count]
            self.rows = rows

    def history(self, part: IntArray, happened: tuple[tuple[str, float], ...]) -> History:
        """Return the history; `part` (N) is the part of each row of the run, `happened` are all events."""
        rows, n, unseen = self.rows[: self.count], self.arrays.problem.n, self.arrays.events[:, events.UNSEEN]
        head, was, now, struck, parameters = (np.ascontiguousarray(rows[:, c]) for c in self.columns)
        return History(
            self.plan.constraints,
            self.plan.names,
            part,
            head[:, 0].copy(),
            now,
            tuple(self.plan.of(active).problem for active in self.structure_numbers),
            tuple(self.structure_numbers),
            head[:, 2].astype(np.int64),
            parameters,
            head[:, 1].astype(np.int64),
            was[:, n : 2 * n].copy(),
            struck[:, 0].copy(),
            struck[:, 1:].copy(),
            happened,
            tuple(self.contacts),
            tuple(self.laws),
            tuple((self.plan.names[k], int(unseen[k])) for k in np.flatnonzero(unseen)),
        )
