"""Parts of a KanesMethod: T of its bodies, speeds written in q', loads, constraints."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import sympy as sp
from sympy.matrices.exceptions import NonInvertibleMatrixError

from ...errors import Fault
from ...language.expression import Coordinate, Expression
from ...language.symbols import name_of, t
from .loads import forces_of_loads, load_faults
from .parts import Parts, named, one_line, refuse, sympy_error
from .random_identity_tests import independent, nonzero, vanishes_identically

if TYPE_CHECKING:
    from sympy.physics.mechanics import KanesMethod, Particle, ReferenceFrame, RigidBody


def kane_constraints(method: KanesMethod) -> tuple[Iterable[Expression], Iterable[Expression], Iterable[Expression]]:
    """Return the holonomic, velocity and acceleration constraints, for which SymPy has no public names."""
    velocity = method._k_nh * method.u + method._f_nh if method._k_nh else ()
    acceleration = method._k_dnh * method.u.diff(t) + method._f_dnh if method._k_dnh else ()
    return method._f_h, velocity, acceleration


def from_kane(
    method: KanesMethod,
    holonomic: Iterable[Expression],
    velocity: Iterable[Expression],
    acceleration: Iterable[Expression],
) -> Parts:
    """Return the parts of a KanesMethod: T of the bodies, V = 0, Q_i of the loads, u eliminated.

    A potential_energy of the bodies is not used: Kane's equations contain the loads alone. A velocity constraint
    that only repeats derivatives of the holonomic ones is left out, and so is an acceleration constraint that
    repeats derivatives of the velocity constraints. The choice of dependent coordinates and speeds is not
    needed.
    """
    q, frame, loads = tuple(method.q), method._inertial, tuple(method.loads or ())
    refuse(_kane_faults(method) + load_faults(loads, frame, q, tuple(method.u)))
    speeds = _speeds_in_rates(method)
    kinetic, forces = _inertia(method.bodies, frame, q, speeds)
    for coordinate, force in forces_of_loads(loads, frame, q, speeds).items():
        forces[coordinate] += force
    holonomic, velocity, acceleration = (
        [expression.xreplace(speeds) for expression in group] for group in (holonomic, velocity, acceleration)
    )
    rates = [coordinate.diff(t) for coordinate in q]
    nonholonomic = independent(velocity, [e.diff(t) for e in holonomic], rates)
    higher = independent(acceleration, [e.diff(t) for e in velocity], [rate.diff(t) for rate in rates])
    constraints = (
        *named("holonomic", "holonomic", holonomic),
        *named("nonholonomic", "velocity", nonholonomic),
        *named("acceleration", "acceleration", higher),
    )
    return Parts(q, kinetic, sp.S.Zero, nonzero(forces), constraints)


def _kane_faults(method: KanesMethod) -> list[Fault]:
    """Return the faults that prevent a KanesMethod from being written in q and q'."""
    faults = []
    if method._uaux:
        what = f"it has auxiliary speeds: {', '.join(name_of(u) for u in method._uaux)}"
        advice = "Leave them out; lienket gives the reactions of the constraints without them."
        faults.append(Fault("KanesMethod", what, advice))
    if not method.bodies:
        advice = "Call kanes_equations(bodies, loads) first, or give KanesMethod(..., bodies=..., forcelist=...)."
        faults.append(Fault("KanesMethod", "it does not know its bodies", advice))
    for body in method.bodies or ():
        try:
            body.kinetic_energy(method._inertial)
        except ValueError as error:
            faults.append(Fault(f"body {body.name}", one_line(error), "Give its point and frame a velocity."))
    if not method.mass_matrix_kin:
        advice = "Give KanesMethod(..., kd_eqs=...)."
        faults.append(Fault("KanesMethod", "it has no kinematical differential equations", advice))
    elif len(method.u) != len(method.q):
        what = f"{len(method.u)} speeds for {len(method.q)} coordinates: the speeds cannot be written in q'"
        advice = "Give each coordinate its speed and each speed its coordinate; state the rest as constraints."
        faults.append(Fault("KanesMethod", what, advice))
    return faults


def _speeds_in_rates(method: KanesMethod) -> dict[Expression, Expression]:
    """Return {u: u(q, q', t), u': d/dt u(q, q', t)} from the kinematical equations k_q' q' + k_u u + f = 0."""
    # The implicit equations are those the user wrote; the explicit ones have been solved for q'. SymPy
    # switches between them by an attribute, so the attribute is set on a copy.
    implicit = copy.copy(method)
    implicit.explicit_kinematics = False
    u = sp.Matrix(method.u)
    equations = implicit.mass_matrix_kin * method.q.diff(t) - implicit.forcing_kin
    try:
        # Without a numeric test LU would divide by pivots that are zero only after simplification.
        solved = equations.jacobian(u).LUsolve(
            -equations.xreplace(dict.fromkeys(u, sp.S.Zero)), iszerofunc=vanishes_identically
        )
    except NonInvertibleMatrixError:
        what = "the kinematical differential equations do not determine the generalized speeds from q'"
        advice = "Give each generalized speed a separate equation, such as q1.diff(t) - u1."
        raise sympy_error("KanesMethod", what, advice) from None
    return dict(zip(u, solved, strict=True)) | dict(zip(u.diff(t), solved.diff(t), strict=True))


def _inertia(
    bodies: Iterable[Particle | RigidBody],
    frame: ReferenceFrame,
    coordinates: Sequence[Coordinate],
    speeds: dict[Expression, Expression],
) -> sp.Matrix:
    """Return T = sum of the bodies' energies, and by coordinate the inertia forces that do not follow from T.

    With momentum p, angular momentum H, v_i = dv/dq'_i and w_i = dw/dq'_i Kane's inertia force is

        p' . v_i + H' . w_i = d/dt dT/dq'_i - dT/dq_i + [dT/dq_i - p . v_i' - H . w_i'].

    The bracket vanishes if q determines the positions and directions whose rates are v and w. It does not if a
    rolling condition has been substituted into v beforehand: Lagrange's equations of such a T are wrong, and minus
    the bracket, a force that does no work if time is not explicit, corrects them (Chaplygin's terms; Neimark
    and Fufaev, Dynamics of Nonholonomic Systems, 1972).
    """
    from sympy.physics.mechanics import RigidBody

    kinetic = sp.S.Zero
    momenta = []
    for body in bodies:
        kinetic += body.kinetic_energy(frame).xreplace(speeds)
        velocity = body.masscenter.vel(frame).xreplace(speeds)
        momenta.append((body.mass * velocity, velocity))
        if isinstance(body, RigidBody):
            spin = body.frame.ang_vel_in(frame).xreplace(speeds)
            momenta.append((body.central_inertia.dot(spin), spin))
    forces = {}
    for q in coordinates:
        missing = -kinetic.diff(q)
        for momentum, velocity in momenta:
            partial = velocity.diff(q.diff(t), frame, var_in_dcm=False)
            missing += momentum.dot(partial.dt(frame).xreplace(speeds))
        forces[q] = sp.S.Zero if vanishes_identically(missing) else missing
    return kinetic, forces
