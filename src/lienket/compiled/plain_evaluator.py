"""Plain version of the compiled numbers: the derived algebra evaluated term by term by SymEngine's Lambdify."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import symengine as se

from ..constraints import ConstraintRows
from ..foundation.arrays import Array
from ..free_system import FreeSystem
from ..language.expression import Symbol
from .state_numbers import RowNumbers, StateNumbers


class PlainEvaluator:
    """Function (t, q, v, parameters, a) -> StateNumbers, equal to Evaluator up to rounding."""

    def __init__(self, free: FreeSystem, rows: Sequence[ConstraintRows], parameters: Sequence[Symbol]) -> None:
        engine = free.engine
        self._rows = tuple(rows)
        self._n = len(engine.q)
        self.nonlinear = tuple(row.name for row in rows if row.nonlinear)
        inputs = [engine.t, *engine.q, *engine.v, *engine.a, *(engine.inward(p) for p in parameters)]
        blocks = _free_blocks(free) + [block for row in rows for block in _row_blocks(row)]
        self._sizes = [len(block) for block in blocks]
        self._function = se.Lambdify(inputs, [e for block in blocks for e in block], cse=False)

    def __call__(self, t: float, q: Array, v: Array, parameters: Array, a: Array | None = None) -> StateNumbers:
        """Return all numbers at a state; entries may be infinite or NaN where the formulas are."""
        n = self._n
        a = np.zeros(n) if a is None else a
        flat = self._function(np.concatenate([[t], q, v, a, parameters]).astype(float))
        flat.setflags(write=False)  # also for all views of it
        blocks = iter(np.split(flat, np.cumsum(self._sizes)[:-1]))
        A, h, Q, storing, inertias = (next(blocks) for _ in range(5))
        rows = tuple(_row_numbers(row, [next(blocks) for _ in range(6)], n) for row in self._rows)
        return StateNumbers(float(t), q, v, A.reshape(n, n), h, Q, storing, rows, inertias)


def _free_blocks(free: FreeSystem) -> list[list[se.Expr]]:
    """Return the expressions of A, h, Q, storing and the term sizes of the diagonal of A."""
    engine, kinetic = free.engine, free.kinetic
    v = engine.v
    rest = se.Add(2 * kinetic.A0, *[a * v_i for a, v_i in zip(kinetic.A1, v, strict=True)])  # T2 - T0 = T - rest
    symbols = [*engine.q, engine.t]
    storing = [engine.derivative(kinetic.T, x) - engine.derivative(rest, x) for x in symbols]
    storing[-1] += engine.derivative(kinetic.T, engine.t)
    inertias = [_size(kinetic.A[i][i]) for i in range(len(v))]
    return [[a for row in kinetic.A for a in row], list(free.inside_h), list(free.inside_Q), storing, inertias]


def _row_blocks(row: ConstraintRows) -> list[list[se.Expr]]:
    """Return the expressions of G, g0, position, velocity, their term sizes and the columns of drives."""
    position, velocity = row.position, row.velocity
    zeros = [se.Integer(0)] * len(row)
    sizes = [[_size(e) for e in part] or zeros for part in (position, velocity, row.inside_g0)]
    drives = [e for _, column in row.drives for e in column]
    return [
        [e for entries in row.inside_G for e in entries],
        list(row.inside_g0),
        list(position),
        list(velocity),
        [e for part in sizes for e in part],
        drives,
    ]


def _size(expression: se.Expr) -> se.Expr:
    """Return the sum of the absolute values of the terms."""
    terms = expression.args if expression.is_Add else (expression,)
    return se.Add(*[se.Abs(term) for term in terms])


def _row_numbers(row: ConstraintRows, blocks: list[Array], n: int) -> RowNumbers:
    """Return the numbers of a constraint from its blocks."""
    G, g0, position, velocity, sizes, drives = blocks
    names = tuple(name for name, _ in row.drives)
    E = drives.reshape(len(names), n).T
    return RowNumbers(row.name, row.kind, G.reshape(-1, n), g0, position, velocity, sizes.reshape(3, -1), E, names)
