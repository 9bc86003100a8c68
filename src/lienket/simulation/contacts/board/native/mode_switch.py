"""Stick and slip decided in compiled code: the run changes to another structure without a return to Python.

It handles a contact that stops or starts to slip where the decision is clear: all other contacts keep their modes and
obey their laws by a margin, the accelerations in the new mode exist, and the motion is unique. The motion of one
sliding contact is unique if its normal force has the same sign for friction in either direction: with

    lambda = -n0/(S_nn - mu d s S_nt)

both denominators, whose sum is 2 S_nn > 0, are then positive (theory 9, no paradox of Painleve). The motion of several
is unique if friction has no influence on any normal force. Every other case is left to `contacts.mode_change`, and so
is the first change between two structures, which examines the new one.
"""

from __future__ import annotations

from typing import Any

from .....kernels.native.robust_solve import REDUNDANT
from .....kernels.native.runtime.address import call, call_entry, doubles, entry_words, integers, vector
from .....kernels.native.runtime.jit import entry, kernel
from ....events.native.change_record import may_record, record_change
from ....memory import addresses, codes, control, counts, events, states
from ....settings import UNKNOWN_STATUS
from ....stepping.native.known_times import model_time
from ....stepping.native.rates import accelerate
from ....stepping.native.run_view import state
from ...contact_kinds import QUANTITY_COUNT, SLIP_RATE, SLIPS, SLIPS_BACK, STOPS
from ..layout import (
    ARMED,
    CONDITIONS,
    CONTACTS,
    NUMBERS,
    QUANTITIES,
    STRUCTURES,
    WAYS,
    board_numbers,
    event_columns,
    structure_columns,
)

CLEAR = 1e-9  # [1] condition relative to its largest value so far, above which it holds by a margin
STOPPED = 1e-6  # [1] slip relative to the largest in the run, up to which a contact that stops is at rest
STARTS = 1e-9  # [1] rate of the slip relative to that with opposite friction, down to which a contact starts to slide
INFLUENCE = 1e-9  # [1] change of a normal force by friction, relative to its largest value, that counts as none
UNDECIDED = 2.0  # [1] instead of a direction of sliding: the case is left to Python
USUAL_UNKNOWN, GROWTH_UNKNOWN = UNKNOWN_STATUS


@entry
def advance_modes(board: Any) -> Any:
    """Continue the run through changes of stick and slip; return why it stopped, one of the `codes`."""
    own = integers(board, NUMBERS)
    while True:
        run = entry_words(_structure(board, own[board_numbers.CURRENT], structure_columns.WORDS))
        code = call_entry(own[board_numbers.ADVANCE], run)
        if code != codes.EVENT_HAPPENED or not _switch(board, run):
            return code


@kernel
def _structure(board: Any, number: Any, column: Any) -> Any:
    """Return an entry of `structures`."""
    return integers(board, STRUCTURES)[number * len(structure_columns) + column]


@kernel
def _event(board: Any, k: Any, column: Any) -> Any:
    """Return an entry of `contacts`."""
    return integers(board, CONTACTS)[k * len(event_columns) + column]


@kernel
def _armed(board: Any, number: Any, k: Any) -> Any:
    """Return whether event k is monitored in a structure."""
    return doubles(board, ARMED)[number * integers(board, NUMBERS)[board_numbers.EVENTS] + k] == 1


@kernel
def _switch(board: Any, run: Any) -> Any:
    """Change to the structure after the event that has just happened; return whether that was possible."""
    own, k = integers(board, NUMBERS), run.counts[counts.EVENT]
    number = integers(board, WAYS)[own[board_numbers.CURRENT] * own[board_numbers.EVENTS] + k]
    if number < 0 or not may_record(run) or not _others_hold(run, k):
        return False
    if not run.control[control.SINCE_EVENT] >= run.control[control.EVENTS_TOO_CLOSE]:
        return False
    after = entry_words(_structure(board, number, structure_columns.WORDS))
    index, worst = _event(board, k, event_columns.DIRECTION), run.counts[counts.STATUS_WORST]
    before = run.parameters[index]
    direction = _direction_after(board, run, after, number, k)
    run.counts[counts.STATUS_WORST] = worst
    run.parameters[index] = direction if direction != UNDECIDED else before
    if direction == UNDECIDED or call_entry(own[board_numbers.IMPACT], after) != 0:
        run.parameters[index] = before
        return False
    _activate(board, after, number)
    record_change(after, k, state(after, states.BEFORE), True)
    return True


@kernel
def _others_hold(run: Any, k: Any) -> Any:
    """Return whether no condition of another contact event is at zero at the event k that has just happened."""
    for j in range(run.events.shape[0]):
        watched = j != k and run.events[j, events.ARMED] == 1 and run.events[j, events.EXPECTED] == 1
        if watched and not run.events[j, events.START] > CLEAR * run.events[j, events.LARGEST]:
            return False
    return True


@kernel
def _direction_after(board: Any, run: Any, after: Any, number: Any, k: Any) -> Any:
    """Return the direction in which the contact of event k slides on, 0 if it sticks, or UNDECIDED."""
    kind, index = _event(board, k, event_columns.KIND), _event(board, k, event_columns.DIRECTION)
    if kind == STOPS:
        if not abs(run.events[k, events.START]) <= STOPPED * run.events[k, events.LARGEST]:
            return UNDECIDED
        run.parameters[index] = 0.0
        if _mode_holds(board, after, number, k) and _is_unique(board, after, number):
            return 0.0
        return UNDECIDED
    if kind != SLIPS and kind != SLIPS_BACK:
        return UNDECIDED
    direction = 1.0 if kind == SLIPS_BACK else -1.0
    run.parameters[index] = -direction
    if not _solve(after):
        return UNDECIDED
    opposite = _slip_rate(board, after, k)
    run.parameters[index] = direction
    if not _mode_holds(board, after, number, k):
        return UNDECIDED
    rate = _slip_rate(board, after, k)
    starts = direction * rate >= -STARTS * max(abs(rate), abs(opposite))
    return direction if starts and _is_unique(board, after, number) else UNDECIDED


