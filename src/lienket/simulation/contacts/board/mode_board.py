"""Board of modes: the structures between which kernels change by themselves when a contact sticks or slips.

The first changes between two structures are made in Python (`events.switching`), which examines the new structure.
A change that has been made often enough is entered on the board; from then on `native.mode_switch` makes it where the
decision is clear, and returns to Python where it is not.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from ....compiled.machine.function import address_of
from ....foundation.arrays import IntArray
from ....kernels.memory.workspace import slots
from ....kernels.native.runtime.library import address, prepared
from ...events.watch import EventPlan, Structure
from ...stepping.workspace import PLACES, Workspace
from ..contact_kinds import LIFTS, QUANTITY_COUNT, SLIPS, SLIPS_BACK, STOPS, TURNS
from .layout import board_numbers, event_columns, structure_columns

MOST_STRUCTURES = 64  # [structures] on a board
CHANGES_IN_PYTHON = 2  # [changes] between two structures in Python, before kernels make them
STICK_SLIP = (STOPS, SLIPS, SLIPS_BACK)
LoggedNumbers = dict[tuple[int, ...], int]


def board_of(plan: EventPlan, arrays: Workspace) -> ModeBoard | None:
    """Return the board of a run, None if all changes of mode need Python.

    Drives react to contact forces, and functions in Python may raise at any evaluation. Known times may depend on the
    signs of contacts.
    """
    problem = plan.whole
    simple = not (problem.time_functions or problem.model.drives or problem.model.callbacks)
    sticking = any(action.kind in STICK_SLIP for action in plan.actions)
    return ModeBoard(plan, arrays) if simple and sticking and plan.quantities is not None else None


class ModeBoard:
    """Structures of a run with their integrators, and the changes between them that kernels may make."""

    def __init__(self, plan: EventPlan, arrays: Workspace) -> None:
        """Enter the events; `ways` (structures x events) are the changes, none so far."""
        count = len(plan.names)
        self.plan, self.arrays = plan, arrays
        self.members: list[tuple[Structure, Any]] = []
        self.made: dict[tuple[int, int, int], int] = {}  # (event, before, after): number of changes in Python
        self.numbers = np.zeros(len(board_numbers), dtype=np.int64)
        self.structures = np.zeros((MOST_STRUCTURES, len(structure_columns)), dtype=np.int64)
        self.ways = np.full((MOST_STRUCTURES, count), -1, dtype=np.int64)
        self.armed = np.zeros((MOST_STRUCTURES, count))

    def holds(self, advance: Any) -> bool:
        """Return whether kernels can change from the structure of an integrator to another one."""
        number = self._number(advance)
        return number >= 0 and bool((self.ways[number] >= 0).any())

    def run(self, advance: Any) -> tuple[int, Structure, Any]:
        """Continue the run with an integrator; return one of the `codes`, the structure reached and its integrator."""
        self.numbers[board_numbers.CURRENT] = self._number(advance)
        code = self._advance_modes()
        return code, *self.members[self.numbers[board_numbers.CURRENT]]

    def decides(self, k: int) -> bool:
        """Return whether kernels can decide about event k."""
        return self.plan.actions[k].kind in STICK_SLIP

    def learn(self, k: int, before: tuple[Structure, Any], after: tuple[Structure, Any], logged: LoggedNumbers) -> None:
        """Count a change by event k made in Python, from and to a structure with its integrator, and enter it.

        `logged` are the numbers of the structures in the log of switches, by active constraints.
        """
        changed = set(before[0].active) ^ set(after[0].active)
        chosen_rows = any(advance.kept[1][PLACES][slots.RANK] for _, advance in (before, after))
        if len(changed) != 1 or chosen_rows or len(self.members) > MOST_STRUCTURES - 2:
            return
        key = (k, self._entered(before, logged), self._entered(after, logged))
        self.made[key] = self.made.get(key, 0) + 1
        if self.made[key] >= CHANGES_IN_PYTHON:
            self.ways[key[1], k] = key[2]

    def _number(self, advance: Any) -> int:
        """Return the number of an integrator on the board, -1 if it is not there."""
        return next((k for k, (_, member) in enumerate(self.members) if member is advance), -1)

    def _entered(self, member: tuple[Structure, Any], logged: LoggedNumbers) -> int:
        """Return the number of a structure with its integrator on the board, where it is entered if need be."""
        structure, advance = member
        number = self._number(advance)
        if number < 0:
            number = len(self.members)
            self.members.append(member)
            needs, sliding = structure.needs_accelerations, structure.all_sliding
            self.structures[number] = address_of(advance.kept[0]), logged[structure.active], needs, sliding
            self.armed[number] = structure.armed
        return number

    @cached_property
    def _advance_modes(self) -> Any:
        """The kernel, bound to the arrays of the board."""
        function = self.plan.quantities
        arguments, results = function.info.lengths[2], QUANTITY_COUNT * self._contacts
        self.numbers[
            [
                board_numbers.EVENTS,
                board_numbers.ADVANCE,
                board_numbers.IMPACT,
                board_numbers.QUANTITIES,
                board_numbers.ARGUMENTS,
            ]
        ] = (
            len(self.plan.names),
            address("lienket.simulation.run.native.advance", "advance"),
            address("lienket.simulation.events.native.impact", "apply_impact"),
            function.address,
            arguments,
        )
        flat = (self.structures.reshape(-1), self.ways.reshape(-1), self._events().reshape(-1), self.armed.reshape(-1))
        memory = (np.zeros(arguments + results), np.zeros(len(self.plan.names)))
        return prepared(
            "lienket.simulation.contacts.board.native.mode_switch", "advance_modes", self.numbers, *flat, *memory
        )

    @property
    def _contacts(self) -> int:
        """Number of contacts."""
        return 1 + max(action.number for action in self.plan.actions)

    def _events(self) -> IntArray:
        """Return the events (K x columns of `EventColumns`) with the other events of their contacts."""
        table = np.full((len(self.plan.actions), len(event_columns)), -1, dtype=np.int64)
        of = {(action.number, action.kind): k for k, action in enumerate(self.plan.actions) if action.contact}
        for k, action in enumerate(self.plan.actions):
            if action.contact:
                others = [of.get((action.number, kind), -1) for kind in STICK_SLIP]
                force = max(of.get((action.number, kind), -1) for kind in (TURNS, LIFTS))
                table[k] = action.kind, action.number, action.direction, *others, force
        return table
