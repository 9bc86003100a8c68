"""Random bodies on two to six rough contacts, against a linear programme for the forces (scipy.optimize.linprog).

A body rests if and only if some forces within all friction cones balance its load. Otherwise it moves, and there are
forces that obey every law with the accelerations found: no force where a contact opens, sliding friction where it
slides, a force within the cone where it stays at rest.
"""

from functools import lru_cache

import numpy as np
import pytest
import sympy as sp
from attack_cases import attack_cases
from scipy.optimize import linprog

import lienket as lk
from lienket import der

INERTIA = np.diag([1.0, 1.0, 0.4])
CLEAR = 1e-4  # [1] margin of the programme, relative to the load, from which its answer is certain


@lru_cache
def body(count):
    """Return a plane body with contact points p against fixed lines with the normals n; loads change linearly."""
    x, y, phi = lk.coordinates("x y phi")
    loads = lk.parameters("X Y M X1 Y1 M1")
    A = INERTIA.diagonal()
    kinetic = sum(a * der(c) ** 2 for a, c in zip(A, (x, y, phi), strict=True)) / 2
    forces = {c: loads[k] + loads[k + 3] * lk.t for k, c in enumerate((x, y, phi))}
    system = lk.System("body", [x, y, phi], kinetic=kinetic, forces=forces)
    for k in range(count):
        px, py, nx, ny, mu = lk.parameters(f"px{k} py{k} nx{k} ny{k} mu{k}")
        px_, py_ = x + px * sp.cos(phi) - py * sp.sin(phi), y + px * sp.sin(phi) + py * sp.cos(phi)
        gap = nx * (px_ - px) + ny * (py_ - py)
        slip = sp.diff(-ny * px_ + nx * py_, lk.t)
        system = system.constrain(f"c{k}", gap, law=lk.Coulomb(mu, slip=slip, unilateral=True))
    return system


class Case:
    """A random body: contact rows C (2 c x 3), coefficients, load."""

    def __init__(self, seed):
        rng = np.random.default_rng(seed)
        self.count = c = int(rng.integers(2, 7))
        kind = rng.choice(["feet", "groove", "ladder", "pegs"])
        angles = {
            "feet": np.zeros(c),
            "groove": rng.choice([-1, 1], c) * rng.uniform(0.3, 1.2),
            "ladder": rng.choice([0.0, -np.pi / 2], c),
            "pegs": rng.uniform(-np.pi, np.pi, c),
        }[kind]
        self.n = np.stack([-np.sin(angles), np.cos(angles)], axis=1)
        self.p = (
            rng.uniform(-1, 1, (c, 2)) if kind != "feet" else np.stack([rng.uniform(-1, 1, c), np.full(c, -0.5)], 1)
        )
        self.mu = rng.uniform(0.05, 0.9, c) * (rng.random(c) < 0.9)
        tangents = np.stack([-self.n[:, 1], self.n[:, 0]], axis=1)
        rows = []
        for p, n, t in zip(self.p, self.n, tangents, strict=True):
            rows += [[*n, n @ [-p[1], p[0]]], [*t, t @ [-p[1], p[0]]]]
        self.C = np.array(rows)
        pushes = np.repeat(rng.uniform(0, 1, c), 2)
        pushes[1::2] *= self.mu * rng.uniform(-1.3, 1.3, c) * rng.choice([0.3, 1.0])
        self.load = -self.C.T @ pushes if rng.random() < 0.8 else rng.normal(size=3)

    def values(self, rate=(0.0, 0.0, 0.0)):
        """Return the parameters of the system."""
        numbers = dict(zip("XYM", self.load, strict=True)) | dict(zip(("X1", "Y1", "M1"), rate, strict=True))
        for k in range(self.count):
            named = (("px", self.p[k, 0]), ("py", self.p[k, 1]), ("nx", self.n[k, 0]), ("ny", self.n[k, 1]))
            numbers |= {f"{name}{k}": float(x) for name, x in (*named, ("mu", self.mu[k]))}
        return numbers

    def margin(self, load):
        """Return the largest margin of forces that hold the body at rest, relative to the load; negative if none do."""
        return cone_margin(self.C, self.mu, load, [(0, 0)] * self.count)


