"""Which inertias are possible, and which violated inequality is named (mechanisms 6.3)."""

import numpy as np
import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st
from mass_clouds import moments
from random_cases import random_cases
from scipy.spatial.transform import Rotation

import lienket as lk
from lienket import planar, spatial
from lienket.errors import ModelError
from lienket.mechanism.building.inertia import possible_inertia

seeds = st.integers(0, 2**32 - 1)


def freed(made):
    """Return a mechanism whose bodies all move freely: a body without a joint is a fault."""
    for name in made.bodies:
        made.free(f"free_{name}", made.ground, type(made.ground)(made, name))
    return made


def entries(J):
    J = np.asarray(J, float)
    return [sp.Float(J[i, j]) for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]


def turned(moments_, rng):
    R = Rotation.random(rng=rng).as_matrix()
    return R @ np.diag(moments_) @ R.T


@random_cases(200)
@given(seeds, st.integers(1, 6))
def test_every_body_of_particles_is_possible(seed, count):
    """Also one particle (J = 0), two (a thin rod) and three (a thin plate), which meet the bounds exactly."""
    rng = np.random.default_rng(seed)
    points, masses = rng.uniform(-1, 1, (count, 3)) * 10.0 ** rng.uniform(-3, 3), rng.uniform(0, 5, count) + 1e-3
    assert possible_inertia(entries(moments(points, masses)[2])) == ""


@random_cases(200)
@given(seeds, st.floats(1e-9, 1))
def test_thin_plates_are_the_bound(seed, excess):
    """J_3 = J_1 + J_2 is possible in any axes; a third moment larger by 1e-9 of it is not, and is named."""
    rng = np.random.default_rng(seed)
    scale = 10.0 ** rng.uniform(-6, 6)
    one, two = scale * rng.uniform(0.1, 1, 2)
    assert possible_inertia(entries(turned([one, two, one + two], rng))) == ""
    problem = possible_inertia(entries(turned([one, two, (one + two) * (1 + excess)], rng)))
    assert problem.endswith("the sum of two is never below the third")
    assert f"{min(one, two):.6g}" in problem


@random_cases(100)
@given(seeds)
def test_negative_principal_moments_are_named(seed):
    """Every entry on the diagonal may be positive: the products of inertia are too large."""
    rng = np.random.default_rng(seed)
    J = turned([-0.1, 1.0, 1.0], rng)
    assert possible_inertia(entries(J)) == "its principal moment -0.1 is negative"


def test_bounds_of_diagonals_with_parameters():
    """Entries that are numbers are tried also beside parameters: the inequalities of the diagonal hold in all axes."""
    p = lk.parameters("p")
    assert possible_inertia([sp.Integer(-1), p, p, p, p, p]) == "its moment J_xx = -1 is negative"
    assert "two have a sum below the third" in possible_inertia([*map(sp.Integer, (1, 5, 1)), p, p, p])
    assert possible_inertia([*map(sp.Integer, (1, 2, 1)), p, p, p]) == ""
    assert possible_inertia([p] * 6) == ""


def faults_of(**given):
    made = spatial.Mechanism("body")
    made.body("b", **given)
    try:
        freed(made).description("absolute")
    except ModelError as error:
        return [str(fault) for fault in error.faults]
    return []


def test_faults_of_bodies():
    assert faults_of(mass=1, inertia=(1, 1, 1)) == []
    assert faults_of(mass=1) == []
    assert faults_of() == []
    assert faults_of(mass=-1)[0].startswith("body 'b', mass: -1 is negative")
    assert "the principal moments 1, 1 and 3" in faults_of(mass=1, inertia=(1, 1, 3))[0]
    assert "its principal moment -1 is negative" in faults_of(mass=1, inertia=(1, -1, 1))[0]
    assert "1, 3 or 6 numbers or a 3 x 3 matrix" in faults_of(mass=1, inertia=(1, 1))[0]
    assert "1, 3 or 6 numbers or a 3 x 3 matrix" in faults_of(mass=1, inertia=[[1, 0], [0, 1]])[0]
    assert "is not an expression" in faults_of(mass=1, inertia=(1, "1", 1))[0]


def test_negative_moment_in_the_plane():
    made = planar.Mechanism("body")
    made.body("b", mass=1, inertia=-2)
    with pytest.raises(ModelError, match="body 'b', inertia: -2 is negative"):
        freed(made).description("absolute")


def test_asymmetric_matrices_are_refused_and_rounding_is_not():
    """R J R^T in floating point differs from its transpose by rounding."""
    asymmetric = [[2, 0.5, 0], [0.25, 2, 0], [0, 0, 2]]
    told = faults_of(mass=1, inertia=asymmetric)
    assert "the matrix is not symmetric: J_xy = 1/2 and J_yx = 1/4" in told[0]
    assert faults_of(mass=1, inertia=sp.Matrix(asymmetric)) == told
    R = Rotation.from_euler("zyx", [0.3, 0.7, -1.1]).as_matrix()
    J = R @ np.diag([1.0, 2.0, 2.5]) @ R.T
    J[0, 1] = np.nextafter(J[0, 1], 1)
    J[1, 0] = np.nextafter(J[0, 1], 1)
    assert faults_of(mass=1, inertia=J) == []
    a, b = lk.parameters("a b")
    assert faults_of(mass=1, inertia=[[a, b, 0], [b, a, 0], [0, 0, a]]) == []
    assert "J_xy = b and J_yx = a" in faults_of(mass=1, inertia=[[a, b, 0], [a, a, 0], [0, 0, a]])[0]


def test_ways_to_state_an_inertia():
    """One moment, three, six entries and matrices of lists, NumPy and SymPy are the same."""
    made = spatial.Mechanism("ways")
    full = [[2, 0.25, 0.5], [0.25, 3, 0.125], [0.5, 0.125, 4]]
    ways = [(2, 3, 4, 0.25, 0.5, 0.125), full, np.array(full), sp.Matrix(full), np.array([2, 3, 4, 0.25, 0.5, 0.125])]
    for k, way in enumerate(ways):
        made.body(f"b{k}", mass=1, inertia=way)
    made.body("three", mass=1, inertia=[2, 3, 4])
    made.body("one", mass=1, inertia=2)
    *bodies, three, one = (body.inertia for body in freed(made).description("absolute").bodies)
    assert set(bodies) == {(2, 3, 4, sp.Rational(1, 4), sp.Rational(1, 2), sp.Rational(1, 8))}
    assert (three, one) == ((2, 3, 4, 0, 0, 0), (2, 2, 2, 0, 0, 0))
