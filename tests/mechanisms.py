"""Mechanisms with known linearization or equilibria, in minimal and in redundant coordinates."""

import numpy as np
import sympy as sp
from sympy import cos, sin

import lienket as lk
from lienket import der

GRAVITY = 9.81


def pendulum():
    """State a point mass on a rod; theta is measured from the lowest position."""
    m, l, g = lk.parameters("m l g")
    theta = lk.coordinates("theta")
    T, V = m * l**2 * der(theta) ** 2 / 2, -m * g * l * cos(theta)
    return lk.System("pendulum", [theta], kinetic=T, potential=V, values={m: 2, l: 0.7, g: GRAVITY})


def pendulum_in_the_plane():
    """State the pendulum in x, y with its rod as a constraint."""
    m, l, g = lk.parameters("m l g")
    x, y = lk.coordinates("x y")
    T, V = m * (der(x) ** 2 + der(y) ** 2) / 2, m * g * y
    free = lk.System("pendulum", [x, y], kinetic=T, potential=V, values={m: 2, l: 0.7, g: GRAVITY})
    return free.constrain("rod", x**2 + y**2 - l**2)


def double_pendulum():
    """State two point masses on rods by absolute angles from the lowest position."""
    m1, m2, l1, l2, g = lk.parameters("m1 m2 l1 l2 g")
    a, b = lk.coordinates("a b")
    x1, y1 = l1 * sin(a), -l1 * cos(a)
    x2, y2 = x1 + l2 * sin(b), y1 - l2 * cos(b)
    T = m1 * (der(x1) ** 2 + der(y1) ** 2) / 2 + m2 * (der(x2) ** 2 + der(y2) ** 2) / 2
    values = {m1: 1.3, m2: 0.6, l1: 0.8, l2: 0.5, g: GRAVITY}
    return lk.System("double pendulum", [a, b], kinetic=T.expand(), potential=m1 * g * y1 + m2 * g * y2, values=values)


def double_pendulum_in_the_plane():
    """State the double pendulum in x, y of both masses with two rods as constraints."""
    m1, m2, l1, l2, g = lk.parameters("m1 m2 l1 l2 g")
    x1, y1, x2, y2 = q = lk.coordinates("x1 y1 x2 y2")
    T = m1 * (der(x1) ** 2 + der(y1) ** 2) / 2 + m2 * (der(x2) ** 2 + der(y2) ** 2) / 2
    values = {m1: 1.3, m2: 0.6, l1: 0.8, l2: 0.5, g: GRAVITY}
    free = lk.System("double pendulum", q, kinetic=T, potential=g * (m1 * y1 + m2 * y2), values=values)
    upper = free.constrain("upper", x1**2 + y1**2 - l1**2)
    return upper.constrain("lower", (x2 - x1) ** 2 + (y2 - y1) ** 2 - l2**2)


def rolling_disc(redundant=False):
    """State a disc on the ground: m = 1; x, y of its centre, yaw, lean from upright, spin; with `redundant`, also z.

    In the frame that yaws and leans, omega = (lean', spin' + yaw' sin lean, yaw' cos lean).
    """
    r, A, C, g = lk.parameters("r A C g")
    x, y, z, yaw, lean, spin = lk.coordinates("x y z yaw lean spin")
    q = [x, y, z, yaw, lean, spin] if redundant else [x, y, yaw, lean, spin]
    height = z if redundant else r * cos(lean)
    turning = der(spin) + der(yaw) * sin(lean)
    T = (der(x) ** 2 + der(y) ** 2 + der(height) ** 2) / 2
    T += A * (der(lean) ** 2 + der(yaw) ** 2 * cos(lean) ** 2) / 2 + C * turning**2 / 2
    values = {r: 0.3, A: 0.3**2 / 4, C: 0.3**2 / 2, g: GRAVITY}
    disc = lk.System("disc", q, kinetic=T, potential=g * height, values=values)
    if redundant:
        disc = disc.constrain("contact", z - r * cos(lean))
    along = der(x) - r * turning * cos(yaw) - r * der(lean) * sin(yaw) * cos(lean)
    across = der(y) - r * turning * sin(yaw) + r * der(lean) * cos(yaw) * cos(lean)
    return disc.constrain("rolling", [along, across])


