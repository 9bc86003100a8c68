"""Formulas as text: read_expression(text, names) -> expression, write_expression(expression) -> text.

    text -> tokens -> grammar: steps in the order of evaluation -> evaluation -> SymPy expression -> writer -> text

No text is ever run as Python, and no text can make the reader slow or crash it.
"""

from .reader import read_expression
from .writer import write_expression

__all__ = ["read_expression", "write_expression"]
