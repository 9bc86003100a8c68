"""C q'' = f with the constraints: n equations without reactions, C = D^T A, f = D^T h (paper 000, eq. 3.4)."""

from __future__ import annotations

from ...model.constraint import Constraint
from ..chain import Chain
from .equations import Equations, accelerations, column, combination, constraint_lines, matrix


def reduced(chain: Chain, constraints: tuple[Constraint, ...]) -> Equations:
    """The reduced form."""
    C, f = matrix(chain, chain.C, len(chain.h)), column(chain, chain.f)
    motion = tuple((combination(C.row(k), accelerations(chain)), f[k]) for k in range(chain.freedom))
    blocks = (("motion", motion), ("constraints", constraint_lines(constraints)))
    return Equations("reduced", blocks, {"C": C, "f": f})
