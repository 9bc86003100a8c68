"""RATTLE: constraints, energy, order, symmetry, and fixed steps that are exactly fixed."""

import numpy as np
import pytest
import sympy as sp
from bare import energy, numbers, problem_of, ran, slopes
from small_systems import (
    g,
    knife_edge,
    knife_edge_at,
    linked_pendulums,
    pendulum,
    slider_crank,
    slider_crank_start,
    swung_angle,
    swung_pendulum,
)

import lienket as lk
from lienket import der
from lienket.simulation.memory import codes, counts, rejections
from lienket.simulation.methods import METHODS

PENDULUM = [1.0, 0.0], [0.0, 0.0]


@pytest.fixture(scope="module")
def rod():
    return problem_of(pendulum())


@pytest.fixture(scope="module")
def crank():
    return problem_of(slider_crank())


def off(problem, run, level="position"):
    """Return the largest residual of all rows."""
    return np.abs(numbers(problem, level and "surface", run)[level]).max()


def assert_energy_stays(problem, run, amplitude):
    """Assert that the energy error does not grow from start to end and has no drift."""
    error = energy(problem, run) - energy(problem, run)[0]
    tenth = len(error) // 10
    first, last = np.abs(error[:tenth]).max(), np.abs(error[-tenth:]).max()
    assert 0.2 * amplitude < first < amplitude
    assert last < 1.05 * first
    drift = np.polyfit(run.t, error, 1)[0] * (run.t[-1] - run.t[0])
    assert abs(drift) < 0.02 * first


# Energy and constraints


def test_pendulum_keeps_constraints_and_energy(rod):
    run = ran(rod, *PENDULUM, 200.0, 0.01)
    assert (run.code, len(run.t)) == (codes.DONE, 20_000)
    assert off(rod, run) < 1e-14
    assert off(rod, run, "velocity") < 1e-14
    assert_energy_stays(rod, run, 0.005)


@pytest.mark.slow
def test_pendulum_for_a_million_steps(rod):
    run = ran(rod, *PENDULUM, 1e4, 0.01, every=7)
    assert off(rod, run) < 1e-14
    assert off(rod, run, "velocity") < 1e-14
    assert_energy_stays(rod, run, 0.005)
    assert run.counts[counts.STEPS] == 1_000_000


def test_slider_crank_keeps_constraints_and_energy(crank):
    run = ran(crank, *slider_crank_start(), 200.0, 0.01)
    assert off(crank, run) < 1e-13
    assert off(crank, run, "velocity") < 1e-13
    assert_energy_stays(crank, run, 0.005)


@pytest.mark.slow
def test_slider_crank_for_a_million_steps(crank):
    run = ran(crank, *slider_crank_start(), 1e4, 0.01, every=7)
    assert off(crank, run) < 1e-13
    assert_energy_stays(crank, run, 0.005)


def test_chaotic_angles_with_a_link_keep_their_energy():
    system = linked_pendulums()
    problem, start = problem_of(system), system.consistent({"a": 0.3, "c": -0.2, "a'": 3.0, "b'": 0.5})
    run = ran(problem, start.q, start.v, 200.0, 0.01)
    assert off(problem, run) < 1e-13
    error = np.abs(energy(problem, run) - energy(problem, run)[0])
    assert error[-4000:].max() < 1.5 * error[:4000].max() < 0.01 * np.ptp(numbers(problem, "energy", run)["kinetic"])


def test_rounding_does_not_pile_up(rod):
    """In 100 000 steps of order 2 (20 000 of order 4) the truncation error is hardly larger than rounding."""
    run = ran(rod, *PENDULUM, 5.0, 0.00025, method="rattle4", every=4)
    error = energy(rod, run) - energy(rod, run)[0]
    assert np.abs(error).max() < 1.5e-13  # 30 units in the last place of the largest kinetic energy
    assert abs(error[-2000:].mean() - error[:2000].mean()) < 2e-14


# Terms of a step


