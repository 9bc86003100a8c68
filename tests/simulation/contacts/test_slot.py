"""A bead in a rough slot, at rest for long times under changing forces, when no motion limits the step.

The reference is an integration by SciPy, mode by mode, with the ends of modes located on a fine grid.
"""

from functools import cache
from math import cos, pi

import numpy as np
import pytest
import sympy as sp
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import lienket as lk
from lienket import der

PUSH, SIDE, SPRING, MU = (6.0, 1.7), (8.0, 2.3), 20.0, 0.2


def slot():
    """Return a bead with x along the slot and y across it."""
    x, y = lk.coordinates("x y")
    forces = {x: PUSH[0] * sp.cos(PUSH[1] * lk.t), y: SIDE[0] * sp.cos(SIDE[1] * lk.t)}
    bead = lk.System(
        "bead", [x, y], kinetic=(der(x) ** 2 + der(y) ** 2) / 2, potential=SPRING * x**2 / 2, forces=forces
    )
    return bead.constrain("slot", y, law=lk.Coulomb(MU, slip=der(x)))


def normal(t):
    """Return the normal force of the walls."""
    return abs(SIDE[0] * cos(SIDE[1] * t))


def along(t, x):
    """Return the force along the slot without friction."""
    return PUSH[0] * cos(PUSH[1] * t) - SPRING * x


def first_root(function, begin, end):
    """Return the first downward zero crossing on a grid of 1e-4, or the end."""
    times = np.arange(begin, end, 1e-4)
    values = np.array([function(t) for t in times])
    crossings = np.flatnonzero((values[:-1] > 0) & (values[1:] <= 0))
    return brentq(function, times[crossings[0]], times[crossings[0] + 1], xtol=1e-14) if len(crossings) else end


@cache
def expected(until, x=0.3):
    """Return the times at which the bead slips and stops, and its last position."""
    t, v, events, grid = 0.0, 0.0, [], [(k + 0.5) * pi / SIDE[1] for k in range(100)]
    while t < until:
        t = first_root(lambda s, x=x: MU * normal(s) - abs(along(s, x)), t, until)
        if t >= until:
            break
        sign = np.sign(along(t, x))
        events.append(("slot slips back" if sign > 0 else "slot slips", t))
        v, gone = 0.0, False
        while t < until:  # piece by piece, since |normal| has kinks
            end = min([until, *(s for s in grid if s > t + 1e-12)])
            rates = lambda s, y, sign=sign: [y[1], along(s, y[0]) - sign * MU * normal(s)]  # noqa: E731
            piece = solve_ivp(rates, (t, end), [x, v], method="DOP853", rtol=1e-12, atol=1e-13, dense_output=True)
            stop = first_root(lambda s, p=piece, sign=sign: sign * p.sol(s)[1], t + 1e-4 * (not gone), end)
            gone = True
            t, (x, v) = stop, piece.sol(stop)
            if stop < end:
                if abs(along(t, x)) <= MU * normal(t):
                    events.append(("slot stops", t))
                    break
                sign = -sign
                events.append(("slot stops", t))
    return events, x


@pytest.mark.parametrize(
    ("method", "rtol"),
    [*(("dop853", 10.0**-k) for k in range(6, 13)), ("radau5", 1e-6), ("radau5", 1e-8), ("bdf", 1e-7)],
)
def test_slip_and_stop_times_agree_with_scipy(method, rtol):
    motion = slot().simulate(start={"x": 0.3}, until=6.0, method=method, rtol=rtol, atol=rtol / 100)
    events = [(s.event, s.t) for s in motion.switches if s.event != "slot turns"]
    exact_events, end = expected(6.0)
    assert len(exact_events) >= 8
    assert [name for name, _ in events] == [name for name, _ in exact_events]
    apart = max(abs(a - b) for (_, a), (_, b) in zip(events, exact_events, strict=True))
    assert apart < max(10 * rtol, 1e-11)
    assert abs(motion.q[-1, 0] - end) < max(rtol, 1e-12)
    assert not motion.audit.warnings
