"""Tableaus of the methods whose steps can be differentiated, as arrays."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from ...foundation.arrays import Array
from ...simulation.integrators.tableaus import dop853, radau5

EXPLICIT = "lienket.analysis.sensitivity.native.explicit_steps"
IMPLICIT = "lienket.analysis.sensitivity.native.implicit_steps"
KERNELS = {"dop853": EXPLICIT, "radau5": IMPLICIT}
"""The kernels that differentiate each method."""


@lru_cache(maxsize=8)
def tableau(method: str) -> Array:
    """Return the tableau (S + 1 x S + 1): c_i, a_i1, ..., a_iS of every stage, then 1, b_1, ..., b_S."""
    return {"dop853": _dop853, "radau5": _radau5}[method]()


def _dop853() -> Array:
    """Return the tableau of the 12 stages of dop853."""
    constants, S = vars(dop853), 12
    table = np.zeros((S + 1, S + 1))
    for i in range(1, S + 1):
        table[i - 1, 0] = constants.get(f"C{i}", 0.0)
        table[i - 1, 1:] = [constants.get(f"A{i}_{j}", 0.0) for j in range(1, S + 1)]
        table[S, i] = constants.get(f"B{i}", 0.0)
    table[S, 0] = 1.0
    return table


def _radau5() -> Array:
    """Return the tableau of the 3 stages of radau5, with b equal to its last row."""
    table = np.ones((4, 4))
    table[:3, 0] = radau5.C1, radau5.C2, radau5.C3
    table[:3, 1:] = radau5.A
    table[3, 1:] = radau5.A[2]
    return table
