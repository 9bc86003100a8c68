"""Random impacts at one to four rough contacts with different restitutions: no law supplies energy.

Whatever law solves an impact: the momentum balance is exact, normal impulses push, friction is at most mu_static times
them, no contact approaches afterwards, and the energy does not rise. By Newton's law contacts that push return e times
their approach. By Poisson's law the velocities are those of the two phases solved here by trying all patterns
(compression) and by bounded least squares (friction of the expansion), where the first has one solution.
"""

from functools import cache
from itertools import product

import numpy as np
import pytest
import sympy as sp
from attack_cases import attack_cases
from scipy.optimize import lsq_linear

import lienket as lk

SIZES = {1: 3, 2: 3, 3: 4, 4: 4}  # numbers of coordinates by number of contacts
NEAR = 1e-9
# The last one is for bodies jammed by impulses that are 1e5 times their momentum: their velocities are rounding then.
REFUSALS = ("Painleve", "No impulses at", "contradicts")


@cache
def body(count, law, scaled):
    """Return a system with inertia R R^T, gaps N q >= 0 (3 N q >= 0 if `scaled`) and slips T q', all parameters."""
    n = SIZES[count]
    q = [lk.coordinates(f"q{i}") for i in range(n)]
    named = {
        letter: sp.Matrix(rows, n, lambda i, j, letter=letter: lk.parameters(f"{letter}{i}_{j}"))
        for letter, rows in (("R", n), ("N", count), ("T", count))
    }
    more = [lk.parameters(f"{name}{i}") for i in range(count) for name in ("e", "m", "s")]
    values = dict.fromkeys([*named["R"], *named["N"], *named["T"], *more], 1.0)
    system = lk.System("body", q, inertia=named["R"] * named["R"].T, values=values)
    for i in range(count):
        gap, slip = ((named[letter][i, :] * sp.Matrix(q))[0] for letter in "NT")
        e, mu, static = lk.parameters(f"e{i} m{i} s{i}")
        factor = 3 if scaled else 1
        friction = lk.Coulomb(
            mu, slip=sp.diff(slip, lk.t), mu_static=static, unilateral=True, restitution=e, impact=law,
            normal_factor=factor,
        )  # fmt: skip
        system = system.constrain(f"c{i}", factor * gap, law=friction)
    return system


class Case:
    """Numbers of a random impact at q = 0, where all contacts are closed."""

    def __init__(self, seed):
        rng = np.random.default_rng([15, seed])
        self.count = 1 + seed % 4
        n = SIZES[self.count]
        self.R = np.tril(rng.normal(size=(n, n)), -1) * rng.choice([0, 1]) + np.diag(10 ** rng.uniform(-1, 1, n))
        self.A = self.R @ self.R.T
        self.N, self.T = rng.normal(size=(2, self.count, n))
        if n == 3 and rng.random() < 0.4:  # corners of a plane body on a floor
            arms = rng.normal(size=(2, self.count))
            self.N = np.stack([np.zeros(self.count), np.ones(self.count), arms[0]], axis=1)
            self.T = np.stack([np.ones(self.count), np.zeros(self.count), -arms[1]], axis=1)
        self.e = rng.choice([0, 0.2, 0.5, 0.9, 1.0], self.count)
        self.mu = rng.choice([0.1, 0.5, 1.0, 2.0], self.count) * rng.uniform(0.3, 1, self.count)
        self.static = self.mu * (1 if rng.random() < 0.7 else rng.uniform(1, 1.5))
        self.v, self.law = rng.normal(size=n), str(rng.choice(["newton", "poisson"]))
        self.scaled = bool(rng.random() < 0.3)

    def run(self):
        """Return the run from q = 0; None if the laws leave no impact or no motion, which must be said."""
        values = {f"{letter}{i}_{j}": x for letter in "RNT" for (i, j), x in np.ndenumerate(getattr(self, letter))}
        numbers = (("e", self.e), ("m", self.mu), ("s", self.static))
        values |= {f"{name}{i}": x for name, each in numbers for i, x in enumerate(each)}
        system = body(self.count, self.law, self.scaled)
        refusal, motion = "", None
        try:
            motion = system.simulate(values, start=(np.zeros(len(self.v)), self.v), until=1e-3)
        except lk.LienketError as error:
            refusal = str(error)
        if motion is None or not motion.switches:
            refusal = refusal or str(motion.outcome)
            assert any(word in refusal for word in REFUSALS), refusal
            return None
        return motion

    # Poisson's law by other means

    def plastic(self, u, B, D):
        """Return all jumps of a plastic impact at velocities u; rows B, D (unit inertia) of normals and slips."""
        found = []
        for modes in product((None, 0, 1, -1), repeat=self.count):
            closed = [k for k, d in enumerate(modes) if d is not None]
            sticking = [k for k, d in enumerate(modes) if d == 0]
            columns = [B[k] - (self.mu[k] * modes[k] * D[k] if modes[k] else 0) for k in closed] + [
                D[k] for k in sticking
            ]
            rows = [B[k] for k in closed] + [D[k] for k in sticking]
            if not rows:
                jump, forces = np.zeros(len(u)), []
            else:
                M = np.array(rows) @ np.array(columns).T
                if np.linalg.cond(M) > 1e10:
                    return []
                forces = np.linalg.solve(M, -np.array(rows) @ u)
                jump = np.array(columns).T @ forces
            after = u + jump
            load = dict(zip(closed, forces, strict=False))
            held = dict(zip(sticking, forces[len(closed) :], strict=True))
            if (
                all(x >= -NEAR for x in load.values())
                and all(B[k] @ after >= -NEAR for k in range(self.count))
                and all(abs(x) <= self.static[k] * load[k] + NEAR for k, x in held.items())
                and all(d * (D[k] @ after) >= -NEAR for k, d in enumerate(modes) if d)
                and not any(np.allclose(jump, other[0], atol=1e-7) for other in found)
            ):
                found.append((jump, np.array([load.get(k, 0.0) for k in range(self.count)])))
        return found

    def poisson(self):
        """Return the velocities after the impact by Poisson's law; None where a phase has several solutions."""
        root = np.linalg.inv(self.R)  # u = R^T v has unit inertia
        B, D, u = self.N @ root.T, self.T @ root.T, self.R.T @ self.v
        phase = self.plastic(u, B, D)
        if len(phase) != 1:
            return None
        u, loads = u + phase[0][0], self.e * phase[0][1]
        u = u + B.T @ loads
        bounds = self.mu * loads
        u = u + D.T @ lsq_linear(D.T, -u, (-bounds - 1e-300, bounds + 1e-300), method="bvls", tol=1e-14).x
        if (B @ u).min() < 0:
            phase = self.plastic(u, B, D)
            if len(phase) != 1:
                return None
            u = u + phase[0][0]
        return root.T @ u


