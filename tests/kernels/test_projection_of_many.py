"""Projection of many points in step equals the projection of each point, to the last bit."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_cases import random_cases

import lienket as lk
from lienket.assembly.models import compiled_model
from lienket.errors import Faults
from lienket.kernels.projection import Surface, project, shortest, sizes_of
from lienket.kernels.projection_of_many import project_many, shortest_of_many, sizes_of_many
from lienket.model.input.parameters import parameter_numbers
from lienket.simulation.start.level_constraints import POSITIONS, VELOCITIES, LevelConstraints

KINDS = ("regular", "massless", "dependent", "contradictory", "root")


def quadrics(n, s, seed, kind):
    """Return a function of points: A, and s quadratic rows with zeros near the origin, some of them difficult."""
    rng = np.random.default_rng([n, s, seed])
    A0 = rng.normal(size=(n, n))
    A0 = A0 @ A0.T + np.eye(n)
    if kind == "massless":
        A0[-1], A0[:, -1] = 0.0, 0.0
    C, b, c = rng.normal(size=(s, n, n)), rng.normal(size=(s, n)), 0.3 * rng.normal(size=s)
    if kind in ("dependent", "contradictory") and s > 1:
        C[-1], b[-1] = 2 * C[0], 2 * b[0]
        c[-1] = 2 * c[0] + (kind == "contradictory")

    def at(x):
        r = x @ C @ x + b @ x + c
        G = C @ x + x @ C + b
        if kind == "root":  # undefined beyond a wall
            r = r + np.sqrt(2 - x[0])
            G[:, 0] -= 0.5 / np.sqrt(2 - x[0])
        A = A0 * (1 + 0.1 * np.cos(x[0]))
        terms = np.abs(C) @ np.abs(x) @ np.abs(x) + np.abs(b) @ np.abs(x) + np.abs(c)
        return Surface(A, G, r if np.isfinite(G).all() else np.full(s, np.nan), terms)

    def at_many(points):
        A, G, (r, terms) = np.zeros((len(points), n, n)), np.zeros((len(points), s, n)), np.zeros((2, len(points), s))
        for k, x in enumerate(points):
            A[k], G[k], r[k], terms[k] = at(x)
        return Surface(A, G, r, terms)

    return at, at_many


@random_cases(120)
@given(
    st.integers(1, 9), st.integers(0, 10), st.integers(0, 1000), st.sampled_from(KINDS), st.sampled_from([3, 30]),
    st.sampled_from([1, 6, 20]),
)  # fmt: skip
def test_equals_the_projection_of_each_point(n, s, seed, kind, steps, halvings):
    at, at_many = quadrics(n, min(s, n + 1), seed, kind)
    rng = np.random.default_rng(seed)
    points, free = rng.normal(size=(7, n)) * 10.0 ** rng.integers(-1, 2, (7, 1)), rng.uniform(size=n) < 0.8
    with np.errstate(all="ignore"):
        x, codes = project_many(at_many, points, free, steps, halvings)
        for k, point in enumerate(points):
            expected, code = project(at, point, free, steps, halvings)
            assert codes[k] == code
            np.testing.assert_array_equal(x[k], expected)
        surfaces = at_many(points)
        accepted, move = shortest_of_many(surfaces, free)
        sizes = sizes_of_many(surfaces, points)
        for k, point in enumerate(points):
            rows, step = shortest(at(point), free)
            np.testing.assert_array_equal(move[k], step)
            np.testing.assert_array_equal(np.flatnonzero(accepted[k]), np.sort(rows) if free.any() else [])
            np.testing.assert_array_equal(sizes[k], sizes_of(at(point), point))


def test_no_points():
    _, at_many = quadrics(3, 2, 0, "regular")
    x, codes = project_many(at_many, np.zeros((0, 3)), np.ones(3, dtype=bool))
    assert x.shape == (0, 3) and codes.shape == (0,)


@pytest.mark.parametrize("level", [POSITIONS, VELOCITIES])
@pytest.mark.parametrize("name", ["andrews_squeezer", "rolling_disc", "appell_hamel"])
def test_surfaces_of_machine_code_equal_those_of_single_points(name, level):
    system = lk.load(f"examples/models/{name}.toml")
    statement, n = system.statement, len(system.coordinates)
    model = compiled_model(statement.free, statement.constraints, statement.parameters)
    parameters = parameter_numbers(statement, dict.fromkeys(statement.parameters, 0.7), Faults())
    points = np.random.default_rng(5).normal(size=(9, n))
    conditions = LevelConstraints(model, 0.3, parameters, level, statement.names, points[0])
    together = conditions.surfaces(points)
    for k, x in enumerate(points):
        for part, single in zip(together, conditions.surface(x), strict=True):
            np.testing.assert_array_equal(part[k], single)
