"""Bricard's mechanism: five rods and the ground along edges of a cube, six hinges, one freedom that counting denies.

Source: problem A04 "Bricard mechanism" of the library of benchmark problems of M. Gonzalez, D. Dopico, U. Lugris,
J. Cuadrado, "A benchmarking system for MBS simulation software", Multibody System Dynamics 16 (2006): rods of 1 m and
1 kg with a square section of 0.1 m, gravity along -y, at rest in the drawn position. Its motion by quadrature: hinges
1, 3 and 5 turn by a, hinges 2 and 4 by b with sin b = -sin a/(1 + sin a), and M(a) a'^2/2 + V(a) = V(0).
"""

import numpy as np
import pytest
import sympy as sp

import lienket as lk
from lienket import der

CORNERS = [(0, 0, 0), (1, 0, 0), (1, -1, 0), (1, -1, 1), (0, -1, 1), (0, 0, 1)]
AXES = [(0, 1, 0), (0, 0, 1), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 0, 0)]
GRAVITY, ALONG, ACROSS = 9.81, 0.01 / 6, 1.01 / 12  # [m/s^2], [kg m^2], [kg m^2]


def spin(axis):
    """Return the matrix of the cross product with an axis."""
    x, y, z = axis
    return [[0, -z, y], [z, 0, -x], [-y, x, 0]]


def inertias(k):
    """Return the principal moments of inertia of rod k, along the axes in the drawn position."""
    return [ALONG if CORNERS[k][i] != CORNERS[k + 1][i] else ACROSS for i in range(3)]


def by_joints(reverse):
    """Return the system in five angles of hinges, closed by a hinge of five rows."""
    angles = lk.coordinates("q1 q2 q3 q4 q5")
    R, p, turning, T, V = sp.eye(3), sp.zeros(3, 1), sp.zeros(3, 1), 0, 0
    for k, angle in enumerate(angles):
        K = sp.Matrix(spin(AXES[k]))
        turning += R * sp.Matrix(AXES[k]) * der(angle)
        R = R * (sp.eye(3) + sp.sin(angle) * K + (1 - sp.cos(angle)) * K * K)
        way = R * (sp.Matrix(CORNERS[k + 1]) - sp.Matrix(CORNERS[k]))
        speed = [sum(sp.diff(x, q) * der(q) for q in angles) for x in p + way / 2]
        T += sum(w**2 for w in speed) / 2 + sum(J * w**2 for J, w in zip(inertias(k), R.T * turning, strict=True)) / 2
        V += GRAVITY * (p + way / 2)[1]
        p = p + way
    axis = R * sp.Matrix(AXES[5])
    rows = [*(p - sp.Matrix(CORNERS[5])), axis[1], axis[2]]
    return lk.System("Bricard", list(angles), kinetic=T, potential=V).constrain(
        "hinge", rows[::-1] if reverse else rows
    )


def by_bodies():
    """Return the system in positions and Cardan angles of the rods, with six hinges of five rows, and its start."""
    free, T, V, hinges, q = [], 0, 0, [], []
    before = sp.Matrix(CORNERS[0]), sp.eye(3)
    for k in range(6):
        R, end = sp.eye(3), sp.Matrix(CORNERS[5])
        if k < 5:
            x, y, z, a, b, c = body = lk.coordinates(f"x{k} y{k} z{k} a{k} b{k} c{k}")
            for angle, axis in ((c, (0, 0, 1)), (b, (0, 1, 0)), (a, (1, 0, 0))):
                K = sp.Matrix(spin(axis))
                R = R * (sp.eye(3) + sp.sin(angle) * K + (1 - sp.cos(angle)) * K * K)
            half = R * (sp.Matrix(CORNERS[k + 1]) - sp.Matrix(CORNERS[k])) / 2
            turning = (der(a) - der(c) * sp.sin(b), der(b) * sp.cos(a) + der(c) * sp.cos(b) * sp.sin(a))
            turning += (der(c) * sp.cos(b) * sp.cos(a) - der(b) * sp.sin(a),)
            T += (der(x) ** 2 + der(y) ** 2 + der(z) ** 2) / 2
            T += sum(J * w**2 for J, w in zip(inertias(k), turning, strict=True)) / 2
            V += GRAVITY * y
            end, free = sp.Matrix([x, y, z]) - half, [*free, *body]
            q += [*((np.array(CORNERS[k]) + CORNERS[k + 1]) / 2), 0, 0, 0]
        across = [before[1][:, i] for i in range(3) if AXES[k][i] == 0]
        hinges.append([*(end - before[0]), *((R * sp.Matrix(AXES[k])).dot(e) for e in across)])
        before = (end + 2 * half, R)
    system = lk.System("Bricard", free, kinetic=T, potential=V)
    for k, rows in enumerate(hinges):
        system = system.constrain(f"hinge {k + 1}", rows)
    return system, q


