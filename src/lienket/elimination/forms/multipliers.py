"""Multiplier form A q'' = h + G^T lambda + c with the constraints: n + s equations for q'' and lambda; c from laws.

A program has its drives in place of multipliers: A q'' = h + G1^T lambda + E u (theory 10).
"""

from __future__ import annotations

import sympy as sp

from ...model.constraint import Constraint
from ..chain import Chain
from .equations import Equations, accelerations, column, combination, constraint_lines, matrix, unevaluated_sum
from .laws import Laws
from .programs import program_lines, program_remarks


def multipliers(chain: Chain, constraints: tuple[Constraint, ...], laws: Laws) -> Equations:
    """Return the form with a multiplier for every row of every constraint, including redundant ones."""
    n = len(chain.h)
    A, h = matrix(chain, chain.A, n), column(chain, chain.h)
    rows = [J for row in chain.rows for J in row.inside_G]
    G = matrix(chain, rows, n)
    passive = [J for row in chain.rows if not row.drives for J in row.inside_G]
    columns = [*passive, *(column for row in chain.rows for _, column in row.drives)]
    values = [*laws.multipliers, *(sp.Symbol(name) for row in chain.rows for name, _ in row.drives)]
    forces, c = matrix(chain, columns, n).T, laws.column(*laws.with_forces(chain))
    motion = []
    for i in range(n):
        right = unevaluated_sum(h[i], unevaluated_sum(combination(forces.row(i), values), c[i]))
        motion.append((combination(A.row(i), accelerations(chain)), right))
    held = tuple(constraint for constraint in constraints if not constraint.drives)
    blocks = (
        ("motion", tuple(motion)),
        ("constraints", constraint_lines(held)),
        ("programs", program_lines(chain, constraints)),
    )
    g0 = column(chain, [c for row in chain.rows for c in row.inside_g0])
    matrices = {"A": A, "h": h, "G": G, "g0": g0, "forces": forces, "lambda": sp.ImmutableMatrix(values)}
    remarks = (*laws.remarks, *program_remarks(constraints))
    return Equations("multipliers", blocks, {**matrices, **({"c": c} if laws else {})}, remarks)
