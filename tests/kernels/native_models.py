"""Models for the compiled kernels: each function as machine code, by address, and as Python on arrays.

Each fills `out` from t, q, v, parameters, inputs by indices alone, so that it works on pointers and on arrays.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numba import cfunc

from lienket.kernels.projection import Surface

SIGNATURE = "int64(float64, CPointer(f8), CPointer(f8), CPointer(f8), CPointer(f8), CPointer(f8))"


@cfunc(SIGNATURE)
def played(t, q, v, parameters, inputs, out):
    """Write the first inputs[0] parameters and return inputs[1], so that parameters alone determine the model."""
    for i in range(int(inputs[0])):
        out[i] = parameters[i]
    return int(inputs[1])


def terms(A, h, G, g0):
    """Return the parameters and inputs with which `played` writes these terms."""
    flat = np.concatenate([np.ravel(part) for part in (A, h, G, g0)])
    return flat, np.array([float(len(flat)), 0.0])


@dataclass(frozen=True)
class Surroundings:
    """A function that writes A, G, position, velocity and the sizes of their terms, and the level of each row."""

    function: object
    n: int
    level: tuple

    @cached_property
    def address(self):
        object.__setattr__(self, "compiled", cfunc(SIGNATURE)(self.function))
        return self.compiled.address

    def surface(self, what, t, q, v, parameters):
        """Return the function from q or v to its Surface, for the plain projection."""
        rows = np.array(self.level) <= what

        def at(x):
            n, s = self.n, len(self.level)
            out = np.zeros(n * n + s * n + 4 * s)
            self.function(t, *((x, v) if what == 0 else (q, x)), parameters, np.zeros(0), out)
            A, G, parts = np.split(out, [n * n, n * n + s * n])
            residual, terms = parts.reshape(2, 2, s)[:, what, rows]
            return Surface(A.reshape(n, n), G.reshape(s, n)[rows], residual, terms)

        return at


def _double_pendulum(t, q, v, p, inputs, out):
    """Write two points x1 y1 x2 y2 with masses p0, p1 on rods p2, p3; a third row is twice the first plus p4."""
    for i in range(16):
        out[i] = 0.0
    out[0], out[5], out[10], out[15] = p[0], p[0], p[1], p[1]
    x, y = q[2] - q[0], q[3] - q[1]
    for i in range(12):
        out[16 + i] = 0.0
    out[16], out[17] = 2 * q[0], 2 * q[1]
    out[20], out[21], out[22], out[23] = -2 * x, -2 * y, 2 * x, 2 * y
    out[24], out[25] = 4 * q[0], 4 * q[1]
    out[28] = q[0] * q[0] + q[1] * q[1] - p[2] * p[2]
    out[29] = x * x + y * y - p[3] * p[3]
    out[30] = 2 * out[28] + p[4]
    out[31] = 2 * (q[0] * v[0] + q[1] * v[1])
    out[32] = 2 * (x * (v[2] - v[0]) + y * (v[3] - v[1]))
    out[33] = 2 * out[31]
    out[34] = q[0] * q[0] + q[1] * q[1] + p[2] * p[2]
    out[35] = x * x + y * y + p[3] * p[3]
    out[36] = 2 * out[34] + abs(p[4])
    out[37] = 2 * (abs(q[0] * v[0]) + abs(q[1] * v[1]))
    out[38] = 2 * (abs(x * (v[2] - v[0])) + abs(y * (v[3] - v[1])))
    out[39] = 2 * out[37]
    return 0


def _sled(t, q, v, p, inputs, out):
    """Write a point x y of mass p0 with speed p1 (nonlinear in v), height y = sin(x) and a row for accelerations."""
    for i in range(4 + 6 + 12):
        out[i] = 0.0
    out[0], out[3] = p[0], p[0]
    out[4], out[5] = -np.cos(q[0]), 1.0
    out[6], out[7] = 2 * v[0], 2 * v[1]
    out[8] = 1.0
    out[10] = q[1] - np.sin(q[0])
    out[13] = v[1] - np.cos(q[0]) * v[0]
    out[14] = v[0] * v[0] + v[1] * v[1] - p[1] * p[1]
    out[16] = abs(q[1]) + abs(np.sin(q[0]))
    out[19] = abs(v[1]) + abs(np.cos(q[0]) * v[0])
    out[20] = v[0] * v[0] + v[1] * v[1] + p[1] * p[1]
    return 0


def _pulley(t, q, v, p, inputs, out):
    """Write two masses p0, p1 and a massless pulley between them: x1 - x3^2 = 0, x3 - x2 - p2 = 0 (x3 has no mass)."""
    for i in range(9 + 6 + 4):
        out[i] = 0.0
    out[0], out[4] = p[0], p[1]
    out[9], out[11] = 1.0, -2 * q[2]
    out[13], out[14] = -1.0, 1.0
    out[15], out[16] = q[0] - q[2] * q[2], q[2] - q[1] - p[2]
    out[17], out[18] = v[0] - 2 * q[2] * v[2], v[2] - v[1]
    out[19], out[20] = abs(q[0]) + q[2] * q[2], abs(q[2]) + abs(q[1]) + abs(p[2])
    out[21], out[22] = abs(v[0]) + abs(2 * q[2] * v[2]), abs(v[2]) + abs(v[1])
    return 0


def _nowhere(t, q, v, p, inputs, out):
    """Write a point with x^2 + y^2 + 1 = 0, which has no solution."""
    out[0], out[1], out[2], out[3] = 1.0, 0.0, 0.0, 1.0
    out[4], out[5] = 2 * q[0], 2 * q[1]
    out[6] = q[0] * q[0] + q[1] * q[1] + 1.0
    out[7] = 2 * (q[0] * v[0] + q[1] * v[1])
    out[8], out[9] = out[6], 2 * (abs(q[0] * v[0]) + abs(q[1] * v[1]))
    return 0


DOUBLE_PENDULUM = Surroundings(_double_pendulum, 4, (0, 0, 0))
SLED = Surroundings(_sled, 2, (0, 1, 2))
PULLEY = Surroundings(_pulley, 3, (0, 0))
NOWHERE = Surroundings(_nowhere, 2, (0,))
