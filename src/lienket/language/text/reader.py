"""From the text of a formula to its SymPy expression."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...errors import ExpressionError
from ..data_functions import PythonFunction, Table
from .evaluation import evaluate
from .grammar import parse
from .limits import MAX_CHARACTERS
from .writer import write_expression


def read_expression(text: str, names: Mapping[str, Any]) -> Any:
    """The SymPy expression of the formula `text`.

    `names` gives the object for each name that may be used: a coordinate x(t), a parameter or a table. Only
    ExpressionError is raised, with the column of the fault, whatever the text; no text takes long.
    """
    if not isinstance(text, str):
        raise ExpressionError(f"a formula is a text, found {type(text).__name__}")
    if len(text) > MAX_CHARACTERS:
        raise ExpressionError(f"a formula has at most {MAX_CHARACTERS} characters, this one has {len(text)}")
    try:
        given = {name: data.arguments for name, data in names.items() if isinstance(data, (Table, PythonFunction))}
        expression = evaluate(parse(text, names, given), text, names)
        _check_writable(expression, text)
        return expression
    except RecursionError:
        # SymPy compares deep trees recursively; the limits keep it well below Python's, unless the caller
        # has used up most of the stack already.
        raise ExpressionError("the formula is nested too deeply to be read here", text) from None


def _check_writable(expression: Any, text: str) -> None:
    """Refuse what could not be saved: evaluated, a formula can be longer or deeper than it was written."""
    try:
        write_expression(expression)
    except ExpressionError as error:
        raise ExpressionError(f"evaluated, the formula exceeds a limit: {error.message}", text) from None
