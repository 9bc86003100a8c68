"""Expressions in messages: SymPy's own text with x for x(t) and x' for its derivative."""

from __future__ import annotations

from sympy.printing.str import StrPrinter

from ..expression import Expression
from ..symbols import is_coordinate_like, name_of


class _ShortPrinter(StrPrinter):
    """SymPy's text printer with x for x(t) and x' for its derivative."""

    def _print_AppliedUndef(self, e: Expression) -> str:
        return name_of(e) if is_coordinate_like(e) else str(self._print_Function(e))

    def _print_Derivative(self, e: Expression) -> str:
        return name_of(e) if is_coordinate_like(e.expr) else str(super()._print_Derivative(e))


def short_expression(expression: Expression) -> str:
    """Return the text of an expression of SymPy for a message."""
    return str(_ShortPrinter().doprint(expression))
