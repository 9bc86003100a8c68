"""Tables over time: records of forces and motions, whose sampling interval limits the step size of a run."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np
import sympy as sp
from sympy.core.function import AppliedUndef

from ..foundation.arrays import Array
from ..language.data_functions import DataCall, Table
from ..language.symbols import t
from ..language.traversal import find
from .statement import Statement


def shortest_table_interval(statement: Statement) -> float:
    """Return the shortest interval between points of tables over time; infinity without such tables.

    A table is over time if t appears in its argument explicitly. Its interval is the median of its intervals, so that
    two close points do not slow down the run.
    """
    intervals = (np.diff(table.x) for table, argument in _calls(statement) if _over_time(argument))
    return min((float(np.median(lengths)) for lengths in intervals), default=float("inf"))


NO_TIMES = np.zeros(0)


@lru_cache(maxsize=128)
def record_times(statement: Statement) -> Array:
    """Return the times (K, increasing) of the points of all tables that are read at a t + b, a and b numbers.

    Between points a table is smooth; at a point its third derivative jumps, or the first if it is read linearly.
    """
    corners = [NO_TIMES]
    for table, argument in _calls(statement):
        slope = argument.diff(t)
        rest = sp.expand(argument - slope * t)
        if slope.is_number and rest.is_number and slope != 0:
            corners.append((np.asarray(table.x, dtype=float) - float(rest)) / float(slope))
    times = np.unique(np.concatenate(corners))
    return times if len(times) else NO_TIMES


def _calls(statement: Statement) -> Iterator[tuple[Table, sp.Expr]]:
    """Yield the tables that a statement reads, each with its argument."""
    if any(isinstance(data, Table) for data in statement.data_functions):
        for expression in statement.expressions():
            for call in find(expression, DataCall):
                if isinstance(call.args[0].data, Table):
                    yield call.args[0].data, call.args[1]


def _over_time(argument: sp.Expr) -> bool:
    """Return whether t appears in the argument outside coordinates and their derivatives."""
    motion = find(argument, sp.Derivative, AppliedUndef)
    return bool(argument.xreplace({x: sp.Dummy() for x in motion}).has(t))
