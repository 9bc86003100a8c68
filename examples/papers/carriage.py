"""Paper 002: the reactions on a two-wheeled carriage by middle variables.

python examples/papers/carriage.py

The middle of the axle is at (x, y), and theta is the heading of the carriage. The centre of the body of mass m0 is at
the distance L ahead of the axle; m is the total mass, J the moment of inertia about the vertical through (x, y). The
wheels have the radius a and the moment of inertia C about the axle, and are at the distance b from the middle. Their
angles are phi1 and phi2, with the sign for which the forward speed v = x' cos(theta) + y' sin(theta) gives phi' = -v/a.
"""

import math

import numpy as np
import sympy as sp
from board import lines, remark, show, title
from sympy import cos, sin

import lienket as lk
from lienket import der

m, m0, J, C, L, a, b = lk.parameters("m m0 J C L a b")
x, y, theta, phi1, phi2 = lk.coordinates("x y theta phi1 phi2")

BODY, WHEEL, GYRATION, DIAMETER = 12.4, 0.85, 0.52, 0.0045  # m0, m1, k0 and the wheel's moment about a diameter
VALUES = {m0: BODY, m: BODY + 2 * WHEEL, C: 0.0083, L: 0.31, a: 0.14, b: 0.36}
VALUES[J] = BODY * GYRATION**2 + 2 * WHEEL * VALUES[b] ** 2 + 2 * DIAMETER
POSITION = {x: 0.4, y: -0.7, theta: 0.58, phi1: 0.2, phi2: -0.3}
X_RATE, THETA_RATE = 1.45, 0.92

HEADING = (cos(theta), sin(theta))
SPEED = cos(theta) * der(x) + sin(theta) * der(y)  # v, forward


def build() -> lk.System:
    """Return the carriage: kinetic energy (d), constraints (b), (a) and (c)."""
    across = m0 * L * der(theta) * (der(y) * cos(theta) - der(x) * sin(theta))
    turning = J * der(theta) ** 2 / 2 + C * (der(phi1) ** 2 + der(phi2) ** 2) / 2
    return (
        lk.System(
            "two-wheeled carriage",
            [x, y, theta, phi1, phi2],
            kinetic=m * (der(x) ** 2 + der(y) ** 2) / 2 + turning + across,
            values=VALUES,
        )
        .constrain("right wheel", SPEED + b * der(theta) + a * der(phi1))
        .constrain("left wheel", SPEED - b * der(theta) + a * der(phi2))
        .constrain("no side slip", lk.catalogue.knife_edge((x, y), theta))
    )


def derivation() -> None:
    """Print the derivation in the order of the paper, (a) to (q)."""
    system = build()
    title("The constraints (a), (b), (c), one at a time, with x and theta independent")
    stages = system.stages(independent=[x, theta])
    lines(stages)
    remark(
        "Paper: phi1 is called the left and phi2 the right wheel. By (a), (b) and (e) phi1 is the right one: it is at "
        "the distance b to the right of the middle, where the speed is v + b theta'."
    )
    for stage in stages:
        show(**{f"beta of {stage.name!r}": stage.beta})
    title("D^T (f), A (g), D^0 = D^T A (h)")
    show(D=stages[-1].D, A=system.free.A, D0=stages[-1].C)
    remark(
        "Paper: below (d) J contains 2 m b^2 instead of 2 m1 b^2. In (g) A23 has a minus (A is symmetric, it is "
        "+m0 L cos(theta)), and A55 is 0 instead of C; in (h) the entry (2, 2) has sin instead of cos. This D is "
        "undefined at cos(theta) = 0; the choice below is always defined."
    )
    form = system.equations("multipliers")
    title("b (i), b0 (k) and Q* (m)")
    show(b=form["G"], b0=form["g0"], Q_star=system.free.h)
    remark(
        "Paper: two signs are missing in (i) and one in (k). The third entry of (l) and (m) is 0, not m0 L v theta': "
        "dT/dq was omitted, and (2.8) as printed is 2 dT/dq. Therefore (o), (p) and (q) are wrong: R_theta = 0, equal "
        "reactions of the wheels, theta'' = 0, and an increasing energy."
    )
    middle_variables()
    equations_and_influence()


def middle_variables() -> None:
    """Print the middle variables: A Q0 = Q*, [b; D^0] R0 = [-(b Q0 + b0); 0], R = A R0, (2.13) to (2.17)."""
    title("Middle variables: Q^0, then R (p)")
    system = build()
    show(Q0=sp.simplify(system.free.A.LUsolve(system.free.h)))
    R_x, R_y, R_theta, R_phi1, R_phi2 = system.reactions("middle").total
    along, left = R_x * cos(theta) + R_y * sin(theta), R_y * cos(theta) - R_x * sin(theta)
    v = sp.Symbol("v")
    on_the_constraints = {der(x): v * cos(theta), der(y): v * sin(theta)}
    parts = {
        "R along the heading": along,
        "R to the left": left,
        "R_theta": R_theta,
        "R_phi1": R_phi1,
        "R_phi2": R_phi2,
    }
    for name, part in parts.items():
        show(**{name: sp.factor(sp.trigsimp(sp.expand(sp.together(part.subs(on_the_constraints)))))})
    remark(
        "With J^ = J + 2 C b^2/a^2 the force to the left is (m - m0^2 L^2/J^) v theta', and the force along the "
        "heading -m0 L theta'^2/(1 + m a^2/2C). Paper: R(q, 0) = 0 is claimed for all such constraints. It holds here, "
        "without applied forces, but not in general: the line supports the disc of paper 000 at rest."
    )


def equations_and_influence() -> None:
    """Print the equations (q), a shorter form of them, and an influence matrix."""
    title("Equations of motion, full form as (q)")
    lines(build().equations("full", independent=[x, theta]))
    title("In the pseudovelocities v and omega, whose D is always defined")
    lines(build().equations("pseudovelocity", pseudovelocities={"v": SPEED, "omega": der(theta)}))
    title("Influence of the left wheel on the right one")
    show(C=build().influence("left wheel", on="right wheel"))


def velocities(x_rate: float, theta_rate: float) -> dict:
    """Return the velocities that satisfy the constraints, (e)."""
    angle, wheel, arm = POSITION[theta], VALUES[a], VALUES[b]
    v = x_rate / math.cos(angle)
    spin = {phi1: -(v + arm * theta_rate) / wheel, phi2: -(v - arm * theta_rate) / wheel}
    return {x: x_rate, y: x_rate * math.tan(angle), theta: theta_rate} | spin


def numbers() -> dict:
    """Return the carriage at one state, with the middle variables."""
    state = build().at(POSITION, velocities(X_RATE, THETA_RATE))
    Q0 = np.linalg.solve(state.A, state.h)
    return {"state": state, "Q0": Q0, "R0": np.linalg.solve(state.A, state.reaction)}


if __name__ == "__main__":
    derivation()
    title("Numbers")
    found = numbers()
    show(accelerations=found["state"].accelerations, Q0=found["Q0"], R0=found["R0"])
    show(R=found["state"].reaction, multipliers=found["state"].multipliers)
    lines(found["state"].influence())
    lines(found["state"].audit)