@pytest.mark.parametrize("system", [linked_pendulums, swung_angle, slider_crank])
def test_forces_are_the_right_side_and_the_change_of_the_momenta(system):
    """h = Q + dT/dq - (dp/dq) v - dp/dt, the last two by differences along the motion, and dp/dv = A."""
    problem = problem_of(system())
    q, v = np.array([0.4, -0.7, 0.9])[: problem.n], np.array([1.1, 0.3, -0.8])[: problem.n]

    def at_state(name, e=0.0, more=0.0):
        function = problem.model.function(name)
        return function.named(
            function(0.3 + e, q + e * v, v + more, problem.parameters, np.zeros(problem.n + problem.s))[1]
        )

    d, here = 1e-5, at_state("lagrangian")
    change = (at_state("lagrangian", d)["momenta"] - at_state("lagrangian", -d)["momenta"]) / (2 * d)
    terms = at_state("terms")
    np.testing.assert_allclose(here["forces"] - change, terms["h"], atol=1e-8)
    np.testing.assert_array_equal(here["A"], terms["A"])
    w = np.array([0.5, -0.2, 0.7])[: problem.n]
    np.testing.assert_allclose(at_state("lagrangian", more=w)["momenta"] - here["momenta"], here["A"] @ w, atol=1e-13)


# Order and symmetry


@pytest.mark.parametrize(("method", "order", "steps"), [("rattle", 2, (50, 100, 200)), ("rattle4", 4, (20, 40, 80))])
def test_order(crank, method, order, steps):
    start = slider_crank_start(1.0, 2.0)
    exact = ran(crank, *start, 1.0, method="dop853", rtol=1e-12, times=[1.0])
    runs = [ran(crank, *start, 1.0, 1 / k, method) for k in steps]
    for name in ("q", "v"):
        errors = [np.abs(getattr(run, name)[-1] - getattr(exact, name)[-1]).max() for run in runs]
        assert slopes(errors) == pytest.approx(order, abs=0.15)


@pytest.mark.parametrize("method", ["rattle", "rattle4"])
def test_back_to_the_start(crank, method):
    q, v = slider_crank_start(1.0, 2.0)
    there = ran(crank, q, v, 10.0, 0.01, method)
    assert np.abs(there.q[-1] - q).max() > 0.1
    back = ran(crank, there.q[-1], -there.v[-1], 10.0, 0.01, method)
    np.testing.assert_allclose(back.q[-1], q, atol=1e-12)
    np.testing.assert_allclose(back.v[-1], -np.array(v), atol=1e-12)


def test_steps_are_symplectic():
    """The Jacobian M of a step by differences satisfies M^T J M = J, for two angles on which A depends."""
    a, b = lk.coordinates("a b")
    r = [sp.sin(a) + sp.sin(b), -sp.cos(a) - sp.cos(b)]
    kinetic = (der(a) ** 2 + sum(sp.diff(x, lk.t) ** 2 for x in r)) / 2
    problem = problem_of(lk.System("double pendulum", [a, b], kinetic=kinetic, potential=g * (r[1] - sp.cos(a))))

    def inertia(q):
        return np.array([[2.0, np.cos(q[0] - q[1])], [np.cos(q[0] - q[1]), 1.0]])

    def moved(y):
        run = ran(problem, y[:2], np.linalg.solve(inertia(y[:2]), y[2:]), 0.3, 0.1)
        return np.concatenate([run.q[-1], inertia(run.q[-1]) @ run.v[-1]])

    y, d = np.array([0.7, -0.4, 1.5, 0.8]), 1e-4
    M = np.array([(8 * (moved(y + e) - moved(y - e)) - (moved(y + 2 * e) - moved(y - 2 * e))) / (12 * d)
                  for e in d * np.eye(4)]).T  # fmt: skip
    J = np.block([[np.zeros((2, 2)), np.eye(2)], [-np.eye(2), np.zeros((2, 2))]])
    np.testing.assert_allclose(M.T @ J @ M, J, atol=1e-9)
    assert np.abs(M - np.eye(4)).max() > 0.1


# Nonholonomic constraints and dissipative forces


def test_knife_edge_has_order_2_and_keeps_its_velocities():
    problem = problem_of(knife_edge())
    runs = [ran(problem, [0, 0, 0], [0, 0, 2], 2.0, h) for h in (0.04, 0.02, 0.01)]
    assert slopes([np.abs(run.q[-1] - knife_edge_at(2.0)).max() for run in runs]) == pytest.approx(2, abs=0.05)
    assert off(problem, runs[0], "velocity") < 1e-14