def disc_state(speed, redundant=False):
    """Return the state of the upright disc that rolls straight ahead along x."""
    r = 0.3
    q, v = [0, 0, 0.4, 0, 0], [speed * np.cos(0.4), speed * np.sin(0.4), 0, 0, speed / r]
    q = [1.0, 2.0, 0.4, 0, 0.1]
    return ([*q[:2], r, *q[2:]], [*v[:2], 0, *v[2:]]) if redundant else (q, v)


FOUR_BAR = (1.0, 2.5, 2.0, 2.7)
"""Crank, coupler, rocker and ground."""


def four_bar(coordinates="angles"):
    """State uniform rods of 1 kg per metre under gravity, in "angles" (3, with a loop) or "bodies" (9, with pins)."""
    a, b, c, d = FOUR_BAR
    g = lk.parameters("g")
    if coordinates == "angles":
        p, s, w = q = lk.coordinates("p s w")
        centres = [
            (a / 2 * cos(p), a / 2 * sin(p)),
            (a * cos(p) + b / 2 * cos(s), a * sin(p) + b / 2 * sin(s)),
            (d + c / 2 * cos(w), c / 2 * sin(w)),
        ]
    else:
        q = lk.coordinates("x1 y1 p x2 y2 s x3 y3 w")
        centres, (p, s, w) = [q[0:2], q[3:5], q[6:8]], q[2::3]
    lengths, angles = (a, b, c), (p, s, w)
    T = sum(l * (der(x) ** 2 + der(y) ** 2) / 2 for l, (x, y) in zip(lengths, centres, strict=True))
    T += sum(l**3 / 12 * der(e) ** 2 / 2 for l, e in zip(lengths, angles, strict=True))
    V = g * sum(l * y for l, (_, y) in zip(lengths, centres, strict=True))
    system = lk.System("four-bar", q, kinetic=T, potential=V, values={g: GRAVITY})
    if coordinates == "angles":
        loop = [a * cos(p) + b * cos(s) - d - c * cos(w), a * sin(p) + b * sin(s) - c * sin(w)]
        return system.constrain("loop", loop)
    (x1, y1), (x2, y2), (x3, y3) = centres
    ends = {name: (x - l / 2 * cos(e), y - l / 2 * sin(e), x + l / 2 * cos(e), y + l / 2 * sin(e))
            for name, l, e, x, y in (("1", a, p, x1, y1), ("2", b, s, x2, y2), ("3", c, w, x3, y3))}  # fmt: skip
    system = system.constrain("crank pin", [ends["1"][0], ends["1"][1]])
    system = system.constrain("knee", [ends["2"][0] - ends["1"][2], ends["2"][1] - ends["1"][3]])
    system = system.constrain("tip", [ends["2"][2] - ends["3"][2], ends["2"][3] - ends["3"][3]])
    return system.constrain("rocker pin", [ends["3"][0] - d, ends["3"][1]])


def slider_crank(redundant=False):
    """State a crank on a torsion spring that drives a slider on a spring; with `redundant`, x is a coordinate."""
    k, K = lk.parameters("k K")
    phi, beta, x = lk.coordinates("phi beta x")
    reach = cos(phi) + 3 * cos(beta)
    q, slider = ([phi, beta, x], x) if redundant else ([phi, beta], reach)
    T = 0.4 * der(phi) ** 2 / 2 + 0.7 * der(beta) ** 2 / 2 + 2 * der(slider) ** 2 / 2
    V = k * (slider - 3) ** 2 / 2 + K * (phi - 1) ** 2 / 2
    system = lk.System("slider-crank", q, kinetic=T, potential=V, values={k: 5, K: 30})
    system = system.constrain("guide", sin(phi) - 3 * sin(beta))
    return system.constrain("slider", x - reach) if redundant else system


def same_spectrum(first, second, tolerance=1e-10):
    """Return whether det(s - A) of two matrices agrees on a circle around all eigenvalues.

    The characteristic polynomial has full accuracy; multiple eigenvalues have only half of the digits.
    """
    size = 2 * max(np.linalg.norm(first, 2), np.linalg.norm(second, 2), 1e-3)
    points = size * np.exp(2j * np.pi * np.arange(2 * len(first) + 1) / (2 * len(first) + 1))
    unit = np.eye(len(first))
    values = [[np.linalg.det(unit - A / s) for s in points] for A in (first, second)]
    return len(first) == len(second) and bool(np.allclose(*values, rtol=tolerance, atol=0))


def exact(expression):
    """Return a SymPy number as a float."""
    return float(sp.N(expression, 30))
