"""RATTLE: symplectic steps of fixed size, for very long runs.

With holonomic constraints and forces that have a potential, the energy oscillates by O(h^2) and does not drift,
whatever the number of steps (Hairer, Lubich, Wanner, Geometric Numerical Integration, IX.5). `variational_step` has the
step. It also handles velocity equations and other forces: then order and constraints are preserved, but the energy may
drift.

Constraints on accelerations and programs are not supported: a step cannot satisfy them by positions or velocities.

There is no error estimate. A step satisfies its constraints itself and is not projected, because a projection would
move positions and velocities by rounding without changing the momenta. Its energy is not checked, since it may
oscillate by more than the tolerances. A step fails if its equations have no solution, and then the run ends.

RATTLE of order 4: every step consists of five steps of order 2, one of them backwards (Suzuki),

    s + s + (1 - 4 s) + s + s = 1,      4 s^3 + (1 - 4 s)^3 = 0.

The composition is symplectic and symmetric (Hairer, Lubich, Wanner, Geometric Numerical Integration, II.4).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .....kernels.memory.workspace import slots
from .....kernels.native.runtime.jit import kernel
from ....memory import control, counts, rejections, states
from ....stepping.native.accept_state import energy
from ....stepping.native.clock import whole_step
from ....stepping.native.method import method_with
from ....stepping.native.rates import rates
from ....stepping.native.run_view import state
from .step_length import step_length_with
from .variational_step import commit, load_momenta, prepare, step

_SUZUKI = 1 / (4 - 4 ** (1 / 3))
FRACTIONS = (_SUZUKI, _SUZUKI, 1 - 4 * _SUZUKI, _SUZUKI, _SUZUKI)


def rattle_with(fractions: tuple[float, ...], order: int) -> Any:
    """Return the entry of the method of that order whose step consists of steps with these fractions of its size."""
    parts = np.array(fractions)

    @kernel
    def attempt(run: Any, t: Any, h: Any) -> Any:
        """Fill the tried state at t + h; return 0, or -1 if a step has no solution."""
        if run.counts[counts.RESTART] == 1:
            load_momenta(run, t)
        prepare(run)
        run.control[control.STEP_FACTOR] = 1.0
        done = 0.0
        for k in range(len(parts)):
            if not step(run, t + done * h, parts[k] * h):
                return -1.0
            done += parts[k]
        return 0.0

    step_length = step_length_with(attempt, order)

    @kernel
    def begin(run: Any) -> None:
        """Choose the step size unless it is prescribed."""
        if run.control[control.FIXED_STEP] <= 0:
            run.control[control.FIXED_STEP] = whole_step(run, step_length(run))
        run.control[control.TIME_CARRY] = 0.0

    return method_with(attempt, dense, interpolate, begin=begin, accept=accept)


@kernel
def accept(run: Any, t: Any, h: Any) -> Any:
    """Fill rates, work (trapezoidal rule) and energy of the tried state; return 0 or the reason to reject it."""
    n, now, tried = run.n, state(run, states.NOW), state(run, states.TRIED)
    rate, end = state(run, states.RATE), state(run, states.RATE_TRIED)
    run.places[slots.DIGITS] = 0
    if not rates(run, t + h, tried, end):
        return rejections.NO_ACCELERATION
    tried[2 * n] = now[2 * n] + 0.5 * h * (rate[2 * n] + end[2 * n])
    run.control[control.ENERGY_TRIED], run.control[control.ENERGY_RATIO], run.control[control.MOVED] = (
        energy(run, t + h, tried)[0],
        0.0,
        0.0,
    )
    commit(run)
    return 0


@kernel
def dense(run: Any, t: Any, h: Any) -> None:
    """Do nothing: interpolation uses only the states and rates at both ends."""


@kernel
def interpolate(run: Any, h: Any, x: Any, out: Any) -> None:
    """Fill out (m) by Hermite interpolation: positions from q, v, q'' (degree 5), the rest from v, q'' (degree 3).

    The derivative of the positions would be a less accurate velocity: q1 - q0 = h w differs from the integral of v by
    O(h^3).
    """
    n, now, tried = run.n, state(run, states.NOW), state(run, states.TRIED)
    rate, end = state(run, states.RATE), state(run, states.RATE_TRIED)
    for i in range(n):
        v, a = h * now[n + i], h * h * rate[n + i]
        # q0 + v x + a x^2/2 + x^3 (b + c x + d x^2), with b, c, d from q, v, q'' at the end
        rise = tried[i] - now[i] - v - 0.5 * a
        slope, bend = h * tried[n + i] - v - a, h * h * end[n + i] - a
        b, c, d = 10 * rise - 4 * slope + 0.5 * bend, -15 * rise + 7 * slope - bend, 6 * rise - 3 * slope + 0.5 * bend
        out[i] = now[i] + x * (v + x * (0.5 * a + x * (b + x * (c + x * d))))
    for i in range(n, 2 * n + 1):
        rise, first, last, rest = tried[i] - now[i], h * rate[i], h * end[i], 1.0 - x
        out[i] = now[i] + x * (x * (3 - 2 * x) * rise + rest * (rest * first - x * last))


method = rattle_with((1.0,), 2)


method4 = rattle_with(FRACTIONS, 4)
