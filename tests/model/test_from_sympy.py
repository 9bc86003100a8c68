"""SymPy's own worked examples, taken apart: the parts give the same equations as SymPy.

The parts are put together by Lagrange's equations,

    E_i = d/dt dT/dq'_i - dT/dq_i + dV/dq_i - Q_i,

and compared with SymPy at random states: with form_lagranges_equations symbol by symbol, with KanesMethod
through the accelerations it solves for, which must give E = J^T lambda and fulfil the constraints.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import sympy as sp
from sympy.core.function import AppliedUndef
from sympy.physics import mechanics as me
from sympy.physics.mechanics.models import multi_mass_spring_damper, n_link_pendulum_on_cart

from lienket.errors import ModelError
from lienket.language.symbols import t
from lienket.model.from_sympy import Parts, parts_of

m, g, ell, r, k, c = sp.symbols("m g l r k c")
N = me.ReferenceFrame("N")


# --- The two sides of the comparison ----------------------------------------------------------------------


def equations(parts: Parts) -> sp.Matrix:
    """Return E_i of the parts, with accelerations and without reactions."""
    rows = []
    for q in parts.coordinates:
        inertia = parts.kinetic.diff(q.diff(t)).diff(t) - parts.kinetic.diff(q)
        rows.append(inertia + parts.potential.diff(q) - parts.forces.get(q, 0))
    return sp.Matrix(rows)


def accelerated(parts: Parts) -> sp.Matrix:
    """Return all constraints, differentiated until they contain accelerations."""
    orders = {"holonomic": 2, "velocity": 1, "acceleration": 0}
    return sp.Matrix([expression.diff(t, orders[kind]) for _, kind, expression in parts.constraints])


def values(expressions: Iterable[Any], seed: int) -> dict[Any, Any]:
    """Return random values for every symbol, function and derivative in the expressions."""
    kinds = (sp.Derivative, AppliedUndef, sp.Symbol)
    atoms = set().union(*(sp.Matrix(e).atoms(*kinds) for e in expressions))
    draw = random.Random(seed)
    return {atom: sp.Float(draw.uniform(0.3, 1.4)) for atom in sorted(atoms, key=sp.default_sort_key)}


def number(matrix: Any, point: dict[Any, Any]) -> np.ndarray[Any, Any]:
    return np.array(matrix.xreplace(point).evalf().tolist(), dtype=float)


def assert_same_as_lagrange(method: Any, parts: Parts) -> None:
    """Assert that E agrees with SymPy's equations without multipliers, and that the constraints are SymPy's."""
    theirs = method.form_lagranges_equations().xreplace(dict.fromkeys(method.lam_vec, sp.S.Zero))
    ours = equations(parts)
    assert [e.diff(t) if kind == "holonomic" else e for _, kind, e in parts.constraints] == list(method.coneqs)
    for seed in range(3):
        point = values([theirs, ours], seed)
        np.testing.assert_allclose(number(ours, point), number(theirs, point), rtol=1e-10, atol=1e-10)


def residuals(kane: Any, parts: Parts) -> list[float]:
    """Return the residuals of E = J^T lambda and of the constraints at three states.

    Accelerations are those of a formed KanesMethod; residuals are relative to the terms of E without accelerations.
    """
    first, second = (sp.Matrix(parts.coordinates).diff(t, order) for order in (1, 2))
    kinematics = kane.kindiffdict()
    rates = sp.Matrix([kinematics[rate] for rate in first])
    ours, constraints = equations(parts), accelerated(parts)
    mass, forcing, rates_change = kane.mass_matrix, kane.forcing, rates.diff(t)
    jacobian = constraints.jacobian(second) if parts.constraints else sp.zeros(0, len(second))
    left = []
    for seed in range(3):
        point = values([mass, forcing, rates, ours, kane.u, kane.q], seed)
        solved = np.linalg.solve(number(mass, point), number(forcing, point))
        point |= zip(first, map(sp.Float, number(rates, point)[:, 0]), strict=True)
        point |= zip(kane.u.diff(t), map(sp.Float, solved[:, 0]), strict=True)
        point |= zip(second, map(sp.Float, number(rates_change, point)[:, 0]), strict=True)
        scale = np.linalg.norm(number(ours, point | dict.fromkeys(second, sp.S.Zero)))
        force, directions = number(ours, point)[:, 0], number(jacobian, point).reshape(-1, len(second)).T
        force -= directions @ np.linalg.lstsq(directions, force, rcond=None)[0]
        broken = number(constraints, point).ravel()
        left.append(float(np.linalg.norm([*force, *broken]) / scale))
    return left


def assert_same_as_kane(kane: Any, parts: Parts) -> None:
    stated = [parts.kinetic, parts.potential, *parts.forces.values(), *(e for _, _, e in parts.constraints)]
    assert not sp.Matrix(stated).atoms(AppliedUndef) & set(kane.u), "a generalized speed is left"
    assert max(residuals(kane, parts)) < 1e-10


# --- Lagrange ---------------------------------------------------------------------------------------------


def fixed_point() -> Any:
    point = me.Point("O")
    point.set_vel(N, 0)
    return point


def disc_on_incline() -> Any:
    y, theta = me.dynamicsymbols("y theta")
    alpha = sp.Symbol("alpha")
    plane = N.orientnew("A", "Axis", [sp.pi / 2 - alpha, N.z])
    wheel = plane.orientnew("B", "Axis", [-theta, plane.z])
    centre = me.Point("C")
    centre.set_vel(N, y.diff(t) * plane.x)
    disc = me.RigidBody("D", centre, wheel, m, (me.inertia(wheel, 0, 0, m * r**2 / 2), centre))
    disc.potential_energy = m * g * (ell - y) * sp.sin(alpha)
    return me.LagrangesMethod(me.Lagrangian(N, disc), [y, theta], hol_coneqs=[y - r * theta])


def cartesian_pendulum() -> Any:
    x, y = me.dynamicsymbols("x y")
    point = fixed_point().locatenew("P", x * N.x + y * N.y)
    lagrangian = me.Lagrangian(N, me.Particle("P", point, m))
    return me.LagrangesMethod(lagrangian, [x, y], [(point, 9.8 * m * N.x)], frame=N, hol_coneqs=[x**2 + y**2 - ell**2])


def damped_double_pendulum() -> Any:
    q1, q2 = me.dynamicsymbols("q1 q2")
    upper, lower = N.orientnew("A", "Axis", [q1, N.z]), N.orientnew("B", "Axis", [q2, N.z])
    top = fixed_point()
    elbow = top.locatenew("P", ell * upper.x)
    hand = elbow.locatenew("R", ell * lower.x)
    elbow.v2pt_theory(top, N, upper)
    hand.v2pt_theory(elbow, N, lower)
    bodies = [me.Particle("P", elbow, m), me.Particle("R", hand, m)]
    bodies[0].potential_energy = -m * g * ell * sp.cos(q1)
    bodies[1].potential_energy = -m * g * ell * (sp.cos(q1) + sp.cos(q2))
    friction = -c * (q2 - q1).diff(t) * N.z
    loads = [me.Torque(lower, friction), me.Torque(upper, -friction), (hand, me.dynamicsymbols("F") * N.y)]
    return me.LagrangesMethod(me.Lagrangian(N, *bodies), [q1, q2], loads, bodies, N)


def knife_edge() -> Any:
    x, y, phi = me.dynamicsymbols("x y phi")
    lagrangian = m * (x.diff(t) ** 2 + y.diff(t) ** 2) / 2 + k * phi.diff(t) ** 2 / 2 + m * g * x
    across = x.diff(t) * sp.sin(phi) - y.diff(t) * sp.cos(phi)
    return me.LagrangesMethod(lagrangian, [x, y, phi], nonhol_coneqs=[across])


def bead_on_driven_hoop() -> Any:
    """State a bead on a hoop that turns at a prescribed rate, with both energies in one bracket."""
    theta = me.dynamicsymbols("theta")
    omega = sp.Symbol("omega")
    speed = (r * theta.diff(t) + r * omega * sp.cos(theta - omega * t)) ** 2 + (r * omega * sp.sin(omega * t)) ** 2
    return me.LagrangesMethod(m * (speed / 2 + g * r * sp.cos(theta)), [theta])


def rolling_disc_from_contact(generalized_speeds: bool) -> tuple[Any, ...]:
    """State a disc by three angles; rolling is built into the velocity of its centre."""
    q, u = me.dynamicsymbols("q1:4"), me.dynamicsymbols("u1:4")
    yaw = N.orientnew("Y", "Axis", [q[0], N.z])
    lean = yaw.orientnew("L", "Axis", [q[1], yaw.x])
    wheel = lean.orientnew("R", "Axis", [q[2], lean.y])
    turning = wheel.ang_vel_in(N)
    if generalized_speeds:
        wheel.set_ang_vel(N, u[0] * lean.x + u[1] * lean.y + u[2] * lean.z)
    contact = fixed_point()
    centre = contact.locatenew("C", r * lean.z)
    centre.v2pt_theory(contact, N, wheel)
    disc = me.RigidBody("D", centre, wheel, m, (me.inertia(lean, m * r**2 / 4, m * r**2 / 2, m * r**2 / 4), centre))
    kinematics = [(wheel.ang_vel_in(N) - turning).dot(axis) for axis in lean]
    return q, u, kinematics, disc, [(centre, -m * g * N.z)]


def disc_by_lagrange() -> Any:
    q, _, _, disc, _ = rolling_disc_from_contact(generalized_speeds=False)
    disc.potential_energy = m * g * r * sp.cos(q[1])
    return me.LagrangesMethod(me.Lagrangian(N, disc), q)


LAGRANGIAN = [disc_on_incline, cartesian_pendulum, damped_double_pendulum, knife_edge, bead_on_driven_hoop]
LAGRANGIAN.append(disc_by_lagrange)  # not the motion of a rolling disc: SymPy's equations of this Lagrangian


@pytest.mark.parametrize("model", LAGRANGIAN, ids=lambda model: model.__name__)
def test_lagrange_gives_sympys_equations(model: Any) -> None:
    method = model()
    before = {name: repr(value) for name, value in vars(method).items()}
    parts = parts_of(method)
    assert {name: repr(value) for name, value in vars(method).items()} == before
    assert parts.potential.atoms(sp.Derivative) == set()
    assert parts.coordinates == tuple(method.q)
    assert_same_as_lagrange(method, parts)
    assert parts_of(method) == parts, "forming the equations must not matter"


def test_lagrangian_splits_into_the_energies_as_they_are_written() -> None:
    parts = parts_of(disc_on_incline())
    y, theta = parts.coordinates
    assert sp.expand(parts.kinetic) == m * y.diff(t) ** 2 / 2 + m * r**2 * theta.diff(t) ** 2 / 4
    assert parts.potential == m * g * (ell - y) * sp.sin(sp.Symbol("alpha"))
    assert parts.constraints == (("holonomic", "holonomic", y - r * theta),)


def test_generalized_forces_come_from_points_and_frames() -> None:
    parts = parts_of(damped_double_pendulum())
    q1, q2 = parts.coordinates
    friction = c * (q1.diff(t) - q2.diff(t))
    along = ell * me.dynamicsymbols("F")
    assert sp.expand(parts.forces[q1] - along * sp.cos(q1) + friction) == 0
    assert sp.expand(parts.forces[q2] - along * sp.cos(q2) - friction) == 0


def test_constraints_are_named_and_sorted() -> None:
    x, y, z = me.dynamicsymbols("x y z")
    lagrangian = sum(q.diff(t) ** 2 for q in (x, y, z))
    method = me.LagrangesMethod(lagrangian, [x, y, z], hol_coneqs=[x - y, y - z], nonhol_coneqs=[z * x.diff(t)])
    expected = (("holonomic 1", "holonomic", x - y), ("holonomic 2", "holonomic", y - z))
    assert parts_of(method).constraints == (*expected, ("nonholonomic", "velocity", z * x.diff(t)))


# --- Kane -------------------------------------------------------------------------------------------------


def two_masses() -> Any:
    """State two masses whose kinematical equations have factors, as in SymPy's test of implicit kinematics."""
    q1, q2, u1, u2 = me.dynamicsymbols("q1 q2 u1 u2")
    near, far = me.Point("P1"), me.Point("P2")
    near.set_vel(N, u1 * N.x)
    far.set_vel(N, (u1 + u2) * N.x)
    loads = [(near, (-k * q1 - c * u1 + k * q2) * N.x), (far, (-k * q2 - c * q2.diff(t)) * N.x)]
    kane = me.KanesMethod(N, [q1, q2], [u1, u2], [q1.diff(t) / 2 - u1 / 2, 2 * q2.diff(t) - 2 * u2])
    kane.kanes_equations([me.Particle("P1", near, m), me.Particle("P2", far, 2 * m)], loads)
    return kane


