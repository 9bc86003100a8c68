"""Paper 001, example 2: a hammer hinged on a drum that turns at a constant rate, and what its hinge has to bear.

python examples/papers/hammer_grinder.py

x points down, y to the side. The hinge A is at (R cos(omega0 t) + u, R sin(omega0 t) + v), the hammer's centre at the
distance a from it in the direction theta. u and v are the released hinge. A second model has the drum's angle psi as a
coordinate and psi - omega0 t = 0 as a constraint, whose multiplier is the torque that keeps the drum turning.
"""

import math

from board import lines, remark, show, title
from sympy import cos, sin

import lienket as lk
from lienket import der

J, J0, m, R, a, omega0, g = lk.parameters("J J0 m R a omega0 g")
theta, u, v, psi = lk.coordinates("theta u v psi")
t = lk.t

VALUES = {J: 0.062, J0: 1.9, m: 3.4, R: 0.45, a: 0.28, omega0: 7.3, g: 9.81}
TIME, THETA, THETA_RATE = 0.31, 0.95, 2.6
METHODS = ("multipliers", "direct", "middle", "accelerations")


def hammer(coordinates: list, drum: object) -> lk.System:
    """The released hammer on a drum at the angle `drum`."""
    C = (R * cos(drum) + u + a * cos(theta), R * sin(drum) + v + a * sin(theta))
    return lk.System(
        "hammer grinder",
        coordinates,
        kinetic=(J0 * der(drum) ** 2 + J * der(theta) ** 2 + m * (der(C[0]) ** 2 + der(C[1]) ** 2)) / 2,
        potential=-m * g * C[0],
        values=VALUES,
    )


def build() -> lk.System:
    """The paper's system: T = T2 + T1 + T0 with omega0 t inside, constraints (3.19) u = 0 and (3.20) v = 0."""
    return hammer([theta, u, v], omega0 * t).constrain("hinge u", u).constrain("hinge v", v)


def driven() -> lk.System:
    """The same with the drum's angle as a coordinate: T = T2, and time comes in by a rheonomic constraint."""
    drum = hammer([psi, theta, u, v], psi).constrain("drive", lk.catalogue.prescribed_motion(psi, omega0 * t))
    return drum.constrain("hinge", lk.catalogue.fixed_point((u, v), (0, 0)))


def derivation() -> None:
    """The derivation in the order of the paper, (3.13) to (3.33)."""
    system = build()
    free, momenta = system.free, system.free.momenta
    title("The released system: A2 (3.16), A1 (3.17), Q (3.22), G + Qg (3.23), (3.24)")
    A1 = momenta.subs({der(theta): 0, der(u): 0, der(v): 0}).T
    show(A2=free.A, A1=A1, Q=free.Q)
    remark(
        "Paper: in (3.13) stands cos(theta) sin(theta) for cos(theta), in (3.14) and (3.17) the first entry lacks a, "
        "in (3.14) the second has cos(omega0 t) too many, and (3.18) has J for J0. (3.4) has q for q'."
    )
    show(G_and_Qg=free.N)
    remark(
        "Paper: (3.8) defines Qg with the opposite sign, while (3.24) uses the right one; and (3.24) has sin(omega0 t) "
        "for u and cos(omega0 t) for v, exchanged. Where A2 depends on time, (3.7) lacks -(dA2/dt) q'."
    )

    for stage in system.stages():
        title(f"The constraint {stage.name!r} = 0: {stage.freedom} freedom(s) left")
        show(J=stage.rows.G, beta=stage.beta, H=stage.H, D=stage.D, C=stage.C, f=stage.f)

    title("The equation of motion (3.28)")
    lines(system.equations("pseudovelocity"))
    remark(
        "Paper: g cos(theta) in (3.27), (3.28), (3.30) is g sin(theta), as in its own (3.22). (3.10) has a plus before "
        "A2 (D' pi' + d') where a minus belongs; here this term is zero. (3.12) has Qg = 0 for stationary constraints; "
        "u = v = 0 are stationary and Qg is not zero: what it takes is T = T2."
    )
    reactions_and_influence()
    rheonomic()


def reactions_and_influence() -> None:
    """The forces in the hinge, (3.32) and (3.33)."""
    title("The force of the drum on the hammer, four ways")
    for method in METHODS:
        lines(f"by {method!r}:\n{build().reactions(method)}")
    remark("Paper: (3.32) has sin(omega0 t) for cos(omega0 t), (3.33) cos(omega0 t) for sin(omega0 t).")
    title("Each component changes the other one")
    show(C_of_u_on_v=build().influence("hinge u", on="hinge v"))


def rheonomic() -> None:
    """The drum's angle as a coordinate."""
    title("The same with psi - omega0 t = 0 as a constraint: q' = D pi' + d with d not zero")
    stages = driven().stages()
    show(D=stages[-1].D, d=stages[-1].d)
    lines(driven().equations("pseudovelocity"))
    torque = driven().reactions("accelerations").multipliers["drive"]
    show(torque_on_the_drum=torque[0])


def numbers() -> dict:
    """Both models at one state, the force on the hammer and the torque on the drum."""
    released = build().at({theta: THETA, u: 0, v: 0}, {theta: THETA_RATE, u: 0, v: 0}, TIME)
    angle, rate = VALUES[omega0] * TIME, VALUES[omega0]
    turned = driven().at([angle, THETA, 0, 0], [rate, THETA_RATE, 0, 0], TIME)
    R_u, R_v = released.multipliers
    torque = VALUES[R] * (R_v * math.cos(angle) - R_u * math.sin(angle))
    return {"state": released, "driven": turned, "torque by statics": torque, "torque": turned.multipliers[0]}


if __name__ == "__main__":
    derivation()
    title("Numbers")
    found = numbers()
    show(accelerations=found["state"].accelerations, reaction=found["state"].reaction)
    show(force_on_the_hammer=found["state"].multipliers, the_same_from_the_second_model=found["driven"].multipliers[1:])
    show(torque_on_the_drum=float(found["torque"]), R_times_the_force_across=float(found["torque by statics"]))
    lines(found["state"].audit)
    lines(found["driven"].audit)
