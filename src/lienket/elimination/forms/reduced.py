"""Reduced form C q'' = f with the constraints: n equations, C = D^T A, f = D^T h (paper 000, eq. 3.4).

With laws, f = D^T (h + c) (theory 9). If c depends on multipliers, the equations of eliminated coordinates determine
them: A q'' = h + G^T lambda + c.
"""

from __future__ import annotations

from ...model.constraint import Constraint
from ..chain import Chain
from .equations import Equations, accelerations, column, combination, constraint_lines, matrix, unevaluated_sum
from .laws import Laws


def reduced(chain: Chain, constraints: tuple[Constraint, ...], laws: Laws) -> Equations:
    """Return the reduced form."""
    n = len(chain.h)
    loaded, inside_c = laws.with_forces(chain)
    C, f, c = matrix(chain, chain.C, n), laws.column(loaded, loaded.f), laws.column(loaded, inside_c)
    motion = tuple((combination(C.row(k), accelerations(chain)), f[k]) for k in range(chain.freedom))
    blocks = [("motion", motion), ("constraints", constraint_lines(constraints))]
    needed = laws.determining_coordinates(chain)
    A, h = matrix(chain, [chain.A[i] for i in needed], n), column(chain, [chain.h[i] for i in needed])
    ideal = laws.ideal_reactions(chain, needed)
    lines = []
    for k, i in enumerate(needed):
        right = unevaluated_sum(h[k], unevaluated_sum(ideal[k], c[i]))
        lines.append((combination(A.row(k), accelerations(chain)), right))
    blocks.append(("multipliers", tuple(lines)))
    return Equations("reduced", tuple(blocks), {"C": C, "f": f, **({"c": c} if laws else {})}, laws.remarks)
