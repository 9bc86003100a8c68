"""A and h of random trees against sums over bodies in NumPy, formulas against compiled numbers, power of short runs.

    A = sum of m V^T V + W^T J W,    h = sum of V^T (F - m a) + W^T (M - J om' - om x J om)  with q'' = 0

V and W are the velocities of the centres and the angular velocities for unit rates. A joint with Euler parameters p has
c (p . p')^2/2 in the kinetic energy: c p p^T in A, -c (p' . p') p in h, whatever c > 0 is.
"""

import numpy as np
import pytest
import sympy as sp
from audited import Audited, difference
from independent_mechanics import Motion, null_space
from random_mechanisms import Drawn

import lienket as lk

QUICK, SLOW = 10, 50
SAME = 1e-11  # [1] relative to the largest entry
SEEDS = [*range(QUICK), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(QUICK, SLOW))]
FORCES = ("spring", "damper", "torsion_spring", "torsion_damper", "motor", "force", "torque")


def tree(seed, parts=5, bodies=None, moving=False):
    drawn = Drawn(2000 + seed, seed % 2 == 0, bodies=bodies or 2 + seed % 4, parts=parts, moving=moving)
    drawn.parts = [part for part in drawn.parts if part.kind in FORCES]
    return drawn


def euler_joints(drawn):
    """Return the indices of the Euler parameters of each joint that has them."""
    groups = [[drawn.names.index(x) for x in link.coordinates[-4:]] for link in drawn.links if link.euler]
    return groups


def rates_in_the_surface(drawn, q):
    """Return an orthonormal basis of the rates with p . p' = 0, and the directions p."""
    P = np.zeros((len(q), 0))
    for group in euler_joints(drawn):
        column = np.zeros(len(q))
        column[group] = q[group]
        P = np.column_stack([P, column])
    return null_space(P.T)[0], P


@pytest.mark.parametrize("seed", SEEDS)
def test_inertia_matrix_and_right_side(seed):
    drawn = tree(seed, moving=seed % 3 == 0)
    q, n = drawn.q, len(drawn.q)
    D, P = rates_in_the_surface(drawn, q)
    v = drawn.v + 0.0
    still = np.zeros(n)
    for group in euler_joints(drawn):
        still[group] = -(v[group] @ v[group]) * q[group]  # p . p'' + p' . p' = 0 and 2 G p'' = 0
    motion = Motion(drawn, drawn.names, np.array([q, v, still]))
    at_rest = Motion(drawn, drawn.names, np.array([q, 0 * v, 0 * v]))
    unit = [Motion(drawn, drawn.names, np.array([q, e, 0 * e])) for e in D.T]
    A, h = np.zeros((len(unit), len(unit))), np.zeros(len(unit))
    loads = [x for part in drawn.parts for x in part.exerted(motion, part.expected(motion))]
    state = Audited(drawn).state
    for body in drawn.bodies:
        R, place = motion.rotation(body.name), (body.name, body.centre)
        V = np.array([u.point(*place)[1] - at_rest.point(*place)[1] for u in unit]).reshape(-1, 3)
        W = np.array([u.turning(body.name)[0] - at_rest.turning(body.name)[0] for u in unit]).reshape(-1, 3)
        J, (w, turning) = R @ body.J @ R.T, motion.turning(body.name)
        x, _, a = motion.point(*place)
        own = [(f, m + np.cross(p - x, f)) for b, p, f, m in loads if b == body.name and np.any(f)]
        own += [(f, m) for b, p, f, m in loads if b == body.name and not np.any(f)]
        force = sum((f for f, _ in own), start=body.mass * (drawn.gravity - a))
        moment = sum((m for _, m in own), start=-J @ turning - np.cross(w, J @ w))
        A += body.mass * V @ V.T + W @ J @ W.T
        h += V @ force + W @ moment
    assert difference(D.T @ state.A @ D, A) < SAME
    assert difference(D.T @ state.h, h) < SAME * 10
    for group, p in zip(euler_joints(drawn), P.T, strict=True):
        c = p @ state.A @ p
        assert c > 0
        assert difference(state.A @ p, c * p) < SAME
        assert difference(p @ state.h, -c * (v[group] @ v[group])) < SAME * 10


def numbers(matrix, point):
    """Return a matrix of formulas as an array; derivatives are replaced first, since they contain coordinates."""
    names = {x: sp.Dummy() for x in sorted(point, key=lambda x: not isinstance(x, sp.Derivative))}
    entries = [e.xreplace(names) for e in sp.Matrix(matrix)]
    found = sp.lambdify(list(names.values()), entries, "math", cse=True)(*(point[x] for x in names))
    return np.array(found, dtype=float).reshape(matrix.shape)