def test_nonlinear_velocity_equation():
    """Appell and Hamel: x'^2 + y'^2 = z'^2 holds to rounding; order 2, reversible."""
    x, y, z = lk.coordinates("x y z")
    rates = [der(x), der(y), der(z)]
    system = lk.System("Appell-Hamel", [x, y, z], kinetic=sum(v**2 for v in rates) / 2, potential=g * z + x**2)
    problem = problem_of(system.constrain("cone", rates[0] ** 2 + rates[1] ** 2 - rates[2] ** 2))
    start = [0.3, 0, 0], [3.0, 4.0, 5.0]
    exact = ran(problem, *start, 0.3, method="dop853", rtol=1e-11, times=[0.3])
    runs = [ran(problem, *start, 0.3, h) for h in (0.02, 0.01, 0.005)]
    assert slopes([np.abs(run.q[-1] - exact.q[-1]).max() for run in runs]) == pytest.approx(2, abs=0.1)
    assert off(problem, runs[0], "velocity") < 1e-13
    back = ran(problem, runs[0].q[-1], -runs[0].v[-1], 0.3, 0.02)
    np.testing.assert_allclose(back.q[-1], start[0], atol=1e-12)


def test_constraint_and_energy_that_depend_on_time():
    by_rod, by_angle = problem_of(swung_pendulum()), problem_of(swung_angle())
    exact = ran(by_angle, [0.5], [0.0], 3.0, method="dop853", rtol=1e-12, times=[3.0]).q[0, 0]
    start = [np.sin(0.5), -np.cos(0.5)], [0.6, 0.0]
    rods = [ran(by_rod, *start, 3.0, h) for h in (0.02, 0.01, 0.005)]
    angles = [ran(by_angle, [0.5], [0.0], 3.0, h) for h in (0.02, 0.01, 0.005)]
    assert slopes([abs(r.q[-1, 0] - np.sin(9) / 5 - np.sin(exact)) for r in rods]) == pytest.approx(2, abs=0.05)
    assert slopes([abs(r.q[-1, 0] - exact) for r in angles]) == pytest.approx(2, abs=0.05)
    assert off(by_rod, rods[0]) < 1e-14
    assert off(by_rod, rods[0], "velocity") < 1e-14


def test_friction_has_order_2_and_the_energy_is_the_work():
    x, y = lk.coordinates("x y")
    kinetic, damping = (der(x) ** 2 + der(y) ** 2) / 2, 0.3 * (der(x) ** 2 + der(y) ** 2) / 2
    system = lk.System("damped", [x, y], kinetic=kinetic, potential=g * y, dissipation=damping)
    problem = problem_of(system.constrain("rod", x**2 + y**2 - 1))
    exact = ran(problem, *PENDULUM, 2.0, method="dop853", rtol=1e-12, times=[2.0])
    runs = [ran(problem, *PENDULUM, 2.0, h) for h in (0.02, 0.01, 0.005)]
    assert slopes([np.abs(run.q[-1] - exact.q[-1]).max() for run in runs]) == pytest.approx(2, abs=0.1)
    left = [abs((energy(problem, run) - run.work)[-1]) for run in runs]
    assert abs(runs[0].work[-1]) > 1
    assert slopes(left) == pytest.approx(2, abs=0.2)


# Hard constraints


def test_a_doubled_constraint_changes_nothing(rod):
    system = pendulum()
    x, y = system.coordinates
    twice = problem_of(system.constrain("again", x**2 + y**2 - 1).constrain("and again", 3 * (x**2 + y**2 - 1)))
    doubled, single = ran(twice, *PENDULUM, 5.0, 0.01), ran(rod, *PENDULUM, 5.0, 0.01)
    np.testing.assert_allclose(doubled.q, single.q, atol=1e-11)


def test_a_coordinate_without_mass():
    """A massless block c with a force, held at c = x^2, acts on x as a potential of x."""
    x, c = lk.coordinates("x c")
    held = lk.System("massless", [x, c], kinetic=der(x) ** 2 / 2, potential=3 * c + x).constrain("place", c - x**2)
    alone = lk.System("alone", [x], kinetic=der(x) ** 2 / 2, potential=3 * x**2 + x)
    motion = ran(problem_of(held), [1.0, 1.0], [0.5, 1.0], 5.0, 0.01)
    exact = ran(problem_of(alone), [1.0], [0.5], 5.0, method="dop853", rtol=1e-12, times=[5.0])
    assert motion.q[-1, 0] == pytest.approx(exact.q[-1, 0], abs=1e-3)
    np.testing.assert_allclose(motion.q[:, 1], motion.q[:, 0] ** 2, atol=1e-14)


