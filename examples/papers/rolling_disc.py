"""Paper 000: a disc rolls without slipping on a horizontal line, one constraint at a time (Algorithms 1 and 2).

python examples/papers/rolling_disc.py

The disc has its centre at (x, y), y up, and the angle phi, counterclockwise. The paper has only gravity; here a force
(Fx, Fy) at the centre and a couple M are added, so that no term vanishes. Fx = Fy = M = 0 gives the printed formulas.
"""

from board import lines, remark, show, title

import lienket as lk
from lienket import der

m, J, r, g, Fx, Fy, M = lk.parameters("m J r g Fx Fy M")
x, y, phi = lk.coordinates("x y phi")

VALUES = {m: 2.3, J: 0.41, r: 0.37, g: 9.81, Fx: 1.7, Fy: -0.6, M: 0.83}
ANGLE, RATE = 0.52, 1.13
POSITION = {x: -0.37 * ANGLE, y: 0.37, phi: ANGLE}
VELOCITY = {x: -0.37 * RATE, y: 0.0, phi: RATE}


def free_disc() -> lk.System:
    """Return the free disc, with three degrees of freedom."""
    return lk.System(
        "rolling disc",
        [x, y, phi],
        kinetic=m * (der(x) ** 2 + der(y) ** 2) / 2 + J * der(phi) ** 2 / 2,
        potential=m * g * y,
        forces={phi: M},
        loads=[lk.Force(at=(x, y), components=(Fx, Fy), name="centre")],
        values=VALUES,
    )


def on_the_line() -> lk.System:
    """Return the disc under the first constraint, (3.5): y - r = 0."""
    return free_disc().constrain("contact", lk.catalogue.slot((x, y), (0, r), (1, 0)))


def build() -> lk.System:
    """Return the disc under both constraints; (3.6) is x + r phi = 0."""
    return on_the_line().constrain("rolling", lk.catalogue.rolling((x, y), phi, r, start=0))


def redundant() -> lk.System:
    """Return the disc with a third constraint, which is redundant."""
    return build().constrain("both again", 2 * (y - r) + 3 * (x + r * phi))


def contradictory() -> lk.System:
    """Return the disc with a second constraint that contradicts the first, except at t = 0 in position and velocity."""
    return on_the_line().constrain("rising line", y - r - lk.t**2 / 10)


def derivation() -> None:
    """Print the derivation in the order of section 4 of the paper."""
    title("The free system, A q'' = h")
    lines(free_disc().free)
    show(A=free_disc().free.A, h=free_disc().free.h)

    # Gram-Schmidt orthogonalization as in the paper; the choice "pivot" would give H and D with the opposite sign.
    stages = build().stages(choice="orthogonal")
    for stage, system in zip(stages, (on_the_line(), build()), strict=True):
        title(f"The constraint {stage.name!r}: degrees of freedom left: {stage.freedom}")
        show(J=stage.rows.G, beta=stage.beta, H=stage.H, D=stage.D, C=stage.C, f=stage.f)
        lines("full form, (3.1)\n" + str(system.equations("full", choice="orthogonal")))
        lines("reduced form, (3.4)\n" + str(system.equations("reduced", choice="orthogonal")))
    remark(
        "Paper: after (2.23) the text says that D loses a row with each constraint; it loses a column. Algorithm 2 "
        "does not set m = n at the start, and its step 4 has dg/dq for every g. For a constraint on velocities it must "
        "be dg/dq', for example for g = sin(theta) x' - cos(theta) y' of the carriage."
    )
    reactions_and_influence()
    dependent_constraints()


def reactions_and_influence() -> None:
    """Print the reaction of each constraint and its influence on the other."""
    title("Reactions by four methods")
    for method in ("multipliers", "direct", "middle", "accelerations"):
        lines(f"by {method!r}:\n{build().reactions(method)}")
    title("Influence: (change of r1) = C r2, (2.17)")
    show(C_of_rolling_on_contact=build().influence("rolling", on="contact"))
    show(C_of_contact_on_rolling=build().influence("contact", on="rolling"))
    remark(
        "Paper: (2.18) has the wrong sign; C = -G1^T (G1 A^-1 G1^T)^-1 G1 A^-1. Here C r2 = 0 in both directions, "
        "since the line pushes normal to itself and the friction acts along it: the example cannot show the sign. A "
        "double pendulum shows it."
    )


def dependent_constraints() -> None:
    """Print the case beta = 0."""
    title("The case missing in the algorithm: beta = 0")
    remark(
        "Paper: step 6 does not treat beta = 0. Every H is orthogonal to it, and dropping a column of D would lose a "
        "degree of freedom. Such a constraint is redundant or contradicts the others:"
    )
    lines(redundant().stages())
    lines(contradictory().stages())


def numbers():
    """Return the disc at one state."""
    return build().at(POSITION, VELOCITY)


if __name__ == "__main__":
    derivation()
    title("Numbers")
    state = numbers()
    show(accelerations=state.accelerations, reaction=state.reaction, multipliers=state.multipliers)
    lines("\n".join(f"reaction of {name!r}: {share}" for name, share in state.reactions.items()))
    lines(state.audit)
