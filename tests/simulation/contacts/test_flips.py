"""Sign changes of slip within the integrator, equal to those decided in Python by a search of patterns."""

import numpy as np
import pytest
from sympy import cos, sin

import lienket as lk
from lienket import der
from lienket.simulation.contacts.mode_change import Contacts
from lienket.simulation.events.switching import Switching
from lienket.simulation.stepping import workspace

START, GUESS = {"phi": 0.3, "phi'": 10.0}, {"x": 0.2, "theta": -0.1, "s": 0.39}


def slider_crank(**law):
    """Return crank phi, rod x, y, theta, slider s, z in a rough guide."""
    phi, x, y, theta, s, z = lk.coordinates("phi x y theta s z")
    kinetic = 0.02 * der(phi) ** 2 + 0.5 * (der(x) ** 2 + der(y) ** 2) + 0.004 * der(theta) ** 2
    kinetic += 0.8 * (der(s) ** 2 + der(z) ** 2)
    M = lk.parameters("M")
    bodies = lk.System(
        "slider-crank", [phi, x, y, theta, s, z], kinetic=kinetic / 2, potential=9.81 * (0.5 * y + 0.8 * z),
        forces={phi: M}, values={M: 1.0},
    )  # fmt: skip
    pin = [x - 0.15 * cos(theta) - 0.1 * cos(phi), y - 0.15 * sin(theta) - 0.1 * sin(phi)]
    bodies = bodies.constrain("crank pin", pin)
    bodies = bodies.constrain("slider pin", [x + 0.15 * cos(theta) - s, y + 0.15 * sin(theta) - z])
    return bodies.constrain("guide", z, law=lk.Coulomb(0.2, slip=der(s), **law))


def run(monkeypatch, room, system, **more):
    """Return the motion with a buffer for `room` sign changes, and the counts of Python event calls and searches."""
    asked, searched, happen, decided = [], [], Switching.handle_event, Contacts.decide_modes
    with monkeypatch.context() as patch:
        patch.setattr(workspace, "CHANGE_CAPACITY", room)
        patch.setattr(Switching, "handle_event", lambda self, *arguments: asked.append(1) or happen(self, *arguments))
        patch.setattr(
            Contacts, "decide_modes", lambda *arguments, **more: searched.append(1) or decided(*arguments, **more)
        )
        motion = system.simulate(start=START, guess=GUESS, until=2.0, rtol=1e-10, atol=1e-12, **more)
    return motion, len(asked), len(searched) - 1  # without the search at the start


def far(a, b):
    """Return the largest difference."""
    return float(np.abs(np.asarray(a) - np.asarray(b)).max())


@pytest.mark.parametrize("method", ["dop853", "radau5"])
@pytest.mark.parametrize("room", [64, 3])
def test_sign_changes_within_the_integrator_agree_with_python(monkeypatch, method, room):
    quick, asked, _ = run(monkeypatch, room, slider_crank(), method=method)
    plain, every, searched = run(monkeypatch, 0, slider_crank(), method=method)
    assert len(plain.switches) == every > 40
    assert searched > 10  # dead points, decided by a search
    assert asked == every // (room + 1)  # calls when the buffer is full
    assert [s.event for s in quick.switches] == [s.event for s in plain.switches]
    assert [s.after for s in quick.switches] == [s.after for s in plain.switches]
    assert far([s.t for s in quick.switches], [s.t for s in plain.switches]) < 1e-9
    assert far([s.parameters for s in quick.switches], [s.parameters for s in plain.switches]) == 0
    assert far([s.q for s in quick.switches], [s.q for s in plain.switches]) < 1e-7
    assert far(quick.q[-1], plain.q[-1]) < 1e-7
    assert quick.events.keys() == plain.events.keys()
    assert {k: len(x) for k, x in quick.events.items()} == {k: len(x) for k, x in plain.events.items()}


def test_rows_and_energy_include_sign_changes(monkeypatch):
    """Each sign change has a row before and after; the work of friction balances the energy to 1e-9."""
    motion, asked, _ = run(monkeypatch, 64, slider_crank())
    assert asked < len(motion.switches) / 20
    for switch in motion.switches:
        assert np.count_nonzero(motion.t == switch.t) == 2
    assert np.abs(motion.energy.imbalance).max() < 1e-9 * motion.energy.kinetic.max()
    assert not motion.audit.warnings


@pytest.mark.parametrize("law", [{"mu_static": 0.3}, {"mu_static": 0.25, "stribeck": 0.1}, {"viscous": 0.1}])
def test_static_and_viscous_friction(monkeypatch, law):
    quick, asked, searched = run(monkeypatch, 64, slider_crank(**law))
    plain, every, _ = run(monkeypatch, 0, slider_crank(**law))
    assert [s.event for s in quick.switches] == [s.event for s in plain.switches]
    assert far([s.t for s in quick.switches], [s.t for s in plain.switches]) < 1e-9
    assert asked < every / 20
    assert searched == 0


def test_a_crank_that_comes_to_rest_is_left_to_python(monkeypatch):
    resting, _, searched = run(monkeypatch, 64, slider_crank(), values={"M": 0.0})
    last = resting.switches[-1]
    assert searched >= 1
    assert "guide, sticking" in last.after
    assert np.abs(last.v).max() < 1e-6


@pytest.mark.parametrize(("mu", "static"), [(0.1, None), (0.1, 0.35), (0.02, 0.9)])
def test_a_rubbing_oscillator_turns_back_until_it_is_held(mu, static):
    """m x'' = -k x -+ mu m g: half periods last pi sqrt(m/k), amplitudes fall by 2 mu m g/k; held by mu_s m g."""
    m, k, g, far_out = 2.0, 50.0, 9.81, 1.7
    x, y = lk.coordinates("x y")
    kinetic, potential = m * (der(x) ** 2 + der(y) ** 2) / 2, k * x**2 / 2 + m * g * y
    mass = lk.System("mass", [x, y], kinetic=kinetic, potential=potential)
    rough = mass.constrain("floor", y, law=lk.Coulomb(mu, slip=der(x), mu_static=static))
    motion = rough.simulate(start={"x": far_out, "x'": -1e-9}, until=200.0, rtol=1e-11, atol=1e-12)
    held, lost = (mu if static is None else static) * m * g / k, 2 * mu * m * g / k
    turns = [far_out - lost * (i + 1) for i in range(1000) if far_out - lost * i > held]
    stops = motion.events["floor stops"]
    assert len(stops) == len(turns)
    expected = np.pi * np.sqrt(m / k) * np.arange(1, len(turns) + 1)
    np.testing.assert_allclose(stops, expected, rtol=0, atol=1e-7)
    positions = [s.q[0] for s in motion.switches if s.event == "floor stops"]
    np.testing.assert_allclose(np.abs(positions), np.abs(turns), rtol=0, atol=1e-7)
    assert motion.contacts["floor"].mode[-1] == "sticks"
    assert motion.q[-1, 0] == positions[-1]
