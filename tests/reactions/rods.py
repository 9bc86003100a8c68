"""A rod between floor and wall, the smallest system in which a law is coupled to another constraint."""

import numpy as np
import sympy as sp
from sympy import cos, sin

import lienket as lk
from lienket import der

x, y, phi = lk.coordinates("x y phi")
m, J, l, g, mu, mu_s, v_s, b, e, F = lk.parameters("m J l g mu mu_s v_s b e F")
FLOOR, WALL = y - l * sin(phi) / 2, x - l * cos(phi) / 2
FOOT = der(x) - l * sin(phi) * der(phi) / 2  # velocity of the end on the floor
HEAD = der(y) + l * cos(phi) * der(phi) / 2  # and of that at the wall
LAWS = {
    "coulomb": lk.Coulomb(mu, slip=FOOT),
    "stribeck": lk.Coulomb(mu, slip=FOOT, mu_static=mu_s, stribeck=v_s, viscous=b),
    "unilateral friction": lk.Coulomb(mu, slip=FOOT, mu_static=mu_s, unilateral=True, restitution=e),
    "smooth": lk.Coulomb(mu, slip=FOOT, smooth=v_s),
    "viscous": lk.laws.Viscous(b, slip=FOOT),
    "exerted": lk.laws.Exerted({x: -b * der(x) * sp.Abs(der(x)), phi: F * cos(phi) * lk.t, y: F}),
    "unilateral": lk.laws.Unilateral(e, impact="poisson"),
}
EXPLICIT = ("viscous", "exerted", "unilateral")


def free_rod():
    kinetic = m * (der(x) ** 2 + der(y) ** 2) / 2 + J * der(phi) ** 2 / 2
    values = {m: 2.0, J: 0.3, l: 1.4, g: 9.81, mu: 0.2, mu_s: 0.25, v_s: 0.3, b: 0.7, e: 0.5, F: 1.3}
    used = {k: v for k, v in values.items() if k in (m, J, g, F)}
    return lk.System("rod", [x, y, phi], kinetic=kinetic, potential=m * g * y, forces={x: F}, values=used), values


def rod(law, wall="none", head_law=None):
    """State the rod on the floor under a law, with a wall or without."""
    free, values = free_rod()
    system = free.constrain("floor", FLOOR, law=law)
    if wall == "wall":
        system = system.constrain("wall", WALL, law=head_law)
    return system, {p: values[p] for p in system.parameters}


def on_the_constraints(system, values, seed=1):
    """Return q and v of a state in which the rod is in contact and slides."""
    rng = np.random.default_rng(seed)
    angle, length = rng.uniform(0.6, 1.1), values[l]
    q = np.array([length * np.cos(angle) / 2, length * np.sin(angle) / 2, angle])
    v = rng.uniform(-1, 1, 3)
    G = np.array(
        [
            [float(sp.diff(c.expressions[0], z).subs({l: length, phi: angle})) for z in (x, y, phi)]
            for c in system.constraints
        ]
    )
    return q, v - np.linalg.pinv(G) @ G @ v
