"""A planar chain of n links, its first end pinned at the origin and its last end held: data, states, energies.

Link i has the length l_i, the mass m_i at its middle and the moment of inertia J_i = m_i l_i^2 / 12; gravity g acts
along -y. Coordinates are the absolute angles phi_i from the x axis. For n >= 3 the end of the last link is pinned at
(d, 0), two rows; for n = 2 it slides on the x axis, one row. The multipliers are the force on that end point:
A phi'' = h + G^T lambda, G phi'' + g0 = 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

SIZES = (2, 5, 10, 20, 40)


@dataclass(frozen=True)
class Chain:
    """The numbers of one chain."""

    masses: tuple[float, ...]
    lengths: tuple[float, ...]
    gravity: float = 9.81

    @property
    def n(self) -> int:
        """How many links, and so how many coordinates."""
        return len(self.masses)

    @property
    def rows(self) -> int:
        """How many scalar constraints."""
        return 1 if self.n == 2 else 2

    @property
    def name(self) -> str:
        """The name in tables."""
        return f"closed chain n = {self.n}"

    @property
    def distance(self) -> float:
        """The pin (d, 0) of the last end."""
        return 0.6 * sum(self.lengths)

    @property
    def parameters(self) -> np.ndarray:
        """All masses, all lengths, g, d."""
        return np.array([*self.masses, *self.lengths, self.gravity, self.distance])

    @cached_property
    def start(self) -> tuple[np.ndarray, np.ndarray]:
        """The state at which speed is measured."""
        return random_state(self, seed=1)


def closed_chain(n: int) -> Chain:
    """Return the chain of n links of the benchmark, no two links alike."""
    i = np.arange(n)
    return Chain(tuple((1.0 + 0.3 * np.sin(1.0 + i)).tolist()), tuple(((1.0 + 0.2 * np.cos(2.0 * i)) / n).tolist()))


def random_state(case: Chain, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Angles and angular velocities that satisfy the constraint and its derivative (to about 1e-15)."""
    rng = np.random.default_rng(seed)
    lengths, rows = np.array(case.lengths), slice(1, 2) if case.rows == 1 else slice(0, 2)
    phi = np.linspace(1.5, -1.5, case.n) + rng.uniform(-0.3, 0.3, case.n)
    for _ in range(50):
        gap = np.array([lengths @ np.cos(phi) - case.distance, lengths @ np.sin(phi)])[rows]
        phi = phi - np.linalg.pinv(end_jacobian(lengths, phi)[rows]) @ gap
    G = end_jacobian(lengths, phi)[rows]
    w = rng.normal(size=case.n)
    w = w - np.linalg.pinv(G) @ (G @ w)
    return phi, w - np.linalg.pinv(G) @ (G @ w)


def end_jacobian(lengths: np.ndarray, phi: np.ndarray) -> np.ndarray:
    """Return the derivative of the end point by the angles (2 x n)."""
    return np.array([-lengths * np.sin(phi), lengths * np.cos(phi)])


def energies(case: Chain, phi: Any, w: Any, p: Any, m: Any) -> tuple[Any, Any, list[Any], list[Any]]:
    """T, V, the generalized forces and the constraint expressions; `m` has sin and cos (SymPy, CasADi)."""
    n = case.n
    masses, lengths, g, d = [p[i] for i in range(n)], [p[n + i] for i in range(n)], p[2 * n], p[2 * n + 1]
    T, V, x, y, u, v = 0, 0, 0, 0, 0, 0
    for i in range(n):
        half = lengths[i] / 2
        dx, dy = half * m.cos(phi[i]), half * m.sin(phi[i])
        du, dv = -dy * w[i], dx * w[i]
        T = T + masses[i] * ((u + du) ** 2 + (v + dv) ** 2 + (lengths[i] * w[i]) ** 2 / 12) / 2
        V = V + masses[i] * g * (y + dy)
        x, y, u, v = x + 2 * dx, y + 2 * dy, u + 2 * du, v + 2 * dv
    return T, V, [0] * n, [y] if case.rows == 1 else [x - d, y]
