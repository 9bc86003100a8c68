"""The flyball governor with Exudyn's soft springs: in four relative coordinates, and of four bodies with 20 joint rows.

Data of the Exudyn example stiffFlyballGovernor2.py: rods of length 1 with 5 kg at their ends, pinned on either side
of a shaft at the height 1; a slider of side 0.1 on the shaft, spring-dampers from its sides to the middles of the
rods. All bodies are boxes of density 3000.
"""

import numpy as np
import sympy as sp

import lienket as lk
from lienket import der

from .problem import Problem, from_file, published
from .spatial import Body, free_bodies, parameters_of, rates_of, rotation

SHAFT, ROD, SLIDER, BALL = 0.3, 0.3, 3.0, 5.0  # masses
ARM, WIDTH, SIDE = 0.05, 0.01, 0.1
LOADED = ROD + BALL
CENTRE = (ROD / 2 + BALL) / LOADED  # of mass of a loaded rod, from its pin
ALONG = ROD * WIDTH**2 / 6
ACROSS = ROD * (1 + WIDTH**2) / 12 + ROD * (CENTRE - 0.5) ** 2 + BALL * (1 - CENTRE) ** 2


def flyball() -> Problem:
    """State the governor by the angle of the shaft, the height s of the slider and the angles of the rods."""
    entry = published()["flyball_soft"]
    k, c, l0, g = lk.parameters("k c l0 g")
    phi, s, *angles = lk.coordinates("phi s alpha1 alpha2")
    T = (SLIDER * der(s) ** 2 + (SHAFT * WIDTH**2 / 6 + SLIDER * SIDE**2 / 6) * der(phi) ** 2) / 2
    V, R = SLIDER * g * s, 0
    for a in angles:
        radius = ARM + CENTRE * sp.cos(a)
        about = LOADED * radius**2 + ALONG * sp.sin(a) ** 2 + ACROSS * sp.cos(a) ** 2
        T += (about * der(phi) ** 2 + (LOADED * CENTRE**2 + ACROSS) * der(a) ** 2) / 2
        length = sp.sqrt((sp.cos(a) / 2) ** 2 + (1 - sp.sin(a) / 2 - s) ** 2)
        V += k * (length - l0) ** 2 / 2 - LOADED * g * CENTRE * sp.sin(a)
        R += c * length.diff(lk.t) ** 2 / 2
    system = lk.System("flyball governor", [phi, s, *angles], kinetic=T, potential=V, dissipation=R,
                       values=entry["params"])  # fmt: skip
    start = entry["initial_state"]
    first = ([0, start["s"], start["alpha"], start["alpha"]], [start["omega"], 0, 0, 0])
    return Problem("flyball", system, first, from_file("flyball_soft", {"s": lambda row: [row.q[1]]}, scale=0.5))


def flyball_bodies(spare=1e-2) -> Problem:
    """State shaft, slider and two rods, each by its centre and Euler parameters."""
    k, c, l0, g = lk.parameters("k c l0 g")
    shaft = Body("shaft", SHAFT, (SHAFT * (1 + WIDTH**2) / 12,) * 2 + (SHAFT * WIDTH**2 / 6,), spare)
    slider = Body("slider", SLIDER, (SLIDER * SIDE**2 / 6,) * 3, spare)
    rods = [Body(name, LOADED, (ALONG, ACROSS, ACROSS), spare) for name in ("right", "left")]
    springs = dampers = 0
    for side, rod in zip((1, -1), rods, strict=True):
        apart = rod.point([side * (0.5 - CENTRE), 0, 0]) - slider.point([side * SIDE / 2, 0, 0])
        length = sp.sqrt(apart @ apart)
        springs += k * (length - l0) ** 2 / 2
        dampers += c * length.diff(lk.t) ** 2 / 2
    values = published()["flyball_soft"]["params"]
    system = free_bodies("flyball governor of bodies", [shaft, slider, *rods], g, values, springs, dampers)
    system = system.constrain("bearing", [*shaft.point([0, 0, -0.5]), *shaft.axis(2)[:2]])
    square = [slider.axis(2) @ shaft.axis(0), slider.axis(2) @ shaft.axis(1), slider.axis(0) @ shaft.axis(1)]
    system = system.constrain("guide", [slider.r @ shaft.axis(0), slider.r @ shaft.axis(1), *square])
    for side, rod in zip((1, -1), rods, strict=True):
        pin = rod.point([-side * CENTRE, 0, 0]) - shaft.point([side * ARM, 0, 0.5])
        parallel = [rod.axis(1) @ shaft.axis(0), rod.axis(1) @ shaft.axis(2)]
        system = system.constrain(f"pin of the {rod.name} rod", [*pin, *parallel])
    expected = from_file("flyball_soft", {"s": lambda row: [row.q[9]]}, scale=0.5)
    return Problem("flyball_bodies", system, flyball_start(), expected)


def flyball_start():
    """Return the start: all bodies turn with the shaft and the springs are unstretched."""
    start = published()["flyball_soft"]["initial_state"]
    omega = np.array([0, 0, start["omega"]])
    upright = parameters_of(1, 0.0)
    bodies = [([0, 0, 0.5], upright), ([0, 0, start["s"]], upright)]
    for side in (1, -1):
        tilted = parameters_of(1, side * start["alpha"])
        bodies.append((side * (np.array([ARM, 0, 0]) + CENTRE * rotation(tilted)[:, 0]) + [0, 0, 1], tilted))
    q, v = [], []
    for centre, p in bodies:
        q += [*centre, *p]
        v += [*np.cross(omega, centre), *rates_of(p, rotation(p).T @ omega)]
    return q, v
