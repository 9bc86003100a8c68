"""The order of every integrator, measured as a slope; reactions have the order of the states."""

import mpmath
import numpy as np
import pytest
import sympy as sp
from bare import problem_of, ran, run, slopes
from problems.planar import arevalo
from small_systems import g, knife_edge, knife_edge_at, pendulum

import lienket as lk
from lienket import der
from lienket.simulation.integrators.tableaus import dop853
from lienket.simulation.memory import codes, counts
from lienket.simulation.stepping.native.bridging import bridge_polynomial as bridge

STAGES = 16
WIDE = 1e3  # tolerances with which every step is accepted


# Motions with closed solutions


def on_a_circle(t):
    """Return q, v and the multiplier of Arevalo's particle at t after its start at 1: x = sin (1 + t)^2."""
    s = 1 + np.asarray(t, dtype=float)
    x, y = np.sin(s**2), np.cos(s**2)
    return np.array([x, y]).T, np.array([2 * s * y, -2 * s * x]).T, -2 * s**2


def swinging(t):
    """Return q, v and multiplier of the pendulum released at (1, 0): sin(th/2) = k sn(K - w t), k^2 = 1/2, w^2 = g."""
    with mpmath.workdps(30):
        m, w = mpmath.mpf(1) / 2, mpmath.sqrt(mpmath.mpf(g))
        u = mpmath.ellipk(m) - w * mpmath.mpf(t)
        sn, cn = (mpmath.ellipfun(kind, u, m=m) for kind in ("sn", "cn"))
        angle, rate = 2 * mpmath.asin(mpmath.sqrt(m) * sn), -2 * mpmath.sqrt(m) * w * cn
        x, y = mpmath.sin(angle), -mpmath.cos(angle)
        multiplier = -(rate**2 - mpmath.mpf(g) * y) / 2  # x'' = 2 lam x
        return np.array([x, y], float), np.array([-rate * y, rate * x], float), float(multiplier)


def lever():
    """Return two masses, the first on a spring, with y = 2 x - sin t: 5 x'' + 4 x = -2 sin t."""
    x, y = lk.coordinates("x y")
    system = lk.System("lever", [x, y], kinetic=(der(x) ** 2 + der(y) ** 2) / 2, potential=2 * x**2)
    return system.constrain("lever", y - 2 * x + sp.sin(lk.t))


def levered(t):
    """Return q, v and the multiplier (which is y'') of the lever from x = 1 and x' = 0."""
    w = np.sqrt(0.8)
    x = np.cos(w * t) - 2 / w * np.sin(w * t) + 2 * np.sin(t)
    v = -w * np.sin(w * t) - 2 * np.cos(w * t) + 2 * np.cos(t)
    a = -(2 * np.sin(t) + 4 * x) / 5
    return np.array([x, 2 * x - np.sin(t)]), np.array([v, 2 * v - np.cos(t)]), 2 * a + np.sin(t)


def errors_at_end(system, motion, exact):
    """Return the largest errors of positions, velocities and multipliers."""
    q, v, multiplier = exact
    multipliers = system.at(motion.q[-1], motion.v[-1], motion.t[-1]).multipliers
    return [np.abs(motion.q[-1] - q).max(), np.abs(motion.v[-1] - v).max(), np.abs(multipliers - multiplier).max()]


def fixed(system, start, until, method, count, rtol=WIDE, atol=WIDE, times=()):
    """Return a motion in `count` equal steps."""
    motion = run(system, *start, until, method, rtol=rtol, atol=atol, step=until / count, times=times)
    assert motion.code == codes.DONE
    assert motion.counts[counts.STEPS] == count
    assert motion.counts[counts.REJECTED] == 0
    return motion


HANGING = [1.0, 0.0], [0.0, 0.0]


@pytest.mark.parametrize("name", ["on a circle", "pendulum"])
def test_dop853_has_order_8(name):
    circle = arevalo()
    system, start, exact = {
        "on a circle": (circle.system, circle.start, on_a_circle(1.0)),
        "pendulum": (pendulum(), HANGING, swinging(1.0)),
    }[name]
    errors = [errors_at_end(system, fixed(system, start, 1.0, "dop853", n), exact) for n in (8, 16, 32)]
    orders = slopes(errors)
    assert np.all((orders > 7.5) & (orders < 8.6)), orders


def test_dop853_has_order_8_under_a_nonholonomic_constraint():
    system, start = knife_edge(), ([0, 0, 0], [0, 0, 2.0])
    errors = [np.abs(fixed(system, start, 2.0, "dop853", n).q[-1] - knife_edge_at(2.0)).max() for n in (4, 8, 16)]
    assert slopes(errors) == pytest.approx(8, abs=0.3)


def test_dense_output_of_dop853_has_order_7():
    """The local error of the dense output is of order 8, like that of the steps."""
    problem = arevalo()
    errors = []
    for count in (8, 16, 32):
        times = (np.arange(count) + 0.5) / count
        motion = fixed(problem.system, problem.start, 1.0, "dop853", count, times=times)
        q, v, _ = on_a_circle(times)
        np.testing.assert_array_equal(motion.t, times)
        errors.append([np.abs(motion.q - q).max(), np.abs(motion.v - v).max()])
    orders = slopes(errors)
    assert np.all((orders > 7.5) & (orders < 8.6)), orders


