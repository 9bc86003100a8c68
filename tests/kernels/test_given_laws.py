"""Theory 9: r = r_ideal + A W c, and W c is the formula of Udwadia and Kalaba, on random systems.

F. E. Udwadia, R. E. Kalaba, What is the general form of the explicit equations of motion for constrained mechanical
systems?, J. Appl. Mech. 69 (2002): the non-ideal part of the acceleration is A^-1/2 (I - B^+ B) A^-1/2 c, B = G A^-1/2.
"""

import numpy as np
import pytest
from families import close, drawn, family

SHAPES = [(3, 1, 0), (4, 2, 0), (4, 3, 1), (5, 3, 0), (5, 4, 2)]  # coordinates, rows, redundant ones among them
shapes = pytest.mark.parametrize("shape", SHAPES, ids=str)
SEEDS = range(12)


def udwadia_kalaba(A, h, G, g):
    """Return the ideal accelerations, and the matrix that turns c into accelerations."""
    w, V = np.linalg.eigh(A)
    root = V / np.sqrt(w) @ V.T
    B = G @ root
    back = np.linalg.pinv(B, rcond=1e-10)
    a = np.linalg.solve(A, h)
    return a + root @ back @ (-g - G @ a), root @ (np.eye(len(h)) - back @ B) @ root


def with_forces(shape, kinds, seed, **more):
    n, s, redundant = shape
    rng = np.random.default_rng([*shape, seed])
    names = {key: rng.normal(size=size) for key, size in more.items()}
    numbers = drawn(rng, n, s, redundant, **names)
    system = family(n, kinds)
    return system, numbers, udwadia_kalaba(numbers.A, numbers.f, numbers.G, numbers.g)


def compiled_of(system, numbers):
    """Return the state computed by the machine code for many states."""
    names = {p.name for p in system.parameters}
    values = {name: float(x) for name, x in numbers.values.items() if name in names}
    return system.compile().evaluate(0.0, np.zeros(len(numbers.f)), numbers.v, values)


@shapes
def test_exerted_forces_act_by_the_formula_of_udwadia_and_kalaba(shape):
    """Two constraints exert c_0 and c_1; their sum determines the motion, each is reported by name."""
    n, s, redundant = shape
    kinds = ("exerted",) * min(2, s) + ("ideal",) * (s - 2)
    for seed in SEEDS:
        system, numbers, (a, W) = with_forces(shape, kinds, seed, c=(min(2, s), n))
        c = numbers.more["c"]
        state = numbers.state_of(system)
        close(state.W, W)
        close(state.accelerations, a + W @ c.sum(axis=0))
        ideal = numbers.A @ a - numbers.f
        close(state.reaction, ideal + numbers.A @ W @ c.sum(axis=0))
        for k in range(min(2, s)):
            close(state.exerted[f"c{k}"], c[k])
            close(state.reactions[f"c{k}"], c[k] + numbers.G[k] * state.multipliers[k], 1e-10)
        close(sum(state.reactions.values()), state.reaction, 1e-10)
        assert redundant or state.audit.accurate  # for redundant rows the audit needs slow algebra
        fast = compiled_of(system, numbers)
        close(fast.accelerations, state.accelerations)
        close(fast.multipliers, state.multipliers, 1e-9)  # S is worse conditioned than A
        close(fast.exerted[: min(2, s)], c)


@shapes
def test_only_the_part_of_a_force_along_free_motions_acts(shape):
    """c in the range of G^T changes lambda by as much, and leaves r unchanged."""
    n, s, _ = shape
    kinds = ("exerted",) + ("ideal",) * (s - 1)
    for seed in SEEDS[:4]:
        system, numbers, (a, _) = with_forces(shape, kinds, seed, c=(1, n))
        numbers.more["c"][0] = numbers.G.T @ np.arange(1.0, s + 1)
        state = numbers.state_of(system)
        close(state.accelerations, a)
        close(state.reaction, numbers.A @ a - numbers.f, 1e-10)
        close(numbers.G.T @ state.multipliers + numbers.more["c"][0], numbers.A @ a - numbers.f, 1e-10)


@shapes
def test_viscous_laws(shape):
    """c_k = -b_k (T_k q') T_k^T takes energy out: q'^T r <= 0, since the constraints do not depend on time."""
    s = shape[1]
    kinds = ("viscous",) * min(2, s) + ("ideal",) * (s - 2)
    for seed in SEEDS:
        system, numbers, (a, W) = with_forces(shape, kinds, seed, b=(min(2, s),))
        b = numbers.more["b"] = np.abs(numbers.more["b"])
        c = [-b[k] * (numbers.T[k] @ numbers.v) * numbers.T[k] for k in range(len(b))]
        state = numbers.state_of(system)
        close(state.accelerations, a + W @ np.sum(c, axis=0))
        close(compiled_of(system, numbers).accelerations, state.accelerations)
        power = numbers.v @ state.reaction
        close(power, -sum(b[k] * (numbers.T[k] @ numbers.v) ** 2 for k in range(len(b))), 1e-9)
        assert power <= 0


@pytest.mark.parametrize("shape", [(3, 1, 0), (4, 2, 0), (5, 3, 0)], ids=str)
def test_ideal_constraints_are_the_limit_of_vanishing_friction(shape):
    """a(mu) = a(0) - mu W sum |lambda_k| sign(slip_k) T_k + O(mu^2): halving mu quarters the remainder."""
    s = shape[1]
    for seed in SEEDS:
        system, numbers, (a, W) = with_forces(shape, ("coulomb",) * s, seed)
        S = numbers.G @ np.linalg.solve(numbers.A, numbers.G.T)
        lamb = -np.linalg.solve(S, numbers.G @ np.linalg.solve(numbers.A, numbers.f) + numbers.g)
        slope = -W @ (numbers.T.T @ (np.abs(lamb) * np.sign(numbers.T @ numbers.v)))
        left = []
        for mu in (0.0, 1e-3, 5e-4, 1e-9):
            numbers.more.update(mu=np.full(s, mu), static=np.full(s, mu))
            accelerations = numbers.state_of(system).accelerations
            left.append(np.linalg.norm(accelerations - a - mu * slope) / np.linalg.norm(a))
        assert left[0] < 1e-12 and left[3] < 1e-12
        assert left[1] < 1e-2 and left[2] == pytest.approx(left[1] / 4, rel=0.2)
