"""Types of formulas: expressions of SymPy and of SymEngine, and what users may write instead of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:  # rooms of numbers do not import SymPy; annotations are not evaluated
    import symengine as se
    import sympy as sp
    from sympy.core.function import AppliedUndef

Expression: TypeAlias = "sp.Expr"
Symbol: TypeAlias = "sp.Symbol"
Coordinate: TypeAlias = "AppliedUndef"  # x(t)
Node: TypeAlias = "sp.Basic"  # a part of an expression, such as a condition, which is no expression itself
ExpressionLike: TypeAlias = "sp.Expr | float | int"
Key: TypeAlias = "str | sp.Expr"  # the name of a coordinate, velocity or parameter, or its symbol

EngineExpression: TypeAlias = "se.Expr"
EngineSymbol: TypeAlias = "se.Symbol"
