"""Paper 004, example 1: a physical pendulum on a slider held by a spring, A q'' + q* D q0 = Q.

python examples/papers/slider_pendulum.py

q1 is the displacement of the slider, q2 the angle of the pendulum from the downward vertical; y points up. In a second
model the pendulum is a separate body with its centre at (xc, yc), and the hinge is a constraint.
"""

import math

from board import lines, remark, show, title
from sympy import cos, sin

import lienket as lk
from lienket import der

m1, m2, a, c, g, inertia = lk.parameters("m1 m2 a c g I")
q1, q2, xc, yc = lk.coordinates("q1 q2 xc yc")

VALUES = {m1: 1.7, m2: 0.9, a: 0.42, c: 55.0, g: 9.81, inertia: 0.033}
POSITION, VELOCITY = (0.13, 0.68), (-0.5, 1.9)


def build() -> lk.System:
    """Return the system stated by its inertia matrix, as in the paper."""
    A = [[m1 + m2, m2 * a * cos(q2)], [m2 * a * cos(q2), inertia + m2 * a**2]]
    potential = c * q1**2 / 2 - m2 * g * a * cos(q2)
    return lk.System("slider pendulum", [q1, q2], inertia=A, potential=potential, values=VALUES)


def with_hinge() -> lk.System:
    """Return slider and pendulum with a hinge; the multipliers are the force of the slider on the pendulum."""
    bodies = lk.System(
        "slider pendulum with hinge",
        [q1, xc, yc, q2],
        kinetic=(m1 * der(q1) ** 2 + m2 * (der(xc) ** 2 + der(yc) ** 2) + inertia * der(q2) ** 2) / 2,
        potential=c * q1**2 / 2 + m2 * g * yc,
        values=VALUES,
    )
    return bodies.constrain("hinge", lk.catalogue.pin((xc - a * sin(q2), yc + a * cos(q2)), (q1, 0)))


def derivation() -> None:
    """Print the derivation in the order of the paper, from (1.1) to the two equations of motion."""
    free = build().free
    title("The inertia matrix A and the generalized forces Q")
    show(A=free.A, Q=free.Q)
    remark("Paper: A22 has 1 instead of I, and the text m instead of m2. The rest of this example is correct.")

    title("The matrix D of the velocity terms, with q* (1.7) and q0 (1.8)")
    form = free.matrix_form("paper")
    show(q_star=form.q_star, D=form.D, q0=form.q_0)
    remark(
        "Paper: D is said to follow from A, without a formula. The two examples determine it: the block of equation i "
        "has the entries (D_i)_jk = d a_ik/dq_j - (d a_jk/dq_i)/2. Only the symmetric part of each block, the "
        "Christoffel symbols, affects the equations:"
    )
    show(D_symmetric=free.matrix_form("christoffel").D, velocity_terms=form.velocity_terms())

    title("The equations of motion (1.6)")
    lines(free)
    title("The force in the hinge: slider and pendulum as separate bodies, then hinged")
    lines(with_hinge().stages())
    (hinge,) = with_hinge().stages(independent=[q1, q2])
    show(J=hinge.rows.G, g0=hinge.rows.g0, D=hinge.D, C=hinge.C, f=hinge.f)
    remark("C q'' = f with xc'' and yc'' from J q'' + g0 = 0 is the equation above. The force on the pendulum:")
    lines(with_hinge().reactions("accelerations"))


def placed(position: tuple, velocity: tuple) -> tuple:
    """Return a state, given in q1 and q2, in the coordinates q1, xc, yc, q2."""
    (x, angle), (speed, rate), length = position, velocity, VALUES[a]
    s, k = length * math.sin(angle), length * math.cos(angle)
    return (x, x + s, -k, angle), (speed, speed + k * rate, s * rate, rate)


def numbers() -> dict:
    """Return both models at one state and the force of the slider on the pendulum."""
    hinged = with_hinge().at(*placed(POSITION, VELOCITY))
    return {"state": build().at(POSITION, VELOCITY), "hinged": hinged, "force": hinged.multipliers}


if __name__ == "__main__":
    derivation()
    title("Numbers")
    found = numbers()
    show(accelerations=found["state"].accelerations, with_hinge=found["hinged"].accelerations)
    show(force_on_the_pendulum=found["force"])
    lines(found["hinged"].audit)
