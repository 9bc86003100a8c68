"""SymPy: expressions of A, h, G, g0, then lambdify with shared subexpressions, then NumPy on the saddle system."""

from __future__ import annotations

import time

import numpy as np
import sympy as sp

from . import andrews, chain
from .peer import Pair, Peer

LARGEST = 10
Case = chain.Chain | andrews.Andrews


def prepare(case: Case) -> Peer:
    """Lagrange's equations of the second kind by SymPy's own differentiation; the parameters are left as symbols."""
    begin = time.perf_counter()
    q, v = sp.symbols(f"q:{case.n}"), sp.symbols(f"v:{case.n}")
    p = sp.symbols(f"p:{len(case.parameters)}")
    module = chain if isinstance(case, chain.Chain) else andrews
    T, V, forces, constraints = module.energies(case, q, v, p, sp)
    momenta = [sp.diff(T, v[i]) for i in range(case.n)]
    A = sp.Matrix(case.n, case.n, lambda i, j: sp.diff(momenta[max(i, j)], v[min(i, j)]))
    h = [
        forces[i] + sp.diff(T - V, q[i]) - sum(sp.diff(momenta[i], q[j]) * v[j] for j in range(case.n))
        for i in range(case.n)
    ]
    G = sp.Matrix(case.rows, case.n, lambda r, j: sp.diff(constraints[r], q[j]))
    rates = [sum(G[r, j] * v[j] for j in range(case.n)) for r in range(case.rows)]
    g0 = [sum(sp.diff(rate, q[j]) * v[j] for j in range(case.n)) for rate in rates]
    function = sp.lambdify([q, v, p], [A, sp.Matrix(h), G, sp.Matrix(g0)], "numpy", cse=True)
    parameters = case.parameters
    n, saddle, right = case.n, np.zeros((case.n + case.rows,) * 2), np.zeros(case.n + case.rows)

    def solve(t: float, q: np.ndarray, v: np.ndarray) -> Pair:
        A, h, G, g0 = function(q, v, parameters)
        saddle[:n, :n], saddle[:n, n:], saddle[n:, :n] = A, -G.T, G
        right[:n], right[n:] = h[:, 0], -g0[:, 0]
        both = np.linalg.solve(saddle, right)
        return both[:n], both[n:]

    solve(0.0, *case.start)
    return Peer("SymPy lambdify + NumPy", time.perf_counter() - begin, solve)
