"""A bead in a rough slot, at rest for long times under forces that change: nothing moves that would limit a step.

Beside it stands an integration by SciPy, mode by mode, in which the ends of modes are sought on a fine grid.
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
    """x along the slot, y across it."""
    x, y = lk.coordinates("x y")
    forces = {x: PUSH[0] * sp.cos(PUSH[1] * lk.t), y: SIDE[0] * sp.cos(SIDE[1] * lk.t)}
    bead = lk.System(
        "bead", [x, y], kinetic=(der(x) ** 2 + der(y) ** 2) / 2, potential=SPRING * x**2 / 2, forces=forces
    )
    return bead.constrain("slot", y, law=lk.Coulomb(MU, slip=der(x)))


def normal(t):
    """How hard the walls push."""
    return abs(SIDE[0] * cos(SIDE[1] * t))


def along(t, x):
    """The force along the slot, friction left out."""
    return PUSH[0] * cos(PUSH[1] * t) - SPRING * x


def first_root(function, begin, end):
    """The first zero from above, on a grid of 1e-4."""
    times = np.arange(begin, end, 1e-4)
    values = np.array([function(t) for t in times])
    found = np.flatnonzero((values[:-1] > 0) & (values[1:] <= 0))
    return brentq(function, times[found[0]], times[found[0] + 1], xtol=1e-14) if len(found) else end


@cache
def expected(until, x=0.3):
    """When it slips and stops, and where it is in the end."""
    t, v, found, grid = 0.0, 0.0, [], [(k + 0.5) * pi / SIDE[1] for k in range(100)]
    while t < until:
        t = first_root(lambda s, x=x: MU * normal(s) - abs(along(s, x)), t, until)
        if t >= until:
            break
        sign = np.sign(along(t, x))
        found.append(("slot slips back" if sign > 0 else "slot slips", t))
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
                    found.append(("slot stops", t))
                    break
                sign = -sign
                found.append(("slot stops", t))
    return found, x


@pytest.mark.parametrize(
    ("method", "rtol"),
    [*(("dop853", 10.0**-k) for k in range(6, 13)), ("radau5", 1e-6), ("radau5", 1e-8), ("bdf", 1e-7)],
)
def test_it_slips_and_stops_when_it_should(method, rtol):
    motion = slot().simulate(start={"x": 0.3}, until=6.0, method=method, rtol=rtol, atol=rtol / 100)
    found = [(s.event, s.t) for s in motion.switches if s.event != "slot turns"]
    events, end = expected(6.0)
    assert len(events) >= 8
    assert [name for name, _ in found] == [name for name, _ in events]
    apart = max(abs(a - b) for (_, a), (_, b) in zip(found, events, strict=True))
    assert apart < max(10 * rtol, 1e-11)
    assert abs(motion.q[-1, 0] - end) < max(rtol, 1e-12)
    assert not motion.audit.warnings
