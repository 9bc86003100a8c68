"""What every new state goes through before it is believed: projection onto the constraints, energy, rank.

An integrator judges its error by the states it has seen. A spike of acceleration between them, or another branch at a
singular position, it cannot see. Two things can: how far the projection had to move the state, and whether the energy
is what the work done says,

    E(t + h) - E(t) = W(t + h) - W(t),      E = T2 - T0 + V,

both measured by what the tolerances allow. `docs/simulation.md` tells what came of it.

States brought onto their constraints, positions first, then velocities.

The judgement on a step: by its error, then by what settling its end finds.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....kernels.native.projection import project_state
from ....kernels.native.runtime.address import call, call_entry, vector
from ....kernels.native.runtime.jit import entry, kernel
from ...memory import addresses, control, counts, rejections, requests, states
from .method import call_method
from .rates import accelerate, near_singular, rates
from .run_view import state, weighted

QUADRATIC = 1e-8
"""A correction, as a share of what it corrects, after which Newton's next one would be rounding."""
REPEATS = 6
NOISE = 0.01
"""A correction, as a share of the tolerances, that does not matter where rounding in the constraints keeps it up."""
MOVED_LIMIT = 10.0
"""How far projection may move a state, in units of its tolerances: an accepted error is 1."""
ENERGY_LIMIT = 10.0
"""How far the energy may be off after a step, in units of what an error of 1 in every number could make of it."""
ROUNDING = 1e-13
"""The error of the energy that is no error, as a share of the sizes it is made of."""
SUM = 1e-15
"""The same of the work, a sum that only grows while the energy may have vanished."""


@kernel
def project(run: Any, t: Any, y: Any) -> Any:
    """Brings y onto its constraints, first positions, then velocities; whether that could be done."""
    n = run.n
    q, v = vector(y, 0, n), vector(y, n, n)
    for what in range(2):
        address = run.addresses[addresses.POSITION_CORRECTION + what]
        if address == 0:
            continue
        x = q if what == 0 else v
        if address < 0 or not _corrected(run, address, t, q, v, x, vector(run.atol, what * n, n)):
            given = (run.parameters, run.inputs, run.work, run.places)
            if project_state(what, run.addresses[addresses.SURFACE], run.level, t, q, v, *given) < 0:
                return False
    return True


@kernel
def _corrected(run: Any, address: Any, t: Any, q: Any, v: Any, x: Any, atol: Any) -> Any:
    """Newton's steps by the emitted function at the address; whether it trusts itself."""
    n, small = x.size, False
    for _ in range(REPEATS):
        if call(address, t, q, v, run.parameters, run.inputs, run.work) != 0:
            return False
        most, again, small = 0.0, False, True
        for i in range(n):
            if not np.isfinite(run.work[i]):
                return False
            most = max(most, abs(x[i]))
        for i in range(n):
            again |= abs(run.work[i]) > QUADRATIC * abs(x[i]) + 1e-15 * most
            small &= abs(run.work[i]) <= NOISE * (atol[i] + run.control[control.RTOL] * abs(x[i]))
            x[i] += run.work[i]
        if not again:
            return True
    return small


@kernel
def accept_state(run: Any, t: Any, h: Any) -> Any:
    """Brings the tried state at t + h onto its constraints and fills its rates; 0, or the reason to reject it."""
    tried, before = state(run, states.TRIED), state(run, states.BEFORE)
    for i in range(tried.size):
        before[i] = tried[i]
    if not project(run, t + h, tried):
        return rejections.OFF_CONSTRAINTS
    for i in range(tried.size):
        before[i] -= tried[i]
    run.control[control.MOVED] = weighted(run, before, tried, state(run, states.NOW))
    if not run.control[control.MOVED] <= MOVED_LIMIT:
        return rejections.OFF_CONSTRAINTS
    if not rates(run, t + h, tried, state(run, states.RATE_TRIED)):
        return rejections.NO_ACCELERATION
    return 0 if energy_kept(run, t + h) else rejections.OFF_ENERGY


@entry
def accept_tried(run: Any) -> Any:
    """The same for all methods, from what is asked for in control."""
    return accept_state(run, run.control[control.ASKED_T], run.control[control.ASKED_H])


