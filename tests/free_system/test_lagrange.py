"""A q'' = h against Lagrange's equations taken straight from the definition, and theorems about T, p and energy."""

import mpmath
import pytest
import sympy as sp
from conftest import euler_lagrange, residual

import lienket as lk
from lienket import der

sin, cos, t = sp.sin, sp.cos, lk.t
x, y, phi = lk.coordinates("x y phi")
m, k, c, g, l, w, F = lk.parameters("m k c g l w F")


def at_some_point(expressions, q):
    """Return numbers to 30 digits at an arbitrary state and parameters, by mpmath."""
    expressions = list(expressions)
    motion = [s for a in q for s in (sp.Derivative(a, (t, 2)), der(a), a)]
    parameters = sorted(set().union(*(e.free_symbols for e in expressions)) - {t}, key=str)
    symbols = [*motion, *parameters]
    with mpmath.workdps(40):
        point = [mpmath.sin(mpmath.mpf(7 * i + 1)) + mpmath.mpf(i) / 9 for i in range(len(symbols))]
        return sp.lambdify(symbols, expressions, "mpmath", cse=True)(*point)


def test_inertia_depends_on_time_with_linear_and_constant_parts():
    """The equations hold with A(q, t), non-zero T1 and T0, and forces of every kind."""
    T = (
        m * (1 + t**2 + x**2 * sin(w * t)) * der(x) ** 2 / 2
        + m * t * cos(x - y) * der(x) * der(y)
        + m * sp.exp(-t) * (2 + sin(y)) * der(y) ** 2 / 2
        + k * t**2 * y * der(x)
        + (x * y * cos(t) + w) * der(y)
        + m * w**2 * t * x**2 * y / 2
        + sin(t)
    )
    V = k * (x - t) ** 2 / 2 + m * g * y * cos(w * t)
    R = c * (der(x) - w) ** 2 / 2
    point = (x + l * cos(y + w * t), l * sin(y))
    load = (F * t, -F * der(x))
    system = lk.System(
        "everything", [x, y], kinetic=T, potential=V, dissipation=R, forces={y: F * der(y) * t},
        loads=[lk.Force(point, load)],
    )  # fmt: skip
    Q = []
    for q, applied in ((x, 0), (y, F * der(y) * t)):
        work = sum(sp.diff(r, q) * f for r, f in zip(point, load, strict=True))
        Q.append(applied - sp.diff(R, der(q)) + work)
    assert residual(system.free, T, V, Q).is_zero_matrix
    assert {sp.diff(e, t) != 0 for e in system.free.A} == {True}
    parts = system.free.kinetic
    assert parts.A0 != 0 and all(a != 0 for a in parts.A1)


@pytest.mark.parametrize("n", [1, 3, 5, pytest.param(8, marks=pytest.mark.slow)])
def test_pendulum_chain_in_relative_angles(n):
    """From n = 5 on the entries are too large to be simplified and are compared by numbers."""
    q = [lk.coordinates(f"q{i}") for i in range(n)]
    masses = [lk.parameters(f"m{i}") for i in range(n)]
    px, py, T, V = sp.S.Zero, sp.S.Zero, sp.S.Zero, sp.S.Zero
    for i in range(n):
        angle = sum(q[: i + 1])
        px, py = px + l * sin(angle), py - l * cos(angle)
        T += masses[i] * (der(px) ** 2 + der(py) ** 2) / 2
        V += masses[i] * g * py
    free = lk.System("chain", q, kinetic=T, potential=V).free
    expected = euler_lagrange(T, V, [0] * n, q)
    accelerations = sp.Matrix([sp.Derivative(a, (t, 2)) for a in q])
    residual = free.A * accelerations - free.h
    for one, other in zip(at_some_point(residual, q), at_some_point(expected, q), strict=True):
        assert abs(one - other) < 1e-25 * (1 + abs(other))


def test_tidied_equations_are_the_same_equations():
    q = [lk.coordinates(f"q{i}") for i in range(6)]
    px = py = T = sp.S.Zero
    for i in range(6):
        angle = sum(q[: i + 1])
        px, py = px + l * sin(angle), py - l * cos(angle)
        T += m * (der(px) ** 2 + der(py) ** 2) / 2
    free = lk.System("chain", q, kinetic=T).free
    tidied = free.tidied()
    assert free.A != tidied.A  # six links in relative angles are not simplified
    assert tidied.A[5, 5] == m * l**2
    assert tidied.A[4, 5] == l**2 * m * (1 + cos(q[5]))
    for part in ("A", "h"):
        one, other = (at_some_point(list(getattr(f, part)), q) for f in (free, tidied))
        assert max(abs(a - b) for a, b in zip(one, other, strict=True)) < 1e-25


