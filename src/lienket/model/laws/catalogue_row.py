"""CatalogueRow: a row of a ready-made constraint that knows the force which its multiplier means.

A row g = 0 between two points exerts the force F lambda there, F = dg/dp; nu = |F| is the normal force per multiplier
(`model/normal_force`). The catalogue knows F when it writes g, and g alone does not tell it. A row is used like the
expression g everywhere; in addition it hands nu to the law of a contact that is put on it. A factor changes g and nu
together:

    f g = 0    has    |f| nu    where g = 0
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy as sp

from ...language.expression import Expression


class CatalogueRow:
    """An expression g that must be zero, with `normal_factor` nu, the length of the force per multiplier.

    Products with factors keep the factor; every other operation returns a plain expression.
    """

    __slots__ = ("expression", "normal_factor")

    _op_priority = 100.0  # above that of SymPy's expressions, so that f*row is asked of the row

    expression: Expression
    normal_factor: Expression

    def __init__(self, expression: Expression, normal_factor: Expression) -> None:
        object.__setattr__(self, "expression", expression)
        object.__setattr__(self, "normal_factor", normal_factor)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a row of the catalogue is frozen; {name} cannot be set")

    def __reduce__(self) -> tuple[type[CatalogueRow], tuple[Expression, Expression]]:
        return CatalogueRow, (self.expression, self.normal_factor)

    # As an expression

    def _sympy_(self) -> Expression:
        return self.expression

    def _repr_latex_(self) -> str:
        return str(self.expression._repr_latex_())

    def __getattr__(self, name: str) -> Any:
        """Return an attribute of the expression, such as `diff` or `free_symbols`."""
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.expression, name)

    def __repr__(self) -> str:
        return repr(self.expression)

    def __str__(self) -> str:
        return str(self.expression)

    def __eq__(self, other: object) -> bool:
        return bool(self.expression == _plain(other))

    def __hash__(self) -> int:
        return hash(self.expression)

    # With a factor

    def __mul__(self, other: Any) -> CatalogueRow | Expression:
        if isinstance(other, CatalogueRow):
            return self.expression * other.expression
        factor = sp.S.One * other
        return CatalogueRow(factor * self.expression, _size(factor) * self.normal_factor)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> CatalogueRow | Expression:
        return self * (sp.S.One / _plain(other))

    def __neg__(self) -> CatalogueRow:
        return CatalogueRow(-self.expression, self.normal_factor)

    def __pos__(self) -> CatalogueRow:
        return self

    # Substitutions

    def subs(self, *arguments: Any, **options: Any) -> CatalogueRow:
        """Return the row after SymPy's `subs` in both expressions."""
        return self._mapped(lambda e: e.subs(*arguments, **options))

    def xreplace(self, rule: Any) -> CatalogueRow:
        """Return the row after SymPy's `xreplace` in both expressions."""
        return self._mapped(lambda e: e.xreplace(rule))

    def _mapped(self, rewrite: Callable[[Expression], Expression]) -> CatalogueRow:
        return CatalogueRow(rewrite(self.expression), rewrite(self.normal_factor))

    # Without its factor

    def __add__(self, other: Any) -> Expression:
        return self.expression + _plain(other)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Expression:
        return self.expression - _plain(other)

    def __rsub__(self, other: Any) -> Expression:
        return _plain(other) - self.expression

    def __pow__(self, other: Any) -> Expression:
        return self.expression ** _plain(other)

    def __rpow__(self, other: Any) -> Expression:
        return _plain(other) ** self.expression

    def __rtruediv__(self, other: Any) -> Expression:
        return _plain(other) / self.expression


def _plain(other: Any) -> Any:
    """Return the expression of a row, anything else as it is."""
    return other.expression if isinstance(other, CatalogueRow) else other


def _size(factor: Expression) -> Expression:
    """Return |factor|; a root where SymPy's Abs would split a product into real and imaginary parts."""
    size = sp.Abs(factor)
    return sp.sqrt(factor**2) if size.has(sp.re, sp.im) else size
