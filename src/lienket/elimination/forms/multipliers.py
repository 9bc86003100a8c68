"""A q'' = h + G^T lambda with the constraints: n + s equations for q'' and the multipliers.

A program has its drives in place of multipliers: A q'' = h + G1^T lambda + E u (theory 10).
"""

from __future__ import annotations

import sympy as sp

from ...model.constraint import Constraint
from ..chain import Chain
from .equations import Equations, accelerations, added, column, combination, constraint_lines, matrix, new_symbols


def multipliers(chain: Chain, constraints: tuple[Constraint, ...]) -> Equations:
    """The form with a multiplier for every row of every constraint, redundant ones included."""
    n = len(chain.h)
    A, h = matrix(chain, chain.A, n), column(chain, chain.h)
    rows = [J for row in chain.rows for J in row.inside_G]
    G = matrix(chain, rows, n)
    passive = [J for row in chain.rows if not row.drives for J in row.inside_G]
    forces = [*passive, *(column for row in chain.rows for _, column in row.drives)]
    values = new_symbols(chain, ("lambda", "mu", "Lambda"), [str(k) for k in range(1, len(passive) + 1)])
    values += [sp.Symbol(name) for row in chain.rows for name, _ in row.drives]
    pushes = matrix(chain, forces, n).T
    motion = []
    for i in range(n):
        right = added(h[i], combination(pushes.row(i), values))
        motion.append((combination(A.row(i), accelerations(chain)), right))
    blocks = (("motion", tuple(motion)), ("constraints", constraint_lines(constraints)))
    g0 = column(chain, [c for row in chain.rows for c in row.inside_g0])
    return Equations(
        "multipliers",
        blocks,
        {"A": A, "h": h, "G": G, "g0": g0, "forces": pushes, "lambda": sp.ImmutableMatrix(values)},
    )
