"""A Stewart platform: six legs of a universal, a prismatic and a spherical joint; the forces that its drives need.

python examples/mechanisms/stewart_platform.py [picture.png]

All bodies have the axes of the ground in the position in which they are stated, so that every joint is stated by one
point and all coordinates are zero there.
"""

import sys

import matplotlib.pyplot as plt
import numpy as np
import sympy as sp

import lienket as lk

HEIGHT, BASE, TOP, SPREAD = 1.2, 1.0, 0.6, 0.2  # [m, m, m, rad] height, radii of both circles, half angle of a pair
MASSES = {"platform": 80.0, "cylinder": 6.0, "piston": 2.0}  # [kg]
TURN = 2 * sp.pi * lk.t
PATH = (sp.sin(TURN) / 10, (1 - sp.cos(TURN)) / 20, (1 - sp.cos(TURN)) / 10)  # [m] displacement of the platform


def build() -> lk.System:
    """Return the platform, whose six drives change the lengths of the legs so that it moves along the path."""
    machine = lk.spatial.Mechanism("Stewart platform")
    platform = machine.body("platform", MASSES["platform"], inertia=(4, 4, 8), centre=(0, 0, HEIGHT))
    for k in range(6):
        side = 1 - 2 * (k % 2)
        below, above = (2 * np.pi / 3 * (k // 2) + side * angle for angle in (SPREAD, np.pi / 3 - SPREAD))
        foot = np.array([BASE * np.cos(below), BASE * np.sin(below), 0])
        ball = np.array([TOP * np.cos(above), TOP * np.sin(above), HEIGHT])
        leg, length = ball - foot, np.linalg.norm(ball - foot)
        across = np.cross([0, 0, 1], leg)
        rod = np.eye(3) - np.outer(leg, leg) / length**2 + 0.01 * np.eye(3)  # inertia of a rod along the leg
        cylinder = machine.body(f"cylinder {k}", MASSES["cylinder"], inertia=0.2 * rod, centre=foot + 0.25 * leg)
        piston = machine.body(f"piston {k}", MASSES["piston"], inertia=0.1 * rod, centre=foot + 0.75 * leg)
        axes = (across, np.cross(leg, across))
        machine.universal(f"foot{k}", machine.ground.at(*foot), cylinder.at(*foot), axes=axes)
        machine.prismatic(f"leg{k}", cylinder.at(*ball), piston.at(*ball), axis=leg)
        machine.spherical(f"ball{k}", piston.at(*ball), platform.at(*ball))
        moved = [e + path for e, path in zip(leg, PATH, strict=True)]
        machine.motion(f"drive{k}", f"leg{k}", sp.sqrt(sum(e**2 for e in moved)) - length)
    return machine.system()


if __name__ == "__main__":
    run = build().simulate(times=np.linspace(0, 1, 201))
    efforts = np.array([run.elements[f"drive{k}"].effort for k in range(6)])
    plt.plot(run.t, efforts.T, label=[f"leg {k}" for k in range(6)])
    plt.gca().set(xlabel="time [s]", ylabel="force of the drive [N]")
    plt.legend()
    plt.savefig(sys.argv[1] if len(sys.argv) > 1 else "stewart_platform.png")
    print(f"forces of the drives: {efforts.min():.1f} N to {efforts.max():.1f} N")
    print(run.outcome)
    print(run.audit)
