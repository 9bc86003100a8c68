"""A quarter of a car on a double wishbone suspension that passes a bump and then brakes.

python examples/mechanisms/double_wishbone.py [picture.png]

x points forward, y to the left, z up. All bodies have the car's axes in the position in which they are stated.
"""

import sys

import matplotlib.pyplot as plt
import numpy as np
import sympy as sp

import lienket as lk

LOWER, LOWER_BALL = (0, 0.35, 0.20), (0, 0.72, 0.18)  # [m] axis of the lower wishbone and its outer end
UPPER, UPPER_BALL = (0, 0.42, 0.42), (0, 0.68, 0.44)
RACK, STEER = (-0.12, 0.37, 0.24), (-0.12, 0.72, 0.23)  # ends of the tie rod
TOP, SEAT = (0, 0.45, 0.62), (0, 0.60, 0.19)  # ends of the spring
WHEEL, RADIUS = (0, 0.76, 0.30), 0.30
BUMP = sp.Rational(5, 100) * sp.exp(-(((lk.t - 1) / 0.05) ** 2))  # [m] height of the road under the wheel
BRAKING = 2000 / (1 + sp.exp(20 * (2 - lk.t)))  # [N] of the road on the locked wheel


def build() -> lk.System:
    """Return the car's quarter, which moves up and down, with wishbones, upright, tie rod, wheel and tyre."""
    car = lk.spatial.Mechanism("double wishbone")
    chassis = car.body("chassis", mass=350, inertia=(30, 30, 30), centre=(0, 0, 0.5))
    lower = car.body("lower wishbone", mass=5, inertia=(0.06, 0.03, 0.09), centre=(0, 0.53, 0.19))
    upper = car.body("upper wishbone", mass=3, inertia=(0.02, 0.01, 0.03), centre=(0, 0.55, 0.43))
    upright = car.body("upright", mass=9, inertia=(0.15, 0.12, 0.06), centre=(0, 0.72, 0.30))
    wheel = car.body("wheel", mass=18, inertia=(0.6, 1.1, 0.6), centre=WHEEL)
    car.prismatic("heave", car.ground.at(), chassis.at(), axis=(0, 0, 1))
    car.revolute("lower", chassis.at(*LOWER), lower.at(*LOWER), axis=(1, 0, 0))
    car.revolute("upper", chassis.at(*UPPER), upper.at(*UPPER), axis=(1, 0, 0))
    car.spherical("lower_ball", lower.at(*LOWER_BALL), upright.at(*LOWER_BALL), angles="xyz")
    car.spherical("upper_ball", upper.at(*UPPER_BALL), upright.at(*UPPER_BALL))
    car.revolute("hub", upright.at(*WHEEL), wheel.at(*WHEEL), axis=(0, 1, 0))
    car.rod("tie rod", chassis.at(*RACK), upright.at(*STEER), length=float(np.linalg.norm(np.subtract(STEER, RACK))))
    car.spring("spring", chassis.at(*TOP), lower.at(*SEAT), stiffness=45e3, length=0.57)
    car.damper("damper", chassis.at(*TOP), lower.at(*SEAT), damping=3500)
    x, y, _ = WHEEL
    car.spring("tyre", car.ground.at(x, y, BUMP), wheel.at(*WHEEL), stiffness=2e5, length=RADIUS)
    car.force("braking", upright.at(x, y, 0), (-BRAKING, 0, 0))
    return car.system()


if __name__ == "__main__":
    system = build()
    rest = system.equilibrium()
    run = system.simulate(start=(rest.q, 0 * rest.q), times=np.linspace(0, 3, 601))
    for name in ("lower_ball", "upper_ball", "hub"):
        plt.plot(run.t, np.linalg.norm(run.joints[name].force, axis=1), label=f"{name} [N]")
    plt.plot(run.t, run.elements["tie rod"].effort, label="tension of the tie rod [N]")
    plt.plot(run.t, -run.elements["tyre"].effort, label="load of the tyre [N]")
    plt.xlabel("time [s]")
    plt.legend(loc="lower right", bbox_to_anchor=(1, 0.33), fontsize="small")
    plt.savefig(sys.argv[1] if len(sys.argv) > 1 else "double_wishbone.png")
    print(f"the car's body moves between {run['heave'].min():.4f} m and {run['heave'].max():.4f} m")
    print(run.outcome)
    print(run.audit)
