"""Types of formulas: an expression of SymPy, a symbol, and what users may write instead of an expression."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:  # rooms of numbers do not import SymPy; annotations are not evaluated
    import sympy as sp

Expression: TypeAlias = "sp.Expr"
Symbol: TypeAlias = "sp.Symbol"
ExpressionLike: TypeAlias = "sp.Expr | float | int"
