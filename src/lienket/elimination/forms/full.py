"""A q'' = h + r, the constraints, and D^T r = 0: 2n equations for q'' and r (paper 000, eq. 3.1).

With laws D^T r = D^T c (theory 9). Where c follows multipliers, r = G^T lambda + c of eliminated coordinates as well.
"""

from __future__ import annotations

import sympy as sp

from ...model.constraint import Constraint
from ..chain import Chain
from ..null_space_step import transposed
from ..with_forces import projected
from .equations import Equations, accelerations, added, column, combination, constraint_lines, matrix, new_symbols
from .laws import Laws


def full(chain: Chain, constraints: tuple[Constraint, ...], laws: Laws) -> Equations:
    """The full form, with the total reaction r of all constraints."""
    n = len(chain.h)
    A, h = matrix(chain, chain.A, n), column(chain, chain.h)
    ideal = matrix(chain, transposed(chain.D, chain.freedom), n)
    r = new_symbols(chain, ("r", "R"), [str(q) for q in chain.engine.q], laws.names)
    under, inside = laws.load(chain)
    c, acting = laws.column(under, inside), laws.column(under, projected(chain, inside))
    motion = tuple((combination(A.row(i), accelerations(chain)), h[i] + r[i]) for i in range(n))
    conditions = tuple((combination(ideal.row(k), r), acting[k]) for k in range(chain.freedom))
    blocks = [("motion", motion), ("constraints", constraint_lines(constraints))]
    blocks.append(("laws" if laws else "ideality", conditions))
    needed = laws.determining(chain)
    shares = [(r[i], added(push, c[i])) for i, push in zip(needed, laws.reactions(chain, needed), strict=True)]
    blocks.append(("multipliers", tuple(shares)))
    matrices = {"A": A, "h": h, "D": ideal.T, "r": sp.ImmutableMatrix(r), **({"c": c} if laws else {})}
    return Equations("full", tuple(blocks), matrices, laws.remarks)
