"""A, h, G, g0 of a problem as SymPy expressions, lambdified: what the peers without a modelling language begin with.

SymEngine differentiates (SymPy would need minutes for N = 40), SymPy's lambdify shares subexpressions and writes Python
for the scalar functions of `math`, the fastest it offers for numbers that come one at a time. Only entries that are not
zero are computed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import symengine as se
import sympy as sp

from .problems import Problem


@dataclass(frozen=True)
class Symbolic:
    """The symbols t, q, v, and A (n x n), h (n), G (rows x n), g0 (rows), constraint rows and their rates."""

    t: Any
    q: list[Any]
    v: list[Any]
    A: Any
    h: list[Any]
    G: Any
    g0: list[Any]
    residuals: list[Any]
    rates: list[Any]

    @property
    def rows(self) -> int:
        """How many constraint rows."""
        return len(self.g0)


def symbolic(problem: Problem) -> Symbolic:
    """Lagrange's equations of the second kind and the constraints differentiated to accelerations."""
    n = problem.n
    t, q, v = se.Symbol("t"), [se.Symbol(f"q_{i}") for i in range(n)], [se.Symbol(f"v_{i}") for i in range(n)]
    s = problem.stated(t, q, v, se)
    momenta = [se.diff(s.kinetic, x) for x in v]
    A = [[se.diff(p, x) for x in v] for p in momenta]
    lagrangian = s.kinetic - s.potential
    h = [s.forces[i] + se.diff(lagrangian, q[i]) - along(momenta[i], q, v) - se.diff(momenta[i], t) for i in range(n)]
    rates = [along(e, q, v) for e in s.holonomic] + list(s.velocity)
    G = [[se.diff(e, x) for x in v] for e in rates]
    g0 = [along(e, q, v) + se.diff(e, t) for e in rates]
    residuals = [*s.holonomic, *[se.Integer(0)] * len(s.velocity)]
    return Symbolic(t, q, v, A, h, G, g0, residuals, rates)


def along(expression: Any, q: list[Any], v: list[Any]) -> Any:
    """Return the rate of an expression through q, without time."""
    expression = se.sympify(expression)
    used = expression.free_symbols
    return se.Add(*(se.diff(expression, x) * w for x, w in zip(q, v, strict=True) if x in used))


def saddle_terms(s: Symbolic, stabilised: float = 0.0) -> tuple[list[tuple[int, int]], list[Any], list[Any]]:
    """Places and entries of [A -G^T; G 0], and the right-hand side [h; -g0]; with Baumgarte's terms at that rate."""
    n = len(s.q)
    places: list[tuple[int, int]] = []
    entries: list[Any] = []
    for i in range(n):
        for j in range(n):
            if s.A[i][j] != 0:
                places.append((i, j))
                entries.append(s.A[i][j])
    for r in range(s.rows):
        for j in range(n):
            if s.G[r][j] != 0:
                places += [(n + r, j), (j, n + r)]
                entries += [s.G[r][j], -s.G[r][j]]
    a = stabilised
    second = [0 if e == 0 else 1 for e in s.residuals]
    extra = [
        (2 * a * rate + a**2 * g if two else a * rate)
        for two, rate, g in zip(second, s.rates, s.residuals, strict=True)
    ]
    return places, entries, [*s.h, *(-g - e for g, e in zip(s.g0, extra, strict=True))]


def lambdified(arguments: list[Any], expressions: list[Any], modules: str = "math") -> Callable[..., list[Any]]:
    """Python code for a list of expressions, subexpressions shared by SymPy's cse."""
    return sp.lambdify(sp.sympify(arguments), [sp.sympify(e) for e in expressions], modules, cse=True)


def saddle_function(problem: Problem, stabilised: float = 0.0) -> Callable[[float, np.ndarray, np.ndarray], np.ndarray]:
    """Accelerations and multipliers from one call of lambdified code and one of NumPy's solver."""
    s = symbolic(problem)
    places, entries, right = saddle_terms(s, stabilised)
    size, count = problem.n + s.rows, len(entries)
    function = lambdified([s.t, *s.q, *s.v], [*entries, *right])
    flat = np.array([i * size + j for i, j in places])

    def solve(t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        numbers = function(t, *q.tolist(), *v.tolist())
        saddle = np.zeros(size * size)
        saddle[flat] = numbers[:count]
        return np.linalg.solve(saddle.reshape(size, size), numbers[count:])

    return solve
