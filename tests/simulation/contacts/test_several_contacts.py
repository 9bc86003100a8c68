"""Several frictional contacts at once: stacked blocks, a wheel under brake shoes."""

import numpy as np
import pytest

import lienket as lk
from lienket import der

TIGHT = {"rtol": 1e-11, "atol": 1e-13}
GRAVITY = 10.0


def stack(pulled, force, unilateral=True):
    """Return two blocks, 2 kg below and 1 kg above, one of them pulled."""
    names = ("lower", "upper")
    (x1, y1), (x2, y2) = lk.coordinates("x1 y1"), lk.coordinates("x2 y2")
    kinetic = (2 * (der(x1) ** 2 + der(y1) ** 2) + der(x2) ** 2 + der(y2) ** 2) / 2
    forces = {(x1, x2)[names.index(pulled)]: force}
    blocks = lk.System("blocks", [x1, y1, x2, y2], kinetic=kinetic, potential=GRAVITY * (2 * y1 + y2), forces=forces)
    blocks = blocks.constrain("floor", y1, law=lk.Coulomb(0.2, slip=der(x1), unilateral=unilateral))
    return blocks.constrain("between", y2 - y1, law=lk.Coulomb(0.3, slip=der(x2) - der(x1), unilateral=unilateral))


REST = {"y1": 0.0, "y2": 0.0}


@pytest.mark.parametrize("unilateral", [True, False])
def test_lower_block_pulled_ever_harder(unilateral):
    """Pulled by 2 t, both stick until 2 t = 0.2 * 30, move together up to 0.3 g, then the lower block slides out."""
    motion = stack("lower", 2 * lk.t, unilateral).simulate(start=REST, until=10, **TIGHT)
    together, apart = 3.0, 7.5
    assert [s.t for s in motion.switches] == pytest.approx([together, apart], abs=1e-8)
    assert [s.released for s in motion.switches] == [("floor, sticking",), ("between, sticking",)]
    t = np.linspace(together, apart, 20)[1:-1]
    assert np.abs(motion.sampled(t).v[:, 0] - (t**2 - 6 * t + 9) / 3).max() < 1e-9
    assert np.abs(motion.sampled(t).v[:, 2] - (t**2 - 6 * t + 9) / 3).max() < 1e-9
    v, t = (apart - 3) ** 2 / 3, np.linspace(apart, 10, 20)[1:-1]
    assert np.abs(motion.sampled(t).v[:, 2] - (v + 3 * (t - apart))).max() < 1e-9
    assert np.abs(motion.sampled(t).v[:, 0] - (v + (t**2 - apart**2 - 9 * (t - apart)) / 2)).max() < 1e-9
    assert np.abs(motion.energy.imbalance).max() < 1e-9


def test_upper_block_pulled_ever_harder():
    """The floor holds 6, the upper contact only 3: the upper contact slips first, and the lower block stays at rest."""
    motion = stack("upper", 2 * lk.t).simulate(start=REST, until=4, **TIGHT)
    assert [(s.t, s.released) for s in motion.switches] == [(pytest.approx(1.5, abs=1e-9), ("between, sticking",))]
    assert np.abs(motion.q[:, 0]).max() < 1e-14
    state = motion.at(3.0)
    assert state.contacts["floor"].friction == pytest.approx(-3.0, rel=1e-12)
    assert state.contacts["floor"].mode == "sticks"


def test_pulled_and_let_go():
    """The lower block is pulled with 24 for a second; then both slow down, reach one speed and stop together."""
    pull = lk.parameters("P")
    let_go = lk.Event("let go", when=lk.t - 1, set={pull: 0})
    motion = stack("lower", pull).simulate({"P": 24.0}, start=REST, until=6, events=[let_go], **TIGHT)
    # Lower (24 - 6 - 3)/2 = 7.5, upper 3; then -(6 + 3)/2 = -4.5 and 3 until they meet, 7.5 - 4.5 s = 3 + 3 s later.
    meet = 1 + 4.5 / 7.5
    common = 3 * meet
    # Moving together they need a friction of 2 per kg, which the upper contact can supply.
    stop = meet + common / 2
    events = [(s.event, s.t) for s in motion.switches]
    assert [name for name, _ in events] == ["let go", "between stops", "floor stops"]
    assert [t for _, t in events] == pytest.approx([1.0, meet, stop], abs=1e-9)
    assert motion.switches[1].added == ("between, sticking",)
    assert motion.switches[2].added == ("floor, sticking",)
    assert np.abs(motion.v[-1]).max() < 1e-14
    assert np.abs(motion.energy.imbalance).max() < 1e-10


class Brake:
    """A wheel under levers with shoes; friction pulls a leading shoe in and pushes a trailing one off.

    A lever that turns by phi presses with P; its shoe has the arm a, and the rim's friction the offset b from the
    pivot: N (a - mu b) = P on a leading shoe, N (a + mu b) = P on a trailing one.
    """

    J, r, a, b, P, mu = 1.0, 0.3, 0.5, 0.2, 4.0, 0.4

    def __init__(self, *offsets):
        theta = lk.coordinates("theta")
        levers = [lk.coordinates(f"phi{k}") for k in range(len(offsets))]
        kinetic = (self.J * der(theta) ** 2 + sum(der(phi) ** 2 for phi in levers) / 10) / 2
        forces = dict.fromkeys(levers, -self.P)
        self.system = lk.System("brake", [theta, *levers], kinetic=kinetic, forces=forces)
        for k, (phi, side) in enumerate(zip(levers, offsets, strict=True)):
            slip = self.r * der(theta) + side * self.b * der(phi)
            law = lk.Coulomb(self.mu, slip=slip, unilateral=True)
            self.system = self.system.constrain(f"shoe {k}", self.a * phi, law=law)

    def normal(self, side, direction):
        """Return N from the lever: a N + side b f = P with the friction f = -mu N direction."""
        return self.P / (self.a - side * self.b * self.mu * direction)


@pytest.mark.parametrize("direction", [1, -1])
@pytest.mark.parametrize("offsets", [(1,), (-1,), (1, -1), (1, 1, -1, 1)])
def test_brake(offsets, direction):
    brake = Brake(*offsets)
    speed = 10.0 * direction
    state = brake.system.at([0.0] * (1 + len(offsets)), [speed] + [0.0] * len(offsets))
    expected = [brake.normal(side, direction) for side in offsets]
    normals = [state.contacts[f"shoe {k}"].normal for k in range(len(offsets))]
    assert normals == pytest.approx(expected, rel=1e-12)
    stop = 10.0 / (brake.mu * brake.r * sum(expected) / brake.J)
    motion = brake.system.simulate(start={"theta'": speed}, until=20, **TIGHT)
    assert motion.switches[0].t == pytest.approx(stop, abs=1e-9)
    assert motion.v[-1] == pytest.approx(np.zeros(1 + len(offsets)), abs=1e-14)
    assert np.abs(motion.energy.imbalance).max() < 1e-9


class Locking(Brake):
    """A brake with mu b > a."""

    b, mu = 0.9, 0.6


def test_a_brake_that_locks():
    """The leading shoe tightens as it brakes: no finite force balances P."""
    with pytest.raises(lk.LienketError, match=r"Painleve.*'shoe 0'.* against S = "):
        Locking(1).system.at([0.0, 0.0], [10.0, 0.0])
    assert Locking(1).system.at([0.0, 0.0], [-10.0, 0.0]).contacts["shoe 0"].normal == pytest.approx(4 / 1.04)
