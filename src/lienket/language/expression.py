"""Types of formulas: expressions of SymPy and of SymEngine, and what users may write instead of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from ..foundation.arrays import Array, ArrayLike

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
NumbersLike: TypeAlias = "Mapping[Key, float] | Sequence[float] | Array"  # one number for each name
ManyNumbersLike: TypeAlias = "Mapping[Key, ArrayLike] | ArrayLike"  # numbers or arrays of them for each name

EngineExpression: TypeAlias = "se.Expr"
EngineSymbol: TypeAlias = "se.Symbol"
