"""C q'' = f with the constraints: n equations without reactions, C = D^T A, f = D^T h (paper 000, eq. 3.4).

With laws f = D^T (h + c) (theory 9). Where c follows multipliers, the equations of eliminated coordinates determine
them: A q'' = h + G^T lambda + c.
"""

from __future__ import annotations

from ...model.constraint import Constraint
from ..chain import Chain
from .equations import Equations, accelerations, added, column, combination, constraint_lines, matrix
from .laws import Laws


def reduced(chain: Chain, constraints: tuple[Constraint, ...], laws: Laws) -> Equations:
    """The reduced form."""
    n = len(chain.h)
    under, inside = laws.load(chain)
    C, f, c = matrix(chain, chain.C, n), laws.column(under, under.f), laws.column(under, inside)
    motion = tuple((combination(C.row(k), accelerations(chain)), f[k]) for k in range(chain.freedom))
    blocks = [("motion", motion), ("constraints", constraint_lines(constraints))]
    needed = laws.determining(chain)
    A, h = matrix(chain, [chain.A[i] for i in needed], n), column(chain, [chain.h[i] for i in needed])
    pushes = laws.reactions(chain, needed)
    lines = []
    for k, i in enumerate(needed):
        right = added(h[k], added(pushes[k], c[i]))
        lines.append((combination(A.row(k), accelerations(chain)), right))
    blocks.append(("multipliers", tuple(lines)))
    return Equations("reduced", tuple(blocks), {"C": C, "f": f, **({"c": c} if laws else {})}, laws.remarks)
