"""The plastic impact is the A-orthogonal projection onto the allowed velocities, in plain arrays and compiled."""

import numpy as np
import pytest
import sympy as sp

import lienket as lk
from lienket import der
from lienket.simulation.events.impact import impact

N = 5
X = lk.coordinates("x1 x2 x3 x4 x5")
SEEDS = range(3)


def exact(numbers):
    """Return the doubles as exact fractions, so that formulas and arrays have equal numbers."""
    return sp.Matrix(numbers).applyfunc(lambda a: sp.Rational(float(a)))


class Random:
    """A positive definite A and k random rows B v = b, plus a combination of them if redundant."""

    def __init__(self, seed, k=2, redundant=False, rheonomic=False):
        rng = np.random.default_rng(seed)
        root = rng.normal(size=(N, N))
        self.A = root @ root.T + 0.3 * np.eye(N)
        self.B, self.b = rng.normal(size=(k, N)), np.zeros(k)
        if rheonomic:
            self.b[0] = 0.7
        self.v = rng.normal(size=N)
        if redundant:
            factors = np.array([1.5, -0.5] + [0.25] * (k - 2))
            self.B = np.vstack([self.B, factors @ self.B])
            self.b = np.append(self.b, factors @ self.b)
        self.free = lk.System("random", X, inertia=exact(self.A))
        rows = exact(self.B) * sp.Matrix([der(x) for x in X])
        self.rows = [row - sp.Rational(float(b)) for row, b in zip(rows, self.b, strict=True)]
        if rheonomic:  # 0.7 at t = 1/2
            self.rows[0] += sp.Rational(float(self.b[0])) * (1 - 4 * lk.t**2)
        if redundant:
            self.rows[-1] = sp.Add(*(sp.Rational(f) * row for f, row in zip(factors, self.rows[:-1], strict=True)))

    def constrained(self):
        system = self.free
        for k, row in enumerate(self.rows):
            system = system.constrain(f"row {k}", row)
        return system

    def event(self):
        return lk.Event("all", when=lk.t - sp.Rational(1, 2), add={f"row {k}": row for k, row in enumerate(self.rows)})

    def projected(self):
        """Return v - A^-1 B^T (B A^-1 B^T)^+ (B v - b) by NumPy alone: a pseudoinverse after a Cholesky scaling."""
        L = np.linalg.cholesky(self.A)
        return self.v - np.linalg.solve(
            L.T, np.linalg.pinv(np.linalg.solve(L, self.B.T).T) @ (self.B @ self.v - self.b)
        )

    def plain(self):
        return impact(self.constrained().numeric_system.problem(np.zeros(0)), 0.5, np.zeros(N), self.v, np.zeros(0))

    def run(self):
        """Run a free system at constant velocities to the event, and return the switch."""
        start = {der(x): v for x, v in zip(X, self.v, strict=True)}
        start |= dict.fromkeys(X, 0.0)
        motion = self.free.simulate(start=start, until=0.6, events=[self.event()])
        assert len(motion.switches) == 1, motion.outcome
        return motion.switches[0]


KINDS = {
    "one row": {"k": 1},
    "three rows": {"k": 3},
    "redundant": {"k": 2, "redundant": True},
    "rheonomic": {"k": 2, "rheonomic": True},
    "redundant and rheonomic": {"k": 3, "redundant": True, "rheonomic": True},
    "everything held": {"k": 5},
}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", KINDS)
def test_the_plain_impact_is_the_orthogonal_projection(kind, seed):
    case = Random(seed, **KINDS[kind])
    after, scale = case.plain(), np.abs(case.v).max()
    np.testing.assert_allclose(after.v, case.projected(), rtol=0, atol=1e-11 * scale)
    np.testing.assert_allclose(after.G.T @ after.impulses, case.A @ (after.v - case.v), rtol=0, atol=1e-11 * scale)
    np.testing.assert_allclose(case.B @ after.v, case.b, rtol=0, atol=1e-12 * scale)


