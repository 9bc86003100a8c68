"""The compiled kernels against the plain ones: random systems, massless parts, dependent rows, large and odd ones."""

from dataclasses import replace

import numpy as np
import pytest
from exact import exact
from hypothesis import given
from massless import massless, massless_plans, stages
from native_models import played, terms
from systems import Plan, contradict, dependent, examples, independent, lengths_of, plans, split_bound
from test_theorems_massless import shared

from lienket.errors import LienketError
from lienket.kernels.memory.workspace import iwork_size, work_size
from lienket.kernels.native import calls as native
from lienket.kernels.native.accelerations import SCHUR
from lienket.kernels.native.robust_solve import (
    CONTRADICTORY,
    ELIMINATION,
    NEGATIVE,
    NOT_FINITE,
    REDUNDANT,
    UNDETERMINED,
)

WAYS = pytest.mark.parametrize("try_schur", [True, False])


def solved(system, **options):
    return native.solve(system.A, system.h, system.G, system.g0, **options)


def random_terms(n, s, seed=0):
    rng = np.random.default_rng([n, s, seed])
    M = np.eye(n) + 0.3 * rng.normal(size=(n, n)) / np.sqrt(n)
    return M @ M.T, rng.normal(size=n), rng.normal(size=(s, n)), rng.normal(size=s)


def check_equations(solution, A, h, G, g0, tolerance=1e-11):
    """Check A a = h + G^T lambda and G a + g0 = 0, relative to their terms."""
    a, multipliers = solution.a, solution.multipliers
    sizes = np.abs(A) @ np.abs(a) + np.abs(h) + np.abs(G.T) @ np.abs(multipliers)
    assert np.all(np.abs(A @ a - h - G.T @ multipliers) <= tolerance * np.max(sizes))
    assert np.all(np.abs(G @ a + g0) <= tolerance * (np.abs(G) @ np.abs(a) + np.abs(g0)).max(initial=0.0))


@WAYS
@examples(10)
@given(plans())
def test_answers_are_within_the_bounds_of_the_plain_chain(try_schur, plan):
    system = independent(plan)
    solution, bound = solved(system, try_schur=try_schur), system.bound
    a, _, multipliers = exact(*system.independent)
    if solution.status == ELIMINATION:
        assert bound.of_accelerations(solution.a - a) <= bound.accelerations
        assert np.linalg.norm((solution.multipliers - multipliers) * bound.lengths) <= bound.multipliers
    else:
        assert (solution.status, try_schur) == (SCHUR, True)
        scale = np.max(np.abs(a / bound.scale)) + np.max(np.abs(system.h * bound.scale))
        assert np.all(np.abs(solution.a - a) / bound.scale <= 1e-10 * scale)
        pulled = scale + np.linalg.norm(multipliers * bound.lengths)
        assert np.all(np.abs(solution.multipliers - multipliers) * bound.lengths <= 1e-10 * pulled)


@examples(10)
@given(plans())
def test_redundant_rows_are_skipped_and_share_by_least_norm(plan):
    system = dependent(plan)
    solution, state, bound = solved(system), system.state(), system.bound
    assert solution.status >= SCHUR
    assert (solution.status == REDUNDANT) == (len(system.news) < len(system.X))
    accepted = np.flatnonzero(solution.verdicts == 0)  # another choice than the first rows in the order of statement
    assert len(accepted) == len(system.news)
    assert not np.any(solution.verdicts == 2)
    if solution.status != SCHUR:
        assert bound.of_accelerations(solution.a - state.accelerations) <= 2 * bound.accelerations
        assert np.linalg.norm((solution.multipliers - state.multipliers) * lengths_of(system)) <= 2 * split_bound(
            system, 0.0
        )


@examples(5)
@given(plans(least=2, constraints=2))
def test_contradictory_rows_are_reported(plan):
    system = dependent(plan)
    old = [k for k in range(len(system.X)) if k not in system.news]
    if not old:
        return
    wrong = contradict(system, old[-1], np.random.default_rng([plan.seed, 3]))
    solution = solved(wrong)
    assert solution.status == CONTRADICTORY
    assert np.any(solution.verdicts == 2)
    assert np.all(np.isnan(solution.a))
    assert np.all(np.isnan(solution.multipliers))


