"""Acceptance of a new state: projection onto the constraints, accelerations, energy balance.

The error estimate of an integrator uses only the states it has evaluated. It misses a spike of acceleration between
them, and a jump to another branch at a singular position. Two further checks detect these: the distance by which the
projection moves the state, and the energy balance

    E(t + h) - E(t) = W(t + h) - W(t),      E = T2 - T0 + V.

Both are measured in units of the tolerances; `docs/simulation.md` reports the measurements.

The projection corrects positions first, then velocities. A step is rejected if its error estimate exceeds 1, else if
one of the checks of its end state fails.
"""

from __future__ import annotations

from typing import Any

from ....kernels.memory.workspace import slots
from ....kernels.native.runtime.address import call, call_entry, vector
from ....kernels.native.runtime.jit import entry, kernel
from ...memory import MOVED_LIMIT, addresses, control, counts, rejections, requests, states
from .bridging.bridge_polynomial import rates_after
from .chosen_rows import watched_rows_hold
from .clock import time_left
from .known_times import model_time
from .method import call_method
from .projecting import project
from .rates import accelerate, near_singular, rates
from .rounding import ROUNDING_LIMIT, ROUNDING_REPETITIONS, rounding_of_step
from .run_view import state, weighted

ENERGY_LIMIT = 10.0  # [tolerances] energy error of a step; 1: effect of one tolerance in every number of the state
ENERGY_ROUNDING = 1e-13  # [1] energy error attributed to rounding, relative to the terms of the energy
WORK_ROUNDING = 1e-15  # [1] work error attributed to rounding, relative to the work, a sum over the whole run


@kernel
def accept_state(run: Any, t: Any, h: Any) -> Any:
    """Project the tried state at t + h onto its constraints and fill its rates; return 0 or the reason to reject it."""
    tried, before = state(run, states.TRIED), state(run, states.BEFORE)
    if run.counts[counts.BRIDGING] == 1 and _ends_singular(run, t, h):
        return _accept_singular_end(run, t, h)
    for i in range(tried.size):
        before[i] = tried[i]
    if not project(run, t + h, tried):
        return rejections.OFF_CONSTRAINTS
    for i in range(tried.size):
        before[i] -= tried[i]
    run.control[control.MOVED] = weighted(run, before, tried, state(run, states.NOW))
    if not run.control[control.MOVED] <= MOVED_LIMIT:
        return rejections.OFF_CONSTRAINTS
    if run.places[slots.RANK] > 0 and not watched_rows_hold(run, t + h, tried):
        return rejections.OFF_CONSTRAINTS
    run.places[slots.DIGITS] = 0
    if not rates(run, t + h, tried, state(run, states.RATE_TRIED)):
        return rejections.NO_ACCELERATION
    return 0 if energy_balances(run, t + h) else rejections.OFF_ENERGY


@kernel
def _ends_singular(run: Any, t: Any, h: Any) -> Any:
    """Return whether the tried state of a bridge is at a singular position, which is allowed where the run ends."""
    tried = state(run, states.TRIED)
    return is_inexact(run, t + h, tried) if h >= time_left(run) else is_rough(run, t + h, h, tried)


@kernel
def _accept_singular_end(run: Any, t: Any, h: Any) -> Any:
    """Check the energy of a tried state at a singular position, where the run ends; return 0 or the reason to reject.

    A projection would make the state worse there, see `project_entry`, and the rates are those of the polynomial.
    """
    tried = state(run, states.TRIED)
    run.control[control.MOVED] = 0.0
    rates_after(run, h, tried, state(run, states.RATE_TRIED))
    return 0 if energy_balances(run, t + h) else rejections.OFF_ENERGY


@entry
def accept_tried(run: Any) -> Any:
    """Check the tried state of the step in control[REQUEST_T], control[REQUEST_H]: `accept_state` as an entry."""
    return accept_state(run, run.control[control.REQUEST_T], run.control[control.REQUEST_H])


