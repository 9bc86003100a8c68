"""Method 4: the accelerations first, then r = A q'' - h (paper 001, eq. 3.11; theory 6 and 8). A may be singular.

q'' = D sigma + gamma with (D^T A D) sigma = D^T (h - A gamma): as many equations as freedoms.
"""

from __future__ import annotations

from ..elimination.linear import is_regular, tidied
from ..elimination.step import Vector, dot, product
from ..errors import LienketError
from .setting import Setting


def from_accelerations(setting: Setting) -> Vector:
    """G^T lambda, the ideal part of the reaction, n entries."""
    a = accelerations(setting)
    return [dot(row, a) - force for row, force in zip(setting.A, setting.h, strict=True)]


def accelerations(setting: Setting) -> Vector:
    """The accelerations q'' as explicit formulas, n entries."""
    chain = setting.chain
    inertia = tidied(product(chain.C, chain.D))
    if inertia and not is_regular(inertia, chain.points):
        raise LienketError(
            "The accelerations are not determined: some motion moves no mass, and no constraint binds it. Give it "
            "inertia, or constrain it."
        )
    right = [f - dot(row, chain.gamma) for f, row in zip(chain.f, chain.C, strict=True)]
    sigma = setting.solve_vector(inertia, tidied([right])[0] if right else [])
    return tidied([[dot(row, sigma) + g for row, g in zip(chain.D, chain.gamma, strict=True)]])[0]