def cone_margin(C, mu, force, motion, size=None):
    """Return the largest m with C^T f = -force and every inequality of the forces f satisfied by m, at most 1.

    `motion` has the signs of normal and tangential acceleration of each contact.
    """
    size, c = size or np.abs(force).max(), len(mu)
    inequalities, equations, right = [], [np.append(column, 0.0) for column in C.T], list(-force / size)
    for k, (opens, slides) in enumerate(motion):
        normal, tangential = np.zeros(2 * c + 1), np.zeros(2 * c + 1)
        normal[2 * k], tangential[2 * k + 1] = 1, 1
        if opens:
            equations, right = [*equations, normal, tangential], [*right, 0.0, 0.0]
            continue
        margin = np.zeros(2 * c + 1)
        margin[-1] = 1
        inequalities.append(margin - normal)
        if slides or mu[k] == 0:
            equations, right = [*equations, tangential + mu[k] * slides * normal], [*right, 0.0]
        else:
            inequalities += [margin - mu[k] * normal + tangential, margin - mu[k] * normal - tangential]
    bounds = [(None, None)] * (2 * c) + [(None, 1)]
    cost = np.append(np.zeros(2 * c), -1.0)
    above = (np.array(inequalities), np.zeros(len(inequalities))) if inequalities else (None, None)
    found = linprog(cost, *above, np.array(equations), right, bounds=bounds)
    return -found.fun if found.status == 0 else -1.0


def obeys(case, a, load, slack=1e-5):
    """Return whether forces exist that obey every law with the accelerations a."""
    y, size = (case.C @ a).reshape(-1, 2), np.abs(load).max()
    if y[:, 0].min() < -slack * size:
        return False
    little = 1e-7 * size
    signs = [(yn > little, 0 if abs(yt) <= little else np.sign(yt)) for yn, yt in y]
    return cone_margin(case.C, case.mu, load - INERTIA @ a, signs, size) > -slack


# 10308, 11239: on smooth feet, where the projection removes the velocities that rounding has left.
@pytest.mark.parametrize("seed", sorted({*attack_cases(3), 10308, 11239}))
def test_rests_or_moves(seed):
    case = Case(seed)
    margin, values = case.margin(case.load), case.values()
    if abs(margin) < CLEAR:
        return  # at its limit
    system, state, refusal = body(case.count), None, ""
    try:
        state = system.at([0, 0, 0], [0, 0, 0], values=values)
    except lk.LienketError as error:
        refusal = str(error)
    if state is None:
        assert margin < 0
        assert "Painleve" in refusal
        return
    motion = system.simulate(values, start={"x": 0.0, "y": 0.0, "phi": 0.0}, until=0.2)
    if margin > 0:
        assert motion.outcome.reason == "finished"
        assert np.abs(motion.q).max() < 1e-14
        assert np.abs(state.accelerations).max() < 1e-12
        assert motion.audit.ok, motion.audit.warnings
    else:
        assert obeys(case, state.accelerations, case.load)
        first = motion.at(0.0).accelerations
        assert np.abs(first - state.accelerations).max() < 1e-9
        assert motion.outcome.reason == "finished" or "Painleve" in str(motion.outcome), str(motion.outcome)


@pytest.mark.parametrize("seed", attack_cases(2))
def test_a_growing_load_ends_the_rest(seed):
    """The load changes linearly; the body starts to move where the programme becomes infeasible."""
    case = Case(1_000_000 + seed)
    if case.margin(case.load) < 0.01:
        return
    rate = np.random.default_rng(seed).normal(size=3)
    low, high = 0.0, 10.0
    if case.margin(case.load + high * rate) > -CLEAR:
        return
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if case.margin(case.load + middle * rate) > 0 else (low, middle)
    if low < 1e-5:
        return  # smooth contacts: any rate of the load moves it at once
    start = {"x": 0.0, "y": 0.0, "phi": 0.0}
    motion = body(case.count).simulate(case.values(rate), start=start, until=low + 0.02)
    if not motion.switches:
        assert "Painleve" in str(motion.outcome) and motion.t[-1] == pytest.approx(low, rel=1e-6, abs=1e-7)
        return
    assert motion.switches[0].t == pytest.approx(low, rel=1e-6, abs=1e-7)
    still = motion.t < motion.switches[0].t
    assert np.abs(motion.q[still]).max() < 1e-14
    if motion.outcome.reason == "finished":
        a = np.array(motion.at(low + 0.019).accelerations)
        assert np.abs(motion.q[-1]).max() > 0 and np.isfinite(a).all()
    else:
        assert "Painleve" in str(motion.outcome), str(motion.outcome)