@examples(10)
@given(massless_plans())
def test_massless_systems_agree_with_the_plain_chain(drawn):
    system, Z = massless(drawn)
    solution, chain, bound = solved(system), system.state()._chain, stages(system, Z)
    assert solution.status in (ELIMINATION, REDUNDANT)
    accepted = {(row.name, row.number) for row in chain.accepted}
    assert sum(label in accepted for label in system.labels) == np.count_nonzero(solution.verdicts == 0)
    a, r, _ = exact(*system.independent)
    assert bound.of_accelerations(solution.a - a) <= bound.accelerations
    total = system.G.T @ solution.multipliers
    assert bound.of_forces(total - r) <= bound.forces + shared(system, solution, bound)


def test_a_free_massless_direction_leaves_accelerations_undetermined():
    assert native.solve(np.diag([1.0, 0.0]), np.ones(2), np.array([[1.0, 0.0]]), np.ones(1)).status == UNDETERMINED
    assert native.solve(np.zeros((1, 1)), np.ones(1), np.zeros((0, 1)), np.zeros(0)).status == UNDETERMINED


def test_an_inertia_below_rounding_counts_as_zero():
    A, inertias = np.diag([1.0, 1e-17]), np.ones(2)
    bound = np.array([[0.0, 1.0]]), np.array([2.0])
    assert native.solve(A, np.zeros(2), *bound, inertias=inertias, try_schur=False).status == ELIMINATION
    free = np.zeros((0, 2)), np.zeros(0)
    assert native.solve(A, np.zeros(2), *free, inertias=inertias, try_schur=False).status == UNDETERMINED
    assert native.solve(A, np.zeros(2), *free).status == SCHUR


@pytest.mark.parametrize("A", [np.diag([1.0, -1.0]), np.array([[1.0, 2.0], [2.0, 1.0]])])
def test_negative_inertia_is_reported(A):
    assert native.solve(A, np.zeros(2), np.zeros((0, 2)), np.zeros(0)).status == NEGATIVE


@WAYS
@pytest.mark.parametrize(("n", "s"), [(1, 0), (1, 1), (3, 0), (3, 2), (7, 6), (60, 30), (61, 5), (80, 70), (150, 60)])
def test_small_and_large_systems(n, s, try_schur):
    system = random_terms(n, s)
    solution = native.solve(*system, try_schur=try_schur)
    assert solution.status == (SCHUR if try_schur else ELIMINATION)
    check_equations(solution, *system)


@pytest.mark.parametrize("n", [80, 150])
def test_large_systems_with_redundant_rows_and_massless_coordinates(n):
    A, h, G, g0 = random_terms(n, 8)
    A[:3], A[:, :3] = 0.0, 0.0
    G, g0 = np.vstack([G, G[2] - G[5]]), np.append(g0, g0[2] - g0[5])
    solution = native.solve(A, h, G, g0)
    assert solution.status == REDUNDANT
    assert np.count_nonzero(solution.verdicts) == 1
    check_equations(solution, A, h, G, g0, 1e-9)


@pytest.mark.parametrize("gap", 10.0 ** -np.arange(0, 7))
def test_near_singular_positions_are_handed_over_to_elimination(gap):
    A, h, G, g0 = random_terms(6, 2, 1)
    G[1] = G[0] + gap * G[1]
    solution = native.solve(A, h, G, g0)
    state = systems_state(A, h, G, g0)
    assert solution.status == (SCHUR if gap > 3e-2 else ELIMINATION) or 3e-3 < gap < 0.3
    assert np.linalg.norm(solution.a - state.accelerations) <= 1e-9 * np.linalg.norm(state.accelerations)
    assert np.linalg.norm(solution.multipliers - state.multipliers) <= 1e-9 * np.linalg.norm(state.multipliers)


@pytest.mark.parametrize("n", [5, 70])
def test_a_row_is_redundant_at_a_singular_position(n):
    A, h, G, g0 = random_terms(n, 3, 2)
    G[2], g0[2] = 2 * G[0] - G[1], 2 * g0[0] - g0[1]
    solution = native.solve(A, h, G, g0)
    assert (solution.status, sorted(solution.verdicts)) == (REDUNDANT, [0, 0, 1])


