"""IFToMM A02: N four-bars in a row, which lose the rank of their constraints wherever all rockers lie flat."""

import mpmath
import numpy as np
from sympy import cos, sin

import lienket as lk
from lienket import der

from .problem import Problem, expect

AIM = 1e-6
"""An absolute error, more where the motion itself makes errors grow more than 100 times.

A run that is asked for much more may stall where the rockers lie flat: there the rows that keep them parallel depend on
each other and rounding decides which way they turn. The official level of high precision is 1e-3.
"""


def four_bars(count: int, speed: float = 1.0, times=(5.0, 10.0, 20.0)) -> Problem:
    """State N + 1 rockers pinned at (i, 0) and N couplers on their tips, each by x, y, angle: 3 (2 N + 1) coordinates.

    All rods have length 1 and mass 1. The run starts with upright rockers and tips moving in +x with `speed`.
    """
    g = lk.parameters("g")
    names = [f"r{i}" for i in range(count + 1)] + [f"c{i}" for i in range(count)]
    rods = [lk.coordinates(f"x_{name} y_{name} a_{name}") for name in names]
    rockers, couplers = rods[: count + 1], rods[count + 1 :]
    squares = sum(der(x) ** 2 + der(y) ** 2 + der(a) ** 2 / 12 for x, y, a in rods)
    system = lk.System(f"{count} four-bars", [e for rod in rods for e in rod], kinetic=squares / 2,
                       potential=g * sum(y for _, y, _ in rods), values={"g": 9.81})  # fmt: skip
    for i, (x, y, a) in enumerate(rockers):
        system = system.constrain(f"pin {i}", [x - cos(a) / 2 - i, y - sin(a) / 2])
    for i, (x, y, a) in enumerate(couplers):
        for side, (xr, yr, ar) in ((-1, rockers[i]), (1, rockers[i + 1])):
            joint = [x + side * cos(a) / 2 - xr - cos(ar) / 2, y + side * sin(a) / 2 - yr - sin(ar) / 2]
            system = system.constrain(f"joint {i} {'left' if side < 0 else 'right'}", joint)

    def tip(row):
        x, y, a = row.q[:3]
        vx, vy, w = row.v[:3]
        c, s = np.cos(a) / 2, np.sin(a) / 2
        return [x + c, y + s, vx - s * w, vy + c * w]

    expected = tuple(
        expect(t, "B0", tip, reduced(count, speed, t), 15, scale=max(1.0, growth(count, speed, t) / 100), least=AIM)
        for t in times
    )
    rtol = 1e-9 if count < 20 else 1e-8  # rounding near the flat position grows with the number of loops
    return Problem(f"four_bars_{count}", system, four_bars_start(count, speed), expected, rtol=rtol)


def four_bars_start(count, speed):
    """Return the start: rockers upright with tips moving in +x, couplers level."""
    rockers = [(i, 0.5, np.pi / 2) for i in range(count + 1)]
    couplers = [(i + 0.5, 1, 0) for i in range(count)]
    rates = [(speed / 2, 0, -speed)] * (count + 1) + [(speed, 0, 0)] * count
    return [e for rod in rockers + couplers for e in rod], [e for rate in rates for e in rate]


def growth(count, speed, time):
    """Return the growth factor of an error of the start speed; slow passages of the upright position give hundreds."""
    change = 1e-7 * speed
    return np.abs(np.subtract(reduced(count, speed + change, time), reduced(count, speed, time))).max() / change


def reduced(count, speed, time):
    """Return x, y, x', y' of the first tip: all rockers turn alike, ((N+1)/3 + N) th'' = -g ((N+1)/2 + N) cos th.

    With k = g ((N+1)/2 + N)/((N+1)/3 + N) this is a pendulum that turns over: W^2 = speed^2 + 4 k is its largest speed
    squared, m = 4 k/W^2, u = K(m) - W t/2, and the tip is (2 sn cn, 2 sn^2 - 1) with th' = -W dn.
    """
    with mpmath.workdps(30):
        N, w = mpmath.mpf(count), mpmath.mpf(speed)
        k = mpmath.mpf(9.81) * ((N + 1) / 2 + N) / ((N + 1) / 3 + N)
        W = mpmath.sqrt(w**2 + 4 * k)
        m = 4 * k / W**2
        u = mpmath.ellipk(m) - W * mpmath.mpf(time) / 2
        sn, cn, dn = (mpmath.ellipfun(kind, u, m=m) for kind in ("sn", "cn", "dn"))
        x, y = 2 * sn * cn, 2 * sn**2 - 1
        return [float(e) for e in (x, y, y * W * dn, -x * W * dn)]


def bottom_speed(count, speed):
    """Return W of the tips, and the parameter m of the elliptic functions; see `reduced`."""
    k = 9.81 * ((count + 1) / 2 + count) / ((count + 1) / 3 + count)
    W = np.sqrt(speed**2 + 4 * k)
    return W, 4 * k / W**2


def flat_times(count, speed, end):
    """Return the times up to `end` at which all rockers lie flat: am(K - W t/2) = pi/4 - j pi/2."""
    W, m = bottom_speed(count, speed)
    times = []
    while not times or times[-1] <= end:
        times.append(2 * float(mpmath.ellipk(m) - mpmath.ellipf(np.pi / 4 - len(times) * np.pi / 2, m)) / W)
    return np.array(times[:-1])