SHORT_FORMULAS = [0, 2, 4, 5, 6]  # seeds; spatial trees (odd ones) of more coordinates have 1e5 operations and more
LONGER = [*range(8, 30, 2), 3, 21, 35, 37]


@pytest.mark.parametrize("seed", [*SHORT_FORMULAS, *(pytest.param(k, marks=pytest.mark.slow) for k in LONGER)])
def test_formulas_are_the_compiled_equations(seed):
    """`system.free` is derived by Lagrange from energies; the compiled equations come from composite bodies."""
    audited = Audited(tree(seed, parts=3, bodies=2))
    system, rng = audited.system, np.random.default_rng(seed)
    point = {x: float(value) for x, value in system.values.items()} | {lk.t: 0.3}
    q, v = audited.q + rng.uniform(-0.3, 0.3, len(audited.q)), rng.uniform(-1, 1, len(audited.q))
    for group in euler_joints(audited.drawn):
        q[group] /= np.linalg.norm(q[group])  # the formulas agree where p . p = 1
        v[group] -= (q[group] @ v[group]) * q[group]
    point |= dict(zip(system.coordinates, q, strict=True))
    point |= {lk.der(x): rate for x, rate in zip(system.coordinates, v, strict=True)}
    state = system.at(q, v, 0.3)
    D, _ = rates_in_the_surface(audited.drawn, q)  # beside it formulas may differ: that goes into unit multipliers
    assert difference(D.T @ state.A, D.T @ numbers(system.free.A, point)) < SAME
    assert difference(D.T @ state.h, D.T @ numbers(system.free.h, point)[:, 0]) < SAME * 10


def mechanical_energy(drawn, bodies, k):
    """Return kinetic energy and that of weights and springs at row k of a run, from what is reported of the bodies."""
    total, place = 0.0, {"ground": (np.zeros(3), np.eye(3))}
    for body in drawn.bodies:
        found = bodies[body.name]
        x, v, w = (np.asarray(a)[k] for a in (found.position, found.velocity, found.angular_velocity))
        R = found.rotation[k]
        if drawn.planar:
            x, v, w = np.r_[x, 0], np.r_[v, 0], np.r_[0, 0, w]
            R = np.array([[np.cos(R), -np.sin(R), 0], [np.sin(R), np.cos(R), 0], [0, 0, 1]])
        s = R @ body.centre
        speed = v + np.cross(w, s)
        total += body.mass * (speed @ speed / 2 - drawn.gravity @ (x + s)) + w @ R @ body.J @ R.T @ w / 2
        place[body.name] = (x, R)
    for part in drawn.parts:
        (one, r), (other, s) = part.spots
        (x, R), (y, S) = place[one], place[other]
        stretch = np.linalg.norm(y + S @ s - x - R @ r) - part.numbers["length"]
        total += part.numbers["stiffness"] * stretch**2 / 2
    return total


@pytest.mark.parametrize("seed", [*range(4), *(pytest.param(k, marks=pytest.mark.slow) for k in range(4, 20))])
def test_energy_of_short_runs(seed):
    drawn = tree(seed)
    drawn.parts = [part for part in drawn.parts if part.kind == "spring"]
    audited = Audited(drawn)
    run = audited.system.simulate(start=(audited.q, audited.v), until=0.3, rtol=1e-10, atol=1e-12)
    assert run.audit.ok
    first, last = (mechanical_energy(drawn, run.bodies, k) for k in (0, -1))
    size = max(1.0, abs(first), sum(body.mass for body in drawn.bodies) * np.abs(drawn.gravity).max())
    assert abs(last - first) < 1e-7 * size


@pytest.mark.parametrize("seed", [*range(4), *(pytest.param(k, marks=pytest.mark.slow) for k in range(4, 20))])
def test_power_of_runs_with_loops_and_elements(seed):
    """The audit of a run compares the power of all forces with the energy; its last row is the state there."""
    drawn = Drawn(3000 + seed, seed % 2 == 0, bodies=3, loops=1, parts=4)
    audited = Audited(drawn)
    run = audited.system.simulate(start=(audited.q, audited.v), until=0.05)
    assert run.audit.ok
    assert run.audit.imbalance < 1e-9
    last = audited.system.at(run.q[-1], run.v[-1], run.t[-1])
    for name in last.joints:
        assert difference(run.joints[name].force[-1], last.joints[name].force) < 1e-9
        assert difference(run.joints[name].torque[-1], last.joints[name].torque) < 1e-9