def systems_state(A, h, G, g0):
    system = independent(Plan(1, len(h), (len(g0),), 0, False))
    groups = (replace(system.groups[0], G=G, g0=g0, sizes=np.vstack([np.zeros((2, len(g0))), np.abs(g0)])),)
    return replace(system, A=A, h=h, groups=groups).state()


@pytest.mark.parametrize("part", range(4))
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("n", [4, 70])
def test_numbers_that_are_not_finite_are_reported(part, value, n):
    system = random_terms(n, 2)
    system[part].reshape(-1)[1] = value
    system[0][1, 0] = system[0][0, 1]
    solution = native.solve(*system)
    assert solution.status == NOT_FINITE
    assert np.all(np.isnan(solution.a))


@pytest.mark.parametrize(("n", "s"), [(1, 0), (3, 5), (12, 4), (100, 70)])
def test_the_workspace_is_as_large_as_the_kernels_need(n, s):
    sizes = native.workspace(n, s)
    assert sizes[0] >= work_size(n, s)
    assert sizes[1] >= iwork_size(n, s)


def test_generated_code_is_used_until_its_status_refuses():
    system = random_terms(4, 2)
    parameters, inputs = terms(*system)
    trusted = native.accelerations(played.address, played.address, 0.0, np.zeros(4), np.zeros(4), parameters, 2, inputs)
    assert trusted.status == 0
    assert np.array_equal(trusted.a, parameters[:4])
    assert np.array_equal(trusted.multipliers, parameters[4:6])
    inputs[1] = 1.0
    solution = native.accelerations(
        played.address, played.address, 0.0, np.zeros(4), np.zeros(4), parameters, 2, inputs
    )
    assert solution.status == SCHUR
    check_equations(solution, *system)


def test_generated_code_that_gives_no_finite_number_is_rejected():
    system = random_terms(4, 1)
    parameters, inputs = terms(*system)
    parameters[0] = np.nan  # the first acceleration of generated code, and A_00 of the terms
    arguments = (0.0, np.zeros(4), np.zeros(4), parameters, 1, inputs)
    assert native.accelerations(played.address, played.address, *arguments).status == NOT_FINITE


def test_many_states_are_solved_one_by_one():
    count, n, s = 20, 5, 2
    systems = [random_terms(n, s, seed) for seed in range(count)]
    systems[7][0][:] = np.nan
    parameters = np.array([terms(*system)[0] for system in systems])
    rest = np.zeros((count, n))
    inputs = terms(*systems[0])[1]
    a, multipliers, status = native.accelerations_many(
        0, played.address, np.zeros(count), rest, rest, parameters, s, inputs
    )
    assert status[7] == NOT_FINITE
    for k in set(range(count)) - {7}:
        assert status[k] == SCHUR
        one = native.solve(*systems[k])
        assert np.array_equal(a[k], one.a)
        assert np.array_equal(multipliers[k], one.multipliers)


@examples(5)
@given(plans(least=2, constraints=2, spread=4))
def test_influences_agree_with_releases_of_the_plain_chain(plan):
    system = independent(plan)
    group = [k for k, rows in enumerate(plan.groups) for _ in range(rows)]
    changes, status = native.influences(system.A, system.h, system.G, system.g0, group)
    table, bound = system.state().influences, system.bound
    assert status == ELIMINATION
    for (of, on), change in table.items():
        influence = changes[system.names.index(of), system.names.index(on)]
        allowed = 1e2 * (bound.forces + bound.k**2 * bound.unit * bound.motion * bound.w)
        assert bound.of_forces(influence - change) <= allowed


def test_influences_of_redundant_rows_and_singular_inertia_are_left_to_the_plain_version():
    A, h, G, g0 = random_terms(4, 2)
    changes, status = native.influences(A, h, np.vstack([G, G[0]]), np.append(g0, g0[0]), [0, 1, 2])
    assert (status, np.all(np.isnan(changes))) == (REDUNDANT, True)
    A[0], A[:, 0] = 0.0, 0.0
    changes, status = native.influences(A, h, G, g0, [0, 1])
    assert (status, np.all(np.isnan(changes))) == (4, True)


def test_the_plain_version_refuses_where_the_kernel_reports_a_code():
    with pytest.raises(LienketError):
        _ = systems_state(np.diag([1.0, -1.0]), np.zeros(2), np.eye(2)[:1], np.zeros(1)).accelerations
