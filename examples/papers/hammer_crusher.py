"""Paper 004, example 2: a hammer hinged on a driven disc, A q'' + q* D q0 = Q.

python examples/papers/hammer_crusher.py

q1 is the angle of the disc from the downward vertical, q2 the angle of the hammer relative to the disc; y points up.
The couple M drives the disc. In a second model the hammer is a separate body, with its centre at (xc, yc) and its angle
psi from the vertical, and the hinge is a constraint.
"""

import math

from board import lines, remark, show, title
from sympy import cos, sin

import lienket as lk
from lienket import der

I1, I2, m2, e, r, g, M = lk.parameters("I1 I2 m2 e r g M")
q1, q2, xc, yc, psi = lk.coordinates("q1 q2 xc yc psi")

VALUES = {I1: 0.74, I2: 0.052, m2: 2.1, e: 0.33, r: 0.47, g: 9.81, M: 5.4}
POSITION, VELOCITY = (0.57, -0.93), (1.6, -2.2)


def build() -> lk.System:
    """Return the crusher in two minimal coordinates, stated by its inertia matrix as in the paper."""
    A12 = I2 + m2 * (e**2 + e * r * cos(q2))
    return lk.System(
        "hammer crusher",
        [q1, q2],
        inertia=[[I1 + I2 + m2 * (e**2 + r**2 + 2 * e * r * cos(q2)), A12], [A12, I2 + m2 * e**2]],
        potential=-m2 * g * (r * cos(q1) + e * cos(q1 + q2)),
        forces={q1: M},
        values=VALUES,
    )


def with_hinge() -> lk.System:
    """Return disc and hammer joined by a hinge; the multipliers are the force of the disc on the hammer."""
    bodies = lk.System(
        "hammer crusher with hinge",
        [q1, xc, yc, psi],
        kinetic=(I1 * der(q1) ** 2 + m2 * (der(xc) ** 2 + der(yc) ** 2) + I2 * der(psi) ** 2) / 2,
        potential=m2 * g * yc,
        forces={q1: M},
        values=VALUES,
    )
    on_hammer = (xc - e * sin(psi), yc + e * cos(psi))
    on_disc = (r * sin(q1), -r * cos(q1))
    return bodies.constrain("hinge", lk.catalogue.pin(on_hammer, on_disc))


def derivation() -> None:
    """Print the derivation in the order of the paper, then the force in the hinge."""
    free = build().free
    title("The inertia matrix A and the generalized forces Q")
    show(A=free.A, Q=free.Q)
    remark(
        "Paper: Q1 and the first equation have e sin(q1 - q2) instead of e sin(q1 + q2). The printed Q has no "
        "potential, because dQ1/dq2 differs from dQ2/dq1. The radius is R in the text and r in the formulas."
    )
    title("The matrix D of the velocity terms")
    form = free.matrix_form("paper")
    show(D=form.D, velocity_terms=form.velocity_terms().expand())
    remark("Paper: D(2, 1) has +2 m2 e r sin(q2); the printed equations follow with a minus.")
    title("The equations of motion (1.6)")
    lines(free)
    force_in_the_hinge()


def force_in_the_hinge() -> None:
    """Print the model with the redundant coordinates q1, xc, yc, psi and two constraint rows."""
    title("Disc and hammer as separate bodies, then hinged")
    lines(with_hinge().equations("multipliers"))
    (hinge,) = with_hinge().stages(independent=[q1, psi])
    show(J=hinge.rows.G, g0=hinge.rows.g0, D=hinge.D, C=hinge.C, f=hinge.f)
    title("The equations in the independent velocities q1' and psi' = q1' + q2'")
    lines(with_hinge().equations("pseudovelocity", independent=[q1, psi]))
    title("The force of the disc on the hammer")
    remark("It is m2 xc'' along x and m2 (yc'' + g) along y. Written out, with its torques on disc and hammer:")
    lines(with_hinge().reactions("accelerations"))


def placed(position: tuple, velocity: tuple) -> tuple:
    """Return a state, given in q1 and q2, in the coordinates q1, xc, yc, psi."""
    (disc, relative), (disc_rate, relative_rate) = position, velocity
    angle, rate = disc + relative, disc_rate + relative_rate
    arm, length = VALUES[r], VALUES[e]
    X = (arm * math.sin(disc) + length * math.sin(angle), -arm * math.cos(disc) - length * math.cos(angle))
    V = (
        arm * math.cos(disc) * disc_rate + length * math.cos(angle) * rate,
        arm * math.sin(disc) * disc_rate + length * math.sin(angle) * rate,
    )
    return (disc, *X, angle), (disc_rate, *V, rate)


def numbers() -> dict:
    """Return both models at one state and the force of the disc on the hammer."""
    hinged = with_hinge().at(*placed(POSITION, VELOCITY))
    return {"state": build().at(POSITION, VELOCITY), "hinged": hinged, "force": hinged.multipliers}


if __name__ == "__main__":
    derivation()
    title("Numbers")
    found = numbers()
    show(accelerations=found["state"].accelerations, with_hinge=found["hinged"].accelerations)
    show(force_on_the_hammer=found["force"])
    remark(f"The four methods for the reaction differ by {found['hinged'].audit.methods:.0e} of it.")
    lines(found["hinged"].audit)
