"""The functions allowed in formulas: one table for the text, the symbolic engine and the compiler.

Every formula of a system can therefore also be written to a file, read back, differentiated and
compiled. `sqrt` is a power and `if(condition, a, b)` a Piecewise; the reader and the writer handle both.
Comparisons are allowed only in the condition of `if`.
"""

from __future__ import annotations

import sympy as sp

from ..foundation.frozen_dataclass import dataclass


@dataclass(frozen=True)
class KnownFunction:
    """A function of the formula language: written name, SymPy class, least and largest number of arguments."""

    name: str
    sympy: type[sp.Expr]
    least: int = 1
    most: int | None = 1

    def arguments(self) -> str:
        """Return the number of arguments in words."""
        if self.most is None:
            return f"{self.least} or more arguments"
        return "1 argument" if self.most == 1 else f"{self.most} arguments"


_SMOOTH = (sp.sin, sp.cos, sp.tan, sp.asin, sp.acos, sp.atan, sp.sinh, sp.cosh, sp.tanh, sp.exp, sp.log)

FUNCTIONS: dict[str, KnownFunction] = {
    function.name: function
    for function in (
        *(KnownFunction(smooth.__name__, smooth) for smooth in _SMOOTH),
        KnownFunction("atan2", sp.atan2, 2, 2),
        KnownFunction("abs", sp.Abs),
        KnownFunction("sign", sp.sign),
        KnownFunction("min", sp.Min, 2, None),
        KnownFunction("max", sp.Max, 2, None),
    )
}
"""Functions by written name."""

BY_CLASS: dict[type[sp.Expr], KnownFunction] = {function.sympy: function for function in FUNCTIONS.values()}
"""Functions by SymPy class."""

RELATIONS: dict[str, type[sp.Rel]] = {
    "<": sp.StrictLessThan,
    "<=": sp.LessThan,
    ">": sp.StrictGreaterThan,
    ">=": sp.GreaterThan,
    "==": sp.Equality,
    "!=": sp.Unequality,
}
"""SymPy classes of the comparisons by their sign."""
