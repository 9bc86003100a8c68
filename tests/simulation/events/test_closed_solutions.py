"""Events and changing structure against closed solutions of textbook problems."""

import numpy as np
import pytest
import sympy as sp

import lienket as lk
from lienket import der

STRICT = {"rtol": 1e-12, "atol": 1e-13}
g = lk.parameters("g")
G = 9.81


def pendulum():
    """Return a point of mass 1 on a rod of length 1, in its angle from the lowest position."""
    theta = lk.coordinates("theta")
    kinetic, potential = der(theta) ** 2 / 2, -g * sp.cos(theta)
    return theta, lk.System("pendulum", [theta], kinetic=kinetic, potential=potential, values={"g": G})


def quarter(amplitude):
    """Return the time from the lowest position to the amplitude: K(sin^2(amplitude/2))/sqrt(g)."""
    mpmath = pytest.importorskip("mpmath")
    return float(mpmath.ellipk(mpmath.sin(amplitude / 2) ** 2)) / np.sqrt(G)


class TestPendulum:
    def test_bouncing_off_a_wall(self):
        """The pendulum from 1 rad meets a wall at its lowest point after a quarter period and keeps e of its speed."""
        theta, free = pendulum()
        e = sp.Rational(7, 10)
        wall = lk.Event("wall", when=theta, direction="falling", velocities={der(theta): -e * der(theta)})
        motion = free.simulate(start={"theta": 1.0}, until=6, events=[wall], **STRICT)
        amplitude, exact = 1.0, [quarter(1.0)]
        for _ in range(4):
            speed = 0.7 * np.sqrt(2 * G * (1 - np.cos(amplitude)))
            amplitude = np.arccos(1 - speed**2 / (2 * G))
            exact.append(exact[-1] + 2 * quarter(amplitude))
        np.testing.assert_allclose(motion.events["wall"][:5], exact, rtol=0, atol=1e-9)
        for switch in motion.switches:
            assert switch.v[0] == pytest.approx(-0.7 * switch.v_before[0], rel=1e-14)
        assert motion.outcome.complete
        assert np.abs(motion.energy.imbalance).max() < 1e-9

    def test_locking_takes_all_energy(self):
        """Locked at its greatest speed, the pendulum loses all energy; the impulse is its angular momentum."""
        theta, free = pendulum()
        lock = lk.Event("brake", when=theta, add={"lock": theta})
        motion = free.simulate(start={"theta": 1.0}, until=2, events=[lock], **STRICT)
        (switch,) = motion.switches
        speed = np.sqrt(2 * G * (1 - np.cos(1.0)))
        assert switch.t == pytest.approx(quarter(1.0), abs=1e-9)
        assert switch.impulses["lock"][0] == pytest.approx(speed, abs=1e-9)
        assert switch.energy_lost == pytest.approx(speed**2 / 2, abs=1e-9)
        assert motion.structure(switch.t - 1e-9) == ()
        assert motion.structure(switch.t) == ("lock",)
        after = motion.t > switch.t
        assert np.abs(motion.q[after]).max() < 1e-12
        assert np.abs(motion.v[after]).max() < 1e-12
        assert np.isnan(motion.reactions["lock"][motion.t < switch.t]).all()
        assert np.isfinite(motion.reactions["lock"][after]).all()

    def test_a_rod_breaks_at_a_given_force(self):
        """Released from rest at the side, the force in the rod is 3 m g sin(angle below the horizontal)."""
        x, y = lk.coordinates("x y")
        free = lk.System("mass", [x, y], kinetic=(der(x) ** 2 + der(y) ** 2) / 2, potential=g * y, values={"g": G})
        system = free.constrain("rod", x**2 + y**2 - 1)
        breaks = lk.Event("break", when=lk.reaction("rod") > 2 * G, release="rod")
        motion = system.simulate(start={"x": 1.0, "y": 0.0}, until=1.5, events=[breaks], **STRICT)
        (switch,) = motion.switches
        depth = 2 / 3  # 3 sin = 2
        speed = np.sqrt(2 * G * depth)
        np.testing.assert_allclose(switch.q, [np.sqrt(1 - depth**2), -depth], rtol=0, atol=1e-9)
        np.testing.assert_allclose(switch.v, [-speed * depth, -speed * np.sqrt(1 - depth**2)], rtol=0, atol=1e-9)
        assert np.array_equal(switch.v, switch.v_before)
        assert switch.energy_lost == 0
        t = motion.t[-1] - switch.t
        fall = [switch.q[0] + switch.v[0] * t, switch.q[1] + switch.v[1] * t - G * t**2 / 2]
        np.testing.assert_allclose(motion.q[-1], fall, rtol=0, atol=1e-9)
        assert motion.structure(0.1) == ("rod",)
        assert motion.structure(1.4) == ()
        assert np.abs(motion.energy.imbalance).max() < 1e-9


