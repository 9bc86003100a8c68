"""Bodies on rough supports against Newton and Euler, written out here: a rod, a ladder, a block on two feet.

Forces on the body are N and F at each contact; m x'' = sum F_x, m y'' = sum F_y - m g, J th'' = sum of the moments
about the centre, and points in contact have no acceleration along the normal. These equations use nothing of lienket.
"""

from itertools import product

import numpy as np
import pytest
from families import close
from sympy import cos, sin

import lienket as lk
from lienket import der

m, g, l, J, mu, nu = lk.parameters("m g l J mu nu")
x, y, th = lk.coordinates("x y th")
VALUES = {m: 2.3, g: 9.81, l: 0.7, J: 0.9}
M, GRAVITY, L, INERTIA = VALUES.values()


def body(name, values):
    T = m * (der(x) ** 2 + der(y) ** 2) / 2 + J * der(th) ** 2 / 2
    return lk.System(name, [x, y, th], kinetic=T, potential=m * g * y, values=VALUES | values)


def support(system, name, normal, along, coefficient, **law):
    """Add a contact: the coordinate of a point along the normal, and along the support."""
    return system.constrain(name, normal, law=lk.Coulomb(coefficient, slip=along.diff(lk.t), **law))


def lever(point):
    """Return the position of the point (a, b) of the body as functions of x, y, th."""
    a, b = point
    return x + a * cos(th) - b * sin(th), y + a * sin(th) + b * cos(th)


def newton_euler(angle, rate, contacts, forces_of):
    """Return x'', y'', th'' and the normal forces, from equations in one matrix.

    `contacts` are ((a, b) in the body, n, t): the normal n (away from the support) and the direction t along it;
    `forces_of` gives for each F/N, the friction along t as a share of the normal force; None for an open contact.
    """
    c, s = np.cos(angle), np.sin(angle)
    K, right = np.zeros((3 + len(contacts),) * 2), np.zeros(3 + len(contacts))
    K[0, 0], K[1, 1], K[2, 2] = M, M, INERTIA
    right[1] = -M * GRAVITY
    for k, ((point, n, t), share) in enumerate(zip(contacts, forces_of, strict=True)):
        arm = np.array([point[0] * c - point[1] * s, point[0] * s + point[1] * c])
        across = np.array([-arm[1], arm[0]])  # displacement of the point by a unit turn
        if share is None:
            K[3 + k, 3 + k] = 1
            continue
        force = np.asarray(n) + share * np.asarray(t)
        K[0, 3 + k], K[1, 3 + k] = -force
        K[2, 3 + k] = -(arm[0] * force[1] - arm[1] * force[0])
        K[3 + k, :2], K[3 + k, 2] = n, np.dot(n, across)
        right[3 + k] = rate**2 * np.dot(n, arm)
    unknowns = np.linalg.solve(K, right)
    return unknowns[:3], unknowns[3:]


# A rod whose lower end slides on the floor

ROD = {
    "bilateral": support(body("rod", {mu: 0.3}), "floor", y - l * sin(th), x - l * cos(th), mu),
    "unilateral": support(body("rod", {mu: 0.3}), "floor", y - l * sin(th), x - l * cos(th), mu, unilateral=True),
}
END = ((-L, 0.0), (0.0, 1.0), (1.0, 0.0))


@pytest.mark.parametrize("kind", ROD)
@pytest.mark.parametrize("coefficient", [0.0, 0.1, 0.35, 0.9])
@pytest.mark.parametrize("angle", [0.2, 0.9, np.pi / 2, 2.0, 2.9])
@pytest.mark.parametrize(("slip", "rate"), [(1.3, 0.0), (-1.3, 0.0), (0.4, 2.0), (-0.4, -7.0), (2.0, 9.0)])
def test_rod_slides_on_a_rough_floor(kind, coefficient, angle, slip, rate):
    """Both signs of the normal force are tried by hand; only a bilateral floor can hold the rod down."""
    q = (0.3, L * np.sin(angle), angle)
    v = (slip - L * np.sin(angle) * rate, L * np.cos(angle) * rate, rate)
    solutions = []
    for sense in (1, -1) if kind == "bilateral" else (1, 0):
        share = None if sense == 0 else -coefficient * sense * np.sign(slip)
        a, (N,) = newton_euler(angle, rate, [END], [share])
        rising = a[1] - L * (np.cos(angle) * a[2] - np.sin(angle) * rate**2)
        if (rising >= 0) if sense == 0 else (sense * N >= 0):
            solutions.append((a, N, 0.0 if share is None else share * N))
    if len(solutions) != 1:
        word = "no motion obeys" if not solutions else "2 motions obey"
        with pytest.raises(lk.LienketError, match=f"{word} the laws of friction.*'floor'"):
            ROD[kind].at(q, v, values={"mu": coefficient})
        return
    ((a, N, F),) = solutions
    state = ROD[kind].at(q, v, values={"mu": coefficient})
    close(state.accelerations, a)
    contact = state.contacts["floor"]
    close([contact.normal, contact.friction], [N, F], 1e-11, M * GRAVITY)
    moment = L * np.sin(angle) * F - L * np.cos(angle) * N
    close(state.reactions["floor"], [F, N, moment], 1e-11, M * GRAVITY)
    close(np.array(state.v) @ state.reaction, slip * F, 1e-10, M * GRAVITY)  # power of friction
    assert contact.mode == ("open" if kind == "unilateral" and N == 0 and F == 0 else "slides")