def pendulum_with_inputs_and_time() -> Any:
    """State a pendulum whose speed differs from q' by a prescribed rate: k in q' = K u + k."""
    q, u = me.dynamicsymbols("q u")
    arm = N.orientnew("A", "Axis", [q + sp.Symbol("omega") * t, N.z])
    arm.set_ang_vel(N, u * N.z)
    hinge = fixed_point()
    bob = hinge.locatenew("P", ell * arm.x)
    bob.v2pt_theory(hinge, N, arm)
    loads = [(bob, m * g * N.x), (arm, (me.dynamicsymbols("M") - c * u) * N.z)]
    kinematics = [q.diff(t) + sp.Symbol("omega") - u]
    return me.KanesMethod(N, [q], [u], kinematics, bodies=[me.Particle("P", bob, m)], forcelist=loads)


def double_pendulum_with_absolute_speeds() -> Any:
    q1, q2, u1, u2 = me.dynamicsymbols("q1 q2 u1 u2")
    upper = N.orientnew("A", "Axis", (q1, N.z))
    lower = upper.orientnew("B", "Axis", (q2, N.z))
    top = fixed_point()
    elbow = top.locatenew("P", ell * upper.x)
    hand = elbow.locatenew("Q", ell * lower.x)
    elbow.v2pt_theory(top, N, upper)
    hand.v2pt_theory(elbow, N, lower)
    torque = (k * q2 + c * q2.diff(t) ** 3) * N.z
    bodies = [me.Particle("P", elbow, m), me.Particle("Q", hand, m)]
    kinematics = [u1 - q1.diff(t), u2 - (q1 + q2).diff(t)]
    loads = [(upper, torque), (lower, -torque)]
    return me.KanesMethod(N, [q1, q2], [u1, u2], kinematics, bodies=bodies, forcelist=loads)