class TestImpacts:
    def test_a_sliding_disc_begins_to_roll(self):
        """A disc of speed u without spin rolls after u/(3 mu g) with 2 u/3; friction takes a third of the energy."""
        x, phi = lk.coordinates("x phi")
        mu, r = lk.parameters("mu r")
        slip = der(x) - r * der(phi)
        friction = mu * g
        disc = lk.System(
            "disc", [x, phi], kinetic=der(x) ** 2 / 2 + r**2 * der(phi) ** 2 / 4,
            forces={x: -friction, phi: r * friction}, values={"g": G, "mu": 0.2, "r": 0.3},
        )  # fmt: skip
        rolls = lk.Event("rolls", when=slip, direction="falling", set={mu: 0}, add={"rolling": slip})
        motion = disc.simulate(start={"x'": 6.0}, until=3, events=[rolls], **STRICT)
        (switch,) = motion.switches
        assert switch.t == pytest.approx(6 / (3 * 0.2 * G), abs=1e-9)
        np.testing.assert_allclose(switch.v, [4.0, 4.0 / 0.3], rtol=0, atol=1e-9)
        assert switch.energy_lost == pytest.approx(0, abs=1e-12)
        np.testing.assert_allclose(motion.v[-1], [4.0, 4.0 / 0.3], rtol=0, atol=1e-9)
        assert motion.energy.total[-1] == pytest.approx(2 / 3 * 18, abs=1e-8)
        assert np.abs(motion.energy.imbalance).max() < 1e-9
        assert switch.parameters[list(disc.parameters).index(mu)] == 0

    def test_a_falling_bar_is_caught_by_a_pin_at_its_end(self):
        """A level bar of length 2 and speed v is caught at one end: omega = 3 v/4, impulse m v/4, m v^2/8 is lost."""
        x, y, phi = lk.coordinates("x y phi")
        bar = lk.System(
            "bar", [x, y, phi], kinetic=(der(x) ** 2 + der(y) ** 2) / 2 + der(phi) ** 2 / 6, potential=g * y,
            values={"g": G},
        )  # fmt: skip
        pin = [x + sp.cos(phi) - 1, y + sp.sin(phi)]
        caught = lk.Event("caught", when=y + sp.sin(phi), direction="falling", add={"pin": pin})
        motion = bar.simulate(start={"y": 0.5}, until=1, events=[caught], **STRICT)
        (switch,) = motion.switches
        v = np.sqrt(2 * G * 0.5)
        assert switch.t == pytest.approx(v / G, abs=1e-9)
        np.testing.assert_allclose(switch.v, [0, -0.75 * v, 0.75 * v], rtol=0, atol=1e-9)
        np.testing.assert_allclose(switch.impulses["pin"], [0, 0.25 * v, 0.25 * v], rtol=0, atol=1e-9)
        assert switch.energy_lost == pytest.approx(v**2 / 8, abs=1e-9)
        assert np.abs(motion.energy.imbalance).max() < 1e-9
        assert motion.audit.ok

    def test_the_second_joint_of_a_double_pendulum_locks(self):
        """Locking keeps the angular momentum about the first joint; afterwards both rods turn as one."""
        a, b = lk.coordinates("a b")
        kinetic = der(a) ** 2 + der(b) ** 2 / 2 + sp.cos(a - b) * der(a) * der(b)
        potential = -g * (2 * sp.cos(a) + sp.cos(b))
        double = lk.System("double", [a, b], kinetic=kinetic, potential=potential, values={"g": G})
        lock = lk.Event("lock", when=lk.t - sp.Rational(1, 2), add={"weld": der(a) - der(b)})
        motion = double.simulate(start={"a": 1.0, "b": 0.3}, until=1.5, events=[lock], **STRICT)
        (switch,) = motion.switches
        c = np.cos(switch.q[0] - switch.q[1])
        inertia = np.array([[2, c], [c, 1]])
        momentum, whole = inertia.sum(axis=0) @ switch.v_before, inertia.sum()
        np.testing.assert_allclose(switch.v, momentum / whole, rtol=1e-12)
        impulse = 2 * switch.v[0] + c * switch.v[1] - (2 * switch.v_before[0] + c * switch.v_before[1])
        np.testing.assert_allclose(switch.impulses["weld"], [impulse, -impulse], rtol=1e-10)
        jump = switch.v - switch.v_before
        assert switch.energy_lost == pytest.approx(jump @ inertia @ jump / 2, rel=1e-10)
        assert switch.t == pytest.approx(0.5, abs=1e-12)
        late = motion.t > 0.5
        np.testing.assert_allclose(np.ptp((motion.q[:, 0] - motion.q[:, 1])[late]), 0, atol=1e-9)
        assert np.abs(motion.energy.imbalance).max() < 1e-9

    def test_an_arm_grasps_a_load_and_lets_it_go(self):
        """A cart of mass 1 and speed 3 grasps a load of mass 2: both have speed 1, also after the release."""
        x, y = lk.coordinates("x y")
        carts = lk.System("carts", [x, y], kinetic=der(x) ** 2 / 2 + der(y) ** 2)
        grasp = lk.Event("grasp", when=x - y, direction="rising", add={"grip": x - y})
        drop = lk.Event("drop", when=x - 4, direction="rising", release="grip")
        motion = carts.simulate(start={"x'": 3.0, "y": 1.5}, until=5, events=[grasp, drop], **STRICT)
        assert [s.event for s in motion.switches] == ["grasp", "drop"]
        assert motion.switches[0].t == pytest.approx(0.5, abs=1e-12)
        assert motion.switches[1].t == pytest.approx(3.0, abs=1e-11)
        np.testing.assert_allclose(motion.v[-1], [1, 1], rtol=1e-12)
        assert motion.switches[0].energy_lost == pytest.approx(3.0, abs=1e-11)
        assert [motion.structure(t) for t in (0.1, 1.0, 4.0)] == [(), ("grip",), ()]
        np.testing.assert_allclose(motion.switches[0].impulses["grip"], [-2, 2], rtol=1e-12)