# A ladder between wall and floor, sliding down or up; a block on two feet

LADDER = [((-L, 0.0), (0.0, 1.0), (1.0, 0.0)), ((L, 0.0), (-1.0, 0.0), (0.0, 1.0))]
FEET = [((-L, -0.4), (0.0, 1.0), (1.0, 0.0)), ((0.6 * L, -0.4), (0.0, 1.0), (1.0, 0.0))]

TIPPING = [(0.1, 0.1), (0.3, 0.6), (0.9, 0.4), (1.2, 1.2), (1.5, 1.5), (1.6, 0.2), (2.0, 1.5), (2.6, 0.3)]


def on(name, contacts, **law):
    system = body(name, {mu: 0.3, nu: 0.2})
    for k, (((a, b), n, t), coefficient) in enumerate(zip(contacts, (mu, nu), strict=True)):
        point = lever((a / L * l, b))
        away, along = (n[0] * point[0] + n[1] * point[1], t[0] * point[0] + t[1] * point[1])
        system = support(system, f"contact {k}", away, along, coefficient, **law)
    return system


def by_hand(contacts, angle, rate, slips, coefficients, unilateral):
    """Return all solutions: signs of normal forces, or open contacts, tried one by one."""
    solutions = []
    for senses in product((1, 0) if unilateral else (1, -1), repeat=len(contacts)):
        signs = zip(senses, coefficients, slips, strict=True)
        shares = [None if s == 0 else -c * s * np.sign(slip) for s, c, slip in signs]
        try:
            a, N = newton_euler(angle, rate, contacts, shares)
        except np.linalg.LinAlgError:
            continue
        c, s = np.cos(angle), np.sin(angle)
        good = True
        for (point, n, _), sense, force in zip(contacts, senses, N, strict=True):
            arm = np.array([point[0] * c - point[1] * s, point[0] * s + point[1] * c])
            leaving = np.dot(n, a[:2] + a[2] * np.array([-arm[1], arm[0]]) - rate**2 * arm)
            good = good and ((leaving >= -1e-12) if sense == 0 else (sense * force >= 0))
        if good:
            solutions.append((a, N, [0.0 if share is None else share * f for share, f in zip(shares, N, strict=True)]))
    return solutions


def check(system, q, v, solutions, coefficients):
    values = {"mu": coefficients[0], "nu": coefficients[1]}
    if len(solutions) != 1:
        with pytest.raises(lk.LienketError, match=r"'contact 0'.*'contact 1'"):
            system.at(q, v, values=values)
        return False
    ((a, N, F),) = solutions
    state = system.at(q, v, values=values)
    close(state.accelerations, a, 1e-11, GRAVITY)
    for k in range(2):
        contact = state.contacts[f"contact {k}"]
        close([contact.normal, contact.friction], [N[k], F[k]], 1e-11, M * GRAVITY)
    assert np.dot(v, state.reaction) <= 1e-12
    return True


@pytest.mark.parametrize("unilateral", [True, False])
def test_ladder_between_wall_and_floor(unilateral):
    """Each normal force determines a friction that changes both: two equations for each of four sign combinations."""
    system, count = on("ladder", LADDER, unilateral=unilateral), 0
    for turned in (0.25, 0.6, 1.0, 1.35):  # the wall is on the right
        for rate in (0.4, -0.4, 2.5, -6.0):
            q = (-L * np.cos(turned), L * np.sin(turned), turned)
            v = (L * np.sin(turned) * rate, L * np.cos(turned) * rate, rate)
            slips = [2 * L * np.sin(turned) * rate, 2 * L * np.cos(turned) * rate]
            for coefficients in ((0.1, 0.1), (0.4, 0.2), (0.0, 0.6), (0.9, 0.8)):
                solutions = by_hand(LADDER, turned, rate, slips, coefficients, unilateral)
                count += check(system, q, v, solutions, coefficients)
    assert count > 30


@pytest.mark.parametrize("unilateral", [True, False])
@pytest.mark.parametrize("speed", [1.0, -1.0])
def test_block_on_two_feet_slides_or_tips(unilateral, speed):
    """Friction at the soles tips the block forward: with large coefficients the rear foot lifts, or is held down."""
    system, lifted = on("block", FEET, unilateral=unilateral), 0
    for coefficients in TIPPING:
        solutions = by_hand(FEET, 0.0, 0.0, (speed, speed), coefficients, unilateral)
        if check(system, (0.2, 0.4, 0.0), (speed, 0.0, 0.0), solutions, coefficients):
            lifted += np.min(solutions[0][1]) <= 0
    assert lifted > 0 or not (unilateral or speed > 0)  # backwards a paradox comes first
