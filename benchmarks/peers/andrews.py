"""Andrews' squeezer, seven bodies in a plane and three closed loops: data, state, energies.

Equations and numbers: Test Set for IVP Solvers 2.4, chapter II-13, as in examples/models/andrews_squeezer.toml.
The state in motion is that at t = 0.03 s, computed from the published data in quadruple precision.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

MODEL = Path(__file__).parents[2] / "examples" / "models" / "andrews_squeezer.toml"
Q = (
    15.810771195153707,
    -15.756371058411839,
    0.0408222401196458,
    -0.5347301163420796,
    0.524409965879954,
    0.5347301163420796,
    1.048080741041938,
)
V = (
    1139.9203022591062,
    -1424.3792951775401,
    11.032911910618594,
    19.29337410503204,
    0.5735699148295025,
    -19.29337410503204,
    0.3231791492491309,
)
ACCELERATIONS = (
    -24631.763122874636,
    51850.31963646423,
    324102.6007075786,
    566749.4220009954,
    16743.635418345446,
    -566749.4220009954,
    9826.507801544163,
)
# The test set writes M a + G^T lambda = f, and its rows have the same sign as here: our multipliers are the opposite.
MULTIPLIERS = (
    -199.17534810453864,
    29.755309974971762,
    -23.06654361162215,
    -31.452725275771137,
    -22.64249478639438,
    -11.617392352611256,
)


@dataclass(frozen=True)
class Andrews:
    """The squeezer: parameter names in the order of the model file, and their numbers."""

    names: tuple[str, ...]
    numbers: tuple[float, ...]
    name: str = "Andrews' squeezer"
    n: int = 7
    rows: int = 6

    @property
    def parameters(self) -> np.ndarray:
        """The numbers in the order of the model file."""
        return np.array(self.numbers)

    @property
    def start(self) -> tuple[np.ndarray, np.ndarray]:
        """The state at which speed is measured."""
        return np.array(Q), np.array(V)


def squeezer() -> Andrews:
    """Return the squeezer with the numbers of its model file."""
    table = tomllib.loads(MODEL.read_text(encoding="utf-8"))["parameters"]
    return Andrews(tuple(table), tuple(float(value) for value in table.values()))


def energies(case: Andrews, q: Any, v: Any, p: Any, m: Any) -> tuple[Any, Any, list[Any], list[Any]]:
    """T, V, the generalized forces and the constraint expressions; `m` has sin, cos and sqrt (SymPy, CasADi)."""
    k = SimpleNamespace(**{name: p[i] for i, name in enumerate(case.names)})
    beta, theta, gamma, phi, delta, omega, eps = (q[i] for i in range(7))
    T = kinetic(k, v, m.cos(theta), m.sin(phi), m.sin(omega))
    x = k.xb + k.sd * m.cos(gamma) + k.sc * m.sin(gamma) - k.xc
    y = k.yb + k.sd * m.sin(gamma) - k.sc * m.cos(gamma) - k.yc
    V = k.c0 * (m.sqrt(x**2 + y**2) - k.l0) ** 2 / 2
    ex = k.rr * m.cos(beta) - k.d * m.cos(beta + theta)
    ey = k.rr * m.sin(beta) - k.d * m.sin(beta + theta)
    loops = [
        ex - k.ss * m.sin(gamma) - k.xb,
        ey + k.ss * m.cos(gamma) - k.yb,
        ex - k.e * m.sin(phi + delta) - k.zt * m.cos(delta) - k.xa,
        ey + k.e * m.cos(phi + delta) - k.zt * m.sin(delta) - k.ya,
        ex - k.zf * m.cos(omega + eps) - k.u * m.sin(eps) - k.xa,
        ey - k.zf * m.sin(omega + eps) + k.u * m.cos(eps) - k.ya,
    ]
    return T, V, [k.mom, 0, 0, 0, 0, 0, 0], loops


def kinetic(k: Any, v: Any, cos_theta: Any, sin_phi: Any, sin_omega: Any) -> Any:
    """Return the kinetic energy of the seven bodies."""
    b, c, f, s, r, o, z = v[0], v[2], v[4], v[0] + v[1], v[3] + v[4], v[5] + v[6], v[6]
    e4, e6 = k.e - k.ea, k.zf - k.fa
    twice = (
        (k.m1 * k.ra**2 + k.I1) * b**2
        + k.m2 * (k.rr**2 * b**2 - 2 * k.rr * k.da * cos_theta * b * s + k.da**2 * s**2)
        + k.I2 * s**2
        + (k.m3 * (k.sa**2 + k.sb**2) + k.I3) * c**2
        + k.m4 * (k.zt**2 * f**2 + 2 * k.zt * e4 * sin_phi * f * r + e4**2 * r**2)
        + k.I4 * r**2
        + (k.m5 * (k.ta**2 + k.tb**2) + k.I5) * f**2
        + k.m6 * (k.u**2 * z**2 - 2 * k.u * e6 * sin_omega * z * o + e6**2 * o**2)
        + k.I6 * o**2
        + (k.m7 * (k.ua**2 + k.ub**2) + k.I7) * z**2
    )
    return twice / 2