@pytest.mark.parametrize("seed", attack_cases(16))
def test_rough_impacts_supply_no_energy(seed):
    case = Case(seed)
    if (case.N @ case.v).min() >= -1e-6 or (motion := case.run()) is None:
        return
    switch, size = motion.switches[0], np.abs(case.v).max()
    normal = np.array([switch.struck[f"c{i}"] for i in range(case.count)])
    friction = np.array([switch.struck[f"c{i}, sticking"] for i in range(case.count)])
    largest = np.abs(normal).max()
    assert normal.min() >= -1e-11 * largest
    assert np.all(np.abs(friction) <= case.static * normal + 1e-8 * largest)
    assert (case.N @ switch.v).min() >= -1e-8 * max(size, np.abs(switch.v).max())
    change = case.A @ (switch.v - case.v) - case.N.T @ normal - case.T.T @ friction
    terms = np.abs(case.A).max() * max(size, np.abs(switch.v).max()) + np.abs(case.N).max() * largest
    assert np.abs(change).max() <= 1e-9 * terms
    before, after = (v @ case.A @ v for v in (case.v, switch.v))
    assert after <= before * (1 + 1e-9), switch.law
    assert not any("supplies energy" in warning for warning in motion.audit.warnings)
    approach, rates, slips = np.minimum(case.N @ case.v, 0.0), case.N @ switch.v, case.T @ switch.v
    if switch.law == "newton":
        pushing = normal > 1e-8 * largest
        assert np.all(np.abs(rates + case.e * approach)[pushing] <= 1e-7 * max(size, np.abs(switch.v).max()))
        sliding = pushing & (np.abs(slips) > 1e-6)
        assert friction[sliding] == pytest.approx((-case.mu * normal * np.sign(slips))[sliding], rel=1e-7)
    elif switch.law in ("poisson", "poisson instead of newton") and np.all(case.mu == case.static):
        expected = case.poisson()
        if expected is not None:
            assert switch.v == pytest.approx(expected, rel=1e-6, abs=1e-6 * max(size, np.abs(expected).max()))


def test_two_rough_contacts_with_different_restitutions_may_need_less():
    """Newton's law and Poisson's would both raise the energy; switch and audit name what was taken instead."""
    case = Case(485)
    motion = case.run()
    switch = motion.switches[0]
    assert switch.law == "poisson with less restitution"
    assert "by Poisson's law with less restitution" in str(switch)
    assert "1 by Poisson's law with less restitution" in str(motion.audit)
    assert motion.audit.ok
