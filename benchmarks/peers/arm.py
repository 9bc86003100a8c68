"""Spatial arm of revolute joints with dense placements and full inertia matrices, as numbers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Arm:
    """n links on n hinges about z, each hinge at the origin of its link's axes.

    `rotation` (n, 3, 3) and `place` (n, 3) are those of a hinge in the axes of the link before; `centre` (n, 3) and
    `inertia` (n, 3, 3) about it are in the link's own axes; `torque` (n) acts in the hinges.
    """

    name: str
    rotation: np.ndarray
    place: np.ndarray
    mass: np.ndarray
    centre: np.ndarray
    inertia: np.ndarray
    torque: np.ndarray
    gravity: tuple[float, float, float] = (0.0, 0.0, -9.81)

    @property
    def n(self) -> int:
        """Number of links."""
        return len(self.mass)

    @property
    def start(self) -> tuple[np.ndarray, np.ndarray]:
        """Angles and their rates."""
        return np.linspace(-1.0, 1.3, self.n), np.linspace(0.9, -1.7, self.n)


def arm(n: int, seed: int = 1) -> Arm:
    """Return a random arm of n links."""
    rng = np.random.default_rng(seed)
    rotations = np.linalg.qr(rng.normal(size=(n, 3, 3)))[0]
    rotations *= np.sign(np.linalg.det(rotations))[:, None, None]
    mass = rng.uniform(0.5, 3.0, n)
    second = np.array([m * np.cov(0.2 * rng.normal(size=(3, 8)), bias=True) for m in mass])
    second = (second + second.transpose(0, 2, 1)) / 2
    inertia = np.trace(second, axis1=1, axis2=2)[:, None, None] * np.eye(3) - second
    place, centre = 0.4 * rng.normal(size=(n, 3)), 0.2 * rng.normal(size=(n, 3))
    return Arm(f"spatial arm, {n} hinges", rotations, place, mass, centre, inertia, rng.normal(size=n))
