"""Projection onto constraints, plain and compiled: both agree, reach the surface, and report why they do not."""

import numpy as np
import pytest
from native_models import DOUBLE_PENDULUM, NOWHERE, PULLEY, SLED

from lienket.kernels.native import calls as native
from lienket.kernels.projection import CONTRADICTORY, NOT_CONVERGING, Surface, project, rows_chain, shortest

PENDULUM = np.array([2.0, 1.0, 1.0, 0.7, 0.0])
CASES = [
    (DOUBLE_PENDULUM, PENDULUM, np.array([0.8, -0.6, 1.2, -1.1]), np.array([0.5, 0.2, -1.0, 0.3])),
    (SLED, np.array([2.0, 1.5]), np.array([0.4, 0.6]), np.array([1.0, 0.2])),
    (PULLEY, np.array([1.0, 3.0, 0.5]), np.array([0.3, 0.2, 0.6]), np.array([0.1, -0.4, 0.9])),
]


def native_projection(what, model, t, q, v, parameters):
    function = (native.project_positions, native.project_velocities)[what]
    return function(model.address, model.level, t, q, v, parameters)


def plain_projection(what, model, t, q, v, parameters):
    return project(model.surface(what, t, q, v, parameters), (q, v)[what])


@pytest.mark.parametrize("what", [0, 1])
@pytest.mark.parametrize(("model", "parameters", "q", "v"), CASES)
@pytest.mark.parametrize("seed", range(10))
def test_both_projections_agree_and_reach_the_surface(what, model, parameters, q, v, seed):
    rng = np.random.default_rng(seed)
    q, v = q + 0.1 * rng.normal(size=len(q)), v + 0.1 * rng.normal(size=len(v))
    projected, steps = native_projection(what, model, 0.0, q, v, parameters)
    expected, plain_steps = plain_projection(what, model, 0.0, q, v, parameters)
    assert 1 <= steps <= 8
    assert 1 <= plain_steps <= 8
    assert np.allclose(projected, expected, rtol=0, atol=1e-12)
    residual = model.surface(what, 0.0, q, v, parameters)(projected).residual
    assert np.max(np.abs(residual)) <= 1e-13
    again, none = native_projection(what, model, 0.0, *((projected, v) if what == 0 else (q, projected)), parameters)
    assert np.allclose(again, projected, rtol=0, atol=1e-14)
    assert none <= 1


def test_a_position_on_its_constraints_is_unchanged():
    q = np.array([1.0, 0.0, 1.0, -0.7])
    projected, steps = native_projection(0, DOUBLE_PENDULUM, 0.0, q, np.zeros(4), PENDULUM)
    assert steps == 0
    assert np.array_equal(projected, q)


def test_convergence_is_quadratic():
    q, misses = np.array([0.9, -0.7, 1.3, -1.2]), []
    at = DOUBLE_PENDULUM.surface(0, 0.0, q, np.zeros(4), PENDULUM)
    for _ in range(4):
        misses.append(np.max(np.abs(at(q).residual)))
        here = at(q)
        S = here.G[:2] @ np.linalg.solve(here.A, here.G[:2].T)
        q = q - np.linalg.solve(here.A, here.G[:2].T @ np.linalg.solve(S, here.residual[:2]))
    _, steps = native_projection(0, DOUBLE_PENDULUM, 0.0, np.array([0.9, -0.7, 1.3, -1.2]), np.zeros(4), PENDULUM)
    assert steps <= 5
    assert misses[2] <= 10 * misses[1] ** 2


def test_velocities_move_least_in_the_metric_of_inertia():
    q, v = np.array([1.0, 0.0, 1.0, -0.7]), np.array([0.3, -0.2, 0.8, 0.1])
    projected, _ = native_projection(1, DOUBLE_PENDULUM, 0.0, q, v, PENDULUM)
    here = DOUBLE_PENDULUM.surface(1, 0.0, q, v, PENDULUM)(v)
    S = here.G[:2] @ np.linalg.solve(here.A, here.G[:2].T)
    step = np.linalg.solve(here.A, here.G[:2].T @ np.linalg.solve(S, here.residual[:2]))
    assert np.allclose(projected, v - step, rtol=0, atol=1e-14)


