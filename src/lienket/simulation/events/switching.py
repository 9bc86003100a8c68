"""Switching: what events do to a run on its way. Structures change, velocities jump, and all of it is written down."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np

from ...errors import LienketError
from ..memory import control, counts, events, states
from ..outcome import Outcome, accumulated, chattering, ended, refused
from ..settings import UNKNOWN
from ..stepping.workspace import Workspace
from .accumulation import EventAccumulation
from .history import History
from .impact import impact
from .impact_limits import LEFT_OVER, OFF
from .switch_log import SwitchLog
from .watch import Change, EventPlan, Structure

Array = Any

SHORT = 1e-6
"""The share of a run in which so many events are too many."""
SHORTEST = 1e-7
"""What may be left until events come together, as a share of their longest interval; then rounding hides the next."""
UNSEEN = 0.1
"""The same where the tolerance hides it, times its root: how far a bounce goes is quadratic in how long it takes."""
ROUNDING = 1e-14
"""Of distances, as a share of the positions."""


class Switching:
    """The structure that acts now and everything that has happened so far."""

    def __init__(self, watch: EventPlan, arrays: Workspace) -> None:
        self.watch, self.arrays = watch, arrays
        self.now = watch.of(watch.begin)
        self.recent: deque[float] = deque(maxlen=watch.chattering)
        share = max(SHORTEST, UNSEEN * arrays.settings.rtol**0.5)
        self.gathering = EventAccumulation(float(arrays.control[control.BEGIN]), share)
        self.happened: list[tuple[int, float]] = []
        self.notes: list[str] = []
        self.judged: set[tuple[int, ...]] = {watch.begin}
        self.strikes: dict[tuple[int, ...], Any] = {}
        self.turned: dict[Any, list[tuple[int, float]]] = {}
        self.log = SwitchLog(watch, arrays)
        arrays.counts[counts.HAS_EVENTS] = 1
        arrays.events[:, events.DIRECTION] = watch.directions
        arrays.events[:, events.ARMED] = self.now.armed
        arrays.events[:, events.FLIPPED] = [(1 + a.flips) * (-1 if a.looks else 1) for a in watch.actions]
        arrays.events[:, events.GRIP] = [a.looks for a in watch.actions]
        arrays.control[control.EVENTS_TOO_CLOSE] = max(SHORT, share) * float(
            arrays.control[control.END] - arrays.control[control.BEGIN]
        )
        arrays.events[:, events.EXPECTED] = [float(action.contact) for action in watch.actions]
        self.gaps = np.flatnonzero([action.gap for action in watch.actions])
        self._set_gap_floor()
        arrays.counts[counts.NEED_ACCELERATIONS], arrays.counts[counts.SLIDING] = self.now.needs, self.now.slides
        self.log.write(-1, self.now, arrays.y[states.NOW], arrays.struck)

    def handle_event(self, advance_of: Callable[[Structure], Any]) -> Outcome | None:
        """Does what the event asks for that has just happened; how the run ends, if it does.

        `advance_of` gives the integrator of a structure.
        """
        self._read_flips()
        arrays, watch = self.arrays, self.watch
        k, t = int(arrays.counts[counts.EVENT]), float(arrays.control[control.T])
        action = watch.actions[k]
        self.happened.append((k, t))
        if len(self.recent) == watch.chattering:
            end, begin = float(arrays.control[control.END]), float(arrays.control[control.BEGIN])
            if t - self.recent[0] < SHORT * (end - begin):
                return chattering(t, end, watch.names[k], watch.chattering, self.recent[0])
        self.recent.append(t)
        together = self.gathering.meet(k, t)
        if together is not None and not action.contact:
            return accumulated(t, float(arrays.control[control.END]), watch.names[k], together)
        if action.changes:
            y, n = arrays.y[states.NOW], self.now.problem.n
            state = (t, y[:n].copy(), y[n : 2 * n].copy(), arrays.parameters, self.now.active)
            try:
                most = float(arrays.events[k, events.LARGEST])
                change = action.change(arrays.values, state, most, together is not None)
            except LienketError as error:
                if not action.contact:
                    raise
                return refused(t, float(arrays.control[control.END]), watch.names[k], str(error))
            reason = self._apply_change(k, change, t, advance_of)
            if reason:
                return refused(t, float(arrays.control[control.END]), watch.names[k], reason)
        return ended(t, float(arrays.control[control.END]), watch.names[k]) if action.terminal else None

    def _read_flips(self) -> None:
        """Takes over what `native.sign_flips` has done meanwhile."""
        arrays = self.arrays
        for t, k, *y in arrays.flips[: arrays.counts[counts.FLIPS_FILLED]].tolist():
            event = int(k)
            self.happened.append((event, t))
            self.recent.append(t)
            self.gathering.meet(event, t)
            self.log.write_flip(event, self.now, t, y, self.watch.actions[event].flips)
        arrays.counts[counts.FLIPS_FILLED] = 0

    def explain(self, t: float, q: Array, v: Array) -> str:
        """What is wrong with a state under the constraints that act, in words."""
        numbers = self.arrays.parameters.copy()
        words = (
            self.watch.verdict(self.now, t, q, v, numbers)[0],
            self.watch.limits(t, q, v, numbers, self.now.active),
        )
        return " ".join(filter(None, words))

    def _apply_change(self, k: int, change: Change, t: float, advance_of: Callable[[Structure], Any]) -> str:
        """Takes up the structure after a change; why that cannot be, or nothing."""
        arrays, before, n = self.arrays, self.now, self.now.problem.n
        active = before.active
        if change.release or change.add:
            active = tuple(sorted((set(active) - set(change.release)) | set(change.add)))
        after = before if active == before.active else self.watch.of(active)
        y = arrays.y[states.NOW]
        was = y.copy()
        for place, value in change.sets:
            arrays.parameters[place] = value
        for place, value in change.jumps:
            y[n + place] = value
        given = y[n : 2 * n].copy()
        strike = self.strikes.get(active)
        if strike is None:
            strike = self.strikes[active] = arrays.strike(advance_of(after))
        if strike() != 0:
            reason = self._apply_robustly(after, t, y)
            if reason:
                return reason
        elif active not in self.judged:
            reason = self._check_structure(after, t, y)
            if reason:
                return reason
        self._activate(after)
        arrays.counts[counts.RESTART] = 1
        arrays.counts[counts.STRUCTURE_NUMBER] += 1
        arrays.counts[counts.STATUS_USUAL], arrays.control[control.GROWTH] = UNKNOWN
        if change.struck:  # the velocities given are those after an impact
            arrays.struck[0] += float(arrays.control[control.ENERGY]) - self._energy(after, t, y[:n], given)
        self.log.write(k, after, was, arrays.struck, change.struck)
        return ""

    def _apply_robustly(self, after: Structure, t: float, y: Array) -> str:
        """The switch where something is dependent or does not fit; why it cannot be, or nothing."""
        arrays, problem, n = self.arrays, after.problem, after.problem.n
        q, given = y[:n].copy(), y[n : 2 * n].copy()
        reason = self._position_misfit(after, t, q, given)
        if reason:
            return reason
        struck = impact(problem, t, q, given, arrays.parameters)
        y[n : 2 * n] = struck.v
        reason = self._check_structure(after, t, y)
        if reason:
            return reason
        left = np.abs(struck.left).max(initial=0.0)
        if not left <= LEFT_OVER * (1e-6 + np.abs(given).max()) * max(1.0, np.abs(struck.G).max(initial=0.0)):
            return f"no velocities satisfy the constraints; {left:.3g} is left."
        stored, lost = self._energy(after, t, q, given), 0.0
        lost = stored - self._energy(after, t, q, struck.v)
        arrays.struck[:] = 0.0
        arrays.struck[0], arrays.struck[1 : 1 + problem.s] = lost, struck.impulses
        work = 0.5 * float((given + struck.v) @ (struck.G.T @ struck.impulses))
        y[2 * n] += stored - float(arrays.control[control.ENERGY]) + work
        return ""

    def _check_structure(self, after: Structure, t: float, y: Array) -> str:
        """What is wrong with a structure that is new, or that needs care; nothing if the run can go on."""
        n = after.problem.n
        self.judged.add(after.active)
        words, goes_on = self.watch.verdict(after, t, y[:n].copy(), y[n : 2 * n].copy(), self.arrays.parameters.copy())
        if words and goes_on:
            self.notes.append(f"At t = {t:.9g}: {words}")
        return "" if goes_on else words

    def _position_misfit(self, after: Structure, t: float, q: Array, v: Array) -> str:
        """Which of the constraints the positions do not satisfy, in words."""
        arrays, problem = self.arrays, after.problem
        surface = problem.model.function("surface")
        found = surface(t, q, v, arrays.parameters, np.zeros(problem.model.inputs))[1]
        _, G, position, _ = surface.parts(found)
        allowed, row = OFF * np.abs(G) @ arrays.position_tolerance(q) + 1e-14, 0
        for c in problem.model.constraints:
            rows = slice(row, row + len(c.expressions))
            row = rows.stop
            if np.any(np.abs(position[rows]) > allowed[rows]):
                worst = float(np.max(np.abs(position[rows])))
                return f"the positions of {c.name!r} are off by {worst:.6g}. Let it happen where they fit."
        return ""

    def _energy(self, structure: Structure, t: float, q: Array, v: Array) -> float:
        """E = T2 - T0 + V."""
        problem = structure.problem
        inputs = np.zeros(problem.model.inputs)
        return float(problem.model.function("balance")(t, q, v, self.arrays.parameters, inputs)[1][0])

    def _activate(self, structure: Structure) -> None:
        """Goes on with a structure: its conditions, and which events are looked at."""
        watched, key = self.arrays.events, (self.now.active, structure.active)
        if key not in self.turned:
            changed = np.flatnonzero(self.now.armed != structure.armed)
            self.turned[key] = [(int(k), float(structure.armed[k])) for k in changed]
        for k, armed in self.turned[key]:
            watched[k, events.SIDE], watched[k, events.ARMED] = 0.0, armed
        self.arrays.counts[counts.NEED_ACCELERATIONS], self.arrays.counts[counts.SLIDING] = (
            structure.needs,
            structure.slides,
        )
        self.now = structure
        self._set_gap_floor()

    def _set_gap_floor(self) -> None:
        """What is rounding in a distance: one that has just opened, slowly, must not look closed by it."""
        if self.gaps.size:
            q = self.arrays.y[states.NOW][: self.now.problem.n]
            self.arrays.events[self.gaps, events.ROUNDING] = ROUNDING * (1 + np.abs(q).max())

    def history(self, part: Array) -> History:
        """Everything that happened, for the rows of these parts (N)."""
        self._read_flips()
        happened = tuple((self.watch.names[k], t) for k, t in self.happened)
        return self.log.history(part.astype(np.int64), happened)