def spinning_top() -> Any:
    """State a rigid body about a fixed point, with the components of its angular velocity as speeds."""
    q, u = me.dynamicsymbols("q1:4"), me.dynamicsymbols("u1:4")
    body = me.ReferenceFrame("B")
    body.orient_body_fixed(N, q, "zxz")
    turning = body.ang_vel_in(N)
    body.set_ang_vel(N, u[0] * body.x + u[1] * body.y + u[2] * body.z)
    tip = fixed_point()
    centre = tip.locatenew("C", ell * body.z)
    centre.v2pt_theory(tip, N, body)
    top = me.RigidBody("T", centre, body, m, (me.inertia(body, *sp.symbols("I1:4")), centre))
    kinematics = [turning.dot(axis) - speed for axis, speed in zip(body, u, strict=True)]
    return me.KanesMethod(N, q, u, kinematics, bodies=[top], forcelist=[(centre, -m * g * N.z)])


def disc_by_kane() -> Any:
    q, u, kinematics, disc, loads = rolling_disc_from_contact(generalized_speeds=True)
    return me.KanesMethod(N, q, u, kinematics, bodies=[disc], forcelist=loads)


def disc_with_contact_point() -> Any:
    """State a disc by five coordinates with two rolling conditions, which the centre's velocity satisfies already."""
    q, u = me.dynamicsymbols("q1:6"), me.dynamicsymbols("u1:6")
    lean, wheel = me.ReferenceFrame("L"), me.ReferenceFrame("R")
    lean.orient_body_fixed(N, (q[0], q[1], 0), "zxy")
    wheel.orient_axis(lean, lean.y, q[2])
    turning = wheel.ang_vel_in(N)
    wheel.set_ang_vel(N, u[0] * wheel.x + u[1] * wheel.y + u[2] * wheel.z)
    contact = fixed_point().locatenew("K", q[3] * N.x + q[4] * N.y)
    contact.set_vel(N, u[3] * N.x + u[4] * N.y)
    centre = contact.locatenew("C", r * lean.z)
    centre.set_vel(N, wheel.ang_vel_in(N).cross(r * lean.z))
    disc = me.RigidBody("D", centre, wheel, m, (me.inertia(wheel, m * r**2 / 4, m * r**2 / 2, m * r**2 / 4), centre))
    kinematics = [turning.dot(axis) - speed for axis, speed in zip(wheel, u[:3], strict=True)]
    kinematics += [q[3].diff(t) - u[3], q[4].diff(t) - u[4]]
    slip = contact.vel(N) + wheel.ang_vel_in(lean).cross(-r * lean.z)
    rolling = [slip.dot(N.x), slip.dot(N.y)]
    load = (centre, -m * g * N.z)
    return me.KanesMethod(
        N, q, u[:3], kinematics, u_dependent=u[3:], velocity_constraints=rolling, bodies=[disc], forcelist=[load]
    )


