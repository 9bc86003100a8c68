"""Switching: applies the actions of events during a run (changes of structure, jumps) and records them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np

from ...errors import LienketError
from ...foundation.arrays import Array
from ..contacts.board.mode_board import board_of
from ..memory import control, counts, events, states
from ..outcome import Outcome, accumulated, chattering, ended, refused
from ..settings import UNKNOWN_STATUS
from ..stepping.workspace import Workspace
from .accumulation import EventAccumulation
from .added_positions import moved_onto
from .history import NO_EVENT, History
from .impact import impact
from .impact_limits import GAP_ROUNDING, POSITION_MISFIT_LIMIT, SLIP_ROUNDING, VELOCITY_RESIDUAL_TOLERANCE
from .switch_log import SwitchLog
from .watch import Change, EventPlan, Structure

CHATTERING_SPAN = 1e-6  # [1] time relative to the run within which `chattering` events end it
# [1] time left until events accumulate, relative to their longest interval, below which rounding hides the next event
ACCUMULATION_ROUNDING = 1e-7
# [1] the same time, relative to the root of the tolerance, which hides bounces: their height is quadratic in their time
BOUNCE_SHARE_OF_TOLERANCE = 0.1


class Switching:
    """Current structure of a run and all events so far."""

    def __init__(self, plan: EventPlan, arrays: Workspace) -> None:
        """Arm the events of the first structure."""
        self.plan, self.arrays = plan, arrays
        self.now = plan.of(plan.begin)
        self.recent: deque[float] = deque(maxlen=plan.chattering)
        share = max(ACCUMULATION_ROUNDING, BOUNCE_SHARE_OF_TOLERANCE * arrays.settings.rtol**0.5)
        self.accumulation = EventAccumulation(float(arrays.control[control.BEGIN]), share)
        self.happened: list[tuple[int, float]] = []
        self.ending: Outcome | None = None  # of a terminal event, once all events of its instant have happened
        self.notes: list[str] = []
        self.checked: set[tuple[int, ...]] = {plan.begin}
        self.impacts: dict[tuple[int, ...], Any] = {}
        self.armed_changes: dict[Any, list[tuple[int, float]]] = {}
        self.log = SwitchLog(plan, arrays)
        arrays.counts[counts.HAS_EVENTS] = len(plan.names) > 0
        arrays.events[:, events.DIRECTION] = plan.directions
        arrays.events[:, events.ARMED] = self.now.armed
        arrays.events[:, events.RESOLVED] = [action.as_smooth_as_the_motion for action in plan.actions]
        arrays.events[:, events.OF_TIME] = [action.of_time for action in plan.actions]
        arrays.events[:, events.FLIPPED] = [(1 + a.flips) * (-1 if a.grip else 1) for a in plan.actions]
        arrays.events[:, events.GRIP] = [a.grip for a in plan.actions]
        arrays.control[control.EVENTS_TOO_CLOSE] = max(CHATTERING_SPAN, share) * (
            arrays.end - float(arrays.control[control.BEGIN])
        )
        arrays.events[:, events.EXPECTED] = [float(action.contact) for action in plan.actions]
        self.gaps = np.flatnonzero([action.gap for action in plan.actions])
        self.slips = np.flatnonzero([action.slip for action in plan.actions])
        self.gap_gradients, self.slip_gradients = self._gradients()
        self._set_rounding()
        arrays.counts[counts.NEED_ACCELERATIONS] = self.now.needs_accelerations
        arrays.counts[counts.SLIDING] = self.now.all_sliding
        self.no_impulses = np.zeros_like(arrays.struck)
        self.log.write(NO_EVENT, self.now, arrays.y[states.NOW], arrays.struck)
        self.board = board_of(plan, arrays)
        self.flipped, self.shared = arrays.events[:, events.FLIPPED].copy(), False

    def watch_load(self, advance: Any) -> None:
        """Let an integrator of the current structure watch the margin of contacts that share a load.

        Then no event only changes a sign, since all conditions of these contacts are one.
        """
        if self.plan.shares_load is None:
            return
        arrays, n = self.arrays, self.now.problem.n
        y, t = arrays.y[states.NOW], float(arrays.control[control.T])
        shared = self.plan.shares_load(t, y[:n].copy(), y[n : 2 * n].copy(), arrays.parameters, self.now.active)
        if shared != self.shared:
            arrays.events[:, events.FLIPPED] = 0.0 if shared else self.flipped
            self.shared = shared
        arrays.watch_margin(advance, shared)

    def advance(self, advance: Any) -> tuple[int, Any]:
        """Continue the run with an integrator; return one of the `codes`, and the present integrator."""
        if self.board is None or self.shared or not self.board.holds(advance):
            return advance(), advance
        code, self.now, advance = self.board.run(advance)
        return code, advance

    def handle_event(self, advance_of: Callable[[Structure], Any]) -> Outcome | None:
        """Apply the action of the event that has just happened; return the outcome if the run must stop, else None.

        A terminal event sets `ending` and moves the end of the run to now: other events of this instant still happen.
        `advance_of` returns the integrator of a structure.
        """
        self._read_changes()
        arrays, plan = self.arrays, self.plan
        k, t = int(arrays.counts[counts.EVENT]), float(arrays.control[control.T])
        action, counted = plan.actions[k], not self._first_of_instant(k, t)
        if counted:
            if len(self.recent) == plan.chattering:
                end, begin = arrays.end, float(arrays.control[control.BEGIN])
                if t - self.recent[0] < CHATTERING_SPAN * (end - begin):
                    self.happened.append((k, t))
                    return chattering(t, end, plan.names[k], plan.chattering, self.recent[0])
            self.recent.append(t)
        self.happened.append((k, t))
        limit = self.accumulation.predict(k, t)
        if limit is not None and not action.contact:
            return accumulated(t, arrays.end, plan.names[k], limit)
        if action.changes:
            try:
                change = action.change(
                    arrays.values, self._state, float(arrays.events[k, events.LARGEST]), limit is not None
                )
            except LienketError as error:
                if not action.contact:
                    raise
                return refused(t, arrays.end, plan.names[k], str(error))
            if change.loses and counted:
                self.recent.pop()
            before = self.now
            reason = self._apply_change(k, change, t, advance_of)
            if reason:
                return refused(t, arrays.end, plan.names[k], reason)
            if self.board is not None and self.board.decides(k):
                members = [(structure, advance_of(structure)) for structure in (before, self.now)]
                self.board.learn(k, members[0], members[1], self.log.structure_numbers)
        if action.terminal and self.ending is None:
            self.ending, arrays.control[control.END] = ended(t, arrays.end, plan.names[k]), t
            arrays.pause = t  # known times that are found again must not move the end
        return None

    def _state(self) -> tuple[float, Array, Array, Array, tuple[int, ...]]:
        """Return t, q, v, the parameters and the active constraints now."""
        y, n = self.arrays.y[states.NOW], self.now.problem.n
        t, parameters = float(self.arrays.control[control.T]), self.arrays.parameters
        return t, y[:n].copy(), y[n : 2 * n].copy(), parameters, self.now.active

    def _first_of_instant(self, k: int, t: float) -> bool:
        """Return whether event k joins other events at t for the first time: many bodies may touch at once."""
        if not self.happened or self.happened[-1][1] != t:
            return False
        same = {event for event, time in self.happened[-len(self.plan.names) :] if time == t}
        return k not in same

    def record_sample(self) -> None:
        """Record that parameters have been set at a sample time; the run restarts from the current state."""
        self._read_changes()
        arrays = self.arrays
        arrays.counts[counts.RESTART] = 1
        arrays.counts[counts.STRUCTURE_NUMBER] += 1
        self.log.write(NO_EVENT, self.now, arrays.y[states.NOW], self.no_impulses)

    def _read_changes(self) -> None:
        """Record the changes that kernels have made since the last call; events that accumulate are none of them."""
        rows = self.arrays.changes[: self.arrays.counts[counts.CHANGES_FILLED]]
        if len(rows):
            times = rows[:, 0].tolist()
            self.happened += zip(rows[:, 1].astype(np.int64).tolist(), times, strict=True)
            self.recent.extend(times)
            self.log.append(rows)
            self.arrays.counts[counts.CHANGES_FILLED] = 0

    def explain(self, t: float, q: Array, v: Array) -> str:
        """Return sentences on dependent constraints and on Painleve's paradox at a state, or ""."""
        parameters = self.arrays.parameters.copy()
        sentences = (
            self.plan.verdict(self.now, t, q, v, parameters)[0],
            self.plan.explain_paradox(t, q, v, parameters, self.now.active),
        )
        return " ".join(filter(None, sentences))

    def _apply_change(self, k: int, change: Change, t: float, advance_of: Callable[[Structure], Any]) -> str:
        """Change to the structure after an event; return the reason if that is impossible, otherwise ""."""
        arrays, before, n = self.arrays, self.now, self.now.problem.n
        active = before.active
        if change.release or change.add:
            active = tuple(sorted((set(active) - set(change.release)) | set(change.add)))
        after = before if active == before.active else self.plan.of(active)
        y = arrays.y[states.NOW]
        was = y.copy()
        for index, value in change.sets:
            arrays.parameters[index] = value
        if change.sets:
            arrays.find_known_times()
        self._close_gaps(change, after, t, y)
        for index, value in change.jumps:
            y[n + index] = value
        v_set = y[n : 2 * n].copy() if change.struck else y[n : 2 * n]
        apply_impact = self.impacts.get(active)
        if apply_impact is None:
            apply_impact = self.impacts[active] = arrays.impact(advance_of(after))
        if apply_impact() != 0:
            reason = self._apply_robustly(after, t, y)
            if reason:
                return reason
        elif active not in self.checked:
            reason = self._check_structure(after, t, y)
            if reason:
                return reason
        self._activate(after)
        arrays.counts[counts.RESTART] = 1
        arrays.counts[counts.STRUCTURE_NUMBER] += 1
        arrays.counts[counts.STATUS_USUAL], arrays.control[control.GROWTH] = UNKNOWN_STATUS
        if change.struck:  # the velocities set are those after an impact at contacts
            arrays.struck[0] += float(arrays.control[control.ENERGY]) - self._energy(after, t, y[:n], v_set)
        self.log.write(k, after, was, arrays.struck, change.struck, change.law)
        return ""

    def _close_gaps(self, change: Change, after: Structure, t: float, y: Array) -> None:
        """Move positions that miss an added constraint by part of the tolerances onto it, if it can be added at all.

        The change of the energy is not counted as work: it is an error, which the energy balance shows.
        """
        adds = any(index in after.holonomic for index in change.add)
        if not (adds or change.moves):
            return
        arrays, n = self.arrays, after.problem.n
        q, v, moved = y[:n].copy(), y[n : 2 * n].copy(), y[:n].copy()
        for index, value in change.moves:
            moved[index] = value
        if adds and not self._position_misfit(after, t, q, v):
            moved = moved_onto(after.problem, (t, moved, v, arrays.parameters), arrays.position_tolerance(q))
        if not np.array_equal(moved, q):
            arrays.control[control.ENERGY] += self._energy(after, t, moved, v) - self._energy(after, t, q, v)
            y[:n] = moved

    def _apply_robustly(self, after: Structure, t: float, y: Array) -> str:
        """Apply the impact where rows are redundant or residuals large; return why that is impossible, or ""."""
        arrays, problem, n = self.arrays, after.problem, after.problem.n
        q, v = y[:n].copy(), y[n : 2 * n].copy()
        reason = self._position_misfit(after, t, q, v)
        if reason:
            return reason
        result = impact(problem, t, q, v, arrays.parameters)
        y[n : 2 * n] = result.v
        reason = self._check_structure(after, t, y)
        if reason:
            return reason
        residual, size = np.abs(result.left).max(initial=0.0), max(1.0, np.abs(result.G).max(initial=0.0))
        if not residual <= VELOCITY_RESIDUAL_TOLERANCE * (1e-6 + np.abs(v).max()) * size:
            return f"no velocities satisfy the constraints; the smallest residual found is {residual:.3g}."
        stored, lost = self._energy(after, t, q, v), 0.0
        lost = stored - self._energy(after, t, q, result.v)
        arrays.struck[:] = 0.0
        arrays.struck[0], arrays.struck[1 : 1 + problem.s] = lost, result.impulses
        work = 0.5 * float((v + result.v) @ (result.G.T @ result.impulses))
        y[2 * n] += stored - float(arrays.control[control.ENERGY]) + work
        return ""

    def _check_structure(self, after: Structure, t: float, y: Array) -> str:
        """Check a structure for dependent constraints; return the reason if the run must end, otherwise ""."""
        n, first = after.problem.n, after.active not in self.checked
        self.checked.add(after.active)
        verdict, can_continue = self.plan.verdict(
            after, t, y[:n].copy(), y[n : 2 * n].copy(), self.arrays.parameters.copy()
        )
        if verdict and can_continue and first:  # a structure may return many times
            self.notes.append(f"At t = {t:.9g}: {verdict}")
        return "" if can_continue else verdict

    def _position_misfit(self, after: Structure, t: float, q: Array, v: Array) -> str:
        """Return a sentence on the first constraint that the positions do not satisfy, or ""."""
        arrays, problem = self.arrays, after.problem
        surface = problem.model.function("surface")
        _, G, position, *_ = surface.parts(surface(t, q, v, arrays.parameters, np.zeros(problem.model.inputs))[1])
        allowed = POSITION_MISFIT_LIMIT * np.abs(G) @ arrays.position_tolerance(q) + 1e-14
        for name, rows in problem.model.rows.items():
            if np.any(np.abs(position[rows]) > allowed[rows]):
                worst = float(np.max(np.abs(position[rows])))
                return (
                    f"the positions do not satisfy the constraint {name!r}; they are off by {worst:.6g}. "
                    "Add the constraint at positions that satisfy it."
                )
        return ""

    def _energy(self, structure: Structure, t: float, q: Array, v: Array) -> float:
        """Return the energy E = T2 - T0 + V."""
        problem = structure.problem
        inputs = np.zeros(problem.model.inputs)
        return float(problem.model.function("balance")(t, q, v, self.arrays.parameters, inputs)[1][0])

    def _activate(self, structure: Structure) -> None:
        """Make a structure the current one and arm its events."""
        watched, key = self.arrays.events, (self.now.active, structure.active)
        if key not in self.armed_changes:
            changed = np.flatnonzero(self.now.armed != structure.armed)
            self.armed_changes[key] = [(int(k), float(structure.armed[k])) for k in changed]
        for k, armed in self.armed_changes[key]:
            watched[k, events.SIDE], watched[k, events.DUE], watched[k, events.ARMED] = 0.0, 0.0, armed
        self.arrays.counts[counts.NEED_ACCELERATIONS], self.arrays.counts[counts.SLIDING] = (
            structure.needs_accelerations,
            structure.all_sliding,
        )
        self.now = structure
        self._set_rounding()

    def _set_rounding(self) -> None:
        """Set the rounding of gaps and slips.

        By it a contact that has just opened slowly must not count as closed. One that has just begun to slide moves as
        the square of the time: at first its slip is rounding, which must not count as its direction.
        """
        n, y, watched = self.now.problem.n, self.arrays.y[states.NOW], self.arrays.events
        if self.gaps.size:
            watched[self.gaps, events.ROUNDING] = GAP_ROUNDING * (1 + np.abs(y[:n]).max()) * self.gap_gradients
        if self.slips.size:
            watched[self.slips, events.SLIP_ROUNDING] = SLIP_ROUNDING * (self.slip_gradients @ np.abs(y[n : 2 * n]))

    def _gradients(self) -> tuple[Array, Array]:
        """Return the sums of |dg/dq| of the gaps at the start, 1 where a gap does not change there, and |d slip/dv|."""
        if not self.gaps.size and not self.slips.size:
            return np.zeros(0), np.zeros((0, 0))
        whole, arrays = self.plan.whole, self.arrays
        y, surface, inputs = arrays.y[states.NOW], whole.model.function("surface"), np.zeros(whole.model.inputs)
        t, q, v = float(arrays.control[control.T]), y[: whole.n].copy(), y[whole.n : 2 * whole.n].copy()
        G = surface.parts(surface(t, q, v, arrays.parameters, inputs)[1])[1]
        actions, names, rows = self.plan.actions, self.plan.constraints, whole.model.rows
        gaps = [rows[names[actions[k].normal]].start for k in self.gaps]
        slips = [rows[names[actions[k].tangential]].start for k in self.slips]
        sizes = np.abs(G[gaps]).sum(axis=1)
        return np.where(sizes > 0, sizes, 1.0), np.abs(G[slips])

    def history(self, part: Array) -> History:
        """Return the history of the run; `part` (N) is the part of each row."""
        self._read_changes()
        names = self.plan.names
        happened = tuple([(names[k], t) for k, t in self.happened])
        return self.log.history(part.astype(np.int64), happened)
