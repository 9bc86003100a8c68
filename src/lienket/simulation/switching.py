"""Switching: what events do to a run on its way. Structures change, velocities jump, and all of it is written down."""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np

from .arrays import Arrays
from .impact import Impact, impact
from .native import memory as at
from .outcome import Outcome, chattering, ended, refused
from .rows import UNKNOWN
from .structures import Change, History, Structure, Switch, Watch

Array = Any

SHORT = 1e-6
"""The share of a run in which so many events are too many."""
OFF = 100.0
"""How far from a constraint, in units of the tolerances, a system may be when it comes in."""


class Switching:
    """The structure that acts now and everything that has happened so far."""

    def __init__(self, watch: Watch, arrays: Arrays) -> None:
        self.watch, self.arrays = watch, arrays
        self.now = watch.of(watch.begin)
        self.recent: deque[float] = deque(maxlen=watch.chattering)
        self.happened: list[tuple[str, float]] = []
        self.switches: list[Switch] = []
        self.notes: list[str] = []
        self.judged: set[tuple[int, ...]] = {watch.begin}
        self.parts: list[tuple[float, tuple[int, ...], Array, Array]] = []
        arrays.counts[at.WATCHED] = 1
        arrays.events[:, at.DIRECTION] = watch.directions
        self._take(self.now)
        self._begin_part()

    def happen(self) -> Outcome | None:
        """Does what the event asks for that has just happened; how the run ends, if it does."""
        arrays, watch = self.arrays, self.watch
        k, t, end = int(arrays.counts[at.EVENT]), float(arrays.control[at.T]), float(arrays.control[at.END])
        action = watch.actions[k]
        self.happened.append((watch.names[k], t))
        if len(self.recent) == watch.chattering and t - self.recent[0] < SHORT * (end - arrays.control[at.BEGIN]):
            return chattering(t, end, watch.names[k], watch.chattering, self.recent[0])
        self.recent.append(t)
        if action.changes:
            y, n = arrays.y[at.NOW], self.now.problem.n
            q, v = y[:n].copy(), y[n : 2 * n].copy()
            if self.now.needs or action.sets or action.jumps:
                self._measured(t, q, v)
            change = action.change(arrays.values, t, q, v, arrays.parameters.copy(), self.now.active)
            outcome = self._switch(k, change, t, q, v, end)
            if outcome is not None:
                return outcome
        return ended(t, end, watch.names[k]) if action.terminal else None

    def explain(self, t: float, q: Array, v: Array) -> str:
        """What is wrong with a state under the constraints that act, in words."""
        return self.watch.verdict(self.now, t, q, v, self.arrays.parameters.copy())[0]

    def _measured(self, t: float, q: Array, v: Array) -> None:
        """What the conditions' function gives at the state now, with the accelerations if it needs them."""
        arrays, now, n = self.arrays, self.now, self.now.problem.n
        inputs = np.zeros(n + now.problem.s)
        if now.needs:
            inputs[:] = arrays.solved(now.problem)
            inputs[:n] = arrays.y[at.RATE, n : 2 * n]
        arrays.values[:] = now.conditions(t, q, v, arrays.parameters, inputs)[1]

    def _switch(self, k: int, change: Change, t: float, q: Array, v: Array, end: float) -> Outcome | None:
        arrays, watch, n, before = self.arrays, self.watch, self.now.problem.n, self.now
        active = tuple(sorted((set(before.active) - set(change.release)) | set(change.add)))
        after = before if active == before.active else watch.of(active)
        energy = _energy(before, t, q, v, arrays.parameters)
        for place, value in change.sets:
            arrays.parameters[place] = value
        given = v.copy()
        for place, value in change.jumps:
            given[place] = value
        new = [i for i in active if i not in before.active]
        reason = self._off(after, new, t, q, given)
        if reason:
            return refused(t, end, watch.names[k], reason)
        struck = impact(after.problem, t, q, given, arrays.parameters)
        if active not in self.judged or not _met(struck, given):
            self.judged.add(active)
            words, goes_on = watch.verdict(after, t, q, struck.v, arrays.parameters.copy())
            if not goes_on:
                return refused(t, end, watch.names[k], words)
            if words:
                self.notes.append(f"At t = {t:.9g} {words}")
        pushes = self._pushes(after, t, q, given, struck)
        stored = _energy(after, t, q, given, arrays.parameters)
        self._note(k, change, t, before, after, (q, v, given, struck.v), pushes, stored)
        y = arrays.y[at.NOW]
        y[n : 2 * n] = struck.v
        y[2 * n] += stored - energy + sum(0.5 * float((given + struck.v) @ push) for push in pushes.values())
        self._take(after)
        arrays.counts[at.FRESH] = 1
        arrays.counts[at.PART] += 1
        arrays.counts[at.USUAL], arrays.control[at.GROWTH] = UNKNOWN
        self._begin_part()
        return None

    def _off(self, after: Structure, new: list[int], t: float, q: Array, v: Array) -> str:
        """Which of the new constraints the positions do not satisfy, in words."""
        if not new:
            return ""
        arrays, problem = self.arrays, after.problem
        surface = problem.model.function("surface")
        found = surface(t, q, v, arrays.parameters, np.zeros(problem.n + problem.s))[1]
        _, G, position, _ = surface.parts(found)
        reach = arrays.reach(q)
        row = 0
        for i, c in zip(after.active, problem.model.constraints, strict=True):
            rows = slice(row, row + len(c.expressions))
            row = rows.stop
            allowed = OFF * np.abs(G[rows]) @ reach + 1e-14
            if i in new and c.level == 0 and not c.drives and np.any(np.abs(position[rows]) > allowed):
                worst = float(np.max(np.abs(position[rows])))
                return f"it adds {c.name!r}, whose positions are off by {worst:.6g}. Let it happen where they fit."
        return ""

    def _pushes(self, after: Structure, t: float, q: Array, v: Array, struck: Impact) -> dict[str, Array]:
        """The generalized impulse of each constraint by name."""
        problem, n = after.problem, after.problem.n
        if not problem.s or not np.any(struck.impulses):
            return {c.name: np.zeros(n) for c in problem.model.constraints}
        reactions = problem.model.function("reactions")
        inputs = np.concatenate([np.zeros(n), struck.impulses])
        (found,) = reactions.parts(reactions(t, q, v, self.arrays.parameters, inputs)[1])
        return {c.name: found[i] for i, c in enumerate(problem.model.constraints)}

    def _note(self, k: int, change: Change, t: float, before: Structure, after: Structure, states: Any, pushes: Any,
              stored: float) -> None:  # fmt: skip
        q, v, _, now = states
        lost = stored - _energy(after, t, q, now, self.arrays.parameters)
        names = [tuple(self.watch.constraints[i] for i in s.active) for s in (before, after)]
        switch = Switch(t, self.watch.names[k], names[0], names[1], q, v, now, pushes, lost, dict(change.sets))
        self.switches.append(switch)

    def _take(self, structure: Structure) -> None:
        """Goes on with a structure: its conditions, and which events are looked at."""
        arrays = self.arrays
        newly = structure.armed & (arrays.events[:, at.ARMED] == 0)
        arrays.events[newly, at.SIDE] = 0
        arrays.events[:, at.ARMED] = structure.armed
        arrays.counts[at.NEEDS] = structure.needs
        self.now = structure

    def _begin_part(self) -> None:
        arrays = self.arrays
        begin = float(arrays.control[at.T])
        self.parts.append((begin, self.now.active, arrays.y[at.NOW].copy(), arrays.parameters.copy()))

    def history(self, part: Array) -> History:
        """Everything that happened, for the rows of these parts (N)."""
        order = {active: i for i, active in enumerate(dict.fromkeys(active for _, active, _, _ in self.parts))}
        return History(
            self.watch.constraints,
            part.astype(np.int64),
            np.array([t for t, _, _, _ in self.parts]),
            np.array([y for _, _, y, _ in self.parts]),
            tuple(self.watch.of(active).problem for active in order),
            tuple(order),
            np.array([order[active] for _, active, _, _ in self.parts]),
            np.array([p for _, _, _, p in self.parts]).reshape(len(self.parts), -1),
            tuple(self.switches),
            tuple(self.happened),
        )


def _energy(structure: Structure, t: float, q: Array, v: Array, parameters: Array) -> float:
    """E = T2 - T0 + V."""
    problem = structure.problem
    return float(problem.model.function("balance")(t, q, v, parameters, np.zeros(problem.n + problem.s))[1][0])


def _met(struck: Impact, v: Array) -> bool:
    """Whether the velocities after an impact satisfy their constraints."""
    return bool(np.all(np.abs(struck.left) <= 1e-9 * (1e-6 + np.abs(v).max(initial=0.0))))
