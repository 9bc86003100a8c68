"""Jumps of the accelerations in a run: where a formula has a sign, a case or a corner that the motion passes.

The derivatives of the steps do not see that the time of such a jump depends on parameters and start values, and would
be wrong after it. Corners across which the accelerations are continuous do no harm. Both are looked for between
the rows and the middles of the steps.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
import sympy as sp
from sympy.core.function import AppliedUndef

from ...assembly.models import compiled_model
from ...assembly.numeric_system import NumericSystem
from ...errors import LienketError
from ...foundation.arrays import Array
from ...kernels.evaluation import Evaluation
from ...language.data_functions import DataCall, Table
from ...language.expression import Expression
from ...language.printing.text import plain
from ...language.symbols import t, velocity
from ...language.traversal import find_cached, symbols_in
from ...model.statement import Statement
from ...simulation.run.resample import resample
from ...simulation.run.result import Run

BISECTIONS = 30  # [1] halvings of the time between two rows in which a corner is passed
SIDE = 1e-7  # [1] time on either side of a corner, relative to the mean step, at which accelerations are compared
JUMP_LIMIT = 1e-5  # [1] change of an acceleration across a corner, relative to its usual size, that is a jump


def refuse_jumps(system: NumericSystem, run: Run, by: Sequence[str]) -> None:
    """Raise LienketError if the accelerations jump in a run, at a time that depends on the state or on `by`."""
    statement = system.code.statement()
    corners = [u for u in dict.fromkeys(_corners(statement)) if _moves(u, statement, by)]
    if not corners or len(run.t) < 2:
        return
    outputs = tuple((f"{k}", u) for k, u in enumerate(corners))
    model = compiled_model(statement.free, (), statement.parameters, outputs)

    def values(times: Array, q: Array, v: Array) -> Array:
        """Return the corner functions (N x corners) at states."""
        read = Evaluation(model, times.shape, times, q, v, run.problem.parameters).outputs
        return np.column_stack([read[name] for name, _ in outputs])

    times = np.sort(np.concatenate([run.t, (run.t[1:] + run.t[:-1]) / 2]))
    signs = np.sign(values(times, *resample(run, times)[:2]))
    rows, which = np.nonzero(signs[1:] * signs[:-1] < 0)
    if not len(rows):
        return
    low, high, before = times[rows].copy(), times[rows + 1].copy(), signs[rows, which]
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        q, v, _ = resample(run, middle)
        passed = np.sign(values(middle, q, v)[np.arange(len(rows)), which]) != before
        low, high = np.where(passed, low, middle), np.where(passed, middle, high)
    margin = SIDE * (run.t[-1] - run.t[0]) / (len(run.t) - 1)
    sides = np.maximum(low - margin, run.t[0]), np.minimum(high + margin, run.t[-1])
    one, two, all_along = (_accelerations(run, times) for times in (*sides, run.t))
    usual = np.abs(all_along).max(axis=0) + np.abs(run.v).max(axis=0) / (run.t[-1] - run.t[0])
    jumps = np.flatnonzero(np.any(np.abs(two - one) > JUMP_LIMIT * usual, axis=1))
    if len(jumps):
        first = jumps[np.argmin(high[jumps])]
        raise LienketError(
            f"The run is not differentiated: its accelerations jump at t = {high[first]:.9g}, where "
            f"{plain(corners[which[first]])} changes its sign, and when depends on the values too. Make the formula "
            "smooth, or end the run before that."
        )


def _accelerations(run: Run, times: Array) -> Array:
    """Return the accelerations (N x n) at times of a run."""
    q, v, _ = resample(run, times)
    return Evaluation(run.problem.model, times.shape, times, q, v, run.problem.parameters).accelerations


def _corners(statement: Statement) -> Iterator[Expression]:
    """Yield the expressions at whose zeros a formula of the statement may have a jump or a corner."""
    for e in statement.expressions():
        for part in (*find_cached(e, sp.sign), *find_cached(e, sp.Abs)):
            yield part.args[0]
        for part in (*find_cached(e, sp.Min), *find_cached(e, sp.Max)):
            yield from (a - b for a, b in combinations(part.args, 2))
        for part in find_cached(e, sp.Piecewise):
            yield from (c.lhs - c.rhs for _, c in part.args if isinstance(c, sp.Rel))
        for call in find_cached(e, DataCall):
            table = call.args[0].data
            if isinstance(table, Table):  # cubic ones have corners at their ends only
                knots = (table.x[0], table.x[-1]) if table.kind == "cubic" else table.x
                yield from (call.args[1] - knot for knot in knots)


def _moves(u: Expression, statement: Statement, by: Sequence[str]) -> bool:
    """Return whether the time at which u = 0 depends on the motion or on one of the parameters `by`."""
    if u.has(*(velocity(x, 2) for x in statement.coordinates)) or not symbols_in(u) <= {t, *statement.parameters}:
        return False
    return bool(find_cached(u, AppliedUndef)) or any(p.name in by for p in symbols_in(u))
