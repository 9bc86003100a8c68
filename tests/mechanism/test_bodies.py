"""Inertia, velocity terms, energies and forces of bodies on chains: the traces of theory 11, Lagrange, virtual work."""

import numpy as np
import pytest
import sympy as sp
from random_chains import COORDINATES, Drawn, at_a_state, numbers

import lienket as lk
from lienket import der
from lienket.errors import ModelError
from lienket.mechanism.chains import (
    Body,
    KinematicChain,
    force_at,
    inertia_matrix,
    kinetic_energy,
    moment_between,
    moment_on,
    particle,
    potential_energy,
    prismatic,
    revolute,
    rigid_body,
    total,
    velocity_terms,
)

t = lk.t
m, J, g, l, b, M, F = lk.parameters("m J g l b M F")
phi1, phi2, s = lk.coordinates("phi1 phi2 s")
RATES = sp.Matrix([der(q) for q in COORDINATES])
TINY = 1e-13
chains = pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow)])


def carried(seed):
    """Return a rigid body in the middle of a random chain, another at its end, and a particle there."""
    chain = Drawn(seed).chain
    return [
        rigid_body(chain[:2], 1.3, 0.2, (0.4, -0.3)),
        rigid_body(chain, 0.7, 0.05, (-0.2, 0.6)),
        particle(chain, m, (0.5, 0.1)),
    ]


def by_koenig(bodies):
    """Return T from the velocity of each mass centre, differentiated by SymPy, and the rate of the angle."""
    energy = 0
    for body in bodies:
        v = body.chain.position(body.centre).diff(t)
        energy += body.mass * v.dot(v) / 2 + body.moment * body.chain.angle.diff(t) ** 2 / 2
    return energy


@chains
def test_traces(seed):
    """a_ij = sum of tr(d_iT H d_jT^T), T = sum of tr(T' H T'^T)/2, N_i = -sum of tr(d_iT H (d_j d_lT)^T) q_j' q_l'."""
    bodies = carried(seed)
    A, T = sp.zeros(3, 3), 0
    N = sp.zeros(3, 1)
    for chain, H in ((body.chain, body.H) for body in bodies):
        slopes = [chain.derivative(q) for q in COORDINATES]
        A += sp.Matrix(3, 3, lambda i, j, d=slopes, H=H: (d[i] * H * d[j].T).trace())
        T += (chain.rate * H * chain.rate.T).trace() / 2
        pairs = [(q, p) for q in COORDINATES for p in COORDINATES]
        bent = sum((chain.second_derivative(q, p) * der(q) * der(p) for q, p in pairs), start=sp.zeros(3, 3))
        N -= sp.Matrix([(d * H * bent.T).trace() for d in slopes])
    assert at_a_state(inertia_matrix(bodies, COORDINATES) - A) < TINY
    assert at_a_state([kinetic_energy(bodies) - T]) < TINY
    assert at_a_state(velocity_terms(bodies, COORDINATES) - N) < 10 * TINY


@chains
def test_kinetic_energy_is_koenigs(seed):
    bodies = carried(seed)
    assert at_a_state([kinetic_energy(bodies) - by_koenig(bodies)]) < TINY
    A = inertia_matrix(bodies, COORDINATES)
    assert at_a_state([kinetic_energy(bodies) - (RATES.T * A * RATES)[0] / 2]) < TINY
    inertia = np.array(numbers(A), float).reshape(3, 3)
    assert np.all(np.linalg.eigvalsh(inertia) > 1e-3)


@chains
def test_lagrange_gives_the_same_equations(seed):
    """A and N of a System with T by Koenig are those of the chain, and also with inertia=A."""
    bodies = carried(seed)
    V, A = potential_energy(bodies, (0, -g)), inertia_matrix(bodies, COORDINATES)
    for stated in ({"kinetic": by_koenig(bodies)}, {"inertia": A}):
        free = lk.System("chain", COORDINATES, potential=V, **stated).free
        assert at_a_state(free.A - A) < TINY
        assert at_a_state(free.N - velocity_terms(bodies, COORDINATES)) < 10 * TINY
        weights = [total(*(force_at(x.chain, x.centre, (0, -x.mass * g)) for x in bodies))[q] for q in COORDINATES]
        assert at_a_state(free.Q - sp.Matrix(weights)) < 10 * TINY


@chains
def test_velocity_terms_do_the_work_that_inertia_asks_for(seed):
    """d/dt (q'^T A q'/2) = q'^T Q needs q'^T N = -q'^T A' q'/2."""
    bodies = carried(seed)
    A, N = inertia_matrix(bodies, COORDINATES), velocity_terms(bodies, COORDINATES)
    A_rate = sum((A.diff(q) * der(q) for q in COORDINATES), start=sp.zeros(3, 3))
    assert at_a_state([(RATES.T * N)[0] + (RATES.T * A_rate * RATES)[0] / 2]) < 10 * TINY


