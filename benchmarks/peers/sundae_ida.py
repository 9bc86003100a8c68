"""scikit-sundae: IDA of SUNDIALS on the index-1 form, stabilised after Baumgarte, unknowns q, v and the multipliers.

    q' = v,   A v' - h - G^T lambda = 0,   G v' + g0 + 2 a (G v) + a^2 g = 0

Residual and exact Jacobian are lambdified; the linear solver is dense for small systems, sparse for large ones.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import symengine as se
from scipy.sparse import coo_matrix
from sksundae.ida import IDA

from .problems import Problem
from .run import Cannot, Deadline, Runner, stabilisation, tolerances
from .symbolic import Symbolic, lambdified, saddle_function, saddle_terms, symbolic

SPARSE_FROM = 100
STEPS = 50_000
UNTESTED = 1e20  # multipliers are left out of the error test by a large absolute tolerance


def runners(problem: Problem) -> list[Runner]:
    """IDA at several tolerances."""
    s = symbolic(problem)
    n, size = problem.n, 2 * problem.n + s.rows
    residual, jacobian, pattern = functions(problem, s)
    accelerations = saddle_function(problem)(0.0, *problem.start)
    y0 = np.concatenate([*problem.start, accelerations[n:]])
    scale = np.repeat([1.0, UNTESTED], [2 * n, s.rows])
    yp0 = np.concatenate([problem.start[1], accelerations[:n], np.zeros(s.rows)])

    def run(tolerance: float, deadline: Deadline) -> np.ndarray:
        late: list[Cannot] = []

        def watched(t: float, y: np.ndarray, yp: np.ndarray, out: np.ndarray) -> None:
            try:
                deadline.check()
                residual(t, y, yp, out)
            except Cannot as reason:
                late.append(reason)
                out[:] = np.nan
            except ArithmeticError:
                out[:] = np.nan

        options: dict[str, Any] = {"linsolver": "dense"}
        if size >= SPARSE_FROM:
            options = {"linsolver": "sparse", "sparsity": pattern}
        solver = IDA(
            watched, jacfn=jacobian, algebraic_idx=list(range(2 * n, size)), rtol=tolerance, atol=tolerance * scale,
            max_num_steps=STEPS, **options,
        )  # fmt: skip
        done = solver.solve([0.0, problem.until], y0, yp0)
        if late or not done.success:
            raise late[0] if late else Cannot(str(done.message))
        return done.y[-1][:n]

    return [Runner("scikit-sundae IDA", run, tolerances(12))]


def functions(problem: Problem, s: Symbolic) -> tuple[Callable[..., None], Callable[..., None], Any]:
    """Return the residual, its Jacobian, and the pattern of the Jacobian."""
    n, size = problem.n, 2 * problem.n + s.rows
    a, m, cj = ([se.Symbol(f"{x}_{i}") for i in range(k)] for x, k in (("a", n), ("m", s.rows), ("c", 1)))
    places, entries, right = saddle_terms(s, stabilisation(problem.until))
    lines = [-e for e in right]
    for (i, j), entry in zip(places, entries, strict=True):
        lines[i] = lines[i] + entry * (a + m)[j]
    arguments = [s.t, *s.q, *s.v, *m, *a]
    value = lambdified(arguments, lines)
    cells: dict[tuple[int, int], Any] = {(i, i): cj[0] for i in range(n)} | {
        (i, n + i): -se.Integer(1) for i in range(n)
    }
    column = {x: j for j, x in enumerate([*s.q, *s.v, *m])}
    rate = {x: n + j for j, x in enumerate(a)}
    for i, line in enumerate(lines):
        for x in sorted(line.free_symbols & (set(column) | set(rate)), key=str):
            place, factor = (column[x], 1) if x in column else (rate[x], cj[0])
            cells[n + i, place] = cells.get((n + i, place), 0) + factor * se.diff(line, x)
    order = sorted(cells, key=lambda cell: (cell[1], cell[0]))
    slopes = lambdified([*arguments, *cj], [cells[cell] for cell in order])
    i, j = np.array(order).T
    dense = size < SPARSE_FROM

    def residual(t: float, y: np.ndarray, yp: np.ndarray, out: np.ndarray) -> None:
        out[:n] = yp[:n] - y[n : 2 * n]
        out[n:] = value(t, *y.tolist(), *yp[n : 2 * n].tolist())

    def jacobian(t: float, y: np.ndarray, yp: np.ndarray, res: np.ndarray, cj: float, out: np.ndarray) -> None:
        numbers = slopes(t, *y.tolist(), *yp[n : 2 * n].tolist(), cj)
        if dense:
            out[i, j] = numbers
        else:
            out[:] = numbers

    return residual, jacobian, coo_matrix((np.ones(len(i)), (i, j)), (size, size)).tocsc()
