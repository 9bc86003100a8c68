"""Models of PyDy and of SymPy's documentation with specified inputs, beside SymPy's own right-hand sides.

Each model is built with sympy.physics.mechanics, taken over by `from_sympy` and simulated with its inputs stated as
expressions. The same model in SymPy's own first-order form, mass_matrix_full x' = forcing_full, is integrated by SciPy.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy as sp
from scipy.integrate import solve_ivp
from sympy import cos, exp, sin
from sympy.physics import mechanics as me

import lienket as lk

t = lk.t
N = me.ReferenceFrame("N")
END = 2.0
AGREEMENT = 1e-8  # [m, rad, m/s, rad/s] both integrators have an error of 1e-10 at most


def by_sympy(method: Any, values: dict[Any, float], inputs: dict[Any, Any], start: list[float], times: Any) -> Any:
    """Return q and q' (N x 2n) of SymPy's equations at the times, from initial q and q'."""
    speeds = [q.diff(t) for q in method.q]
    dummies = [sp.Dummy() for _ in range(2 * len(speeds))]
    states = dict(zip([*method.q, *method.u], dummies, strict=True)) | dict(
        zip(speeds, dummies[len(speeds) :], strict=True)
    )
    stated = {F.diff(t, order): e.diff(t, order) for F, e in inputs.items() for order in range(3)}

    def numeric(expression: Any) -> Any:
        without_inputs = sp.Matrix(expression).xreplace(stated).xreplace(values)
        return sp.lambdify([t, dummies], without_inputs.xreplace(states), cse=True)

    mass, forcing = numeric(method.mass_matrix_full), numeric(method.forcing_full)

    def rates(at: float, y: Any) -> Any:
        return np.linalg.solve(mass(at, y), forcing(at, y)).ravel()

    return solve_ivp(rates, (0, END), start, "DOP853", times, rtol=1e-12, atol=1e-13).y.T


def assert_same_motion(method: Any, values: dict[Any, float], inputs: dict[Any, Any], start: list[float]) -> lk.System:
    """Assert that lienket and SymPy's equations give one motion; all speeds are the derivatives of coordinates."""
    system = lk.System.from_sympy(method, values=values)
    assert set(system.inputs) == set(inputs)
    assert list(system.coordinates) == list(method.q)
    n, times = len(system.coordinates), np.linspace(0, END, 21)
    along = [*method.q, *(q.diff(t) for q in method.q)]
    begin = dict(zip(along, start, strict=True))
    motion = system.simulate(start=begin, times=times, inputs=inputs, rtol=1e-12, atol=1e-13)
    assert motion.outcome.complete, motion.outcome
    reference = by_sympy(method, values, inputs, start, times)
    np.testing.assert_allclose(motion.q, reference[:, :n], rtol=0, atol=AGREEMENT)
    np.testing.assert_allclose(motion.v, reference[:, n:], rtol=0, atol=AGREEMENT)
    for F, e in inputs.items():
        at_rows = [
            float(e.xreplace(dict(zip(along, y, strict=True)) | {t: s})) for s, y in zip(times, reference, strict=True)
        ]
        np.testing.assert_allclose(motion.inputs[F.func.__name__], at_rows, rtol=0, atol=10 * AGREEMENT)
    return system


# --- PyDy -------------------------------------------------------------------------------------------------


def pendulum_on_cart(n: int) -> tuple[Any, Any, list[Any], dict[Any, float]]:
    """Return PyDy's n_link_pendulum_on_cart with the force on the cart and a torque at each joint."""
    q, u = me.dynamicsymbols(f"q:{n + 1}"), me.dynamicsymbols(f"u:{n + 1}")
    m, length = sp.symbols(f"m:{n + 1}"), sp.symbols(f"l:{n}")
    g = sp.Symbol("g")
    F, torques = me.dynamicsymbols("F"), me.dynamicsymbols(f"T1:{n + 1}")
    origin = me.Point("O")
    origin.set_vel(N, 0)
    joint = origin.locatenew("P0", q[0] * N.x)
    joint.set_vel(N, u[0] * N.x)
    bodies = [me.Particle("cart", joint, m[0])]
    loads = [(joint, F * N.x - m[0] * g * N.y)]
    below = N
    for k in range(n):
        link = N.orientnew(f"B{k}", "Axis", [q[k + 1], N.z])
        link.set_ang_vel(N, u[k + 1] * N.z)
        end = joint.locatenew(f"P{k + 1}", length[k] * link.x)
        end.v2pt_theory(joint, N, link)
        bodies.append(me.Particle(f"bob{k}", end, m[k + 1]))
        loads += [(end, -m[k + 1] * g * N.y), (link, torques[k] * N.z)]
        if below is not N:
            loads.append((below, -torques[k] * N.z))
        joint, below = end, link
    kinematics = [a.diff(t) - b for a, b in zip(q, u, strict=True)]
    kane = me.KanesMethod(N, q, u, kinematics)
    kane.kanes_equations(bodies, loads)
    values = {g: 9.81} | {a: 1 + 0.3 * k for k, a in enumerate(m)} | {a: 0.6 - 0.1 * k for k, a in enumerate(length)}
    return kane, q, [F, *torques], values


@pytest.mark.parametrize("n", [1, 2])
def test_the_pendulum_on_a_cart_of_pydy_under_force_and_torques(n: int) -> None:
    kane, q, (F, *torques), values = pendulum_on_cart(n)
    inputs = {F: 3 * sin(4 * t) + exp(-t)}
    inputs |= {T: sp.Rational(3, 2) * cos((k + 2) * t) - q[k + 1] / 5 for k, T in enumerate(torques)}
    assert_same_motion(kane, values, inputs, [0.1, *[1.2, 0.7][:n], 0, *[0.3, -0.4][:n]])