@kernel
def _solve(after: Any) -> Any:
    """Compute accelerations and conditions at the current state under a structure; return whether rows allow it.

    The accelerations are then in NODE_RATE and in the inputs, the conditions in `values`.
    """
    t, now, rate, n = after.control[control.T], state(after, states.NOW), state(after, states.NODE_RATE), after.n
    after.counts[counts.STATUS_WORST] = 0
    if not accelerate(after, t, now, rate) or after.counts[counts.STATUS_WORST] >= REDUNDANT:
        return False
    for i in range(n):
        after.inputs[i] = rate[n + i]
    arguments = (vector(now, 0, n), vector(now, n, n), after.parameters, after.inputs, after.values)
    call(after.addresses[addresses.CONDITIONS], model_time(after, t), *arguments)
    return True


@kernel
def _mode_holds(board: Any, after: Any, number: Any, k: Any) -> Any:
    """Return whether all contacts obey their laws under a structure by a margin; the slip of event k is zero."""
    if not _solve(after):
        return False
    stops, slips = _event(board, k, event_columns.STOPS), _event(board, k, event_columns.SLIPS)
    back = _event(board, k, event_columns.SLIPS_BACK)
    limit = 0.5 * (after.values[slips] + after.values[back])  # largest static friction
    for j in range(after.events.shape[0]):
        if j == stops or _event(board, j, event_columns.KIND) < 0 or not _armed(board, number, j):
            continue
        least = CLEAR * after.events[j, events.LARGEST]
        if j == slips or j == back:  # noqa: SIM109  a tuple could raise
            least = max(least, CLEAR * limit)
        if not after.values[j] > least:
            return False
    return True


@kernel
def _is_unique(board: Any, after: Any, number: Any) -> Any:
    """Return whether no other motion obeys the laws in the modes of a structure, up to the signs of friction."""
    sliding = 0
    for j in range(after.events.shape[0]):
        if _event(board, j, event_columns.KIND) == STOPS and _armed(board, number, j):
            sliding += 1
    for j in range(after.events.shape[0]):
        if _event(board, j, event_columns.KIND) == STOPS and _armed(board, number, j):
            if not _friction_is_harmless(board, after, number, j, sliding):
                return False
    return True


@kernel
def _friction_is_harmless(board: Any, after: Any, number: Any, stops: Any, sliding: Any) -> Any:
    """Return whether friction of a sliding contact in the other direction keeps the sign of its normal force.

    If several contacts slide, whether it has no influence on any normal force.
    """
    index, force = _event(board, stops, event_columns.DIRECTION), _event(board, stops, event_columns.FORCE)
    if not _solve(after):
        return False
    first = doubles(board, CONDITIONS)
    for j in range(after.events.shape[0]):
        first[j] = after.values[j]
    after.parameters[index] = -after.parameters[index]
    solved = _solve(after)
    after.parameters[index] = -after.parameters[index]
    if not solved or not after.values[force] > CLEAR * after.events[force, events.LARGEST]:
        return False
    if sliding == 1:
        return True
    for j in range(after.events.shape[0]):
        normal = _event(board, j, event_columns.KIND) >= 0 and _event(board, j, event_columns.FORCE) == j
        if normal and _armed(board, number, j):
            if not abs(after.values[j] - first[j]) <= INFLUENCE * after.events[j, events.LARGEST]:
                return False
    return True


@kernel
def _slip_rate(board: Any, after: Any, k: Any) -> Any:
    """Return the rate of the slip of the contact of event k, for the accelerations that `_solve` has left."""
    own, memory, n = integers(board, NUMBERS), doubles(board, QUANTITIES), after.n
    rate, now, count = state(after, states.NODE_RATE), state(after, states.NOW), own[board_numbers.ARGUMENTS]
    for i in range(n):
        memory[i] = rate[n + i]
    t, out = model_time(after, after.control[control.T]), vector(memory, count, memory.size - count)
    arguments = (vector(now, 0, n), vector(now, n, n), after.parameters, vector(memory, 0, count), out)
    call(own[board_numbers.QUANTITIES], t, *arguments)
    return out[QUANTITY_COUNT * _event(board, k, event_columns.CONTACT) + SLIP_RATE]


@kernel
def _activate(board: Any, after: Any, number: Any) -> None:
    """Make a structure the current one: arm its events, restart the method."""
    integers(board, NUMBERS)[board_numbers.CURRENT] = number
    for j in range(after.events.shape[0]):
        armed = 1.0 if _armed(board, number, j) else 0.0
        if after.events[j, events.ARMED] != armed:
            after.events[j, events.SIDE], after.events[j, events.DUE], after.events[j, events.ARMED] = 0.0, 0.0, armed
    after.counts[counts.NEED_ACCELERATIONS] = _structure(board, number, structure_columns.NEED_ACCELERATIONS)
    after.counts[counts.SLIDING] = _structure(board, number, structure_columns.SLIDING)
    after.counts[counts.STRUCTURE] = _structure(board, number, structure_columns.LOGGED)
    after.counts[counts.STATUS_USUAL], after.control[control.GROWTH] = USUAL_UNKNOWN, GROWTH_UNKNOWN
    after.counts[counts.RESTART], after.control[control.SINCE_EVENT] = 1, 0.0
