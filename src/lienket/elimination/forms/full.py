"""A q'' = h + r, the constraints, and D^T r = 0: 2n equations for q'' and r (paper 000, eq. 3.1)."""

from __future__ import annotations

import sympy as sp

from ...model.constraint import Constraint
from ..chain import Chain
from ..step import transposed
from .equations import Equations, accelerations, column, combination, constraint_lines, matrix, new_symbols


def full(chain: Chain, constraints: tuple[Constraint, ...]) -> Equations:
    """The full form, with the total reaction r of all constraints."""
    n = len(chain.h)
    A, h = matrix(chain, chain.A, n), column(chain, chain.h)
    ideal = matrix(chain, transposed(chain.D, chain.freedom), n)
    r = new_symbols(chain, ("r", "R"), [str(q) for q in chain.engine.q])
    motion = tuple((combination(A.row(i), accelerations(chain)), h[i] + r[i]) for i in range(n))
    conditions = tuple((combination(ideal.row(k), r), sp.S.Zero) for k in range(chain.freedom))
    blocks = (("motion", motion), ("constraints", constraint_lines(constraints)), ("ideality", conditions))
    return Equations("full", blocks, {"A": A, "h": h, "D": ideal.T, "r": sp.ImmutableMatrix(r)})
