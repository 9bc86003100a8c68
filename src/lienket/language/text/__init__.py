"""Formulas as text: read_expression(text, names) -> expression, write_expression(expression) -> text.

    text -> tokens -> grammar: steps in the order of evaluation -> evaluation -> SymPy expression -> writer -> text

Text is never executed as Python, and no text makes the reader slow or crashes it.
"""

from .reader import read_expression
from .writer import write_expression

__all__ = ["read_expression", "write_expression"]