KANE: dict[str, Callable[[], Any]] = {
    "two masses": two_masses,
    "pendulum, speed differs from q' by a given rate": pendulum_with_inputs_and_time,
    "double pendulum, absolute speeds": double_pendulum_with_absolute_speeds,
    "spinning top": spinning_top,
    "rolling disc, three angles": disc_by_kane,
    "rolling disc with its contact point": disc_with_contact_point,
    "two links on a cart": lambda: n_link_pendulum_on_cart(2, cart_force=True, joint_torques=True),
    "chain of masses": lambda: multi_mass_spring_damper(3, apply_gravity=True, apply_external_forces=True),
}


@pytest.mark.parametrize("model", KANE)
def test_kane_gives_sympys_accelerations(model: str) -> None:
    kane = KANE[model]()
    before = {name: repr(value) for name, value in vars(kane).items()}
    parts = parts_of(kane)
    assert {name: repr(value) for name, value in vars(kane).items()} == before
    kane.kanes_equations(kane.bodies, kane.loads)
    assert_same_as_kane(kane, parts)


def test_rolling_put_into_the_velocities_is_not_lost() -> None:
    """Lagrange's equations of T alone are wrong for the rolling disc; additional forces correct them."""
    kane = disc_by_kane()
    kane.kanes_equations(kane.bodies, kane.loads)
    parts = parts_of(kane)
    weight_only = {parts.coordinates[1]: m * g * r * sp.sin(parts.coordinates[1])}
    assert min(residuals(kane, replace(parts, forces=weight_only))) > 1e-2
    rates = [q.diff(t) for q in parts.coordinates]
    power = sum(parts.forces[q] * rate for q, rate in zip(parts.coordinates, rates, strict=True))
    assert sp.expand(power - weight_only[parts.coordinates[1]] * rates[1]) == 0, "the added forces do no work"