def test_radau5_has_order_5():
    """Newton's method solves linear equations of motion in one iteration, at any tolerance."""
    system = lever()
    motions = [fixed(system, levered(0.0)[:2], 4.0, "radau5", n) for n in (32, 64, 128)]
    assert slopes([errors_at_end(system, m, levered(4.0)) for m in motions]) == pytest.approx(5, abs=0.2)


def test_radau5_has_order_5_where_equations_are_not_linear():
    """Newton's method leaves 1e-3 of the tolerances, which are as small as the estimate, of order 4, allows."""
    system, errors = pendulum(), []
    for n in (32, 64, 128):
        motion = fixed(system, HANGING, 1.0, "radau5", n, rtol=2.5e-12, atol=1.6e-6 * (32 / n) ** 4)
        errors.append(errors_at_end(system, motion, swinging(1.0)))
    assert slopes(errors) == pytest.approx(5, abs=0.5)


@pytest.mark.parametrize(("method", "order"), [("rattle", 2), ("rattle4", 4)])
def test_rattle_and_its_composition(method, order):
    system, exact = pendulum(), swinging(1.0)
    motions = [ran(problem_of(system), *HANGING, 1.0, 1 / n, method) for n in (32, 64, 128, 256)]
    assert slopes([errors_at_end(system, m, exact) for m in motions]) == pytest.approx(order, abs=0.05)


@pytest.mark.parametrize("method", ["dop853", "radau5", "bdf"])
def test_errors_fall_with_the_tolerance(method):
    problem, tolerances = arevalo(), [1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10]
    motions = [run(problem.system, *problem.start, 1.0, method, rtol=x, atol=x) for x in tolerances]
    errors = [errors_at_end(problem.system, motion, on_a_circle(1.0)) for motion in motions]
    powers = np.polyfit(np.log(tolerances), np.log(errors), 1)[0]
    assert np.all((powers > 0.6) & (powers < 1.3)), powers


# The table of DOP853


def table(letter, shape):
    """Return the coefficients A2_1, ... or B1, ... as an array, with zeros where there is none."""
    coefficients = np.zeros(shape)
    for name, number in vars(dop853).items():
        indices = name[len(letter) :].split("_")
        if name.startswith(letter) and all(index.isdigit() for index in indices):
            coefficients[tuple(int(index) - 1 for index in indices)] = number
    return coefficients


A, B, C, E, S = (table(x, STAGES if x != "A" else (STAGES, STAGES)) for x in "ABCES")
A[12], C[12] = B, 1.0  # stage 13 is the rate at the end


def test_stages_are_at_their_times():
    np.testing.assert_allclose(A.sum(axis=1), C, atol=2e-14)  # the numbers of a row are as large as 43
    assert np.count_nonzero(A) > 80
    assert np.all(np.triu(A) == 0)


@pytest.mark.parametrize("power", range(8))
def test_the_step_integrates_powers(power):
    assert B @ C**power == pytest.approx(1 / (power + 1), abs=1e-14)


def test_the_step_satisfies_conditions_of_trees():
    """Order conditions of trees of order 3 to 5 and of tall trees to order 8 (Hairer, Norsett, Wanner I, II.2)."""
    assert pytest.approx(1 / 6, abs=1e-14) == B @ A @ C
    assert pytest.approx(1 / 8, abs=1e-14) == (B * C) @ A @ C
    assert pytest.approx(1 / 12, abs=1e-14) == B @ A @ C**2
    assert pytest.approx(1 / 24, abs=1e-14) == B @ A @ A @ C
    assert pytest.approx(1 / 20, abs=1e-14) == B @ (A @ C) ** 2
    tall = C.copy()
    for order in range(2, 9):
        assert B @ tall == pytest.approx(1 / np.prod(np.arange(1.0, order + 1)), abs=1e-14)
        tall = A @ tall


def test_the_embedded_methods_have_orders_5_and_3():
    """B - E is of order 5 and no more, S of order 3."""
    assert E.sum() == pytest.approx(0, abs=1e-14)
    for weights, order in ((B - E, 5), (S, 3)):
        errors = [abs(weights @ C**k - 1 / (k + 1)) for k in range(order + 1)]
        assert max(errors[:order]) < 1e-14
        assert errors[order] > 1e-5
    assert pytest.approx(1 / 24, abs=1e-14) == (B - E) @ A @ A @ C
    assert pytest.approx(1 / 6, abs=1e-14) == S @ A @ C


# Legendre's polynomials


@pytest.mark.parametrize("x", [-1.0, -0.73, 0.0, 0.2, 1.0])
def test_legendre_polynomials_and_their_integrals(x):
    from numpy.polynomial import Legendre

    terms = 22  # as many as the longest polynomial of a bridge has
    P = np.zeros(terms + 2)
    bridge.polynomials(x, terms, P)
    for k in range(terms):
        exact = Legendre.basis(k)
        assert P[k] == pytest.approx(exact(x), abs=1e-14)
        assert bridge.integral(P, k) == pytest.approx(exact.integ(1, lbnd=-1)(x), abs=1e-14)
        assert bridge.second_integral(P, k) == pytest.approx(exact.integ(2, lbnd=-1)(x), abs=1e-14)
