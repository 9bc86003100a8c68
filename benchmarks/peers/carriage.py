"""The two-wheeled carriage of examples/models/carriage.toml, which rolls without side slip: data, energies, forces.

Coordinates: axle centre x, y, heading theta, right and left wheel phi1, phi2. Beside constant torques, the wheels may
be joined by a spring and a damper that follow a steering command, phi1 - phi2 = 6 sin(0.8 t), and driven by a soft
damper towards -10 rad/s, which is forward.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

MODEL = Path(__file__).parents[2] / "examples" / "models" / "carriage.toml"
STEERING, FREQUENCY, WHEEL_SPEED = 6.0, 0.8, 10.0


@dataclass(frozen=True)
class Carriage:
    """The carriage of the model file with torques on its wheels."""

    torques: tuple[float, float] = (0.0, 0.0)
    spring: float = 0.0
    damper: float = 0.0
    drive: float = 0.0

    @cached_property
    def numbers(self) -> Any:
        """The parameters by name."""
        return SimpleNamespace(**tomllib.loads(MODEL.read_text(encoding="utf-8"))["parameters"])

    def kinetic(self, q: Any, v: Any, m: Any) -> Any:
        """Return the kinetic energy of body and wheels."""
        p = self.numbers
        x, y, turn = v[0], v[1], v[2]
        body = p.m0 * (x**2 + y**2) / 2 + p.m0 * p.L * turn * (m.cos(q[2]) * y - m.sin(q[2]) * x)
        wheels = p.m1 * (x**2 + y**2) + (p.m1 * p.b**2 + p.A) * turn**2 + p.C * (v[3] ** 2 + v[4] ** 2) / 2
        return body + p.m0 * p.k0**2 * turn**2 / 2 + wheels

    def forces(self, t: Any, q: Any, v: Any, m: Any) -> list[Any]:
        """Return the generalized forces: torques on the wheels."""
        right: Any = self.torques[0]
        left: Any = self.torques[1]
        if self.spring:
            off = q[3] - q[4] - STEERING * m.sin(FREQUENCY * t)
            rate = v[3] - v[4] - STEERING * FREQUENCY * m.cos(FREQUENCY * t)
            shaft = self.spring * off + self.damper * rate
            right = right - shaft - self.drive * (v[3] + WHEEL_SPEED)
            left = left + shaft - self.drive * (v[4] + WHEEL_SPEED)
        return [0, 0, 0, right, left]

    def rows(self, q: Any, v: Any, m: Any) -> list[Any]:
        """Two wheels roll, and the axle does not slip sideways."""
        p = self.numbers
        forward = m.cos(q[2]) * v[0] + m.sin(q[2]) * v[1]
        return [
            forward + p.b * v[2] + p.a * v[3],
            forward - p.b * v[2] + p.a * v[4],
            m.sin(q[2]) * v[0] - m.cos(q[2]) * v[1],
        ]

    def start(self, speed: float, turn: float) -> tuple[np.ndarray, np.ndarray]:
        """At the origin, heading along x, with forward speed and rate of turn."""
        p = self.numbers
        wheels = [-(speed + p.b * turn) / p.a, -(speed - p.b * turn) / p.a]
        return np.zeros(5), np.array([speed, 0.0, turn, *wheels])
