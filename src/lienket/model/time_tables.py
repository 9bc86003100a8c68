"""Tables that are read over time: records of forces and motions, whose steps a run must not pass over."""

from __future__ import annotations

import numpy as np
import sympy as sp
from sympy.core.function import AppliedUndef

from ..language.data_functions import DataCall, Table
from ..language.symbols import t
from ..language.traversal import find
from .statement import Statement


def finest_record(statement: Statement) -> float:
    """The shortest interval between points of the tables that time stands in explicitly; infinite if there are none.

    It is the median of a table's intervals, so that two points close to each other do not make a run slow.
    """
    shortest = float("inf")
    if not any(isinstance(data, Table) for data in statement.given):
        return shortest
    for expression in statement.expressions():
        for call in find(expression, DataCall):
            table = call.args[0].data
            if isinstance(table, Table) and _over_time(call.args[1]):
                shortest = min(shortest, float(np.median(np.diff(table.x))))
    return shortest


def _over_time(argument: sp.Expr) -> bool:
    motion = find(argument, sp.Derivative, AppliedUndef)
    return bool(argument.xreplace({x: sp.Dummy() for x in motion}).has(t))
