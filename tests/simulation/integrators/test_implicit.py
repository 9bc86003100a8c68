"""Implicit integrators: stiff systems with closed solutions, agreement with explicit ones, all kinds of constraints."""

from itertools import pairwise

import numpy as np
import pytest
import scipy.linalg
import sympy as sp
from bare import energy, problem_of, run
from starting import model

import lienket as lk
from lienket import der
from lienket.simulation.memory import codes, counts

METHODS = ["radau5", "bdf"]
STEPS = {"radau5": 300, "bdf": 600}
"""More would be steps of the fast part of a motion that has died out."""
each_method = pytest.mark.parametrize("method", METHODS)


def mass(name="mass", potential=0, force=0, dissipation=0):
    (x,) = (lk.coordinates("x"),)
    return lk.System(
        name, [x], kinetic=der(x) ** 2 / 2, potential=potential, forces={x: force}, dissipation=dissipation
    )


def pendulum(*constraints):
    """Return a particle on a circle of radius 1, in Cartesian coordinates; g = 9.81."""
    x, y = lk.coordinates("x y")
    system = lk.System("pendulum", [x, y], kinetic=(der(x) ** 2 + der(y) ** 2) / 2, potential=9.81 * y)
    for k, constraint in enumerate(constraints or [x**2 + y**2 - 1]):
        system = system.constrain(f"circle {k}", constraint)
    return system


# The constants of Radau IIA


def test_radau_constants_satisfy_their_definition():
    from lienket.simulation.integrators.tableaus import radau5 as c

    A, nodes = np.array(c.A), np.array([c.C1, c.C2, c.C3])
    for k in range(1, 4):  # collocation: C(3)
        np.testing.assert_allclose(A @ nodes ** (k - 1), nodes**k / k, atol=1e-15)
    for k in range(1, 6):  # B(5): order 5
        assert A[2] @ nodes ** (k - 1) == pytest.approx(1 / k, abs=1e-15)
    blocks = [[c.GAMMA, 0, 0], [0, c.ALPHA, c.BETA], [0, -c.BETA, c.ALPHA]]
    np.testing.assert_allclose(np.array(c.T_INVERSE) @ np.linalg.inv(A) @ np.array(c.T), blocks, atol=3e-14)
    np.testing.assert_allclose(np.array(c.A_INVERSE) @ A, np.eye(3), atol=1e-14)
    powers = np.array(c.POWERS)
    for i in range(3):
        np.testing.assert_allclose(powers[i] @ (nodes[None, :] ** np.arange(1, 4)[:, None]), np.eye(3)[i], atol=1e-14)


def test_radau_error_estimate_is_of_order_three():
    # The embedded quadrature h/GAMMA f(y0) + sum b_i h f_i, b = ERROR-combination, integrates 1, x, x^2 exactly.
    from lienket.simulation.integrators.tableaus import radau5 as c

    A, nodes = np.array(c.A), np.array([c.C1, c.C2, c.C3])
    weights = np.array(c.ERROR) @ A  # of the rates at the stages; that of f(y0) is 1
    assert weights.sum() + 1 == pytest.approx(0, abs=1e-13)
    for k in (1, 2):
        assert weights @ nodes**k == pytest.approx(0, abs=1e-13)
    assert abs(weights @ nodes**3) > 1e-3


@pytest.mark.parametrize("steps", [32, 64])
def test_radau_has_order_five_at_fixed_steps(steps):
    x = lk.coordinates("x")
    system = mass(potential=2 * x**2, force=sp.cos(lk.t), dissipation=der(x) ** 2 / 10)

    def error(count):
        motion = run(system, [1.0], [0.0], 4.0, "radau5", rtol=1e3, atol=1e3, step=4.0 / count)
        assert motion.code == codes.DONE
        assert len(motion.t) == count
        return np.linalg.norm(motion.end - exact)

    J = np.array([[0.0, 1.0, 0, 0], [-4, -0.2, 1, 0], [0, 0, 0, -1], [0, 0, 1, 0]])
    exact = (scipy.linalg.expm(4.0 * J) @ [1.0, 0.0, 1.0, 0.0])[:2]
    assert np.log2(error(steps) / error(2 * steps)) == pytest.approx(5, abs=0.2)


# Stiff systems with closed solutions


@each_method
@pytest.mark.parametrize("fast", [1e3, 1e6, 1e9])
def test_two_rates_of_decay(method, fast):
    x = lk.coordinates("x")
    system = mass(force=-(1 + fast) * der(x) - fast * x)
    motion = run(system, [1.0], [0.0], 3.0, method, 1e-7, 1e-9)
    exact = (fast * np.exp(-3.0) - np.exp(-3.0 * fast)) / (fast - 1)
    assert motion.code == codes.DONE
    np.testing.assert_allclose(motion.end, [exact, -exact], rtol=3e-6)
    assert motion.counts[counts.STEPS] < STEPS[method]


