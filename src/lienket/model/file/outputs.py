"""Outputs as the text of formulas, beside the text of their system: the formulas, and tables that only they use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...errors import ExpressionError, ModelError
from ...language.data_functions import Table, sources_in, table
from ...language.faults import Faults
from ...language.symbols import name_of
from ...language.text import read_expression, write_expression
from ..input.outputs import read_output_expressions
from ..statement import Statement

Outputs = Sequence[tuple[str, Any]]


def write_outputs(outputs: Outputs, statement: Statement) -> tuple[dict[str, str | None], dict[str, dict[str, Any]]]:
    """The formula of each output by name, None where the language has none; and the tables that only outputs use."""
    names = _names(statement)
    tables: dict[str, Any] = {}
    formulas: dict[str, str | None] = {}
    for name, expression in outputs:
        used = {source.data.name: source.data for source in sources_in([expression])}
        own = {key: data for key, data in used.items() if isinstance(data, Table) and key not in names}
        clash = any(tables.get(key, data) != data for key, data in own.items())
        formulas[name] = None if clash else _written(expression, names | own)
        if formulas[name] is not None:
            tables |= own
    points = {key: {"x": [*d.x], "y": [*d.y], "kind": d.kind, "outside": d.outside} for key, d in tables.items()}
    return formulas, points


def read_outputs(
    formulas: Mapping[str, str], tables: Mapping[str, Mapping[str, Any]], statement: Statement
) -> tuple[tuple[str, Any], ...]:
    """The outputs (name, expression) of formulas by name; raises ExpressionError or ModelError."""
    names = {key: table(key, **points) for key, points in tables.items()} | _names(statement)
    read = {name: read_expression(text, names) for name, text in formulas.items()}
    faults = Faults()
    found = read_output_expressions(read, statement, faults)
    faults.raise_any("The outputs")
    return found


def _names(statement: Statement) -> dict[str, Any]:
    """What formulas of the system may name."""
    found = {name_of(x): x for x in statement.coordinates} | {p.name: p for p in statement.parameters}
    return found | {data.name: data for data in statement.given}


def _written(expression: Any, names: Mapping[str, Any]) -> str | None:
    """The formula, if reading it gives the same expression."""
    try:
        text = write_expression(expression)
        return text if read_expression(text, names) == expression else None
    except (ExpressionError, ModelError):
        return None