def test_energy_is_conserved_in_a_run():
    """A run of a slider with a weight on a turning arm conserves energy."""
    arm = KinematicChain([revolute(phi1), prismatic(s, at=(0.3, 0)), revolute(phi2)])
    bodies = [rigid_body(arm[:1], 2, 0.1, (0.2, 0)), particle(arm[:2], 0.5), rigid_body(arm, 1, 0.02, (0.4, 0.1))]
    V = potential_energy(bodies, (0, -9.81)) + 40 * s**2
    system = lk.System("arm with slider", [phi1, s, phi2], kinetic=kinetic_energy(bodies), potential=V)
    motion = system.simulate(start={"phi1": 0.4, "s": 0.1, "phi2'": 2.0}, until=2, rtol=1e-10, atol=1e-12)
    energy = motion.energy.total
    assert np.ptp(energy) < 1e-7 * np.max(np.abs(energy))
    assert np.ptp(motion.q, axis=0).min() > 0.1


def test_pseudo_inertia_is_the_integral_over_the_body():
    """H of a rectangle 2a x 2h off the origin is the integral of r r^T dm, entry by entry."""
    a, h, cx, cy, rho, x, y = lk.parameters("a h cx cy rho x y")
    r = sp.Matrix([x, y, 1])
    H = (rho * r * r.T).applyfunc(lambda e: sp.integrate(e, (x, cx - a, cx + a), (y, cy - h, cy + h)))
    mass = 4 * a * h * rho
    pseudo_inertia = rigid_body(KinematicChain(), mass, mass * (a**2 + h**2) / 3, (cx, cy)).H
    unequal = sp.Matrix(H - pseudo_inertia).applyfunc(sp.simplify)
    assert sp.simplify(unequal[0, 0] + unequal[1, 1]) == 0  # only their sum enters the plane motion
    unequal[0, 0] = unequal[1, 1] = 0
    assert unequal.is_zero_matrix
    assert m * sp.Matrix([l, b, 1]) * sp.Matrix([l, b, 1]).T == particle(KinematicChain(), m, (l, b)).H


def test_body_is_a_frozen_value():
    chain = KinematicChain([revolute(phi1)])
    assert particle(chain, m, (l, 0)) == Body(chain, m, (l, 0), 0) == rigid_body(chain, m, 0, (l, 0))
    with pytest.raises(ModelError, match="centre: phi1 is not constant: it depends on phi1"):
        rigid_body(chain, m, J, (phi1, 0))


@chains
def test_force_at_a_point_by_virtual_work(seed):
    """Q_i = F . dr/dq_i, also with F along turned axes."""
    drawn = Drawn(seed)
    r = drawn.chain.position(drawn.point)
    V = sp.Matrix([[sp.cos(b), -sp.sin(b)], [sp.sin(b), sp.cos(b)]])
    for components, turned, force in (((F, g), 0, sp.Matrix([F, g])), ((F, g), b, V * sp.Matrix([F, g]))):
        Q = force_at(drawn.chain, drawn.point, components, turned)
        expected = r.jacobian(COORDINATES).T * force
        assert at_a_state(sp.Matrix([Q[q] for q in COORDINATES]) - expected) < TINY


def test_moments():
    """A moment from the ground works on every angle before it, a motor in a joint only on that joint."""
    chain = KinematicChain([revolute(phi1), prismatic(s, along=l), revolute(-2 * phi2, at=(l, 0))])
    assert moment_on(chain, M) == {phi1: M, s: 0, phi2: -2 * M}
    assert moment_between(chain, M) == {phi1: 0, s: 0, phi2: -2 * M}
    assert moment_between(chain[:1], M) == moment_on(chain[:1], M) == {phi1: M}
    assert total(moment_on(chain, M), {s: F}, {phi1: F}) == {phi1: M + F, s: F, phi2: -2 * M}


def test_joints_moved_by_time_bring_all_parts_of_the_kinetic_energy():
    """The hammer on its drum (paper 001): T2 + T1 + T0 from a shaft at omega0 t."""
    R, a, omega0 = lk.parameters("R a omega0")
    drum = KinematicChain([revolute(omega0 * t), revolute(phi1 - omega0 * t, at=(R, 0))])
    bodies = [rigid_body(drum, m, J, (a, 0))]
    free = lk.System("hammer", [phi1], kinetic=kinetic_energy(bodies), potential=potential_energy(bodies, (g, 0))).free
    assert at_a_state(inertia_matrix(bodies, [phi1]) - sp.Matrix([J + m * a**2])) < TINY
    swing = -m * a * R * omega0**2 * sp.sin(phi1 - omega0 * t)
    assert at_a_state(free.N - sp.Matrix([swing])) < TINY
    assert at_a_state(velocity_terms(bodies, [phi1]) - sp.Matrix([swing])) < TINY


def test_components_must_be_pairs():
    with pytest.raises(ModelError, match=r"gravity: a pair \(x, y\) was expected"):
        potential_energy([particle(KinematicChain([revolute(phi1)]), m)], (0, 0, g))
