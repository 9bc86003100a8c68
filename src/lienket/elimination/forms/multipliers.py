"""A q'' = h + G^T lambda + c with the constraints: n + s equations for q'' and the multipliers; c is what laws exert.

A program has its drives in place of multipliers: A q'' = h + G1^T lambda + E u (theory 10).
"""

from __future__ import annotations

import sympy as sp

from ...model.constraint import Constraint
from ..chain import Chain
from .equations import Equations, accelerations, added, column, combination, constraint_lines, matrix
from .laws import Laws
from .programs import program_lines, program_remarks


def multipliers(chain: Chain, constraints: tuple[Constraint, ...], laws: Laws) -> Equations:
    """The form with a multiplier for every row of every constraint, redundant ones included."""
    n = len(chain.h)
    A, h = matrix(chain, chain.A, n), column(chain, chain.h)
    rows = [J for row in chain.rows for J in row.inside_G]
    G = matrix(chain, rows, n)
    passive = [J for row in chain.rows if not row.drives for J in row.inside_G]
    forces = [*passive, *(column for row in chain.rows for _, column in row.drives)]
    values = [*laws.multipliers, *(sp.Symbol(name) for row in chain.rows for name, _ in row.drives)]
    pushes, c = matrix(chain, forces, n).T, laws.column(*laws.load(chain))
    motion = []
    for i in range(n):
        right = added(h[i], added(combination(pushes.row(i), values), c[i]))
        motion.append((combination(A.row(i), accelerations(chain)), right))
    kept = tuple(constraint for constraint in constraints if not constraint.drives)
    blocks = (
        ("motion", tuple(motion)),
        ("constraints", constraint_lines(kept)),
        ("programs", program_lines(chain, constraints)),
    )
    g0 = column(chain, [c for row in chain.rows for c in row.inside_g0])
    matrices = {"A": A, "h": h, "G": G, "g0": g0, "forces": pushes, "lambda": sp.ImmutableMatrix(values)}
    remarks = (*laws.remarks, *program_remarks(constraints))
    return Equations("multipliers", blocks, {**matrices, **({"c": c} if laws else {})}, remarks)
