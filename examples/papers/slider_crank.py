"""Paper 001, example 1: a slider-crank in two redundant coordinates and one acceleration.

python examples/papers/slider_crank.py

The crank OA has the length r and the angle phi, the rod AB the length L and the angle theta. The slider B is at
x = r cos(phi) + L cos(theta), the rod's centre C at (r cos(phi) + a cos(theta), r sin(phi) - a sin(theta)).
Gravity acts along +y, the force F on the slider along +x, the couple Md on the crank.
"""

import sympy as sp
from board import lines, remark, show, title
from sympy import cos, sin

import lienket as lk
from lienket import der

J1, J2, m2, m3, r, L, a, g, F, Md = lk.parameters("J1 J2 m2 m3 r L a g F Md")
phi, theta, xc, yc, xb = lk.coordinates("phi theta xc yc xb")

VALUES = {J1: 0.085, J2: 0.047, m2: 1.35, m3: 0.92, r: 0.21, L: 0.58, a: 0.23, g: 9.81, F: 14.5, Md: 6.7}
PHI, PHI_RATE = 0.77, 3.1

C = (r * cos(phi) + a * cos(theta), r * sin(phi) - a * sin(theta))
B = r * cos(phi) + L * cos(theta)


def build() -> lk.System:
    """Return the paper's system: the end of the rod is released from the guide, then r sin(phi) - L sin(theta) = 0."""
    speed_C = sum(der(c) ** 2 for c in C)
    released = lk.System(
        "slider-crank",
        [phi, theta],
        kinetic=(J1 * der(phi) ** 2 + m2 * speed_C + J2 * der(theta) ** 2 + m3 * der(B) ** 2) / 2,
        potential=-m2 * g * C[1],
        forces={phi: Md},
        loads=[lk.Force(at=(B,), components=(F,), name="slider")],
        values=VALUES,
    )
    return released.constrain("guide", r * sin(phi) - L * sin(theta))


def with_joints() -> lk.System:
    """Return the three bodies joined by pins; the multipliers are the forces of the crank and the slider on the rod."""
    bodies = lk.System(
        "slider-crank with joints",
        [phi, xc, yc, theta, xb],
        kinetic=(J1 * der(phi) ** 2 + m2 * (der(xc) ** 2 + der(yc) ** 2) + J2 * der(theta) ** 2 + m3 * der(xb) ** 2)
        / 2,
        potential=-m2 * g * yc,
        forces={phi: Md, xb: F},
        values=VALUES,
    )
    rod_A = (xc - a * cos(theta), yc + a * sin(theta))
    rod_B = (xc + (L - a) * cos(theta), yc - (L - a) * sin(theta))
    joined = bodies.constrain("joint A", lk.catalogue.pin(rod_A, (r * cos(phi), r * sin(phi))))
    return joined.constrain("joint B", lk.catalogue.pin(rod_B, (xb, 0)))


def derivation() -> None:
    """Print the derivation in the order of the paper, (2.17) to the equation after (2.24)."""
    system = build()
    (guide,) = system.stages(independent=[phi])
    title("The released system: A (2.20), Q (2.23), G (2.24)")
    show(A=system.free.A, Q=system.free.Q, G=system.free.N)
    remark(
        "Paper: (2.19) and (2.20) have cos(phi - theta) without the factor r; the geometry of (2.17) gives "
        "r cos(phi + theta). Both rows of (2.24) are wrong; they do not follow from the printed A either."
    )

    title("The constraint (2.17) with phi independent: D (2.21) and its derivative (2.22)")
    D = guide.D
    show(J=guide.rows.G, g0=guide.rows.g0, D=D, D_dot=D.diff(lk.t))
    remark("D is undefined at cos(theta) = 0, which the mechanism reaches only if L <= r.")

    title("The equation of motion (2.13): (D^T A D) phi'' = D^T (Q + G) - D^T A D' phi'")
    A11, A12, A22, Q1, Q2, G1, G2, kappa, kappa_dot = sp.symbols("A11 A12 A22 Q1 Q2 G1 G2 kappa kappa_dot")
    row, A = sp.Matrix([[1, kappa]]), sp.Matrix([[A11, A12], [A12, A22]])
    right = row * sp.Matrix([Q1 + G1, Q2 + G2]) - row * A * sp.Matrix([0, kappa_dot]) * der(phi)
    show(kappa=D[1], D0=(row * A * row.T)[0], right_side=right[0])
    remark(
        "Paper: (2.13) has a plus before the last term, and D^T twice in it, so that the dimensions do not fit. The "
        "equation after (2.24) has five more errors: a row [1, -kappa], m2 g a sin(theta) cos(theta) instead of "
        "m2 g a cos(theta), a missing sin(theta), and twice cos instead of sin."
    )
    lines("reduced form: C q'' = f with the constraint\n" + str(system.equations("reduced", independent=[phi])))

    title("The force on the rod's end: A q'' = Q + G + R with R = G^T lambda")
    lines(system.equations("multipliers"))
    remark("lambda_1 is the force of the guide on the rod's end, along +y. The explicit formula for it fills a page.")


def numbers() -> dict:
    """Return both models at one state, and the forces on the rod at A and at B."""
    number = {parameter.name: value for parameter, value in VALUES.items()}
    angle = float(sp.asin(number["r"] * sp.sin(PHI) / number["L"]))
    rate = float(number["r"] * sp.cos(PHI) * PHI_RATE / (number["L"] * sp.cos(angle)))
    state = build().at({phi: PHI, theta: angle}, {phi: PHI_RATE, theta: rate})
    point = {**VALUES, der(phi): PHI_RATE, der(theta): rate, phi: PHI, theta: angle}
    place = {xc: C[0], yc: C[1], xb: B}
    q = {phi: PHI, theta: angle} | {x: float(e.subs(point)) for x, e in place.items()}
    v = {phi: PHI_RATE, theta: rate} | {x: float(der(e).subs(point)) for x, e in place.items()}
    joints = with_joints().at(q, v)
    forces = joints.multipliers
    return {"state": state, "joints": joints, "force at A": forces[:2], "force at B": forces[2:]}


if __name__ == "__main__":
    derivation()
    title("Numbers")
    found = numbers()
    show(accelerations=found["state"].accelerations, reaction=found["state"].reaction)
    show(guide_on_rod_end=found["state"].multipliers)
    remark(f"The four methods for the reaction differ by {found['state'].audit.methods:.0e} of it.")
    show(force_on_the_rod_at_A=found["force at A"], force_on_the_rod_at_B=found["force at B"])
    lines(found["state"].audit)
    lines(found["joints"].audit)