@pytest.mark.parametrize("seed", SEEDS[:1])
@pytest.mark.parametrize("kind", KINDS)
def test_compiled_switch_agrees_with_the_plain_impact(kind, seed):
    case = Random(seed, **KINDS[kind])
    plain, switch = case.plain(), case.run()
    assert switch.t == pytest.approx(0.5, abs=1e-13)
    np.testing.assert_allclose(switch.v_before, case.v, rtol=0, atol=1e-13)
    np.testing.assert_allclose(switch.v, plain.v, rtol=0, atol=1e-12)
    jump = switch.v - switch.v_before
    total = sum(switch.impulses.values())
    np.testing.assert_allclose(total, case.A @ jump, rtol=0, atol=1e-12 * np.abs(case.A @ case.v).max())
    if not KINDS[kind].get("redundant"):  # of redundant rows only the sum is determined
        np.testing.assert_allclose(switch.multipliers, plain.impulses, rtol=0, atol=1e-11)
    before, after = (v @ case.A @ v / 2 for v in (switch.v_before, switch.v))
    assert switch.energy_lost == pytest.approx(before - after, rel=1e-12, abs=1e-12)
    if not case.b.any():
        assert switch.energy_lost == pytest.approx(jump @ case.A @ jump / 2, rel=1e-11)


@pytest.mark.parametrize("seed", [0, 4])
def test_rows_that_are_not_linear_in_velocities(seed):
    """v+ is the nearest velocity with v^T M v = c: A (v+ - v-) is along the gradient 2 M v+."""
    case = Random(seed, k=1)
    M = np.diag([1.0, 2.0, 0.5, 1.5, 1.0])
    c = 0.9 * case.v @ M @ case.v
    speed = sp.Add(*(sp.Rational(float(M[i, i])) * der(x) ** 2 for i, x in enumerate(X))) - sp.Rational(float(c))
    system = case.constrained().constrain("speed", speed)
    after = impact(system.numeric_system.problem(np.zeros(0)), 0.5, np.zeros(N), case.v, np.zeros(0))
    assert after.v @ M @ after.v == pytest.approx(c, rel=1e-13)
    assert (case.B @ after.v)[0] == pytest.approx(0, abs=1e-12)
    gradient = np.vstack([case.B, 2 * M @ after.v])
    np.testing.assert_allclose(gradient.T @ after.impulses, case.A @ (after.v - case.v), rtol=0, atol=1e-10)
    event = lk.Event("both", when=lk.t - sp.Rational(1, 2), add={"row 0": case.rows[0], "speed": speed})
    start = {der(x): v for x, v in zip(X, case.v, strict=True)} | dict.fromkeys(X, 0.0)
    (switch,) = case.free.simulate(start=start, until=0.6, events=[event]).switches
    np.testing.assert_allclose(switch.v, after.v, rtol=0, atol=1e-11)
    np.testing.assert_allclose(sum(switch.impulses.values()), case.A @ (switch.v - case.v), rtol=0, atol=1e-10)
    assert switch.energy_lost == pytest.approx((case.v @ case.A @ case.v - switch.v @ case.A @ switch.v) / 2, rel=1e-11)


@pytest.mark.parametrize("tolerances", [5, 40, 90])
def test_a_constraint_added_within_its_limit_of_tolerances(tolerances):
    """Positions may miss a constraint by 100 tolerances: they are moved onto it, and the run goes on."""
    x, y = lk.coordinates("x y")
    free = lk.System("point", [x, y], kinetic=(der(x) ** 2 + der(y) ** 2) / 2, potential=9.81 * x)
    at = 0.5 + tolerances * (1e-10 + 1e-8 * 0.5)
    hold = lk.Event("hold", when=lk.t - sp.Rational(1, 2), add={"wall": y - sp.Float(at)})
    motion = free.simulate(start={"x": 0, "y": 0, "x'": 0, "y'": 1}, until=1, events=[hold])
    assert motion.outcome.reason == "finished", motion.outcome
    assert motion.q[-1, 1] == pytest.approx(at, abs=1e-15)
    assert motion.switches[0].energy_lost == pytest.approx(0.5, rel=1e-12)


def test_a_row_on_accelerations_lets_no_velocity_jump():
    case = Random(1, k=1)
    hold = lk.Event("hold", when=lk.t - sp.Rational(1, 2), add={"hold": der(X[0], 2) - 3})
    start = {der(x): v for x, v in zip(X, case.v, strict=True)} | dict.fromkeys(X, 0.0)
    motion = case.free.simulate(start=start, until=1, events=[hold])
    (switch,) = motion.switches
    assert np.array_equal(switch.v, switch.v_before)
    assert switch.energy_lost == 0
    assert motion.v[-1, 0] == pytest.approx(case.v[0] + 3 * (1 - switch.t), abs=1e-9)
    assert np.abs(motion.energy.imbalance).max() < 1e-8