def test_rational_numbers_stay_rational():
    system = lk.System("exact", [x], kinetic=sp.Rational(3, 7) * der(x) ** 2, potential=sp.Rational(1, 3) * x**3)
    assert system.free.A[0, 0] == sp.Rational(6, 7)
    assert system.free.h[0] == -(x**2)
    assert not system.free.A.atoms(sp.Float)


def test_halves_written_as_decimals_are_halves():
    system = lk.System("half", [x], kinetic=0.5 * m * der(x) ** 2, potential=0.1 * x)
    assert system.free.A[0, 0] == m
    assert system.free.h[0] == sp.Float(-0.1)


def test_inertia_alone_gives_the_same_equations_as_its_kinetic_energy():
    A = sp.Matrix([[m * (1 + cos(y) ** 2), k * sin(x)], [k * sin(x), m + t * x**2]])
    v = sp.Matrix([der(x), der(y)])
    T = (v.T * A * v)[0] / 2
    by_matrix = lk.System("matrix", [x, y], inertia=A).free
    by_energy = lk.System("energy", [x, y], kinetic=T.expand()).free
    assert (by_matrix.A - by_energy.A).expand().is_zero_matrix
    assert (by_matrix.N - by_energy.N).expand().is_zero_matrix


def test_singular_inertia_is_allowed():
    free = lk.System("massless", [x, y], kinetic=m * (der(x) + der(y)) ** 2 / 2, potential=k * x * y).free
    assert free.A.det() == 0
    assert free.h == sp.ImmutableMatrix([-k * y, -k * x])


def test_a_seemingly_cubic_energy_that_is_quadratic_is_accepted():
    T = m * ((der(x) + 1) ** 3 - der(x) ** 3) / 6
    assert lk.System("cubic only in looks", [x], kinetic=T).free.A[0, 0] == m


def test_momenta_and_energies():
    T = m * (der(x) + w * x) ** 2 / 2 + m * w**2 / 2
    V = k * x**2 / 2
    free = lk.System("moving frame", [x], kinetic=T, potential=V).free
    assert (free.momenta[0] - sp.diff(T, der(x))).expand() == 0
    assert (free.lagrangian - (T - V)).expand() == 0
    assert (free.energy - (T + V)).expand() == 0
    T2, T0 = m * der(x) ** 2 / 2, m * w**2 * x**2 / 2 + m * w**2 / 2
    assert (free.jacobi_energy - (T2 - T0 + V)).expand() == 0


def test_jacobi_energy_is_conserved_by_the_free_motion():
    T = m * (der(x) ** 2 + der(y) ** 2) / 2 + w * (x * der(y) - y * der(x)) + m * w**2 * x**2 * y**2
    free = lk.System("autonomous", [x, y], kinetic=T, potential=k * sin(x) * y).free
    rate = sp.diff(free.jacobi_energy, t)
    solution = free.A.LUsolve(free.h)
    rate = rate.subs({sp.Derivative(q, (t, 2)): a for q, a in zip((x, y), solution, strict=True)})
    assert sp.simplify(rate) == 0


def test_potential_with_a_kink_has_the_right_slope():
    stop = sp.Max(x - l, 0)
    free = lk.System("stop", [x, y], kinetic=m * der(x) ** 2 / 2, potential=k * stop**2 / 2 + c * sp.Abs(y)).free
    for at, slope in ((3.0, -2.0), (0.5, 0.0)):
        assert float(free.h[0].subs({x: at, l: 1, k: 1})) == slope
    assert [float(free.h[1].subs({y: at, c: 2.0})) for at in (1.5, -1.5)] == [-2.0, 2.0]


def test_equal_statements_are_derived_once():
    one = lk.System("one", [x], kinetic=m * der(x) ** 2 / 2, potential=k * x**2 / 2)
    other = lk.System("other", [x], kinetic=m * der(x) ** 2 / 2, potential=k * x**2 / 2, values={m: 2})
    assert one.free is other.free
    assert one.constrain("fixed", x).free is one.free
