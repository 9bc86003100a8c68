"""Shared by the tests of start values: systems with known assemblies, and residuals of a start."""

from pathlib import Path

import numpy as np
import sympy as sp

import lienket as lk
from lienket import der

MODELS = Path(__file__).parents[1] / "examples" / "models"


def model(name):
    return lk.load(MODELS / f"{name}.toml")


def four_bar(a=1.0, b=2.0, c=1.5, d=2.2):
    """State a four-bar: crank a, coupler b, rocker c at angles alpha, beta, gamma from the line of the ground d."""
    alpha, beta, gamma = lk.coordinates("alpha beta gamma")
    rates = [der(x) for x in (alpha, beta, gamma)]
    system = lk.System("four-bar", [alpha, beta, gamma], kinetic=rates[0] ** 2 + rates[1] ** 2 / 2 + rates[2] ** 2)
    loop = [
        a * sp.cos(alpha) + b * sp.cos(beta) - c * sp.cos(gamma) - d,
        a * sp.sin(alpha) + b * sp.sin(beta) - c * sp.sin(gamma),
    ]
    return system.constrain("loop", loop)


def rocker_angles(alpha, a=1.0, b=2.0, c=1.5, d=2.2):
    """Return both angles gamma of the four-bar by Freudenstein: A cos(gamma) + B sin(gamma) = C."""
    x, y = d - a * np.cos(alpha), -a * np.sin(alpha)
    # b^2 = (x + c cos(gamma))^2 + (y + c sin(gamma))^2
    C = (b**2 - x**2 - y**2 - c**2) / (2 * c)
    middle, half = np.arctan2(y, x), np.arccos(C / np.hypot(x, y))
    return sorted(np.mod([middle + half, middle - half], 2 * np.pi))


def point(name="particle", coordinates="x y z", m=1.0, **masses):
    """State free particles, with masses by coordinate."""
    q = lk.coordinates(coordinates)
    q = q if isinstance(q, tuple) else (q,)
    kinetic = sum(masses.get(str(x.func), m) * der(x) ** 2 / 2 for x in q)
    return lk.System(name, q, kinetic=kinetic), q


def residuals(system, start, values=None):
    """Return the largest relative residual of positions and velocities; programs are left out."""
    audit = system.at(start.q, start.v, start.t, values).audit
    names = [c.name for c in system.constraints if c.kind != "program"]
    return max([0.0, *(part[n] for part in (audit.position, audit.velocity) for n in names if n in part)])


def null_space(G):
    """Return orthonormal columns D with G D = 0."""
    _, values, V = np.linalg.svd(np.atleast_2d(G))
    rank = int(np.sum(values > 1e-10 * max(values[0], 1e-300))) if len(values) else 0
    return V[rank:].T
