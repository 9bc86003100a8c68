"""The examples with laws and a servo against closed solutions: belt, slope, slider-crank, crane."""

import numpy as np
import pytest
from conftest import MODELS
from scipy.optimize import brentq

import lienket as lk


def loaded(name):
    system = lk.load(MODELS / f"{name}.toml")
    return system, {p.name: float(value) for p, value in system.values.items()}


def test_the_block_on_the_belt_sticks_and_slips_in_a_cycle():
    """The block sticks at V until k x + d V = mu_s m g; then m x'' + d x' + k x = mu m g until x' = V again."""
    system, p = loaded("belt")
    motion = system.simulate(until=6.0)
    weight, rate = p["m"] * p["g"], p["d"] / (2 * p["m"])
    slips = (p["mu_s"] * weight - p["d"] * p["V"]) / p["k"]
    rest = p["mu"] * weight / p["k"]
    omega = np.sqrt(p["k"] / p["m"] - rate**2)
    cosine = slips - rest
    sine = (p["V"] + rate * cosine) / omega

    def position(t):
        return rest + np.exp(-rate * t) * (cosine * np.cos(omega * t) + sine * np.sin(omega * t))

    def speed(t):
        wave = (omega * sine - rate * cosine) * np.cos(omega * t) - (omega * cosine + rate * sine) * np.sin(omega * t)
        return np.exp(-rate * t) * wave

    sliding = brentq(lambda t: speed(t) - p["V"], np.pi / omega, 1.75 * np.pi / omega, xtol=1e-14)
    sticking = (slips - position(sliding)) / p["V"]
    stops, slipping = motion.events["belt stops"], motion.events["belt slips"]
    assert len(slipping) >= 6
    np.testing.assert_allclose(stops[1 : len(slipping)] - slipping[:-1], sliding, atol=1e-8)
    np.testing.assert_allclose(slipping[1:] - stops[1 : len(slipping)], sticking, atol=1e-8)
    assert motion.audit.ok


def test_the_thrown_body_bounces_slides_and_stops():
    """Flights of 2 v/a with v = e v, impulses of friction mu (1 + e) v; then the body slides to rest and stays."""
    system, p = loaded("thrown_body")
    normal, along = p["g"] * np.cos(p["alpha"]), p["g"] * np.sin(p["alpha"])
    motion = system.simulate(start={"y": 1.0, "x'": 8.0}, until=4.0)
    fall = np.sqrt(2 / normal)
    flights = fall + 2 * fall * np.cumsum(p["e"] ** np.arange(1, 11))
    np.testing.assert_allclose(motion.events["slope touches"][:11], [fall, *flights], atol=1e-8)
    first = motion.switches[0]
    assert first.struck["slope"] == pytest.approx(p["m"] * (1 + p["e"]) * normal * fall, rel=1e-8)
    lies = fall * (1 + p["e"]) / (1 - p["e"])
    # All impulses of friction together: mu times the normal part of the weight times the duration of the flights.
    speed = 8.0 - along * lies - p["mu"] * normal * lies
    stops = lies + speed / (along + p["mu"] * normal)
    assert motion.events["slope stops"] == pytest.approx([stops], abs=1e-6)  # bounces below the tolerance are left out
    assert motion.v[-1] == pytest.approx([0, 0], abs=1e-12)
    assert motion.q[-1] == pytest.approx(motion.at(stops + 0.01).q, abs=1e-9)


def test_the_slider_crank_rubs_on_both_sides_of_its_guide():
    """Friction is mu times the normal force, opposes the sliding, and dissipates the surplus work of the motor."""
    system, p = loaded("slider_crank_friction")
    motion = system.simulate(start={"phi": 1.0}, until=2.0, rtol=1e-10, atol=1e-12)
    phi, theta = motion.q.T
    across = np.array([p["r"] * np.cos(phi), -p["L"] * np.cos(theta)]).T
    along = np.array([-p["r"] * np.sin(phi), -p["L"] * np.sin(theta)]).T
    normal, rows = motion.multipliers[:, 0], slice(5, None, 7)
    slip = np.sum(along * motion.v, axis=1)
    friction = -p["mu"] * np.abs(normal) * np.sign(slip)
    expected = normal[:, None] * across + friction[:, None] * along
    moving = np.abs(slip) > 1e-6
    np.testing.assert_allclose(motion.reactions["guide"][moving][rows], expected[moving][rows], atol=1e-9)
    assert len(motion.events["guide turns"]) > 10 and normal.min() < -1 < 1 < normal.max()
    assert np.max(np.abs(motion.energy.imbalance)) < 1e-9 * np.max(motion.energy.kinetic)
    ideal = system.simulate({"mu": 0, "mu_s": 0}, start={"phi": 1.0}, until=2.0)
    assert motion.energy.kinetic[-1] < 0.95 * ideal.energy.kinetic[-1]


def test_the_crane_keeps_its_bounds_and_catches_up():
    system, p = loaded("crane")
    motion = system.simulate(start={"s": 0.0, "l": 4.0}, guess={"z": 4.0}, until=12.0, times=np.linspace(0, 12, 241))
    force, t = motion.drives["F"], motion.t
    assert np.max(np.abs(force)) == pytest.approx(p["Fmax"], rel=1e-12)
    bound = np.abs(force) > p["Fmax"] * (1 - 1e-12)
    assert 5 < np.sum(bound) < 100
    s, ds, dds = motion["s"], motion["s'"], motion["s''"]
    wave = np.pi / p["T"]
    held = t >= p["T"]
    aim = np.where(held, p["a"], p["a"] * (1 - np.cos(wave * t)) / 2)
    rate = np.where(held, 0, p["a"] * wave * np.sin(wave * t) / 2)
    rise = np.where(held, 0, p["a"] * wave**2 * np.cos(wave * t) / 2)
    off = (dds - rise) + 2 * p["w"] * (ds - rate) + p["w"] ** 2 * (s - aim)
    np.testing.assert_allclose(off[~bound], 0, atol=1e-8)
    assert np.max(np.abs(off[bound])) > 0.1 and np.max(np.abs(s - aim)) > 1e-3
    assert abs(s[-1] - p["a"]) < 1e-6 and abs(motion["l"][-1] - p["l0"] + p["b"]) < 1e-6
    again = system.simulate({"Fmax": 1e6}, start={"s": 0.0, "l": 4.0}, guess={"z": 4.0}, until=5.5)
    assert np.max(np.abs(again["s"] - p["a"] * (1 - np.cos(wave * again.t)) / 2)) < 1e-7