@kernel
def call_accept_state(run: Any, t: Any, h: Any) -> Any:
    """Call `accept_tried` by its address; return 0 or the reason to reject the tried state."""
    run.control[control.REQUEST_T], run.control[control.REQUEST_H] = t, h
    return call_entry(run.addresses[addresses.ACCEPT_STATE], run)


@entry
def project_entry(run: Any) -> Any:
    """Project the state NODE at time control[REQUEST_T] onto its constraints; return 1 if it is accepted, else 0.

    At the distance d from a singular position, a position error e causes an error |v| e/d in the projected velocities.
    If the projection moves a number by more than MOVED_LIMIT tolerances there, NODE keeps its interpolated values.
    """
    t, node, before = run.control[control.REQUEST_T], state(run, states.NODE), state(run, states.BEFORE)
    for i in range(node.size):
        before[i] = node[i]
    if project(run, t, node) and (_near(run, node, before) or not is_inexact(run, t, node)):
        return 1
    for i in range(node.size):
        node[i] = before[i]
    return 0


@kernel
def _near(run: Any, x: Any, y: Any) -> Any:
    """Return whether no position and no velocity of two states differs by more than MOVED_LIMIT tolerances."""
    for i in range(run.atol.size):
        if not abs(x[i] - y[i]) <= MOVED_LIMIT * (run.atol[i] + run.control[control.RTOL] * abs(y[i])):
            return False
    return True


@kernel
def is_singular(run: Any, t: Any, y: Any) -> Any:
    """Return whether accelerations at a state need a more robust solution than usual; if so, update STATUS_WORST."""
    worst = run.counts[counts.STATUS_WORST]
    run.counts[counts.STATUS_WORST] = 0
    accelerate(run, t, y, state(run, states.NODE_RATE))
    if near_singular(run):
        return True
    run.counts[counts.STATUS_WORST] = worst
    return False


@kernel
def is_rough(run: Any, t: Any, h: Any, y: Any) -> Any:
    """Return whether a state is at a singular position by its accelerations, and rounding is large in a usual step.

    Beside the position these need a more robust solution than usual long before they lose digits. If there was no usual
    step yet, h counts. Uses NODE and NODE_RATE.
    """
    node = state(run, states.NODE)
    for i in range(node.size):
        node[i] = y[i]
    if not project(run, t, node):
        run.counts[counts.STATUS_WORST] = -1
        return True
    if not is_singular(run, t, node):
        return False
    usual = run.control[control.USUAL_STEP]
    return run.counts[counts.STATUS_WORST] < 0 or _rounding_is_large(run, t, usual if usual > 0 else h, node)


@kernel
def is_inexact(run: Any, t: Any, y: Any) -> Any:
    """Return whether a state is at a singular position by its accelerations, or by the rounding error in them.

    Where a row vanishes, a row divided by its size is as good as any other, and only rounding tells the position.
    """
    return is_singular(run, t, y) or _rounding_is_large(run, t, run.control[control.USUAL_STEP], y)


@kernel
def _rounding_is_large(run: Any, t: Any, h: Any, y: Any) -> Any:
    """Return whether rounding of the accelerations at a state, in NODE_RATE, is large in a step h."""
    return rounding_of_step(run, t, h, y, state(run, states.NODE_RATE), ROUNDING_REPETITIONS) > ROUNDING_LIMIT


@kernel
def project_node(run: Any, t: Any) -> Any:
    """Call `project_entry` by its address for the state NODE at time t."""
    run.control[control.REQUEST_T] = t
    return call_entry(run.addresses[addresses.PROJECT], run)