def chain_of_masses(n: int) -> tuple[Any, Any, list[Any], dict[Any, float]]:
    """Return PyDy's multi_mass_spring_damper with gravity and an external force on every mass."""
    x, v, forces = (me.dynamicsymbols(f"{name}:{n}") for name in "xvf")
    m, c, k = (sp.symbols(f"{name}:{n}") for name in "mck")
    g = sp.Symbol("g")
    point = me.Point("origin")
    point.set_vel(N, 0)
    bodies, loads = [], []
    for i in range(n):
        speed = sum(v[: i + 1])
        point = point.locatenew(f"centre{i}", x[i] * N.x)
        point.set_vel(N, speed * N.x)
        bodies.append(me.Particle(f"block{i}", point, m[i]))
        force = -k[i] * x[i] - c[i] * v[i] + m[i] * g + forces[i]
        if i + 1 < n:
            force += k[i + 1] * x[i + 1] + c[i + 1] * v[i + 1]
        loads.append((point, force * N.x))
    kane = me.KanesMethod(N, x, v, [a.diff(t) - b for a, b in zip(x, v, strict=True)])
    kane.kanes_equations(bodies, loads)
    values = {g: 9.81} | {a: 1 + 0.5 * i for i, a in enumerate(m)}
    values |= {a: 0.4 + 0.1 * i for i, a in enumerate(c)} | {a: 30 - 6 * i for i, a in enumerate(k)}
    return kane, x, forces, values


def test_the_chain_of_masses_of_pydy_under_a_force_on_every_mass() -> None:
    kane, x, (first, second, third), values = chain_of_masses(3)
    inputs = {first: 2 * sin(5 * t), second: -4 * x[2] - x[1].diff(t), third: t * exp(-t)}
    system = assert_same_motion(kane, values, inputs, [0.1, -0.2, 0.3, 0, 1, -1])
    assert [F.func.__name__ for F in system.inputs] == ["f0", "f1", "f2"]


# --- SymPy's documentation --------------------------------------------------------------------------------


def test_the_block_with_compound_pendulum_of_the_documentation_of_sympy() -> None:
    """A multi degree of freedom holonomic system: slider on spring and damper, rod, bob; force F, torque T."""
    q1, q2, u1, u2 = me.dynamicsymbols("q1 q2 u1 u2")
    F, T = me.dynamicsymbols("F T")
    ma, mb, mc, length, g = sp.symbols("m_a m_b m_c l g")
    kl, cl, kt, ct, inertia = sp.symbols("k_l c_l k_t c_t I_b")
    rod = N.orientnew("B", "Axis", [q2, N.z])
    rod.set_ang_vel(N, u2 * N.z)
    wall = me.Point("O")
    wall.set_vel(N, 0)
    slider = wall.locatenew("A", q1 * N.x)
    slider.set_vel(N, u1 * N.x)
    centre, bob = slider.locatenew("Bo", -length / 2 * rod.y), slider.locatenew("C", -length * rod.y)
    for point in (centre, bob):
        point.v2pt_theory(slider, N, rod)
    bodies = [
        me.Particle("slider", slider, ma),
        me.RigidBody("rod", centre, rod, mb, (me.inertia(rod, 0, 0, inertia), centre)),
        me.Particle("bob", bob, mc),
    ]
    loads = [(slider, (F - kl * q1 - cl * u1) * N.x), (rod, (T - kt * q2 - ct * u2) * N.z)]
    loads += [(centre, -mb * g * N.y), (bob, -mc * g * N.y)]
    kane = me.KanesMethod(N, [q1, q2], [u1, u2], [q1.diff(t) - u1, q2.diff(t) - u2])
    kane.kanes_equations(bodies, loads)
    numbers = {ma: 1, mb: 2, mc: 0.7, length: 0.8, g: 9.81, kl: 20, cl: 0.5, kt: 3, ct: 0.1, inertia: 0.12}
    inputs = {F: 4 * cos(3 * t), T: sin(q1) - 2 * q2.diff(t) + t / 2}
    assert_same_motion(kane, numbers, inputs, [0.2, 0.6, 0, -1])


def test_a_driven_mass_on_spring_and_damper_by_lagranges_method() -> None:
    """LagrangesMethod with F(t) in the list of forces and the motion w(t) of the support in the potential."""
    x, F, w = me.dynamicsymbols("x F w")
    m, k, c = sp.symbols("m k c")
    point = me.Point("P")
    point.set_vel(N, x.diff(t) * N.x)
    lagrangian = m * x.diff(t) ** 2 / 2 - k * (x - w) ** 2 / 2
    method = me.LagrangesMethod(lagrangian, [x], forcelist=[(point, (F - c * x.diff(t)) * N.x)], frame=N)
    method.form_lagranges_equations()
    inputs = {F: 2 * sin(3 * t), w: t**2 / 5 - cos(2 * t) / 4}
    assert_same_motion(method, {m: 2, k: 15, c: 0.6}, inputs, [0.3, -0.1])


def test_the_support_of_a_pendulum_moves_as_an_input_says() -> None:
    """The second derivative of the input appears in SymPy's forcing; its formula comes from the expression."""
    phi, s = me.dynamicsymbols("phi s")
    m, length, g = sp.symbols("m l g")
    rates = s.diff(t) + length * phi.diff(t) * cos(phi), length * phi.diff(t) * sin(phi)
    lagrangian = m * (rates[0] ** 2 + rates[1] ** 2) / 2 + m * g * length * cos(phi)
    method = me.LagrangesMethod(lagrangian, [phi])
    method.form_lagranges_equations()
    assert_same_motion(method, {m: 1.5, length: 0.5, g: 9.81}, {s: sin(7 * t) / 20}, [0.4, 0])