# Fixed steps


def test_all_steps_are_equally_long_and_the_last_is_shortened(rod):
    run = ran(rod, *PENDULUM, 1.005, 0.01)
    np.testing.assert_allclose(run.t[:-1], 0.01 * np.arange(1, 101), rtol=0, atol=1e-15)
    assert run.t[-1] == 1.005


def test_time_does_not_drift(rod):
    run = ran(rod, *PENDULUM, 1000.0, 0.01, every=1000)
    np.testing.assert_allclose(run.t, 10.0 * np.arange(1, 101), rtol=3e-16)
    assert run.counts[counts.STEPS] == 100_000


def test_pauses_change_nothing(rod):
    whole, parts = ran(rod, *PENDULUM, 3.0, 0.01), ran(rod, *PENDULUM, 3.0, 0.01, pause=7)
    np.testing.assert_array_equal(whole.q, parts.q)
    np.testing.assert_array_equal(whole.v, parts.v)


def test_rows_at_times_between_steps_lie_on_the_motion(rod):
    times = np.array([0.0125, 0.5, 0.777, 1.0])
    motion = ran(rod, *PENDULUM, 1.0, 0.02, times=times)
    np.testing.assert_array_equal(motion.t, times)
    assert off(rod, motion) < 1e-14
    steps = ran(rod, *PENDULUM, 1.0, 0.02)
    np.testing.assert_allclose(motion.q[[1, 3]], steps.q[[24, 49]], atol=1e-12)


def test_between_steps_the_error_is_that_of_the_steps(rod):
    times = np.linspace(0.0, 2.0, 1001)[1:]
    exact = ran(rod, *PENDULUM, 2.0, method="dop853", rtol=1e-11, times=times)
    error = np.abs(ran(rod, *PENDULUM, 2.0, 0.02, times=times).v - exact.v).max(axis=1)
    assert error.max() < 1.02 * error[9::10].max()


@pytest.mark.parametrize(
    ("method", "step", "error"), [("rattle", 0.02, 2e-4), ("rattle4", 0.02, 1e-7), ("rattle", None, 1e-6)]
)
def test_states_between_rows_at_times_that_end_steps_up_to_rounding(method, step, error):
    """x'' = -x: a row that lies 2e-16 after the start of its step says nothing on the length of the steps."""
    x = lk.coordinates("x")
    motion = lk.System("mass", [x], kinetic=der(x) ** 2 / 2, potential=x**2 / 2).simulate(
        start={"x": 1.0}, times=np.linspace(0, 2, 6), method=method, step=step
    )
    between = np.array([0.1, 1.003, 1.1999, 1.77])
    np.testing.assert_allclose(motion.sampled(between)["x"], np.cos(between), rtol=0, atol=error)


def test_a_step_that_is_too_long_ends_the_run_with_its_reason(rod):
    run = ran(rod, *PENDULUM, 100.0, 2.0)
    assert run.code == codes.STUCK
    assert run.counts[counts.REJECTION] == rejections.NOT_CONVERGED
    assert run.counts[counts.REJECTED] == 1


def test_the_step_follows_from_the_tolerance_if_none_is_given(rod):
    runs = [ran(rod, *PENDULUM, 5.0, rtol=rtol) for rtol in (1e-4, 1e-7)]
    assert 5 < runs[0].step / runs[1].step < 20  # the local error is of order 3: a factor of 10
    for run, rtol in zip(runs, (1e-4, 1e-7), strict=True):
        exact = ran(rod, *PENDULUM, 5.0, method="dop853", rtol=1e-11, times=[5.0])
        steps = run.counts[counts.STEPS]
        assert np.abs(run.q[-1] - exact.q[-1]).max() < 10 * steps * rtol


def test_programs_and_constraints_on_accelerations_are_refused_by_name(rod):
    x, y = lk.coordinates("x y")
    system = lk.System("point", [x, y], kinetic=(der(x) ** 2 + der(y) ** 2) / 2)
    pushed = problem_of(system.constrain("push", der(x, 2) + der(y, 2) - 2))
    assert "'push'" in METHODS["rattle"].refusal(pushed)
    assert METHODS["rattle"].refusal(rod) == ""
    assert METHODS["dop853"].refusal(pushed) == ""