def sliding_ladder(acceleration: Any = None) -> Any:
    """State particles at both ends of a rod; the velocity constraint is half the derivative of its length."""
    x, y, u, v = me.dynamicsymbols("x y u v")
    foot, head = fixed_point().locatenew("A", x * N.x), fixed_point().locatenew("B", y * N.y)
    foot.set_vel(N, u * N.x)
    head.set_vel(N, v * N.y)
    bodies = [me.Particle("A", foot, m), me.Particle("B", head, m)]
    return me.KanesMethod(
        N, [x], [u], [x.diff(t) - u, y.diff(t) - v], [y], [x**2 + y**2 - ell**2], [v], [x * u + y * v],
        acceleration_constraints=acceleration, bodies=bodies, forcelist=[(head, -m * g * N.y)],
    )  # fmt: skip


def test_repeated_constraints_are_left_out() -> None:
    x, y, u, v = me.dynamicsymbols("x y u v")
    length = ("holonomic", "holonomic", x**2 + y**2 - ell**2)
    change = x * u.diff(t) + y * v.diff(t)
    for acceleration in (None, [change + u**2 + v**2]):
        kane = sliding_ladder(acceleration)
        parts = parts_of(kane)
        assert parts.constraints == (length,)
        kane.kanes_equations(kane.bodies, kane.loads)
        assert_same_as_kane(kane, parts)
    foreign = parts_of(sliding_ladder([change + 3 * u**2])).constraints
    assert foreign[0] == length
    assert foreign[1:] == (("acceleration", "acceleration", x * x.diff(t, 2) + y * y.diff(t, 2) + 3 * x.diff(t) ** 2),)


