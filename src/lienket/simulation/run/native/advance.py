"""Step loop of every integrator: attempt a step, accept or shorten it, write rows, return to Python when needed.

Operations specific to a method are requested from it, see `stepping.native.method`. With control[FIXED_STEP] > 0 the
step size is not controlled: all steps have this length, and a rejected one ends the run.

The current and the tried state, NOW and TRIED, and their rates stay in memory until the step is finished.
counts[RESTART] is 1 in the first attempt after a start or a change from outside: then earlier steps must not be used.
It is AFTER_BRIDGE in the first one after a bridge, whose polynomial may be used instead of earlier steps.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....kernels.memory.workspace import slots
from ....kernels.native.robust_solve import ELIMINATION, REDUNDANT
from ....kernels.native.runtime.jit import entry, kernel
from ...events.native.conditions import measure_now
from ...events.native.instant import first_due, next_due
from ...events.native.location import after_event, first_event
from ...events.native.sign_flips import flip_sign
from ...integrators.native.scratch.bdf import BDF_HIGHEST_ORDER
from ...memory import (
    AFTER_BRIDGE,
    MOVED_LIMIT,
    UNRESOLVED,
    addresses,
    codes,
    control,
    counts,
    rejections,
    requests,
    row_columns,
    states,
)
from ...stepping.native.accept_state import energy, project_node, rejection_reason
from ...stepping.native.bridging.bridge import FAILED
from ...stepping.native.bridging.bridge_polynomial import scratch_of as bridge_scratch_of
from ...stepping.native.chosen_rows import NO_BETTER, other_rows_needed
from ...stepping.native.clock import aligned_step, at_a_number, carry_time, time_left
from ...stepping.native.corners import next_corner, over_corner
from ...stepping.native.known_times import at_known_time, set_stop
from ...stepping.native.method import attempt, call_method
from ...stepping.native.rates import near_singular, rates
from ...stepping.native.rounding import ROUNDING_LIMIT
from ...stepping.native.rows import rows_hold, write_times
from ...stepping.native.run_view import state, weighted
from ...stepping.native.singular_step import NOT_NEEDED, bridge_or_stop
from ...stepping.native.usual_status import neighbour_time, store_usual_status
from .near_position import ROUNDING_MOST, may_step_over, nears_position, off_by_rounding, rounding_at_end

USUAL_STEP_FALL = 0.9  # [1] least factor of the usual step in one step, so that it does not follow steps that creep
LONG_STEP = 0.1  # [1] step relative to the usual one from which it leaves the position at which bridges failed
CONTINUE = -2  # of `begin`: no reason to return, none of the `codes`
SHORTEST_STEP = 1e-13  # [1] step relative to the run, below which the run is stuck
SHRINK = np.array((1.0, 0.0, 0.25, 0.5, 0.5, 0.8, 0.5, 0.5, 0.5))
"""Factors of the step by reason of its rejection; for INACCURATE control[STEP_FACTOR] holds instead."""
STATES_OF_BRIDGE = BDF_HIGHEST_ORDER + 1  # [1] states of a bridge before its end with which a multistep method begins
END_TOLERANCE = 1 + 1e-9  # [1] a step times this that reaches the end of the run ends exactly there


@entry
def advance(run: Any) -> Any:
    """Continue the run; return why it stopped, one of the `codes`."""
    if run.counts[counts.JUST_HAPPENED] == 1 and at_known_time(run) and not pass_known_time(run):
        return codes.STUCK
    fresh = run.counts[counts.RESTART] == 1
    if not fresh and run.counts[counts.JUST_HAPPENED] == 1:
        run.counts[counts.EVENT] = next_due(run)
        if run.counts[counts.EVENT] >= 0:
            return codes.EVENT_HAPPENED
    while fresh or run.control[control.T] < run.control[control.END]:
        if fresh:
            code = begin(run)
            if code != CONTINUE:
                return code
            fresh = False
            continue
        if run.counts[counts.STEPS_LEFT] <= 0:
            return codes.PAUSED
        if run.times.size == 0 and run.counts[counts.ROWS_FILLED] >= run.rows.shape[0]:
            return codes.FULL
        t, h = run.control[control.T], step_length(run)
        run.counts[counts.STEPS_LEFT] -= 1
        run.counts[counts.STATUS_WORST], run.counts[counts.BRIDGING] = 0, 0
        h, error, reason = attempt_or_bridge(run, t, h)
        if reason < 0:
            return codes.WANTS_BRIDGE
        if reason != 0:
            if not shorten(run, t, h, error, reason):
                return codes.STUCK
            if rows_fail(run, reason):
                return codes.WANTS_ROWS
            continue
        whole, run.counts[counts.EVENT] = h, -1
        if run.counts[counts.HAS_EVENTS] == 1:
            h, run.counts[counts.EVENT] = first_event(run, t, h, end_of_step(run, t, h))
            if run.counts[counts.EVENT] == UNRESOLVED:
                run.control[control.STEP_FACTOR] = max(0.1, run.control[control.USUAL_STEP] / h)
                if not shorten(run, t, h, error, rejections.INACCURATE):
                    return codes.STUCK
                continue
        if run.times.size > 0:
            write_times(run, t, h, end_of_step(run, t, h))
        accept_step(run, t, h)
        if run.counts[counts.EVENT] >= 0:
            if not only_flips(run, whole):
                return codes.EVENT_HAPPENED
            fresh = True
            continue
        if at_known_time(run):
            fresh = run.control[control.T] < run.control[control.END] or run.counts[counts.HAS_EVENTS] == 1
            if fresh and not pass_known_time(run):
                return codes.STUCK
            continue
        if other_rows_needed(run, run.control[control.T]):
            return codes.WANTS_ROWS
        if run.counts[counts.WATCH_STIFFNESS] == 1 and call_method(run, requests.CHECK_STIFFNESS, t, h) == 1:
            return codes.STIFF_NOW
    return codes.DONE


@kernel
def begin(run: Any) -> Any:
    """Begin at a start or restart; return why to return to Python, or CONTINUE."""
    initialize(run)
    if rows_unexamined(run):
        return codes.WANTS_ROWS
    run.counts[counts.EVENT] = next_due(run) if run.counts[counts.HAS_EVENTS] == 1 else -1
    return codes.EVENT_HAPPENED if run.counts[counts.EVENT] >= 0 else CONTINUE


@kernel
def only_flips(run: Any, whole: Any) -> Any:
    """Continue after a step that ended at an event, `whole` before; return whether the event only flips a sign."""
    run.control[control.H], run.counts[counts.EVENT] = max(run.control[control.H], whole), first_due(run)
    flips = flip_sign(run)
    after_event(run)
    if flips:
        run.counts[counts.RESTART] = 1
    else:
        measure_now(run)
    return flips


@kernel
def attempt_or_bridge(run: Any, t: Any, h: Any) -> Any:
    """Try a step; return its length, its error, and 0 or the reason to reject it (-1 if BRIDGE_STEP is missing).

    Where an ordinary step near a singular position is not accurate, or its rows are not, or rounding is large at its
    end, a bridge over it is tried. Without one the ordinary step is made if rounding allows it.
    """
    rounding, error = 0.0, attempt(run, t, h)
    attempted, diverged = error, error < 0 and run.counts[counts.STATUS_WORST] >= 0  # the iteration of an implicit step
    if not near_singular(run) or (error <= 1 and not diverged):
        reason = rejection_reason(run, t, h, error)
        if not near_singular(run) and not nears_position(run, t, h, reason):
            return h, error, reason
        if near_singular(run) and reason != 0 and not off_by_rounding(run, t, h, reason):
            return h, error, reason
        if reason == 0 and rows_hold(run, t, h, end_of_step(run, t, h)):
            rounding = rounding_at_end(run, t, h)
            if rounding <= ROUNDING_LIMIT:
                return h, error, reason
        error = FAILED
    if may_step_over(run):
        if run.addresses[addresses.BRIDGE_STEP] == 0:
            return h, error, -1
        length, error = bridge_or_stop(run, t, h, attempted)
        if error == NOT_NEEDED:
            return h, attempted, rejections.INACCURATE
        reason = rejection_reason(run, t, length, error)
        if reason == 0 or rounding == 0:
            return length, error, _reason_without_bridge(reason, attempted)
        run.counts[counts.STATUS_WORST], run.counts[counts.BRIDGING] = 0, 0
    if rounding > ROUNDING_MOST:
        return h, FAILED, rejections.RANK_LOST
    if rounding > 0:
        error = attempt(run, t, h)
    return h, error, _reason_without_bridge(rejection_reason(run, t, h, error), attempted)


@kernel
def _reason_without_bridge(reason: Any, attempted: Any) -> Any:
    """Return the reason to reject a step of which the method itself has the error `attempted`, if no bridge is made."""
    return rejections.NO_BRIDGE if reason == rejections.NOT_CONVERGED and attempted >= 0 else reason


@kernel
def rows_unexamined(run: Any) -> Any:
    """Return whether rows may be redundant, since accelerations need elimination, and have not been examined."""
    status = run.counts[counts.STATUS_WORST]
    return run.s > 0 and run.places[slots.EXAMINED] == 0 and (status >= ELIMINATION or status < 0)


@kernel
def rows_fail(run: Any, reason: Any) -> Any:
    """Return whether rows chosen in a run with redundant ones may be the reason why a step is rejected at first."""
    chosen = run.places[slots.RANK] > 0 and run.places[slots.WEAK] != NO_BETTER
    failed = reason == rejections.OFF_CONSTRAINTS or reason == rejections.NO_ACCELERATION
    return chosen and failed and run.counts[counts.REJECTED_IN_A_ROW] == 1


@kernel
def initialize(run: Any) -> None:
    """Compute rates, energy, the usual status of accelerations and a first step at a start or restart."""
    t, now = run.control[control.T], state(run, states.NOW)
    run.counts[counts.STATUS_WORST], run.places[slots.DIGITS] = 0, 0
    set_stop(run)
    has_rates = rates(run, t, now, state(run, states.RATE))
    if run.counts[counts.STATUS_USUAL] < 0:
        store_usual_status(run, t, has_rates)
    run.control[control.ENERGY] = energy(run, t, now)[0]
    if run.control[control.H] <= 0:
        if near_singular(run) and neighbour_time(run) > 0:
            run.control[control.H] = neighbour_time(run)
        elif has_rates:
            run.control[control.H] = first_step(run, t, run.counts[counts.ORDER])
        else:
            run.control[control.H] = 1e-6 * (run.control[control.END] - t)
    call_method(run, requests.BEGIN, t, run.control[control.H])


@kernel
def first_step(run: Any, t: Any, order: Any) -> Any:
    """Return a first step from the first and second derivative (Hairer, Norsett and Wanner I, II.4)."""
    y, f, x, g = (
        state(run, states.NOW),
        state(run, states.RATE),
        state(run, states.TRIED),
        state(run, states.RATE_TRIED),
    )
    size, slope = weighted(run, y, y, y), weighted(run, f, y, y)
    h = 0.01 * size / slope if size > 1e-5 and slope > 1e-5 else 1e-6
    h = min(h, time_left(run), run.control[control.LARGEST_STEP])
    for i in range(y.size):
        x[i] = y[i] + h * f[i]
    if not rates(run, t + h, x, g):
        return 1e-3 * h
    for i in range(y.size):
        g[i] -= f[i]
    steepest = max(slope, weighted(run, g, y, y) / h)
    proposed = max(1e-6, 1e-3 * h) if steepest <= 1e-15 else (0.01 / steepest) ** (1.0 / (order + 1))
    return min(100 * h, proposed)


@kernel
def pass_known_time(run: Any) -> Any:
    """Continue after the known time just reached; return whether positions and velocities may be continuous there.

    They must satisfy the constraints after it as well. A jump of V does work.
    """
    n, t, now, node = run.n, run.control[control.T], state(run, states.NOW), state(run, states.NODE)
    set_stop(run)
    for i in range(now.size):
        node[i] = now[i]
    if run.s > 0:
        projected = project_node(run, t)
        for i in range(now.size):
            node[i] -= now[i]
        if projected == 0 or not weighted(run, node, now, now) <= MOVED_LIMIT:
            run.counts[counts.REJECTION] = rejections.JUMP_PRESCRIBED
            return False
    now[2 * n] += energy(run, t, now)[0] - run.control[control.ENERGY]
    last = run.counts[counts.ROWS_FILLED] - 1
    if last >= 0 and run.rows[last, row_columns.T] == t:
        run.rows[last, row_columns.STATE + 2 * n] = now[2 * n]
    run.counts[counts.RESTART] = 1
    return True


@kernel
def end_of_step(run: Any, t: Any, h: Any) -> Any:
    """Return the time at which a step ends; the last step ends exactly at END, one before it at a known time.

    A step to an event shortly before that time does not.
    """
    stop, carry = run.control[control.STOP], run.control[control.TIME_CARRY]
    tolerance = END_TOLERANCE if run.counts[counts.EVENT] < 0 else 1.0
    return stop if h * tolerance >= time_left(run) else t + (h + carry)


@kernel
def step_length(run: Any) -> Any:
    """Return the length of the next step, at most up to the end or a known time, without a tiny last step."""
    left, fixed = time_left(run), run.control[control.FIXED_STEP]
    if fixed > 0:
        return fixed if fixed <= left * END_TOLERANCE else left
    h = min(run.control[control.H], run.control[control.LARGEST_STEP])
    if h >= left:
        return left
    return aligned_step(run, 0.5 * left if h > 0.6 * left else h)


@kernel
def shorten(run: Any, t: Any, h: Any, error: Any, reason: Any) -> Any:
    """Shorten the step after a rejection; return whether it is still long enough to be attempted."""
    run.counts[counts.REJECTED] += 1
    run.counts[counts.REJECTED_IN_A_ROW] += 1
    run.counts[counts.REJECTION] = reason
    if run.control[control.FIXED_STEP] > 0:
        return False
    run.control[control.H] = h * (
        run.control[control.STEP_FACTOR] if reason == rejections.INACCURATE else SHRINK[reason]
    )
    if reason == rejections.INACCURATE and over_corner(run, t, h):
        run.control[control.H] = next_corner(run, t) - t
    return run.control[control.H] > SHORTEST_STEP * (run.control[control.END] - run.control[control.BEGIN])


@kernel
def step_after_bridge(run: Any, h: Any) -> Any:
    """Return the next step of a multistep method after a bridge of length h.

    It is not longer than before, and the states before the end of the bridge that the method begins with lie within the
    reach of its nodes.
    """
    usual, proposed = run.control[control.USUAL_STEP], run.control[control.H]
    if usual > 0:  # 0 if the run began with the bridge
        proposed = min(proposed, usual)
    return min(proposed, (bridge_scratch_of(run).span[0] + h) / STATES_OF_BRIDGE)


@kernel
def accept_step(run: Any, t: Any, h: Any) -> None:
    """Make the tried state the current one, propose the next step, and write a row where one is due."""
    m = run.y.shape[1]
    factor = run.control[control.STEP_FACTOR]
    if run.counts[counts.REJECTED_IN_A_ROW] > 0 and run.counts[counts.REJECTION] != rejections.RANK_LOST:
        factor = min(factor, 1.0)
    if run.control[control.ENERGY_RATIO] > 0.01:
        factor = min(factor, 0.9 * run.control[control.ENERGY_RATIO] ** -0.125)
    if near_singular(run) or run.counts[counts.BRIDGING] == 1:
        if run.counts[counts.PASSAGES] < run.log.shape[0]:
            entry = run.log[run.counts[counts.PASSAGES]]
            entry[0], entry[1], entry[2] = t, t + h, run.counts[counts.BRIDGING]
        run.counts[counts.PASSAGES] += 1
    if run.counts[counts.BRIDGING] == 0:
        usual, regular = run.control[control.USUAL_STEP], not near_singular(run)
        if regular or h >= LONG_STEP * usual:
            run.counts[counts.BRIDGES_FAILED] = 0
        if regular or run.counts[counts.REJECTED_IN_A_ROW] == 0:  # steps that creep to a position were rejected before
            run.control[control.USUAL_STEP] = max(h, USUAL_STEP_FALL * usual)
    if not near_singular(run) and run.counts[counts.BRIDGING] == 0:
        if run.places[slots.RANK] == 0:
            run.counts[counts.STATUS_USUAL] = min(run.counts[counts.STATUS_USUAL], run.counts[counts.STATUS_WORST])
        else:
            run.counts[counts.STATUS_USUAL] = REDUNDANT
    run.control[control.MOST_MOVED] = max(run.control[control.MOST_MOVED], run.control[control.MOVED])
    run.control[control.MOST_ENERGY_RATIO] = max(
        run.control[control.MOST_ENERGY_RATIO], run.control[control.ENERGY_RATIO]
    )
    if run.counts[counts.BRIDGING] == 1:
        bridge_scratch_of(run).passed[0] = h
        if run.places[slots.RANK] > 0:
            run.counts[counts.STATUS_USUAL] = REDUNDANT
    run.counts[counts.BRIDGES] += run.counts[counts.BRIDGING]
    run.counts[counts.RESTART] = AFTER_BRIDGE if run.counts[counts.BRIDGING] == 1 else 0
    run.counts[counts.REJECTED_IN_A_ROW] = 0
    run.counts[counts.STEPS] += 1
    run.control[control.ENERGY] = run.control[control.ENERGY_TRIED]
    run.control[control.T] = end_of_step(run, t, h)
    stop = run.control[control.T] >= run.control[control.STOP]
    carry_time(run, t, h, stop)
    if not stop or run.control[control.H] <= h:
        run.control[control.H] = h * factor
    if run.counts[counts.BRIDGING] == 1 and run.counts[counts.MULTISTEP] == 1:
        run.control[control.H] = step_after_bridge(run, h)
    y = run.y
    for i in range(m):
        y[states.NOW, i] = y[states.TRIED, i]
        y[states.RATE, i] = y[states.RATE_TRIED, i]
    run.counts[counts.STEPS_SINCE_ROW] += 1
    end = run.control[control.T] >= run.control[control.END]
    due = run.counts[counts.STEPS_SINCE_ROW] >= run.counts[counts.ROW_EVERY] and at_a_number(run)
    if run.times.size == 0 and (due or end or run.counts[counts.EVENT] >= 0):
        run.counts[counts.STEPS_SINCE_ROW] = 0
        row = run.rows[run.counts[counts.ROWS_FILLED]]
        row[row_columns.T], row[row_columns.STEP] = run.control[control.T], h
        row[row_columns.STRUCTURE] = run.counts[counts.STRUCTURE_NUMBER]
        for i in range(m):
            row[row_columns.STATE + i] = y[states.NOW, i]
        run.counts[counts.ROWS_FILLED] += 1