@each_method
def test_motion_near_a_smooth_solution_takes_steps_of_its_own_size(method):
    x = lk.coordinates("x")
    force = -1e8 * (x - sp.sin(lk.t)) - 1e8 * (der(x) - sp.cos(lk.t)) - sp.sin(lk.t)
    motion = run(mass(force=force), [0.0], [1.0], 10.0, method, 1e-6, 1e-8)
    assert motion.code == codes.DONE
    np.testing.assert_allclose(motion.q[:, 0], np.sin(motion.t), atol=1e-5)
    np.testing.assert_allclose(motion.v[:, 0], np.cos(motion.t), atol=1e-5)
    assert motion.counts[counts.STEPS] < STEPS[method]


def test_radau_holds_a_velocity_that_a_stiff_spring_prescribes():
    x = lk.coordinates("x")
    force = -1e8 * (x - sp.sin(lk.t)) - 1e4 * (der(x) - sp.cos(lk.t)) - sp.sin(lk.t)
    motion = run(mass(force=force), [0.0], [1.0], 10.0, "radau5", 1e-6, 1e-8)
    assert motion.code == codes.DONE
    np.testing.assert_allclose(motion.q[:, 0], np.sin(motion.t), atol=1e-6)
    np.testing.assert_allclose(motion.v[:, 0], np.cos(motion.t), atol=1e-5)
    assert motion.counts[counts.STEPS] < STEPS["radau5"]


@each_method
def test_seventy_masses_on_stiff_springs(method):
    """More than 60 coordinates, for which LAPACK is used: x'' = -k K x - k K x'/100 is linear."""
    n, k = 70, 1e4
    q = lk.coordinates(" ".join(f"x{i}" for i in range(n)))
    gaps = [q[0], *(b - a for a, b in pairwise(q)), -q[-1]]
    potential, dissipation = (sum(k * f(e) ** 2 / 2 for e in gaps) for f in (lambda e: e, lambda e: der(e) / 10))
    system = lk.System(
        "chain", q, kinetic=sum(der(x) ** 2 for x in q) / 2, potential=potential, dissipation=dissipation
    )
    K = k * (2 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1))
    J = np.block([[np.zeros((n, n)), np.eye(n)], [-K, -K / 100]])
    start = np.concatenate([np.sin(np.pi * np.arange(1, n + 1) / (n + 1)), np.zeros(n)])
    motion = run(system, start[:n], start[n:], 0.5, method, 1e-6, 1e-8)
    assert motion.code == codes.DONE
    exact = scipy.linalg.expm(0.5 * J) @ start
    assert np.max(np.abs(motion.end - exact)) < 1e-5 * np.max(np.abs(exact))


VAN_DER_POL = [1.706167732170483, -0.8928097010247975]
"""At t = 2 from (2, 0), with 1e-6: Test Set for IVP Solvers (Mazzia and Magherini), problem VDPOL."""


@each_method
def test_van_der_pol_as_published(method):
    x = lk.coordinates("x")
    system = mass(force=((1 - x**2) * der(x) - x) * 1e6)
    errors = []
    for tolerance in (1e-5, 1e-7, 1e-9):
        motion = run(system, [2.0], [0.0], 2.0, method, tolerance, tolerance)
        assert motion.code == codes.DONE
        errors.append(np.max(np.abs(motion.end - VAN_DER_POL)) / tolerance)
    assert max(errors) < 10


# Agreement with the explicit integrator


@each_method
def test_pendulum_agrees_with_the_explicit_method(method):
    explicit = run(pendulum(), [1.0, 0.0], [0.0, 0.0], 5.0, "dop853", 1e-12, 1e-13)
    motion = run(pendulum(), [1.0, 0.0], [0.0, 0.0], 5.0, method, 1e-7, 1e-9)
    assert np.max(np.abs(motion.end - explicit.end)) < 1e-5
    np.testing.assert_allclose(np.hypot(*motion.q.T), 1, atol=1e-12)
    np.testing.assert_allclose(np.sum(motion.q * motion.v, axis=1), 0, atol=1e-12)


@each_method
def test_rows_at_requested_times(method):
    times = np.linspace(0.05, 2.0, 40)
    explicit = run(pendulum(), [1.0, 0.0], [0.0, 0.0], 2.0, "dop853", 1e-12, 1e-13, times=times)
    motion = run(pendulum(), [1.0, 0.0], [0.0, 0.0], 2.0, method, 1e-7, 1e-9, times=times)
    np.testing.assert_array_equal(motion.t, times)
    np.testing.assert_allclose(motion.q, explicit.q, atol=2e-5)
    np.testing.assert_allclose(motion.v, explicit.v, atol=1e-4)


