"""Numbers of the parameters of a statement, with its laws and programs checked at these numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from ...errors import Faults
from ...foundation.arrays import Array
from ...language.expression import Expression
from ...language.traversal import symbols_in
from ..checks.law_numbers import check_laws
from ..statement import Statement
from .numbers import POSITIONS_GIVEN_BY, read_parameters
from .symbol_table import SymbolTable

TABLES_CACHED = 128  # [statements] whose names and default numbers are cached


@lru_cache(maxsize=TABLES_CACHED)
def symbol_table(statement: Statement) -> SymbolTable:
    """Return the names and default numbers of a statement; cached, since conversion from SymPy is slow."""
    stated = dict(statement.values)
    parameters = statement.parameters
    laws = [c for c in statement.every_constraint if c.law is not None or c.following.expressions()]
    used = {s for c in laws for e in c.every_expression() for s in symbols_in(e)}
    table = SymbolTable(
        statement.names,
        tuple(p.name for p in parameters),
        tuple(_default(stated.get(p)) for p in parameters),
        tuple(k for k, p in enumerate(parameters) if p in statement.signs),
        tuple((kind, text) for kind, text, _ in statement.later),
        of_laws=tuple(k for k, p in enumerate(parameters) if p in used),
    )
    faults = Faults()
    if table.numbers is not None:
        check_laws(statement, table.numbers, faults)
    return replace(table, sound=False) if faults else table


def parameter_numbers(
    statement: Statement, values: object, faults: Faults, given_by: Sequence[str] = POSITIONS_GIVEN_BY
) -> Array:
    """Return a number for each parameter of a statement, from `values` or else from its defaults.

    `given_by` as in `parameter_values`.
    """
    table = symbol_table(statement)
    numbers = read_parameters(table, values, faults, given_by)
    if not faults and table.changes_laws(numbers):
        check_laws(statement, numbers, faults)
    return numbers


def _default(stated: Expression | None) -> float | Expression | None:
    """Return a default number as a float, or as it is stated if it is not finite."""
    if stated is None:
        return None
    try:
        return float(stated) if math.isfinite(float(stated)) else stated
    except (TypeError, ValueError, OverflowError):
        return stated
