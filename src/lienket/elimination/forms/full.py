"""Full form A q'' = h + r, the constraints, and D^T r = 0: 2n equations for q'' and r (paper 000, eq. 3.1).

With laws, D^T r = D^T c (theory 9). If c depends on multipliers, r = G^T lambda + c is added for the eliminated
coordinates that determine them.
"""

from __future__ import annotations

import sympy as sp

from ...model.constraint import Constraint
from ..chain import Chain
from ..null_space_step import transposed
from ..with_forces import projected
from .equations import (
    Equations,
    accelerations,
    column,
    combination,
    constraint_lines,
    matrix,
    new_symbols,
    unevaluated_sum,
)
from .laws import Laws


def full(chain: Chain, constraints: tuple[Constraint, ...], laws: Laws) -> Equations:
    """Return the full form, with the total reaction r of all constraints."""
    n = len(chain.h)
    A, h = matrix(chain, chain.A, n), column(chain, chain.h)
    basis = matrix(chain, transposed(chain.D, chain.freedom), n)
    r = new_symbols(chain, ("r", "R"), [str(q) for q in chain.engine.q], laws.parameter_names)
    loaded, inside_c = laws.with_forces(chain)
    c, projected_c = laws.column(loaded, inside_c), laws.column(loaded, projected(chain, inside_c))
    motion = tuple((combination(A.row(i), accelerations(chain)), h[i] + r[i]) for i in range(n))
    conditions = tuple((combination(basis.row(k), r), projected_c[k]) for k in range(chain.freedom))
    blocks = [("motion", motion), ("constraints", constraint_lines(constraints))]
    blocks.append(("laws" if laws else "ideality", conditions))
    needed = laws.determining_coordinates(chain)
    ideal = laws.ideal_reactions(chain, needed)
    lines = [(r[i], unevaluated_sum(force, c[i])) for i, force in zip(needed, ideal, strict=True)]
    blocks.append(("multipliers", tuple(lines)))
    matrices = {"A": A, "h": h, "D": basis.T, "r": sp.ImmutableMatrix(r), **({"c": c} if laws else {})}
    return Equations("full", tuple(blocks), matrices, laws.remarks)
