"""Paper 001, example 2: a hammer hinged on a drum that turns at a constant rate, and the force in its hinge.

python examples/papers/hammer_grinder.py

x points down, y to the side. The hinge A is at (R cos(omega0 t) + u, R sin(omega0 t) + v), the hammer's centre at the
distance a from it in the direction theta. u and v are the displacements of the released hinge. A second model has the
drum's angle psi as a coordinate and the constraint psi - omega0 t = 0, whose multiplier is the torque on the drum.
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
    """Return the released hammer on a drum at the angle `drum`."""
    C = (R * cos(drum) + u + a * cos(theta), R * sin(drum) + v + a * sin(theta))
    return lk.System(
        "hammer grinder",
        coordinates,
        kinetic=(J0 * der(drum) ** 2 + J * der(theta) ** 2 + m * (der(C[0]) ** 2 + der(C[1]) ** 2)) / 2,
        potential=-m * g * C[0],
        values=VALUES,
    )


def build() -> lk.System:
    """Return the paper's system: T = T2 + T1 + T0 depends on omega0 t; constraints (3.19) u = 0 and (3.20) v = 0."""
    return hammer([theta, u, v], omega0 * t).constrain("hinge u", u).constrain("hinge v", v)


def driven() -> lk.System:
    """Return the model with the drum's angle as a coordinate: T = T2, and time enters by a rheonomic constraint."""
    drum = hammer([psi, theta, u, v], psi).constrain("drive", lk.catalogue.prescribed_motion(psi, omega0 * t))
    return drum.constrain("hinge", lk.catalogue.fixed_point((u, v), (0, 0)))


def derivation() -> None:
    """Print the derivation in the order of the paper, (3.13) to (3.33)."""
    system = build()
    free, momenta = system.free, system.free.momenta
    title("The released system: A2 (3.16), A1 (3.17), Q (3.22), G + Qg (3.23), (3.24)")
    A1 = momenta.subs({der(theta): 0, der(u): 0, der(v): 0}).T
    show(A2=free.A, A1=A1, Q=free.Q)
    remark(
        "Paper: (3.13) has cos(theta) sin(theta) instead of cos(theta); in (3.14) and (3.17) the first entry lacks the "
        "factor a; in (3.14) the second has a superfluous cos(omega0 t); (3.18) has J instead of J0, (3.4) q instead "
        "of q'."
    )
    show(G_and_Qg=free.N)
    remark(
        "Paper: (3.8) defines Qg with the opposite sign, while (3.24) uses the correct one. In (3.24) sin(omega0 t) "
        "and cos(omega0 t) are exchanged between u and v. If A2 depends on time, (3.7) lacks -(dA2/dt) q'."
    )

    for stage in system.stages():
        title(f"The constraint {stage.name!r} = 0: degrees of freedom left: {stage.freedom}")
        show(J=stage.rows.G, beta=stage.beta, H=stage.H, D=stage.D, C=stage.C, f=stage.f)

    title("The equation of motion (3.28)")
    lines(system.equations("pseudovelocity"))
    remark(
        "Paper: (3.27), (3.28) and (3.30) have g cos(theta) instead of g sin(theta), which (3.22) has. (3.10) has a "
        "plus instead of a minus before A2 (D' pi' + d'); here this term is zero. (3.12) claims Qg = 0 for stationary "
        "constraints; u = v = 0 are stationary, and Qg is not zero: the condition is T = T2."
    )
    reactions_and_influence()
    rheonomic()


def reactions_and_influence() -> None:
    """Print the forces in the hinge, (3.32) and (3.33)."""
    title("The force of the drum on the hammer, by four methods")
    for method in METHODS:
        lines(f"by {method!r}:\n{build().reactions(method)}")
    remark(
        "Paper: sin(omega0 t) in (3.32) should be cos(omega0 t), and cos(omega0 t) in (3.33) should be sin(omega0 t)."
    )
    title("Influence of one component on the other")
    show(C_of_u_on_v=build().influence("hinge u", on="hinge v"))


def rheonomic() -> None:
    """Print the model with the drum's angle as a coordinate."""
    title("With psi - omega0 t = 0 as a constraint: q' = D pi' + d with nonzero d")
    stages = driven().stages()
    show(D=stages[-1].D, d=stages[-1].d)
    lines(driven().equations("pseudovelocity"))
    torque = driven().reactions("accelerations").multipliers["drive"]
    show(torque_on_the_drum=torque[0])


def numbers() -> dict:
    """Return both models at one state, the force on the hammer and the torque on the drum."""
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
    show(force_on_the_hammer=found["state"].multipliers, force_in_the_second_model=found["driven"].multipliers[1:])
    show(torque_on_the_drum=float(found["torque"]), R_times_the_force_across=float(found["torque by statics"]))
    lines(found["state"].audit)
    lines(found["driven"].audit)
