"""The functions a formula may contain: one table for the text, the symbolic engine and the compiler.

Whatever a system may state can therefore also be written to a file, read back, differentiated and
compiled. `sqrt` is a power and `if(condition, a, b)` a Piecewise; both are handled where they are
read and written. The comparisons stand only inside `if`.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from ..foundation.frozen_dataclass import dataclass


@dataclass(frozen=True)
class KnownFunction:
    """A function of the formula language: its written name, its SymPy class, how many arguments it takes."""

    name: str
    sympy: Any
    least: int = 1
    most: int | None = 1

    def arguments(self) -> str:
        """The number of arguments in words."""
        if self.most is None:
            return f"{self.least} or more arguments"
        return "1 argument" if self.most == 1 else f"{self.most} arguments"


_SMOOTH = (sp.sin, sp.cos, sp.tan, sp.asin, sp.acos, sp.atan, sp.sinh, sp.cosh, sp.tanh, sp.exp, sp.log)

FUNCTIONS: dict[str, KnownFunction] = {
    known.name: known
    for known in (
        *(KnownFunction(smooth.__name__, smooth) for smooth in _SMOOTH),
        KnownFunction("atan2", sp.atan2, 2, 2),
        KnownFunction("abs", sp.Abs),
        KnownFunction("sign", sp.sign),
        KnownFunction("min", sp.Min, 2, None),
        KnownFunction("max", sp.Max, 2, None),
    )
}
"""By written name."""

BY_CLASS: dict[Any, KnownFunction] = {known.sympy: known for known in FUNCTIONS.values()}
"""By SymPy class."""

RELATIONS: dict[str, Any] = {
    "<": sp.StrictLessThan,
    "<=": sp.LessThan,
    ">": sp.StrictGreaterThan,
    ">=": sp.GreaterThan,
    "==": sp.Equality,
    "!=": sp.Unequality,
}
"""Comparisons by their sign; allowed as the condition of `if`."""

RESERVED = frozenset(FUNCTIONS) | {"sqrt", "if", "der", "pi", "t"}
"""Names that no coordinate, parameter or drive may have."""