@kernel
def energy_balances(run: Any, t: Any) -> Any:
    """Return whether E(t + h) - E(t) = W(t + h) - W(t) holds for the tried state within the tolerances.

    Stores the energy in control[ENERGY_TRIED] and the error relative to its limit in control[ENERGY_RATIO].
    """
    n, now, tried = run.n, state(run, states.NOW), state(run, states.TRIED)
    energy_tried, allowed, sizes = energy(run, t, tried)
    drift = energy_tried - run.control[control.ENERGY] - (tried[2 * n] - now[2 * n])
    rounding = ENERGY_ROUNDING * (sizes + abs(tried[2 * n] - now[2 * n])) + WORK_ROUNDING * abs(tried[2 * n])
    limit = _energy_tolerances(run) * allowed + ENERGY_LIMIT * rounding
    if abs(drift) > limit:
        limit += _energy_at_rest(run, t, tried)
    run.control[control.ENERGY_RATIO] = abs(drift) / limit if drift != 0 else 0.0
    run.control[control.ENERGY_TRIED] = energy_tried
    return run.control[control.ENERGY_RATIO] <= 1.0


@kernel
def _energy_at_rest(run: Any, t: Any, y: Any) -> Any:
    """Return the kinetic energy of one tolerance of the velocities if none of these is larger, otherwise 0.

    dE = A v dv + A dv^2/2: at rest the second term counts. Rounding of the accelerations of a body at rest does work
    under loads without a potential, also where the projection has left no velocity of it. |A| is |dE/dv|/|v| at
    velocities of up to one tolerance, which differ so that relative velocities count.
    """
    n, one, slope, speed = run.n, state(run, states.BEFORE), 0.0, 0.0
    for i in range(n):
        if abs(y[n + i]) > run.atol[n + i]:
            return 0.0
        speed = max(speed, run.atol[n + i])
        one[i], one[n + i] = y[i], run.atol[n + i] * (1.0 - 0.5 * i / n)
    energy(run, t, one)
    for i in range(n):
        slope = max(slope, abs(run.work[1 + n + i]))
    return 0.5 * slope * speed


@kernel
def _energy_tolerances(run: Any) -> Any:
    """Return the energy error allowed in a step, in tolerances.

    Across a spike of the acceleration the error estimate vanishes for some step size that is far too large, and the
    step size control may reach it; the energy error does not vanish there. Therefore a method that multiplies its
    estimate by a factor must keep the energy to the reciprocal of the factor. Near a singular position, where rounding
    is larger, the limit is ENERGY_LIMIT, which still detects a jump to another branch.
    """
    singular = run.s > 0 and (near_singular(run) or run.counts[counts.BRIDGING] == 1)
    error_factor = run.control[control.ERROR_FACTOR]
    return ENERGY_LIMIT if singular or error_factor <= 1 else 1.0 / error_factor


@kernel
def energy(run: Any, t: Any, y: Any) -> Any:
    """Return E at a state, the error of E that the tolerances allow, and the sum of the magnitudes of its terms."""
    n, t = run.n, model_time(run, t)
    call(run.addresses[addresses.BALANCE], t, vector(y, 0, n), vector(y, n, n), run.parameters, run.inputs, run.work)
    allowed, sizes, rtol = 0.0, abs(run.work[0]), run.control[control.RTOL]
    for i in range(2 * n):
        slope = abs(run.work[1 + i])
        allowed += slope * (run.atol[i] + rtol * abs(y[i]))
        sizes += slope * abs(y[i])
    return run.work[0], allowed, sizes


@kernel
def rejection_reason(run: Any, t: Any, h: Any, error: Any) -> Any:
    """Return 0 if the step is accepted, else the reason to reject it."""
    if not error >= 0:
        return _failure_reason(run)
    if error > 1:
        return rejections.INACCURATE
    return (
        call_method(run, requests.OWN_ACCEPT, t, h)
        if run.counts[counts.OWN_ACCEPT] == 1
        else call_accept_state(run, t, h)
    )


@kernel
def _failure_reason(run: Any) -> Any:
    """Return the reason why an attempt produced no state."""
    if run.counts[counts.STATUS_WORST] < 0:
        return rejections.NO_ACCELERATION
    return rejections.RANK_LOST if near_singular(run) else rejections.NOT_CONVERGED
