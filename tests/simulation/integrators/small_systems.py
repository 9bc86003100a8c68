"""Small systems (pendulum, crank, blade), some with closed solutions."""

import numpy as np
import sympy as sp

import lienket as lk
from lienket import der

g = 9.81


def pendulum():
    x, y = lk.coordinates("x y")
    system = lk.System("pendulum", [x, y], kinetic=(der(x) ** 2 + der(y) ** 2) / 2, potential=g * y)
    return system.constrain("rod", x**2 + y**2 - 1)


def slider_crank():
    """Return a crank of length 1 at alpha, rod of length 3 at beta, slider at x; A depends on the positions."""
    alpha, beta, x = lk.coordinates("alpha beta x")
    a, b, c = der(alpha), der(beta), der(x)
    middle = [sp.cos(alpha) + 1.5 * sp.cos(beta), sp.sin(alpha) + 1.5 * sp.sin(beta)]
    speed = sum(sp.diff(r, lk.t) ** 2 for r in middle)
    kinetic = a**2 / 6 + speed / 2 + b**2 * 9 / 24 + c**2 / 2
    system = lk.System("slider-crank", [alpha, beta, x], kinetic=kinetic, potential=g * (sp.sin(alpha) / 2 + middle[1]))
    loop = [sp.cos(alpha) + 3 * sp.cos(beta) - x, sp.sin(alpha) + 3 * sp.sin(beta)]
    return system.constrain("loop", loop)


def slider_crank_start(alpha=1.0, rate=0.0):
    beta = -np.arcsin(np.sin(alpha) / 3)
    turning = -np.cos(alpha) * rate / (3 * np.cos(beta))
    x = np.cos(alpha) + 3 * np.cos(beta)
    return [alpha, beta, x], [rate, turning, -np.sin(alpha) * rate - 3 * np.sin(beta) * turning]


def linked_pendulums():
    """Return the angles of two double pendulums, tips at a fixed distance; A is dense and depends on the angles."""
    q = a, b, c = lk.coordinates("a b c")
    r1 = [sp.sin(a) + sp.sin(b), -sp.cos(a) - sp.cos(b)]
    r2 = [2 + 2 * sp.sin(c), -2 * sp.cos(c)]
    first = [sp.sin(a), -sp.cos(a)]
    kinetic = sum(sp.diff(x, lk.t) ** 2 for x in (*first, *r1, *r2)) / 2
    system = lk.System("linked", q, kinetic=kinetic, potential=g * (first[1] + r1[1] + r2[1]))
    return system.constrain("link", (r2[0] - r1[0]) ** 2 + (r2[1] - r1[1]) ** 2 - 4)


def knife_edge():
    """Return a blade on a slope: x' sin(phi) = y' cos(phi)."""
    x, y, phi = lk.coordinates("x y phi")
    rates = [der(x), der(y), der(phi)]
    system = lk.System("knife edge", [x, y, phi], kinetic=sum(v**2 for v in rates) / 2, potential=-3 * x)
    return system.constrain("blade", rates[0] * sp.sin(phi) - rates[1] * sp.cos(phi))


def knife_edge_at(t, rate=2.0):
    """Return its motion from rest at the origin, turning at a rate (Bloch, Nonholonomic Mechanics and Control, 1.6)."""
    k = 3 / (2 * rate**2)
    return np.array([k * np.sin(rate * t) ** 2, k * (rate * t - np.sin(2 * rate * t) / 2), rate * t])


def swung_pendulum():
    """Return a pendulum whose pivot moves along x by sin(3 t)/5: a rheonomic rod."""
    x, y = lk.coordinates("x y")
    system = lk.System("swung pendulum", [x, y], kinetic=(der(x) ** 2 + der(y) ** 2) / 2, potential=g * y)
    return system.constrain("rod", (x - sp.sin(3 * lk.t) / 5) ** 2 + y**2 - 1)


def swung_angle():
    """Return the swung pendulum in its angle: no constraint, T depends on time and is partly linear in the velocity."""
    a = lk.coordinates("a")
    r = [sp.sin(3 * lk.t) / 5 + sp.sin(a), -sp.cos(a)]
    return lk.System("swung angle", [a], kinetic=sum(sp.diff(x, lk.t) ** 2 for x in r) / 2, potential=g * r[1])
