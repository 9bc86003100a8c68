"""Outputs in files: the formulas, and the tables that only outputs use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...errors import ExpressionError, Faults, ModelError
from ...language.data_functions import Table, sources_in, table
from ...language.expression import Expression
from ...language.symbols import name_of
from ...language.text import read_expression, write_expression
from ..input.outputs import read_output_expressions
from ..renaming import alias_symbols, renamed_expression
from ..statement import Statement

Outputs = Sequence[tuple[str, Any]]


def write_outputs(outputs: Outputs, statement: Statement) -> tuple[dict[str, str | None], dict[str, dict[str, Any]]]:
    """Return the formula of each output by name, and the tables that only outputs use.

    The formula is None if the language cannot express the output.
    """
    names, symbols = _names(statement), alias_symbols(statement)
    tables: dict[str, Any] = {}
    formulas: dict[str, str | None] = {}
    for name, expression in outputs:
        used = {source.data.name: source.data for source in sources_in([expression])}
        new_tables = {key: data for key, data in used.items() if isinstance(data, Table) and key not in names}
        clash = any(tables.get(key, data) != data for key, data in new_tables.items())
        formulas[name] = None if clash else _formula(expression, names | new_tables, symbols)
        if formulas[name] is not None:
            tables |= new_tables
    points = {key: {"x": [*d.x], "y": [*d.y], "kind": d.kind, "outside": d.outside} for key, d in tables.items()}
    return formulas, points


def read_outputs(
    formulas: Mapping[str, str], tables: Mapping[str, Mapping[str, Any]], statement: Statement
) -> tuple[tuple[str, Any], ...]:
    """Return the outputs (name, expression) of formulas by name; raises ExpressionError or ModelError."""
    names = {key: table(key, **points) for key, points in tables.items()} | _names(statement)
    expressions = {name: read_expression(text, names) for name, text in formulas.items()}
    faults = Faults()
    outputs = read_output_expressions(expressions, statement, faults)
    faults.raise_any("The outputs")
    return outputs


def _names(statement: Statement) -> dict[str, Any]:
    """Return the symbols and functions of the system by name, or by alias if the name is in LaTeX."""
    named = {name_of(x): x for x in (*statement.functions_of_time, *statement.parameters)}
    symbols = {statement.aliases.get(name, name): x for name, x in named.items()}
    return symbols | {data.name: data for data in statement.data_functions}


def _formula(expression: Expression, names: Mapping[str, Any], symbols: Mapping[Expression, Expression]) -> str | None:
    """Return the formula, or None unless reading it returns an equal expression."""
    try:
        text = write_expression(renamed_expression(expression, symbols))
        return text if read_expression(text, names) == expression else None
    except (ExpressionError, ModelError):
        return None
