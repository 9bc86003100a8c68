"""Bodies in space by their centre of mass and Euler parameters, and rotations about axes.

Vectors and matrices are NumPy arrays, of SymPy expressions (`of=sp`) or of numbers (`of=np`).
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy as sp

import lienket as lk
from lienket import der


def turn(axis, angle, of=sp):
    """Return the matrix of a rotation about axis 0, 1 or 2, positive by the right-hand rule."""
    i, j = (axis + 1) % 3, (axis + 2) % 3
    R = np.array([[int(r == k) for k in range(3)] for r in range(3)], dtype=object if of is sp else float)
    R[i, i] = R[j, j] = of.cos(angle)
    R[i, j], R[j, i] = -of.sin(angle), of.sin(angle)
    return R


def angular_velocity(axes, angles, rates, of=sp):
    """Return the angular velocity in the body of R = R1 R2 R3, successive rotations about the axes."""
    omega = np.zeros(3, dtype=object if of is sp else float)
    for axis, angle, rate in zip(axes, angles, rates, strict=True):
        omega = turn(axis, angle, of).T @ omega
        omega[axis] += rate
    return omega


def rotation(p):
    """Return R of unit Euler parameters, which maps components in the body to components in space."""
    p0, p1, p2, p3 = p
    return np.array(
        [
            [p0**2 + p1**2 - p2**2 - p3**2, 2 * (p1 * p2 - p0 * p3), 2 * (p1 * p3 + p0 * p2)],
            [2 * (p1 * p2 + p0 * p3), p0**2 - p1**2 + p2**2 - p3**2, 2 * (p2 * p3 - p0 * p1)],
            [2 * (p1 * p3 - p0 * p2), 2 * (p2 * p3 + p0 * p1), p0**2 - p1**2 - p2**2 + p3**2],
        ]
    )


def body_matrix(p):
    """Return E (3 x 4) with the angular velocity in the body omega = 2 E p', and p' = E^T omega/2; E p = 0."""
    p0, p1, p2, p3 = p
    return np.array([[-p1, p0, p3, -p2], [-p2, -p3, p0, p1], [-p3, p2, -p1, p0]])


def parameters_of(axis, angle):
    """Return the Euler parameters of a rotation about axis 0, 1 or 2."""
    p = np.zeros(4)
    p[0], p[1 + axis] = np.cos(angle / 2), np.sin(angle / 2)
    return p


def rates_of(p, omega):
    """Return p' of an angular velocity in the body."""
    return body_matrix(np.asarray(p, dtype=float)).T @ omega / 2


@dataclass(frozen=True)
class Body:
    """A body: centre of mass r, Euler parameters p, mass and principal moments of inertia about its own axes.

    Its inertia matrix is singular along p. `spare` adds a multiple of (p.p')^2, which is zero with all its derivatives
    where |p| = 1, so that the matrix is regular and the motion unchanged.
    """

    name: str
    mass: Any
    moments: tuple[Any, Any, Any]
    spare: Any = 0

    @property
    def r(self):
        """Position of the centre of mass."""
        return np.array(lk.coordinates(" ".join(f"{e}_{self.name}" for e in "xyz")))

    @property
    def p(self):
        """Euler parameters."""
        return np.array(lk.coordinates(" ".join(f"p{k}_{self.name}" for k in range(4))))

    @property
    def coordinates(self):
        """Position of the centre of mass and Euler parameters."""
        return [*self.r, *self.p]

    @property
    def kinetic(self):
        """T = m r'^2/2 + omega.J omega/2."""
        rates = np.array([der(e) for e in self.p])
        omega = 2 * body_matrix(self.p) @ rates
        spin = sum(J * w**2 for J, w in zip(self.moments, omega, strict=True)) / 2
        along = self.spare * (self.p @ rates) ** 2 / 2
        return self.mass * sum(der(e) ** 2 for e in self.r) / 2 + spin + along

    @property
    def length(self):
        """|p|^2 - 1."""
        return self.p @ self.p - 1

    def point(self, position):
        """Return a point of the body in space."""
        return self.r + rotation(self.p) @ np.array(position, dtype=object)

    def axis(self, k):
        """Return axis k of the body in space."""
        return rotation(self.p)[:, k]


def free_bodies(name, bodies, g, values, springs=0, dampers=0):
    """State bodies under gravity along -z, constrained only by the length of their Euler parameters.

    `springs` is a potential, `dampers` a dissipation function.
    """
    system = lk.System(
        name,
        [q for body in bodies for q in body.coordinates],
        kinetic=sum(body.kinetic for body in bodies),
        potential=g * sum(body.mass * body.r[2] for body in bodies) + springs,
        dissipation=dampers,
        values=values,
    )
    for body in bodies:
        system = system.constrain(f"length of p, {body.name}", body.length)
    return system
