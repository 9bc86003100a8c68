"""RATTLE: symplectic steps of fixed length, for very long runs.

With holonomic constraints and forces that have a potential the energy oscillates by O(h^2) and does not grow, whatever
the number of steps (Hairer, Lubich, Wanner, Geometric Numerical Integration, IX.5). `variational_step` has the step,
also for velocity equations and other forces, where order and constraints are kept and nothing else is promised.

Constraints on accelerations and programs have no equation at positions or velocities that a step could keep: not here.

Nothing judges a step by its error. It keeps its constraints itself, so that it is not projected: that would move it by
rounding without the momenta knowing. Its energy is not checked, since it may oscillate by more than the tolerances. A
step fails where its equations have no solution, and then the run ends.

RATTLE of order 4: every step is five of order 2, one of them backwards (Suzuki).

    s + s + (1 - 4 s) + s + s = 1,      4 s^3 + (1 - 4 s)^3 = 0

Symplectic and symmetric as those are (Hairer, Lubich, Wanner, Geometric Numerical Integration, II.4).
"""

from __future__ import annotations

from typing import Any

from .....kernels.native.runtime.jit import kernel
from ....memory import control, counts, rejections, states
from ....stepping.native.accept_state import energy
from ....stepping.native.method import method_with
from ....stepping.native.rates import rates
from ....stepping.native.run_view import state
from .step_length import step_length_with
from .variational_step import confirmed, load_momenta, set_out, step

_SHARE = 1 / (4 - 4 ** (1 / 3))
SHARES = (_SHARE, _SHARE, 1 - 4 * _SHARE, _SHARE, _SHARE)


def rattle_with(shares: tuple[float, ...], order: int) -> Any:
    """The entry of the method whose step is made of shorter ones, with these shares of it; their order."""

    @kernel
    def attempt(run: Any, t: Any, h: Any) -> Any:
        """The tried state; 0, or -1 if there is none."""
        if run.counts[counts.RESTART] == 1:
            load_momenta(run, t)
        set_out(run)
        run.control[control.STEP_FACTOR] = 1.0
        done = 0.0
        for k in range(len(shares)):
            if not step(run, t + done * h, shares[k] * h):
                return -1.0
            done += shares[k]
        return 0.0

    pace = step_length_with(attempt, order)

    @kernel
    def first(run: Any) -> None:
        """The length of the steps, if it is not given."""
        if run.control[control.FIXED_STEP] <= 0:
            run.control[control.FIXED_STEP] = pace(run)
        run.control[control.TIME_CARRY] = 0.0

    return method_with(attempt, dense, interpolate, begin=first, settle=settle)


@kernel
def settle(run: Any, t: Any, h: Any) -> Any:
    """The rates, the work by the trapezoid and the energy of the tried state; 0, or the reason to reject it."""
    n, now, tried = run.n, state(run, states.NOW), state(run, states.TRIED)
    rate, end = state(run, states.RATE), state(run, states.RATE_TRIED)
    if not rates(run, t + h, tried, end):
        return rejections.NO_ACCELERATION
    tried[2 * n] = now[2 * n] + 0.5 * h * (rate[2 * n] + end[2 * n])
    run.control[control.ENERGY_TRIED], run.control[control.ENERGY_RATIO], run.control[control.MOVED] = (
        energy(run, t + h, tried)[0],
        0.0,
        0.0,
    )
    confirmed(run)
    return 0


@kernel
def dense(run: Any, t: Any, h: Any) -> None:
    """Nothing to prepare: both ends have everything."""


@kernel
def interpolate(run: Any, h: Any, x: Any, out: Any) -> None:
    """Positions by Hermite's polynomial of degree 5 through q, v, q'' of both ends, velocities through v and q''.

    Its slope would be a worse velocity: q1 - q0 = h w is not the integral of v, they differ by O(h^3).
    """
    n, now, tried = run.n, state(run, states.NOW), state(run, states.TRIED)
    rate, end = state(run, states.RATE), state(run, states.RATE_TRIED)
    for i in range(n):
        v, a = h * now[n + i], h * h * rate[n + i]
        # q0 + v x + a x^2/2 + x^3 (b + c x + d x^2): what is left of q, v, q'' at the end
        rise = tried[i] - now[i] - v - 0.5 * a
        slope, bend = h * tried[n + i] - v - a, h * h * end[n + i] - a
        b, c, d = 10 * rise - 4 * slope + 0.5 * bend, -15 * rise + 7 * slope - bend, 6 * rise - 3 * slope + 0.5 * bend
        out[i] = now[i] + x * (v + x * (0.5 * a + x * (b + x * (c + x * d))))
    for i in range(n, 2 * n + 1):
        rise, first, last, rest = tried[i] - now[i], h * rate[i], h * end[i], 1.0 - x
        out[i] = now[i] + x * (x * (3 - 2 * x) * rise + rest * (rest * first - x * last))


method = rattle_with((1.0,), 2)


method4 = rattle_with(SHARES, 4)