@kernel
def accepted_state(run: Any, t: Any, h: Any) -> Any:
    """The same by the address of that entry."""
    run.control[control.ASKED_T], run.control[control.ASKED_H] = t, h
    return call_entry(run.addresses[addresses.ACCEPT_STATE], run)


@entry
def project_entry(run: Any) -> Any:
    """Bring the state NODE, read within a step, onto its constraints at the time asked for; say whether it is there.

    At the distance d from a singular position, velocities on the constraints of a position that is off by e are off by
    |v| e/d. Where that moves a number by more than MOVED_LIMIT tolerances, NODE stays as it was read.
    """
    t, node, before = run.control[control.ASKED_T], state(run, states.NODE), state(run, states.BEFORE)
    for i in range(node.size):
        before[i] = node[i]
    if project(run, t, node) and (_near(run, node, before) or not _singular_there(run, t, node)):
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
def _singular_there(run: Any, t: Any, y: Any) -> Any:
    """Return whether accelerations are harder to find at a state than usual; if so, that is noted of the step."""
    worst = run.counts[counts.STATUS_WORST]
    run.counts[counts.STATUS_WORST] = 0
    accelerate(run, t, y, state(run, states.NODE_RATE))
    if near_singular(run):
        return True
    run.counts[counts.STATUS_WORST] = worst
    return False


@kernel
def project_node(run: Any, t: Any) -> Any:
    """The same by the address of that entry."""
    run.control[control.ASKED_T] = t
    return call_entry(run.addresses[addresses.PROJECT], run)


@kernel
def energy_kept(run: Any, t: Any) -> Any:
    """Whether the energy of the tried state is that of the state now and the work since; notes it and the share."""
    n, now, tried = run.n, state(run, states.NOW), state(run, states.TRIED)
    found, allowed, sizes = energy(run, t, tried)
    drift = found - run.control[control.ENERGY] - (tried[2 * n] - now[2 * n])
    rounding = ROUNDING * (sizes + abs(tried[2 * n] - now[2 * n])) + SUM * abs(tried[2 * n])
    limit = _energy_share(run) * allowed + ENERGY_LIMIT * rounding
    run.control[control.ENERGY_RATIO] = abs(drift) / limit if drift != 0 else 0.0
    run.control[control.ENERGY_TRIED] = found
    return run.control[control.ENERGY_RATIO] <= 1.0


@kernel
def _energy_share(run: Any) -> Any:
    """Return the share of what the tolerances allow of the energy by which it may be off after a step.

    Over a spike of the acceleration, the estimate of an error vanishes at some length of a step that is far too long,
    and the controller may find that length; the error of the energy does not vanish with it. So a method that makes its
    estimate 40 times as large must keep the energy to 1/40. Near a singular position of constraints rounding is larger,
    and the limit is there for other branches.
    """
    singular = run.s > 0 and (near_singular(run) or run.counts[counts.BRIDGING] == 1)
    strictness = run.control[control.STRICTNESS]
    return ENERGY_LIMIT if singular or strictness <= 1 else 1.0 / strictness


@kernel
def energy(run: Any, t: Any, y: Any) -> Any:
    """E at a state, how much of it the tolerances allow to be wrong, and the sizes that it is made of."""
    n = run.n
    call(run.addresses[addresses.BALANCE], t, vector(y, 0, n), vector(y, n, n), run.parameters, run.inputs, run.work)
    allowed, sizes, rtol = 0.0, abs(run.work[0]), run.control[control.RTOL]
    for i in range(2 * n):
        slope = abs(run.work[1 + i])
        allowed += slope * (run.atol[i] + rtol * abs(y[i]))
        sizes += slope * abs(y[i])
    return run.work[0], allowed, sizes


@kernel
def rejection_reason(run: Any, t: Any, h: Any, error: Any) -> Any:
    """0 if the step may be accepted, else the reason why not."""
    if not error >= 0:
        return _failed(run)
    if error > 1:
        return rejections.INACCURATE
    return (
        call_method(run, requests.OWN_ACCEPT, t, h) if run.counts[counts.OWN_ACCEPT] == 1 else accepted_state(run, t, h)
    )


@kernel
def _failed(run: Any) -> Any:
    """The reason why an attempt gave nothing."""
    if run.counts[counts.STATUS_WORST] < 0:
        return rejections.NO_ACCELERATION
    return rejections.RANK_LOST if near_singular(run) else rejections.NOT_CONVERGED
