"""The slider-crank of paper 001 from bodies and joints, and the forces in its joints.

python examples/mechanisms/slider_crank.py

The same mechanism as examples/papers/slider_crank.py: gravity acts along +y, the force F on the slider along +x, the
couple Md on the crank. Angles are relative: "A" is the angle of the rod to the crank, -(phi + theta) in the paper's
letters. The joint B is cut, so that the coordinates are the angles phi and A and the place x of the slider.
"""

import math

import lienket as lk

J1, J2, m2, m3, r, L, a, g, F, Md = lk.parameters("J1 J2 m2 m3 r L a g F Md")

VALUES = {J1: 0.085, J2: 0.047, m2: 1.35, m3: 0.92, r: 0.21, L: 0.58, a: 0.23, g: 9.81, F: 14.5, Md: 6.7}
PHI, PHI_RATE = 0.77, 3.1


def mechanism() -> lk.planar.Mechanism:
    """Return the crank, the rod and the slider with their joints."""
    engine = lk.planar.Mechanism("slider-crank", gravity=(0, g), values=VALUES)
    crank = engine.body("crank", inertia=J1)  # its mass centre is in its bearing, which carries its weight
    rod = engine.body("rod", mass=m2, inertia=J2, centre=(a, 0))
    slider = engine.body("slider", mass=m3)
    engine.revolute("O", engine.ground.at(0, 0), crank.at(0, 0), coordinate="phi")
    engine.revolute("A", crank.at(r, 0), rod.at(0, 0))
    engine.prismatic("guide", engine.ground.at(0, 0), slider.at(0, 0), coordinate="x")
    engine.revolute("B", rod.at(L, 0), slider.at(0, 0))
    engine.motor("couple", "O", Md)
    engine.force("gas", slider.at(0, 0), (F, 0))
    return engine


def build() -> lk.System:
    """Return the system with the joint B as the constraint that closes the loop."""
    return mechanism().system()


def start() -> dict[str, float]:
    """Return the coordinates of the paper's state; the rest of the start follows."""
    number = {parameter.name: value for parameter, value in VALUES.items()}
    theta = math.asin(number["r"] * math.sin(PHI) / number["L"])
    reach = number["r"] * math.cos(PHI) + number["L"] * math.cos(theta)
    return {"phi": PHI, "phi'": PHI_RATE, "A": -PHI - theta, "x": reach}


if __name__ == "__main__":
    system = build()
    print(system.stages(), "\n")
    state = system.at(*system.consistent(start()))
    for name, joint in state.joints.items():
        print(f"{name:6} force on its second body {joint.force.round(6)}, torque {joint.torque:.6f}")
    motion = system.simulate(start=start(), until=2)
    print("\nLargest force in the joint B within 2 s:", abs(motion.joints["B"].force).max(axis=0).round(1))
    print(motion.audit)
