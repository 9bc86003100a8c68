"""The hammer grinder of paper 001 from bodies and joints: force in the hinge of the hammer, torque on the drum.

python examples/mechanisms/hammer_grinder.py

The same mechanism as examples/papers/hammer_grinder.py: x points down, y to the side; the drum turns at a constant
rate. `build` has a drum with a given motion, `released` a hinge that is moved by time and released in u and v.
"""

from sympy import cos, sin

import lienket as lk

J, J0, m, R, a, omega0, g = lk.parameters("J J0 m R a omega0 g")

VALUES = {J: 0.062, J0: 1.9, m: 3.4, R: 0.45, a: 0.28, omega0: 7.3, g: 9.81}
TIME, THETA, THETA_RATE = 0.31, 0.95, 2.6


def build() -> lk.System:
    """Return drum and hammer; "drum" is the angle of the drum, "hinge" that of the hammer to it, theta - omega0 t."""
    grinder = lk.planar.Mechanism("hammer grinder", gravity=(g, 0), values=VALUES)
    drum = grinder.body("drum body", inertia=J0)
    hammer = grinder.body("hammer", mass=m, inertia=J, centre=(a, 0))
    grinder.revolute("drum", grinder.ground.at(0, 0), drum.at(0, 0))
    grinder.revolute("hinge", drum.at(R, 0), hammer.at(0, 0))
    grinder.motion("drive", "drum", omega0 * lk.t)
    return grinder.system()


def released() -> lk.System:
    """Return the paper's statement: the hammer is free relative to a hinge that time moves, then u = 0 and v = 0."""
    grinder = lk.planar.Mechanism("hammer grinder, released", gravity=(g, 0), values=VALUES)
    hammer = grinder.body("hammer", mass=m, inertia=J, centre=(a, 0))
    hinge = grinder.ground.at(R * cos(omega0 * lk.t), R * sin(omega0 * lk.t))
    u, v, _ = grinder.free("hinge", hinge, hammer.at(0, 0)).coordinates
    return grinder.system().constrain("hinge u", u).constrain("hinge v", v)


if __name__ == "__main__":
    rate = VALUES[omega0]
    state = build().at([rate * TIME, THETA - rate * TIME], [rate, THETA_RATE - rate], TIME)
    by_release = released().at([0, 0, THETA], [0, 0, THETA_RATE], TIME)
    print("force of the drum on the hammer:", state.joints["hinge"].force.round(6))
    print("by releasing the hinge:", by_release.multipliers.round(6))
    print("torque of the drive:", state.elements["drive"].effort.round(6))
    motion = build().simulate(start={"hinge": THETA, "hinge'": THETA_RATE - rate}, until=2)
    largest = (motion.joints["hinge"].force ** 2).sum(axis=1).max() ** 0.5
    print(f"largest force in the hinge within 2 s: {largest:.1f}")
    print(motion.audit)
