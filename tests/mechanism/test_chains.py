"""Transmission matrices of random chains against plain products of matrices that SymPy differentiates."""

from itertools import combinations_with_replacement

import pytest
import sympy as sp
from random_chains import COORDINATES, Drawn, at_a_state, plain, shift, turn

import lienket as lk
from lienket import der
from lienket.errors import ModelError
from lienket.mechanism.chains import KinematicChain, Transmission, prismatic, revolute, rigid
from lienket.mechanism.chains.transmission import OMEGA, SHIFT_X, SHIFT_Y

t = lk.t
phi1, phi2 = lk.coordinates("phi1 phi2")
l, b = lk.parameters("l b")
TINY = 1e-13
chains = pytest.mark.parametrize(
    "drawn",
    [Drawn(0), *(pytest.param(Drawn(seed), marks=pytest.mark.slow) for seed in (1, 2))],
    ids=lambda drawn: drawn.name,
)


def test_matrices_of_the_digging_machine():
    """t_1, t_2, t_11, t_21, t_12, t_22 as paper 003 prints them: t_i1 = t_i Omega, t_i2 = t_i Omega^2."""
    for phi, x in ((phi1, 0), (phi2, l)):
        link = revolute(phi, at=(x, 0))
        c, s = sp.cos(phi), sp.sin(phi)
        assert link.t.matrix == sp.Matrix([[c, -s, x], [s, c, 0], [0, 0, 1]])
        assert link.t.matrix * link.omega == sp.Matrix([[-s, -c, 0], [c, -s, 0], [0, 0, 0]])
        assert link.t.matrix * link.omega**2 == sp.Matrix([[-c, s, 0], [-s, -c, 0], [0, 0, 0]])


def test_product_of_rotations_is_the_rotation_by_the_sum():
    arm = KinematicChain([revolute(phi1), revolute(phi2, at=(l, 0))])
    c12, s12 = sp.cos(phi1 + phi2), sp.sin(phi1 + phi2)
    assert sp.Matrix([[c12, -s12, l * sp.cos(phi1)], [s12, c12, l * sp.sin(phi1)], [0, 0, 1]]) == arm.T
    assert tuple(arm.position((b * l, 0))) == (l * sp.cos(phi1) + b * l * c12, l * sp.sin(phi1) + b * l * s12)
    assert arm.angle == phi1 + phi2
    assert arm.coordinates == (phi1, phi2)


def test_transmissions_form_a_group():
    a, c = (Transmission(*lk.parameters(f"w{i} x{i} y{i}")) for i in (1, 2))
    assert at_a_state((a @ c).matrix - a.matrix * c.matrix) < TINY
    assert (
        at_a_state(a.inverse.matrix * a.matrix - sp.eye(3)) < TINY
        and at_a_state((a @ a.inverse).matrix - sp.eye(3)) < TINY
    )
    for generator in (OMEGA, SHIFT_X, SHIFT_Y, 2 * OMEGA - 3 * SHIFT_X + 5 * SHIFT_Y):
        assert at_a_state(a.transformed(generator) - a.matrix * generator * a.inverse.matrix) < TINY


@pytest.mark.parametrize("make", [revolute, prismatic, lambda q, **k: prismatic(q, along=sp.Rational(7, 5), **k)])
def test_generator_of_each_joint(make):
    """dt = t Omega and d2t = t Omega^2, for rotations and displacements about any point."""
    link = make(phi1, at=(l, b), turned=sp.Rational(2, 3))
    T = link.t.matrix
    assert at_a_state(T.diff(phi1) - T * link.omega) < TINY
    assert at_a_state(T.diff(phi1, 2) - T * link.omega**2) < TINY


def test_prismatic_joint_moves_along_the_direction_it_names():
    along, turned = lk.parameters("along turned")
    link = prismatic(phi1, along=along, at=(l, b), turned=turned)
    where = sp.Matrix([link.t.x, link.t.y]) - sp.Matrix([l, b])
    assert at_a_state(where - phi1 * sp.Matrix([sp.cos(along), sp.sin(along)])) < TINY
    assert link.t.angle == turned


@chains
def test_product_and_partial_products(drawn):
    """T = t_1 ... t_k and d_iT = t_1 ... t_i Omega_i t_(i+1) ... t_k, by plain multiplication."""
    assert at_a_state(drawn.chain.T - drawn.T) < TINY
    for i, link in enumerate(drawn.chain.links):
        partial = plain(drawn.matrices[: i + 1]) * link.omega * plain(drawn.matrices[i + 1 :])
        assert at_a_state(drawn.chain.generators[i] * drawn.chain.T - partial) < TINY


@chains
def test_derivatives_by_the_coordinates(drawn):
    for q, p in combinations_with_replacement(COORDINATES, 2):
        slope = drawn.T.diff(q)
        assert at_a_state(drawn.chain.derivative(q) - slope) < TINY
        assert at_a_state(drawn.chain.second_derivative(q, p) - slope.diff(p)) < TINY
        assert at_a_state(drawn.chain.second_derivative(p, q) - slope.diff(p)) < TINY