def fall(a):
    """Return V(0) - V and M at the angle a of the first hinge, the derivatives by complex steps."""
    step = 1e-30
    z = a + 1j * step
    b = np.arcsin(-np.sin(z) / (1 + np.sin(z)))
    R, p, height, M = np.eye(3), np.zeros(3), 0.0, 0.0
    for k, angle in enumerate((z, b, z, b, z)):
        K = np.array(spin(AXES[k]))
        R = R @ (np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * K @ K)
        way = R @ np.subtract(CORNERS[k + 1], CORNERS[k])
        centre, p = p + way / 2, p + way
        W = R.real.T @ R.imag / step
        turning = np.array([W[2, 1], W[0, 2], W[1, 0]])
        M += np.sum((centre.imag / step) ** 2) + inertias(k) @ turning**2
        height += centre[1].real
    assert np.abs(p.real - CORNERS[5]).max() < 1e-14  # the loop is closed
    return GRAVITY * (-3 - height), M


def time_of(a):
    """Return the time at which the first hinge has turned by a; a = pi (1 - cos s)/2 keeps the integrand smooth."""
    nodes, weights = np.polynomial.legendre.leggauss(60)
    end = np.arccos(1 - 2 * a / np.pi)
    total = 0.0
    for node, weight in zip(nodes, weights, strict=True):
        s = end * (1 + node) / 2
        lost, M = fall(np.pi * (1 - np.cos(s)) / 2)
        total += weight * end / 2 * np.sqrt(M / (2 * lost)) * np.pi / 2 * np.sin(s)
    return total


@pytest.mark.parametrize("reverse", [False, True])
def test_hinge_angles_follow_the_quadrature(reverse):
    system = by_joints(reverse)
    times = [0, 0.5, 1.0, 1.5, 2.0, 2.4, 10.0]
    motion = system.simulate(start=([0] * 5, [0] * 5), until=10, times=times, rtol=1e-10, atol=1e-12)
    assert motion.outcome.complete, motion.outcome
    assert motion.audit.ok, motion.audit.warnings
    for t, (q1, q2, q3, q4, q5) in zip(times[1:6], motion.q[1:6], strict=True):
        assert np.sin(q2) == pytest.approx(-np.sin(q1) / (1 + np.sin(q1)), abs=1e-9)
        assert [q3, q4, q5] == pytest.approx([q1, q2, q1], abs=1e-9)
        assert time_of(q1) == pytest.approx(t, abs=1e-8)
    half_period = time_of(np.pi)
    assert time_of(motion.q[-1][0]) == pytest.approx(abs(10 - 4 * half_period), abs=1e-6)


@pytest.mark.parametrize(("method", "step", "error"), [("rattle4", None, 1e-9), ("rattle", 1e-4, 1e-7)])
def test_symplectic_steps_begin_where_all_angles_are_zero(method, step, error):
    """Rounding of the rows, whose terms are as large as ever, moves w by 1e-16/h: more than 1e-9 of w and of q/h."""
    run = by_joints(False).simulate(start=([0] * 5, [0] * 5), until=1.0, times=[0.5, 1.0], method=method, step=step)
    assert run.outcome.complete, run.outcome
    assert [time_of(q[0]) for q in run.q] == pytest.approx(run.t, abs=error)


@pytest.mark.slow
def test_bodies_with_angles_that_stay_zero_move_alike():
    """Some Cardan angles stay at 0, where rounding of the rows is larger than |G| |q|."""
    system, q = by_bodies()
    times = [0, 0.5, 1.0]
    motion = system.simulate(start=(q, [0] * 30), until=1, times=times, rtol=1e-9, atol=1e-11)
    assert motion.outcome.complete, motion.outcome
    assert motion.audit.ok, motion.audit.warnings
    for t, angle in zip(times[1:], motion["b0"][1:], strict=True):
        assert time_of(angle) == pytest.approx(t, abs=1e-7)
    verdicts = system.at(q, [0] * 30).verdicts
    assert sum(len(verdict.rows) for verdict in verdicts.values()) == 1
