"""A slider-crank with a counterweight on the crank: the force that shakes the frame, with and without it.

python examples/mechanisms/counterweight.py [picture.png]
"""

import math
import sys

import matplotlib.pyplot as plt
import numpy as np

import lienket as lk

r, c, mass = lk.parameters("r c mass")  # radius of the crank, place and mass of the counterweight
SPEED = 2 * math.pi * 50  # [rad/s] 3000 revolutions per minute


def build() -> lk.System:
    """Return the slider-crank that is driven at a constant speed."""
    engine = lk.planar.Mechanism("engine", values={r: 0.04, c: 0.03, mass: 0.0})
    crank = engine.body("crank", mass=1.0, inertia=1e-3)
    weight = engine.body("counterweight", mass=mass)
    rod = engine.body("rod", mass=0.5, inertia=1e-3, centre=(0.05, 0))
    piston = engine.body("piston", mass=0.4)
    engine.revolute("main", engine.ground.at(0, 0), crank.at(0, 0), coordinate="angle")
    engine.weld("bolt", crank.at(-c, 0), weight.at(0, 0))
    engine.revolute("pin", crank.at(r, 0), rod.at(0, 0))
    engine.prismatic("cylinder", engine.ground.at(0, 0), piston.at(0, 0))
    engine.revolute("wrist", rod.at(0.15, 0), piston.at(0, 0))
    engine.motion("drive", "main", SPEED * lk.t)
    return engine.system()


if __name__ == "__main__":
    system, times = build(), np.linspace(0, 2 * math.pi / SPEED, 181)
    for number in (0.0, 1.0):
        run = system.simulate({"mass": number}, guess={"cylinder": 0.19}, times=times)
        frame = -(run.joints["main"].force + run.joints["cylinder"].force)  # on the frame
        plt.plot(np.degrees(run["angle"]), frame[:, 0], label=f"counterweight {number} kg")
        print(f"{number} kg: largest force along the cylinder {abs(frame[:, 0]).max():.0f} N")
        print(run.audit)
    plt.gca().set(xlabel="angle of the crank [degrees]", ylabel="force on the frame along the cylinder [N]")
    plt.legend()
    plt.savefig(sys.argv[1] if len(sys.argv) > 1 else "counterweight.png")
