"""Tables over time: records of forces and motions, whose sampling interval limits the step size of a run."""

from __future__ import annotations

import numpy as np
import sympy as sp
from sympy.core.function import AppliedUndef

from ..language.data_functions import DataCall, Table
from ..language.symbols import t
from ..language.traversal import find
from .statement import Statement


def shortest_table_interval(statement: Statement) -> float:
    """Return the shortest interval between points of tables over time; infinity without such tables.

    A table is over time if t appears in its argument explicitly. Its interval is the median of its intervals, so that
    two close points do not slow down the run.
    """
    shortest = float("inf")
    if not any(isinstance(data, Table) for data in statement.data_functions):
        return shortest
    for expression in statement.expressions():
        for call in find(expression, DataCall):
            table = call.args[0].data
            if isinstance(table, Table) and _over_time(call.args[1]):
                shortest = min(shortest, float(np.median(np.diff(table.x))))
    return shortest


def _over_time(argument: sp.Expr) -> bool:
    """Return whether t appears in the argument outside coordinates and their derivatives."""
    motion = find(argument, sp.Derivative, AppliedUndef)
    return bool(argument.xreplace({x: sp.Dummy() for x in motion}).has(t))
