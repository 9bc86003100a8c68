"""The digging machine of paper 003 from bodies and joints: the drives that keep its scoop on a line, and a wall.

python examples/mechanisms/digging_machine.py

The same machine as examples/papers/digging_machine.py: x is horizontal, y points down; the arms have no mass, the scoop
is a particle at (b l, 0) of the second arm, the soil acts on it with the force (Xe, Ye). The line is x - y - a = 0.
"""

from sympy import cos, sin

import lienket as lk

m, l, b, g, a, Xe, Ye, M1, M2 = lk.parameters("m l b g a Xe Ye M1 M2")  # noqa: E741

MACHINE = {m: 35.0, l: 1.6, b: -0.8, g: 9.81, a: 2.2603639725814104}
SOIL = {Xe: -210.0, Ye: -95.0}
MOMENTS = {M1: 180.0, M2: 60.0}
POSITION, VELOCITY = (0.55, 2.1), (0.43, -2.2348427051285644)


def arms(values: dict) -> tuple[lk.planar.Mechanism, lk.planar.PlanarBody]:
    """Return the mechanism of both arms, and the second arm, which carries the scoop."""
    machine = lk.planar.Mechanism("digging machine", gravity=(0, g), values=MACHINE | values)
    upper = machine.body("upper arm")
    lower = machine.body("lower arm", mass=m, centre=(b * l, 0))
    machine.revolute("phi1", machine.ground.at(0, 0), upper.at(0, 0))
    machine.revolute("phi2", upper.at(l, 0), lower.at(0, 0))
    return machine, lower


def build() -> lk.System:
    """Return the machine in soil; the drives M1 and M2 of the program keep the scoop on the line."""
    machine, lower = arms(SOIL)
    machine.force("soil", lower.at(b * l, 0), (Xe, Ye))
    system = machine.system()
    phi1, phi2 = system.coordinates
    x, y = l * cos(phi1) + b * l * cos(phi1 + phi2), l * sin(phi1) + b * l * sin(phi1 + phi2)
    return system.constrain("line", lk.Program(x - y - a, drives={"M1": {phi1: 1}, "M2": {phi2: 1}}))


def smooth_wall() -> lk.System:
    """Return the machine with a smooth slot along the line, in which the scoop slides, and given moments."""
    machine, lower = arms(MOMENTS)
    machine.slot("line", machine.ground.at(a, 0), lower.at(b * l, 0), axis=(1, 1))
    machine.motor("first motor", "phi1", M1)
    machine.motor("second motor", "phi2", M2)
    return machine.system()


if __name__ == "__main__":
    state = build().at(POSITION, VELOCITY)
    print("moments that keep the line:", state.reactions["line"].round(6))
    print("force of the upper arm on the lower one:", state.joints["phi2"].force.round(6))
    wall = smooth_wall().at(POSITION, VELOCITY)
    print("force of a smooth wall on the scoop:", wall.joints["line"].force.round(6))
    print(wall.audit)
