"""System as a whole: systems taken over from SymPy, and properties of every stated system."""

import pytest
import sympy as sp
from sympy.physics.mechanics import (
    KanesMethod,
    LagrangesMethod,
    Lagrangian,
    Particle,
    Point,
    ReferenceFrame,
    dynamicsymbols,
)

import lienket as lk
from lienket import der


def double_pendulum():
    """Return bodies and coordinates of the double pendulum of SymPy's tests, two particles on rods of length l."""
    q1, q2 = dynamicsymbols("q1 q2")
    l, m, g = sp.symbols("l m g")
    N = ReferenceFrame("N")
    A, B = (N.orientnew(name, "Axis", [q, N.z]) for name, q in (("A", q1), ("B", q2)))
    O = Point("O")
    O.set_vel(N, 0)
    P, R = O.locatenew("P", l * A.x), None
    R = P.locatenew("R", l * B.x)
    P.v2pt_theory(O, N, A)
    R.v2pt_theory(P, N, B)
    particles = [Particle("ParP", P, m), Particle("ParR", R, m)]
    particles[0].potential_energy = -m * g * l * sp.cos(q1)
    particles[1].potential_energy = -m * g * l * (sp.cos(q1) + sp.cos(q2))
    return N, (q1, q2), particles


def test_a_lagrangian_of_sympy_gives_the_same_equations():
    N, q, particles = double_pendulum()
    method = LagrangesMethod(Lagrangian(N, *particles), q, frame=N)
    equations = method.form_lagranges_equations()
    system = lk.System.from_sympy(method, "double pendulum")
    accelerations = sp.Matrix([der(x, 2) for x in q])
    ours = system.free.A * accelerations - system.free.h
    assert (ours - equations).applyfunc(sp.simplify).is_zero_matrix
    assert system.name == "double pendulum" and system.coordinates == q


def test_constraints_of_sympy_keep_their_names():
    x, y = dynamicsymbols("x y")
    m, L = sp.symbols("m L")
    T = m * (der(x) ** 2 + der(y) ** 2) / 2
    method = LagrangesMethod(T - m * y, [x, y], hol_coneqs=[x**2 + y**2 - L**2], nonhol_coneqs=[x * der(y) - der(x)])
    system = lk.System.from_sympy(method, values={"L": 2})
    assert [(c.name, c.kind) for c in system.constraints] == [("holonomic", "holonomic"), ("nonholonomic", "velocity")]
    assert system.values == {L: 2}
    assert system == lk.System.from_sympy(method, values={L: 2})


def test_a_particle_by_kanes_method():
    q, u = dynamicsymbols("q u")
    m, c, k = sp.symbols("m c k")
    N = ReferenceFrame("N")
    P = Point("P")
    P.set_vel(N, u * N.x)
    method = KanesMethod(N, q_ind=[q], u_ind=[u], kd_eqs=[q.diff() - u])
    method.kanes_equations([Particle("Pa", P, m)], [(P, (-k * q - c * u) * N.x)])
    system = lk.System.from_sympy(method)
    assert sp.ImmutableMatrix([[m]]) == system.free.A
    assert (system.free.h[0] + k * q + c * der(q)).expand() == 0


def test_a_function_of_time_that_is_no_coordinate_becomes_an_input():
    q, F = dynamicsymbols("q F")
    m = sp.Symbol("m")
    method = LagrangesMethod(m * der(q) ** 2 / 2 + F * q, [q])
    system = lk.System.from_sympy(method, values={m: 2})
    assert system.inputs == (F,)
    assert system.at([0], [0], inputs={F: 3}).accelerations == [1.5]


def test_anything_else_is_refused_by_name():
    with pytest.raises(lk.ModelError, match="Accepted are LagrangesMethod, KanesMethod and System"):
        lk.System.from_sympy("pendulum")