# --- System -----------------------------------------------------------------------------------------------


def cart_and_bob(speeds_are_rates: bool = False) -> tuple[Any, ...]:
    """State SymPy's cart with a pendulum, a driving force and a torsion spring between them."""
    F, qc, qp, uc, up = me.dynamicsymbols("F qc qp uc up")
    if speeds_are_rates:
        uc, up = qc.diff(t), qp.diff(t)
    rail, cart, bob = me.RigidBody("rail"), me.RigidBody("cart", mass=k), me.Particle("bob", mass=m)
    arm = me.ReferenceFrame("arm")
    system = me.System.from_newtonian(rail)
    system.add_joints(
        me.PrismaticJoint("slider", rail, cart, qc, uc, joint_axis=rail.x),
        me.PinJoint("pin", cart, bob, qp, up, joint_axis=cart.z, child_interframe=arm, child_point=ell * arm.y),
    )
    system.add_loads((cart.masscenter, F * rail.x))
    system.add_actuators(me.TorqueActuator(c * qp, cart.z, arm, cart))
    return system, bob, (qc, qp), (uc, up)


def four_bar_linkage() -> Any:
    q, u = me.dynamicsymbols("q1:4"), me.dynamicsymbols("u1:4")
    lengths, rho = sp.symbols("l1:5"), sp.Symbol("rho")
    links = [me.RigidBody(f"link{i}", mass=rho * length) for i, length in enumerate(lengths)]
    for link, length in zip(links, lengths, strict=True):
        link.central_inertia = me.inertia(link.frame, 0, 0, rho * length**3 / 12)
    system = me.System.from_newtonian(links[0])
    for i in range(3):
        points = {"parent_point": lengths[i] / 2 * links[i].x, "child_point": -lengths[i + 1] / 2 * links[i + 1].x}
        joint = me.PinJoint(f"J{i}", links[i], links[i + 1], q[i], u[i], joint_axis=links[i].z, **points)
        system.add_joints(joint)
    loop = links[3].masscenter.pos_from(links[0].masscenter) + lengths[0] / 2 * links[0].x + lengths[3] / 2 * links[3].x
    system.add_holonomic_constraints(loop.dot(links[0].x), loop.dot(links[0].y))
    system.q_ind, system.q_dep, system.u_ind, system.u_dep = q[:1], q[1:], u[:1], u[1:]
    system.apply_uniform_gravity(-g * system.y)
    return system


def test_system_is_read_as_kane_by_default() -> None:
    system, _, coordinates, _ = cart_and_bob()
    system.apply_uniform_gravity(-g * system.y)
    parts = parts_of(system)
    assert system.eom_method is None, "the system must not be changed"
    system.form_eoms()
    assert parts.coordinates == coordinates
    assert_same_as_kane(system.eom_method, parts)
    assert_same_as_kane(system.eom_method, parts_of(system))


def test_system_needs_no_choice_of_dependent_coordinates() -> None:
    system, bob, coordinates, speeds = cart_and_bob()
    system.add_holonomic_constraints(bob.masscenter.pos_from(system.fixed_point).dot(system.x))
    parts = parts_of(system)
    system.q_ind, system.q_dep = coordinates[1], coordinates[0]
    system.u_ind, system.u_dep = speeds[1], speeds[0]
    system.form_eoms()
    assert [kind for _, kind, _ in parts.constraints] == ["holonomic"]
    assert_same_as_kane(system.eom_method, parts)


def test_four_bar_linkage() -> None:
    system = four_bar_linkage()
    parts = parts_of(system)
    assert [name for name, _, _ in parts.constraints] == ["holonomic 1", "holonomic 2"]
    assert {kind for _, kind, _ in parts.constraints} == {"holonomic"}
    system.form_eoms()
    assert_same_as_kane(system.eom_method, parts)


