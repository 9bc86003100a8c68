"""Paper 000: a disc rolls without slipping on a horizontal line, constraint after constraint (Algorithms 1 and 2).

python examples/papers/rolling_disc.py

The disc has its centre at (x, y), y up, and the angle phi, counterclockwise. The paper has gravity alone; here a force
(Fx, Fy) at the centre and a couple M are added, so that nothing vanishes. Fx = Fy = M = 0 gives what is printed.
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
    """The disc in the air: three freedoms."""
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
    """The disc under the first constraint, (3.5): y - r = 0."""
    return free_disc().constrain("contact", lk.catalogue.slot((x, y), (0, r), (1, 0)))


def build() -> lk.System:
    """The disc under both constraints; (3.6) is x + r phi = 0."""
    return on_the_line().constrain("rolling", lk.catalogue.rolling((x, y), phi, r, start=0))


def redundant() -> lk.System:
    """A third constraint that says nothing new."""
    return build().constrain("both again", 2 * (y - r) + 3 * (x + r * phi))


def contradictory() -> lk.System:
    """A second constraint that cannot hold with the first, although it does at t = 0 in position and velocity."""
    return on_the_line().constrain("rising line", y - r - lk.t**2 / 10)


def derivation() -> None:
    """The derivation in the order of the paper's section 4."""
    title("The free system, A q'' = h")
    lines(free_disc().free)
    show(A=free_disc().free.A, h=free_disc().free.h)

    # Gram and Schmidt, as the paper has it; the choice "pivot" would give H and D with the opposite sign.
    stages = build().stages(choice="orthogonal")
    for stage, system in zip(stages, (on_the_line(), build()), strict=True):
        title(f"The constraint {stage.name!r}: {stage.freedom} freedom(s) left")
        show(J=stage.rows.G, beta=stage.beta, H=stage.H, D=stage.D, C=stage.C, f=stage.f)
        lines("full form, (3.1)\n" + str(system.equations("full", choice="orthogonal")))
        lines("reduced form, (3.4)\n" + str(system.equations("reduced", choice="orthogonal")))
    remark(
        "Paper: after (2.23), D is said to lose a row with each constraint; it loses a column. Algorithm 2 does not "
        "set m = n at the start, and its step 4 has dg/dq for every g: for a constraint on velocities it is dg/dq', as "
        "for g = sin(theta) x' - cos(theta) y' of the carriage."
    )
    reactions_and_influence()
    dependent_constraints()


def reactions_and_influence() -> None:
    """Which force each constraint exerts, and how it changes the other's."""
    title("Reactions, four ways")
    for method in ("multipliers", "direct", "middle", "accelerations"):
        lines(f"by {method!r}:\n{build().reactions(method)}")
    title("Influence: (change of r1) = C r2, (2.17)")
    show(C_of_rolling_on_contact=build().influence("rolling", on="contact"))
    show(C_of_contact_on_rolling=build().influence("contact", on="rolling"))
    remark(
        "Paper: (2.18) has the wrong sign; C = -G1^T (G1 A^-1 G1^T)^-1 G1 A^-1. Here C r2 = 0 both ways, since the "
        "line pushes across and the friction along it: the example cannot show the sign. A double pendulum does."
    )


def dependent_constraints() -> None:
    """The case beta = 0."""
    title("What the algorithm lacks: beta = 0")
    remark(
        "Paper: step 6 has no case beta = 0. Every H is then orthogonal to it, and dropping a column of D all the "
        "same loses a freedom. Such a constraint is redundant or contradicts the others:"
    )
    lines(redundant().stages())
    lines(contradictory().stages())


def numbers():
    """Everything at one state."""
    return build().at(POSITION, VELOCITY)


if __name__ == "__main__":
    derivation()
    title("Numbers")
    state = numbers()
    show(accelerations=state.accelerations, reaction=state.reaction, multipliers=state.multipliers)
    lines("\n".join(f"reaction of {name!r}: {share}" for name, share in state.reactions.items()))
    lines(state.audit)