@each_method
def test_a_smaller_tolerance_gives_a_smaller_error(method):
    exact = run(pendulum(), [1.0, 0.0], [0.0, 0.0], 3.0, "dop853", 1e-13, 1e-14).end
    errors = [
        np.max(np.abs(run(pendulum(), [1.0, 0.0], [0.0, 0.0], 3.0, method, tol, tol).end - exact))
        for tol in (1e-4, 1e-6, 1e-8, 1e-10)
    ]
    assert errors[1] < errors[0] / 5 and errors[2] < errors[1] / 5 and errors[3] < errors[2] / 5
    assert errors[3] < 1e-8


# Constraints of all kinds


@each_method
def test_redundant_constraints_change_nothing(method):
    x, y = lk.coordinates("x y")
    twice = pendulum(x**2 + y**2 - 1, 3 * x**2 + 3 * y**2 - 3)
    once = run(pendulum(), [1.0, 0.0], [0.0, 0.0], 3.0, method, 1e-7, 1e-9)
    motion = run(twice, [1.0, 0.0], [0.0, 0.0], 3.0, method, 1e-7, 1e-9)
    assert motion.code == codes.DONE
    np.testing.assert_allclose(motion.end, once.end, atol=1e-6)
    assert motion.counts[counts.STEPS] == pytest.approx(once.counts[counts.STEPS], rel=0.05)


@each_method
def test_carriage_with_viscous_wheels(method):
    """Nonholonomic, with strongly braked wheels whose speeds fall within milliseconds."""
    carriage = model("carriage")
    x, y, _, phi1, phi2 = carriage.coordinates
    braked = lk.System(
        "braked carriage",
        carriage.coordinates,
        kinetic=carriage.statement.free.kinetic,
        dissipation=50 * (der(phi1) ** 2 + der(phi2) ** 2),
        potential=3 * (x**2 + y**2),
        values=carriage.values,
    )
    for constraint in carriage.constraints:
        braked = braked.constrain(constraint.name, list(constraint.expressions))
    start = braked.consistent({"x": 0.5, "y": 0.2, "theta": 0.3, "phi1'": 20.0, "phi2'": -10.0})
    explicit = run(braked, start.q, start.v, 2.0, "dop853", 1e-12, 1e-13)
    motion = run(braked, start.q, start.v, 2.0, method, 1e-7, 1e-9)
    assert motion.code == codes.DONE
    np.testing.assert_allclose(motion.end, explicit.end, atol=1e-5)
    assert motion.counts[counts.STEPS] < STEPS[method]


@each_method
def test_work_of_a_moving_constraint_and_a_stiff_damper(method):
    """For a moving pivot on a stiff spring E - W is constant."""
    x, y, s = lk.coordinates("x y s")
    system = lk.System(
        "moved pivot",
        [x, y, s],
        kinetic=(der(x) ** 2 + der(y) ** 2 + der(s) ** 2) / 2,
        potential=9.81 * y + 1e5 * (s - sp.sin(2 * lk.t) / 5) ** 2 / 2,
        dissipation=300 * (der(s) - 2 * sp.cos(2 * lk.t) / 5) ** 2,
    ).constrain("rod", (x - s) ** 2 + (y - sp.cos(lk.t) / 10) ** 2 - 1)
    start = system.consistent({"x": 0.6, "y": -0.7, "s": 0.0, "s'": 0.4})
    motion = run(system, start.q, start.v, 3.0, method, 1e-7, 1e-9)
    assert motion.code == codes.DONE
    balance = energy(problem_of(system), motion) - motion.work
    size = np.ptp(motion.work)
    assert size > 1
    assert np.ptp(balance) < 1e-4 * size
    explicit = run(system, start.q, start.v, 3.0, "dop853", 1e-11, 1e-12)
    np.testing.assert_allclose(motion.end, explicit.end, atol=1e-4)


@each_method
def test_energy_of_a_conservative_pendulum(method):
    motion = run(pendulum(), [1.0, 0.0], [0.0, 0.0], 10.0, method, 1e-9, 1e-11)
    total = energy(problem_of(pendulum()), motion)
    assert np.max(np.abs(total)) < 1e-6


@each_method
def test_a_coordinate_without_mass(method):
    """The massless coordinate y = 2 x + x^2 carries a stiff spring."""
    x, y = lk.coordinates("x y")
    slave = lk.System("slave", [x, y], kinetic=der(x) ** 2 / 2, potential=1e4 * y**2 / 2, dissipation=50 * der(y) ** 2)
    slave = slave.constrain("lever", y - 2 * x - x**2)
    reduced = mass(potential=1e4 * (2 * x + x**2) ** 2 / 2, dissipation=50 * (2 + 2 * x) ** 2 * der(x) ** 2)
    motion = run(slave, [0.1, 0.21], [0.0, 0.0], 0.5, method, 1e-8, 1e-10)
    explicit = run(reduced, [0.1], [0.0], 0.5, "dop853", 1e-12, 1e-13)
    assert motion.code == explicit.code == codes.DONE
    np.testing.assert_allclose(motion.end[[0, 2]], explicit.end, atol=1e-6)