def test_system_whose_speeds_are_rates_is_read_as_lagrange() -> None:
    system, bob, _, _ = cart_and_bob(speeds_are_rates=True)
    bob.potential_energy = m * g * bob.masscenter.pos_from(system.fixed_point).dot(system.y)
    system.add_nonholonomic_constraints(bob.masscenter.vel(system.frame).dot(system.x))
    parts = parts_of(system)
    assert system.eom_method is None
    system.form_eoms(me.LagrangesMethod)
    assert_same_as_lagrange(system.eom_method, parts)
    assert parts_of(system) == parts


# --- Refusals ---------------------------------------------------------------------------------------------


def faults(method: Any) -> list[str]:
    with pytest.raises(ModelError, match="The SymPy model") as raised:
        parts_of(method)
    assert all(fault.advice for fault in raised.value.faults)
    return [str(fault) for fault in raised.value.faults]


def particle_on_line(**changes: Any) -> Any:
    q, u = me.dynamicsymbols("q u")
    point = me.Point("P")
    point.set_vel(N, u * N.x)
    arguments = {"kd_eqs": [q.diff(t) - u], "u_ind": [u], "bodies": [me.Particle("P", point, m)]} | changes
    return me.KanesMethod(N, [q], **arguments)


q, u, w = me.dynamicsymbols("q u w")
point = fixed_point()
REFUSED = {
    "LagrangesMethod, KanesMethod and System": "x**2",
    "auxiliary speeds: w": particle_on_line(u_auxiliary=[w]),
    "does not know its bodies": particle_on_line(bodies=None),
    "no kinematical differential equations": particle_on_line(kd_eqs=None),
    "2 speeds for 1 coordinates": particle_on_line(u_ind=[u, w]),
    "do not determine the generalized speeds": particle_on_line(
        kd_eqs=[q.diff(t) - (sp.sin(q) ** 2 + sp.cos(q) ** 2 - 1) * u]
    ),
    "load 1: the load on O depends on accelerations": particle_on_line(forcelist=[(point, u.diff(t) * N.x)]),
    "load 1: it is not a pair": particle_on_line(forcelist=[point]),
    "load 2: Velocity of point Z": particle_on_line(forcelist=[(point, N.x), (me.Point("Z"), N.x)]),
    "body B: ": particle_on_line(bodies=[me.Particle("B", me.Point("B"), m)]),
    "no inertial frame": me.LagrangesMethod(q.diff(t) ** 2, [q], [(point, N.x)]),
    "load 1: the load on N depends": me.LagrangesMethod(q.diff(t) ** 2, [q], [(N, q.diff(t, 2) * N.x)], frame=N),
}


@pytest.mark.parametrize("message", REFUSED)
def test_refusals_say_what_to_change(message: str) -> None:
    assert message in "\n".join(faults(REFUSED[message]))


def test_force_of_a_stop_is_not_taken_for_zero() -> None:
    stop = -k * sp.Max(0, q - 100) * N.x
    mass = particle_on_line()
    assert parts_of(particle_on_line(bodies=mass.bodies, forcelist=[(mass.bodies[0].point, stop)])).forces[q] != 0


def test_all_faults_are_reported_together() -> None:
    assert len(faults(particle_on_line(u_auxiliary=[w], bodies=None, kd_eqs=None, forcelist=[1]))) == 4


def test_system_with_potential_energy_is_refused_until_a_method_is_chosen() -> None:
    system, bob, _, _ = cart_and_bob()
    bob.potential_energy = m * g * ell
    assert "body bob: it has a potential energy" in faults(system)[0]
    system.form_eoms()
    assert_same_as_kane(system.eom_method, parts_of(system))


def test_faulty_system_is_refused_in_sympys_words() -> None:
    system, _, _, _ = cart_and_bob()
    system.kdes = system.kdes[:1]
    assert "kinematic differential equations" in faults(system)[0]
    system, _, _, _ = cart_and_bob()
    system.u_aux = [w]
    assert "auxiliary speeds: w" in faults(system)[0]
