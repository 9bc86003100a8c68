"""Method 3: middle variables (paper 002, eq. 2.12 to 2.17; theory 6).

A Q0 = h;  [G; D^T A] R0 = [-(G Q0 + g0); 0];  r = A R0. Q0 is the acceleration of the free system, R0 what the
constraints add to it: q'' = Q0 + R0. A^-1 is not formed.
"""

from __future__ import annotations

from ..elimination.step import ZERO, Vector, dot
from .setting import Setting


def by_middle_variables(setting: Setting) -> Vector:
    """G^T lambda, the ideal part of the reaction, n entries."""
    R0 = constraint_acceleration(setting)
    return [dot(row, R0) for row in setting.A]


def constraint_acceleration(setting: Setting) -> Vector:
    """What the constraints add to the free acceleration, R0 of paper 002, n entries."""
    C = setting.chain.C
    return setting.solve_vector([*setting.G, *C], [*setting.demand, *[ZERO] * len(C)])
