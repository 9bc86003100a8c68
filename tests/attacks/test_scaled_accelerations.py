"""Accelerations of badly scaled systems from every solver, against the same equations in 50 digits."""

import mpmath
import numpy as np
import pytest
from attack_cases import attack_cases

import lienket as lk
from lienket import der

ACCURATE = 1e-6  # [1] error of an acceleration relative to itself, its free parts, and the terms of its rows

BALANCED = 2e-13  # [1] error of an acceleration relative to the accelerations of the single loads, whose sum it is


def exact(A, h, G, g0):
    """Return a and the multipliers by elimination in 50 digits."""
    n, s = len(h), len(g0)
    with mpmath.workdps(50):
        K = mpmath.zeros(n + s)
        right = mpmath.matrix(n + s, 1)
        for i in range(n):
            right[i] = mpmath.mpf(float(h[i]))
            for j in range(n):
                K[i, j] = mpmath.mpf(float(A[i][j]))
        for k in range(s):
            right[n + k] = -mpmath.mpf(float(g0[k]))
            for i in range(n):
                K[n + k, i], K[i, n + k] = mpmath.mpf(float(G[k][i])), -mpmath.mpf(float(G[k][i]))
        solution = np.array([float(x) for x in mpmath.lu_solve(K, right)])
        return solution[:n], solution[n:]


def drawn(rng):
    """Return masses, forces, rows and prescribed accelerations of bodies glued, geared or led by straight guides."""
    n = int(rng.integers(2, 6))
    s = int(rng.integers(1, n))
    spread = rng.choice([0.0, 3.0, 6.0, 12.0])
    masses, forces = 10 ** rng.uniform(-spread, spread, n), rng.normal(size=n) * 10 ** rng.uniform(-spread, spread, n)
    forces *= rng.random(n) < 0.6
    G = np.zeros((s, n))
    for k in range(s):
        i, j = rng.choice(n, 2, replace=False)
        G[k, i], G[k, j] = 1.0, -1.0 if rng.random() < 0.5 else rng.normal()
    g0 = np.where(rng.random(s) < 0.3, rng.normal(size=s) * 10 ** rng.uniform(-spread / 2, spread / 2), 0.0)
    return masses, forces, G * 10 ** rng.uniform(-spread / 4, spread / 4, (s, 1)), g0


@pytest.mark.parametrize("seed", sorted({*attack_cases(3), 2121, 2532}))  # the two: rows that agree in three digits
def test_accelerations_are_those_of_fifty_digits(seed):
    rng = np.random.default_rng([9, seed])
    masses, forces, G, g0 = drawn(rng)
    n = len(masses)
    if np.linalg.matrix_rank(G, tol=1e-8 * np.abs(G).max()) < len(G):
        return
    q, m = lk.coordinates(" ".join(f"q{i}" for i in range(n))), lk.parameters(" ".join(f"m{i}" for i in range(n)))
    F = lk.parameters(" ".join(f"F{i}" for i in range(n)))
    system = lk.System("bodies", list(q), kinetic=sum(m[i] * der(q[i]) ** 2 for i in range(n)) / 2,
                       forces={q[i]: F[i] for i in range(n)})  # fmt: skip
    for k, row in enumerate(G):
        led = sum(float(c) * q[i] for i, c in enumerate(row)) + float(g0[k]) * lk.t**2 / 2
        system = system.constrain(f"row {k}", led)
    values = {f"m{i}": masses[i] for i in range(n)} | {f"F{i}": forces[i] for i in range(n)}
    expected, multipliers = exact(np.diag(masses), forces, G, g0)
    zero = np.zeros(n)
    # An error of one digit in a row's own terms is allowed for: rounded products G_i a_i move all of them.
    scale = np.abs(expected).copy()
    for row, c in zip(G, g0, strict=True):
        there = row != 0
        scale[there] = np.maximum(scale[there], np.max(np.abs(row * expected)) / np.abs(row[there]))
        scale[there] = np.maximum(scale[there], abs(c) / np.abs(row[there]))
    # Balanced forces leave their rounding, and so does the motion of the other bodies in the metric of the masses. Rows
    # that nearly agree load each other with a hundred times the force, which balances too.
    rest = 1e-12 * np.sqrt((np.sum(forces**2 / masses) + np.sum(masses * expected**2)) / masses)
    loads = (np.abs(forces) + np.abs(G.T * multipliers).sum(axis=1)) / masses
    rest = np.maximum(rest, BALANCED * loads)
    found = system.compile().evaluate(t=0.0, q=zero, v=zero, values=values)
    assert found.status in (0, 1, 2)  # no row is dependent, though some agree to 1e-10 in the metric of the masses
    for name, a in {"evaluate": found.accelerations, "at": system.at(zero, zero, values=values).accelerations}.items():
        assert np.all(np.abs(a - expected) <= ACCURATE * scale + rest), (name, a, expected)


def test_a_light_mass_glued_to_a_heavy_one():
    """M = F = 1e12, m = 1: both have the acceleration F/(M + m), from code, at a state and along a run."""
    x, y = lk.coordinates("x y")
    M, m, F = lk.parameters("M m F")
    glued = lk.System("glued", [x, y], kinetic=M * der(x) ** 2 / 2 + m * der(y) ** 2 / 2, forces={y: F})
    glued, audits = glued.constrain("glue", x - y), []
    for heavy in (1e8, 1e12):
        for force in (heavy, 3.1 * heavy, 1e-3 * heavy):
            values, zero = {"M": heavy, "m": 1.0, "F": force}, np.zeros(2)
            expected, near = np.full(2, force / (heavy + 1)), 1e-9 + 1e-12 * np.sqrt(heavy)
            found = glued.compile().evaluate(t=0.0, q=zero, v=zero, values=values)
            assert found.accelerations == pytest.approx(expected, rel=near)
            assert found.multipliers == pytest.approx([force * heavy / (heavy + 1)], rel=1e-12)
            assert glued.at(zero, zero, values=values).accelerations == pytest.approx(expected, rel=near)
            run = glued.simulate(values, until=1.0)
            assert run.accelerations == pytest.approx(np.tile(expected, (len(run.t), 1)), rel=near)
            assert run.q[-1] == pytest.approx(expected / 2, rel=1e-9)
            audits.append(run.audit)
    assert all(audit.ok for audit in audits)


def test_the_audit_warns_of_accelerations_that_break_their_constraints(monkeypatch, tmp_path):
    """Without its check the emitted code has an error of 1e-4 in one acceleration, and the audit names the row."""
    from lienket.compiled.functions import digit_guard  # here, so that the tests above need the public interface alone

    x, y = lk.coordinates("x y")
    T = 5e11 * der(x) ** 2 + der(y) ** 2 / 2
    glued = lk.System("glued", [x, y], kinetic=T, forces={y: 1e12}).constrain("glue", x - y)
    assert glued.simulate(until=1.0).audit.ok
    monkeypatch.setenv("LIENKET_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(digit_guard, "MOST_CANCELLATION", 1e300)
    x, y = lk.coordinates("x_unchecked y_unchecked")
    T = 5e11 * der(x) ** 2 + der(y) ** 2 / 2
    run = lk.System("glued", [x, y], kinetic=T, forces={y: 1e12}).constrain("glue", x - y).simulate(until=1.0)
    assert abs(run.accelerations[0, 1] - 1) > 1e-5
    assert any("'glue' is violated: its acceleration residual" in w for w in run.audit.warnings)