@chains
def test_points_by_differentiating_their_positions(drawn):
    r = drawn.point
    where = (drawn.T * sp.Matrix([*r, 1]))[:2, 0]
    assert at_a_state(drawn.chain.position(r) - where) < TINY
    assert at_a_state(drawn.chain.velocity(r) - where.diff(t)) < TINY
    assert at_a_state(drawn.chain.acceleration(r) - where.diff(t, 2)) < 20 * TINY
    assert at_a_state(drawn.chain.jacobian(r, COORDINATES) - where.jacobian(COORDINATES)) < TINY


@chains
def test_rates_are_the_sums_over_the_derivatives(drawn):
    """T' = sum of d_iT q_i' and T'' = sum of d_iT q_i'' + sum of d_i d_jT q_i' q_j', which `motion` takes by parts."""
    chain, q = drawn.chain, COORDINATES
    rate = sum((chain.derivative(x) * der(x) for x in q), start=sp.zeros(3, 3))
    assert at_a_state(chain.rate - rate) < TINY
    second = sum((chain.derivative(x) * der(x, 2) for x in q), start=sp.zeros(3, 3))
    for x in q:
        second += sum((chain.second_derivative(x, y) * der(x) * der(y) for y in q), start=sp.zeros(3, 3))
    assert at_a_state(chain.second_rate - second) < 20 * TINY


def test_a_joint_may_be_moved_by_any_function_of_coordinates_and_time():
    """The chain rule holds in both derivatives for a gear, a uniformly turning shaft and a cam."""
    omega0 = lk.parameters("omega0")
    chain = KinematicChain([revolute(omega0 * t), revolute(-2 * phi1, at=(l, 0)), prismatic(phi1**2 * phi2, along=1)])
    path = phi1**2 * phi2
    T = turn(omega0 * t) * shift(l, 0) * turn(-2 * phi1) * shift(path * sp.cos(1), path * sp.sin(1))
    where = (T * sp.Matrix([b, 1, 1]))[:2, 0]
    assert at_a_state(chain.velocity((b, 1)) - where.diff(t)) < TINY
    assert at_a_state(chain.acceleration((b, 1)) - where.diff(t, 2)) < 20 * TINY
    for q in (phi1, phi2):
        assert at_a_state(chain.derivative(q) - T.diff(q)) < TINY
        assert at_a_state(chain.second_derivative(q, phi1) - T.diff(q).diff(phi1)) < TINY
    assert chain.coordinates == (phi1, phi2)


def test_a_chain_grows_and_begins_on_the_ground():
    links = [revolute(phi1), rigid((l, 0)), revolute(phi2)]
    chain = KinematicChain(links)
    assert (
        chain[:2] == KinematicChain(links[:2]) and chain[:2] + links[2:] == chain and KinematicChain() + chain == chain
    )
    assert len(chain) == 3 and sp.eye(3) == KinematicChain().T and KinematicChain().coordinates == ()
    assert at_a_state(KinematicChain(links).T - KinematicChain([revolute(phi1), revolute(phi2, at=(l, 0))]).T) < TINY
    with pytest.raises(TypeError, match="begins on the ground"):
        chain[1:]
    with pytest.raises(AttributeError):
        chain.links = ()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: revolute(phi1, at=(phi2, 0)), "at: phi2 is not constant: it depends on phi2"),
        (lambda: revolute(phi1, turned=t), "turned: t is not constant"),
        (lambda: prismatic(phi1, along=phi2), "along: phi2 is not constant: it depends on phi2"),
        (lambda: revolute(der(phi1)), "phi1' contains velocities"),
        (lambda: revolute(phi1, at=(1, 2, 3)), "a pair"),
        (lambda: revolute("phi1"), "the text 'phi1' is not an expression"),
        (lambda: KinematicChain([revolute(phi1)]).position((phi1, 0)), "at: phi1 is not constant: it depends on phi1"),
    ],
)
def test_faulty_parameters_of_a_joint_are_refused(make, message):
    """A parameter that is not constant would be missing from every derivative."""
    with pytest.raises(ModelError) as caught:
        make()
    assert message in str(caught.value)


def test_faults_of_a_joint_are_reported_together():
    with pytest.raises(ModelError) as caught:
        prismatic("s", along=phi1, at=5)
    assert len(caught.value.faults) == 3


def test_long_chain_stays_small():
    """With sixteen links angles and rates are added: one term for each link, no products of cosines."""
    n = 16
    angles = [sp.Function(f"a{i}")(t) for i in range(n)]
    chain = KinematicChain([revolute(a, at=(l, 0)) for a in angles])
    x, _ = chain.position((1, 0))
    assert len(x.atoms(sp.cos)) == n and not x.atoms(sp.sin)
    assert len(sp.Add.make_args(x)) == n + 1
    speed, _ = chain.velocity((1, 0))
    assert len(sp.Add.make_args(speed)) == n
    assert len(speed.atoms(sp.sin)) == n and not speed.atoms(sp.cos)
