"""Reader: from the text of a formula to its SymPy expression."""

from __future__ import annotations

from collections.abc import Mapping

from ...errors import ExpressionError
from ..data_functions import DataFunction, PythonFunction, Table
from ..expression import Expression
from ..names import key_name
from .evaluation import evaluate
from .grammar import parse
from .limits import MAX_CHARACTERS
from .writer import write_expression


def read_expression(text: str, names: Mapping[str, Expression | DataFunction]) -> Expression:
    """Return the SymPy expression of the formula `text`.

    `names` maps each name that may be used to its object: a coordinate x(t), a parameter, a table or a Python
    function. For any text, the only exception is ExpressionError, with the column of the fault; reading time is
    bounded.
    """
    if not isinstance(text, str):
        raise ExpressionError(f"a formula must be a text, found {type(text).__name__}")
    if len(text) > MAX_CHARACTERS:
        raise ExpressionError(f"a formula may have at most {MAX_CHARACTERS} characters, this one has {len(text)}")
    try:
        functions = {name: data.arguments for name, data in names.items() if isinstance(data, (Table, PythonFunction))}
        expression = evaluate(parse(text, names, functions), text, names)
        _check_writable(expression, text, names)
        return expression
    except RecursionError:
        # SymPy compares deep trees recursively. The limits keep the recursion well below Python's limit,
        # unless the caller has already used most of the stack.
        raise ExpressionError("the formula is nested too deeply to be read here", text) from None


def _check_writable(expression: Expression, text: str, names: Mapping[str, Expression | DataFunction]) -> None:
    """Refuse a formula that could not be saved: its evaluated form may be longer or deeper than its text."""
    words: dict[str, str] = {}

    def word_of(name: str) -> str:
        if not words:  # most formulas have no names but words
            words.update((key_name(symbol), word) for word, symbol in names.items())
        return words.get(name, name)

    try:
        write_expression(expression, word_of)
    except ExpressionError as error:
        raise ExpressionError(f"the evaluated formula exceeds a limit: {error.message}", text) from None