@pytest.mark.parametrize("projection", [native_projection, plain_projection])
@pytest.mark.parametrize("start", [[0.8, -0.6, 1.2, -1.1], [3.0, 0.1, 2.0, 0.2]])
def test_contradictory_rows_are_reported(projection, start):
    parameters = np.append(PENDULUM[:4], 0.1)
    _, code = projection(0, DOUBLE_PENDULUM, 0.0, np.array(start), np.zeros(4), parameters)
    assert code == CONTRADICTORY


@pytest.mark.parametrize("projection", [native_projection, plain_projection])
def test_an_empty_surface_is_not_reached(projection):
    """x^2 + y^2 + 1 = 0 has no real point: the residual stays positive."""
    _, code = projection(0, NOWHERE, 0.0, np.array([0.7, 0.4]), np.zeros(2), np.zeros(0))
    assert code == NOT_CONVERGING


def test_numbers_that_are_not_finite_are_reported():
    _, code = native_projection(0, DOUBLE_PENDULUM, 0.0, np.array([np.nan, 0, 0, 0]), np.zeros(4), PENDULUM)
    assert code == -4


def test_negative_inertia_is_reported():
    parameters = np.append(-1.0, PENDULUM[1:])
    _, code = native_projection(0, DOUBLE_PENDULUM, 0.0, np.array([0.8, -0.6, 1.2, -1.1]), np.zeros(4), parameters)
    assert code == -3


@pytest.mark.parametrize("projection", [native_projection, plain_projection])
def test_a_start_with_zero_rows_is_contradictory_or_does_not_converge(projection):
    _, code = projection(0, DOUBLE_PENDULUM, 0.0, np.zeros(4), np.zeros(4), PENDULUM)
    assert code in (CONTRADICTORY, NOT_CONVERGING)


@pytest.mark.parametrize("held", range(4))
@pytest.mark.parametrize("what", [0, 1])
def test_held_coordinates_stay_and_the_others_move_least(what, held):
    """Velocities take one step, in which the free ones change by A^-1 G^T lambda."""
    q, v = np.array([0.8, -0.6, 1.2, -1.1]), np.array([0.5, 0.2, -1.0, 0.3])
    free = np.arange(4) != held
    surface = DOUBLE_PENDULUM.surface(what, 0.0, q, v, PENDULUM)
    x = (q, v)[what]
    projected, steps = project(surface, x, free)
    assert steps >= 1
    assert projected[held] == x[held]
    assert np.max(np.abs(surface(projected).residual)) <= 1e-13
    if what == 1:  # linear in v: one step
        here = surface(x)
        G, W = here.G[:2, free], np.diag(1 / np.diag(here.A)[free])
        step = W @ G.T @ np.linalg.solve(G @ W @ G.T, here.residual[:2])
        assert np.allclose(projected[free], x[free] - step, rtol=0, atol=1e-13)


def test_without_free_coordinates_nothing_moves():
    q = np.array([0.8, -0.6, 1.2, -1.1])
    surface = DOUBLE_PENDULUM.surface(0, 0.0, q, np.zeros(4), PENDULUM)
    projected, code = project(surface, q, np.zeros(4, dtype=bool))
    assert code == CONTRADICTORY
    assert np.array_equal(projected, q)


@pytest.mark.parametrize("seed", range(20))
def test_schur_complement_and_chain_give_the_same_step(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 12))
    s = int(rng.integers(1, n))
    B = rng.normal(size=(n, n)) * 10.0 ** rng.uniform(-2, 2, n)
    A, residual = B.T @ B + np.diag(np.diag(B.T @ B)), rng.normal(size=s)
    here = Surface(A, rng.normal(size=(s, n)), residual, np.abs(residual))
    chain = rows_chain(here)
    expected = -chain.lifted(here.residual) * chain.metric.scale
    accepted, move = shortest(here, None)
    assert list(accepted) == list(range(s))
    assert np.allclose(move, expected, rtol=1e-9, atol=1e-9 * np.max(np.abs(expected)))
    assert np.allclose(here.G @ move, -here.residual, rtol=0, atol=1e-11)
