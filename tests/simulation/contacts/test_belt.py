"""A mass on a spring and a moving belt, stick and slip over several periods: closed solutions and Taylor series.

A sticking mass moves with the belt until the spring pulls with mu_static m g. A sliding mass under Coulomb's law
oscillates about mu m g/k. With Stribeck's law the slip obeys a nonlinear equation; its Taylor series are computed here
by recurrences with 35 digits, independent of the package.
"""

import mpmath as mp
import numpy as np
import pytest

import lienket as lk
from lienket import der

MASS, STIFFNESS, GRAVITY, MU, STATIC, SPEED, FALL = 1.5, 6.0, 10.0, 0.2, 0.3, 0.5, 0.4
END = 16.0


def belt(**law):
    """Return a mass at x along the belt and y above it; the belt moves with V + b t."""
    m, k, g, mu, V, b = lk.parameters("m k g mu V b")
    x, y = lk.coordinates("x y")
    kinetic, potential = m * (der(x) ** 2 + der(y) ** 2) / 2, k * x**2 / 2 + m * g * y
    values = {m: MASS, k: STIFFNESS, g: GRAVITY, mu: MU, V: SPEED, b: 0.0}
    mass = lk.System("mass on a belt", [x, y], kinetic=kinetic, potential=potential, values=values)
    return mass.constrain("belt", y, law=lk.Coulomb(mu, slip=der(x) - V - b * lk.t, **law))


def changes(motion):
    return [(switch.event.removesuffix(" back"), switch.t) for switch in motion.switches]


def run(system, sign, b=0.0):
    start = {"x": 0.0, "x'": sign * SPEED}
    return system.simulate({"V": sign * SPEED, "b": sign * b}, start=start, until=END, rtol=1e-11, atol=1e-13)


@pytest.mark.parametrize("sign", [1, -1])
def test_coulomb_by_its_closed_solution(sign):
    motion = run(belt(mu_static=STATIC), sign)
    w = np.sqrt(STIFFNESS / MASS)
    grip, middle = STATIC * MASS * GRAVITY / STIFFNESS, MU * MASS * GRAVITY / STIFFNESS
    away = grip - middle  # amplitude at which it slips; it sticks again at the opposite amplitude
    slides = 2 / w * (np.pi - np.arctan(away * w / SPEED))
    expected, t = [], grip / SPEED
    while t < END:
        expected.append(("belt slips", t))
        if t + slides < END:
            expected.append(("belt stops", t + slides))
        t += slides + 2 * away / SPEED
    events = changes(motion)
    assert len(events) >= 9
    assert [name for name, _ in events] == [name for name, _ in expected]
    assert max(abs(a - b) for (_, a), (_, b) in zip(events, expected, strict=True)) < 1e-8
    sliding = np.linspace(0.0, slides, 40)[1:-1]
    swing = middle + away * np.cos(w * sliding) + SPEED / w * np.sin(w * sliding)
    assert np.abs(sign * motion.sampled(grip / SPEED + sliding).q[:, 0] - swing).max() < 1e-9
    assert np.abs(motion.energy.imbalance).max() < 1e-10
    assert np.abs(motion.reactions["belt"][:, 1] - MASS * GRAVITY).max() < 1e-9


def series(x, s, falling, side, speed, growth, terms=40):
    """Return Taylor coefficients of x, slip s and E = exp(-|s|/stribeck) while the sign of s is `side`.

    x' = s + V,   s' = -(k/m) x - V' - side g (mu + (mu_static - mu) E),   E' = -side E s'/stribeck
    """
    xs, slips, Es, rates = [x], [s], [falling], []
    for k in range(terms):
        belt_speed = speed if k == 0 else growth if k == 1 else 0
        xs.append((slips[k] + belt_speed) / (k + 1))
        friction = side * mp.mpf(GRAVITY) * ((mp.mpf(STATIC) - mp.mpf(MU)) * Es[k] + (mp.mpf(MU) if k == 0 else 0))
        rates.append(-mp.mpf(STIFFNESS) / mp.mpf(MASS) * xs[k] - (growth if k == 0 else 0) - friction)
        slips.append(rates[k] / (k + 1))
        Es.append(-side / mp.mpf(FALL) * mp.fsum(Es[i] * rates[k - i] for i in range(k + 1)) / (k + 1))
    return xs, slips, Es


def expected_changes(sign, b):
    """Return the events of the Stribeck belt to 30 digits."""
    with mp.workdps(35):
        speed, growth, t, x, events = mp.mpf(sign * SPEED), mp.mpf(sign * b), mp.mpf(0), mp.mpf(0), []
        load, h = sign * mp.mpf(STATIC) * mp.mpf(GRAVITY) * mp.mpf(MASS), mp.mpf(1) / 20
        while True:
            now = speed + growth * t
            d = mp.findroot(lambda d: STIFFNESS * (x + now * d + growth * d**2 / 2) + MASS * growth - load, 0.5)  # noqa: B023
            t, x = t + d, x + now * d + growth * d**2 / 2
            if t > END:
                return events
            events.append(("belt slips", t))
            slip, falling, begun = mp.mpf(0), mp.mpf(1), False
            while True:
                parts = series(x, slip, falling, -sign, speed + growth * t, growth)
                x_next, slip_next, falling_next = (mp.polyval(c[::-1], h) for c in parts)
                if begun and slip_next * sign >= 0:
                    d = mp.findroot(lambda d: mp.polyval(parts[1][::-1], d), h / 2)  # noqa: B023
                    t, x = t + d, mp.polyval(parts[0][::-1], d)
                    break
                x, slip, falling, t, begun = x_next, slip_next, falling_next, t + h, True
            if t > END:
                return events
            events.append(("belt stops", t))


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("b", [0.0, 0.05])
def test_stribeck_by_taylor_series(sign, b):
    """Events agree with the series, also on an accelerating belt, which adds the load m b while the mass sticks."""
    motion = run(belt(mu_static=STATIC, stribeck=FALL), sign, b)
    events, expected = changes(motion), expected_changes(sign, b)
    assert len(events) >= 8
    assert [name for name, _ in events] == [name for name, _ in expected]
    assert max(abs(float(a - b)) for (_, a), (_, b) in zip(events, expected, strict=True)) < 1e-8
    assert np.abs(motion.energy.imbalance).max() < 1e-10


def test_mass_keeps_sliding_on_a_fast_belt():
    """With a constant coefficient, an oscillation slower than the belt stays harmonic about mu m g/k."""
    middle, w = MU * MASS * GRAVITY / STIFFNESS, np.sqrt(STIFFNESS / MASS)
    motion = belt().simulate(start={"x": middle + 0.2, "x'": 0.0}, until=10, rtol=1e-11, atol=1e-13)
    assert not motion.switches
    assert np.abs(motion.q[:, 0] - middle - 0.2 * np.cos(w * motion.t)).max() < 1e-9


def test_default_tolerances():
    """With the default tolerance of 1e-8 event times are accurate to 1e-7."""
    system = belt(mu_static=STATIC)
    rough = system.simulate(start={"x": 0.0, "x'": SPEED}, until=END)
    fine = run(system, 1)
    assert max(abs(a - b) for (_, a), (_, b) in zip(changes(rough), changes(fine), strict=True)) < 1e-7
