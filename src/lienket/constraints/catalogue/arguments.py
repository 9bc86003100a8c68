"""The arguments of the catalogue's functions are read here; all that is wrong with them is reported together."""

from __future__ import annotations

import numbers
from collections.abc import Callable, Iterable, Mapping, Set
from typing import Any, TypeAlias

import numpy as np
import sympy as sp
from sympy.core.function import AppliedUndef

from ...language.as_expression import as_expression
from ...language.faults import Faults, short_text
from ...language.symbols import t
from .vectors import is_zero

Expression: TypeAlias = Any
"""A SymPy expression or a number."""
Vector: TypeAlias = Any
"""A tuple, a list, a SymPy matrix or a NumPy array of expressions."""

_HOW = "Give the components in fixed axes, as in (x, y) or (x, y, z); of a SymPy vector take .to_matrix(frame)."
_COUNTS = {(2,): "2", (3,): "3", (2, 3): "2 or 3"}


class Arguments:
    """Reads the arguments of one function of the catalogue.

    Each method gives the expression, or the tuple of expressions, that was meant; None or () where there was a
    fault. `raise_any` comes before anything is made of them.
    """

    def __init__(self, function: str) -> None:
        self._function = function
        self._faults = Faults()

    def raise_any(self) -> None:
        """Raise the faults found so far in one ModelError that names the function."""
        self._faults.raise_any(f"catalogue.{self._function}")

    def fault(self, name: str, what: str, advice: str = "") -> None:
        """Note a fault of the argument of that name."""
        self._faults.add(f"argument {name}", what, advice)

    # One expression

    def expression(self, name: str, given: Any) -> Expression:
        """Any expression of the formula language."""
        found = Faults()
        expression = as_expression(given, f"argument {name}", found)
        for fault in found:
            self._faults.add(fault.where, fault.what, fault.advice)
        return None if len(found) else expression

    def position(self, name: str, given: Any) -> Expression:
        """An expression of coordinates and time, without derivatives."""
        return self._of_order(0, name, given, "a position has no derivatives")

    def velocity(self, name: str, given: Any) -> Expression:
        """An expression with derivatives of the first order at most."""
        return self._of_order(1, name, given, "a velocity has none of second order")

    def law(self, name: str, given: Any, advice: str = "") -> Expression:
        """An expression of time and parameters, without coordinates."""
        return self._without(lambda e: e.atoms(AppliedUndef), "a given function of time", name, given, advice)

    def constant(self, name: str, given: Any) -> Expression:
        """An expression of parameters alone."""
        return self._without(lambda e: e.atoms(AppliedUndef) or e.free_symbols & {t}, "a constant", name, given)

    def _of_order(self, highest: int, name: str, given: Any, why: str) -> Expression:
        expression = self.expression(name, given)
        if expression is None:
            return None
        beyond = [d for d in expression.atoms(sp.Derivative) if d.derivative_count > highest]
        if beyond:
            self.fault(name, f"it contains {short_text(min(beyond, key=str))}, but {why}")
        return None if beyond else expression

    def _without(
        self, moving: Callable[[Any], set[Any]], kind: str, name: str, given: Any, advice: str = ""
    ) -> Expression:
        expression = self.expression(name, given)
        if expression is None:
            return None
        found = moving(expression)
        if found:
            self.fault(name, f"it must be {kind}, but it contains {short_text(min(found, key=str))}", advice)
        return None if found else expression

    def check_positive(self, name: str, expression: Expression, advice: str = "") -> None:
        """Note a fault if a size is known to be zero or negative; a bare parameter is known by its assumptions."""
        # Of a composed expression SymPy may take minutes to find the sign.
        plain = expression is not None and (expression.is_number or expression.is_Symbol)
        if plain and expression.is_nonpositive:
            self.fault(name, f"{short_text(expression)} is not positive", advice)

    # Several expressions

    def point(self, name: str, given: Any, axes: tuple[int, ...] = (2, 3)) -> tuple[Expression, ...]:
        """The position of a point: as many expressions without derivatives as there are axes."""
        return self._vector(name, given, self.position, axes)

    def velocities(self, name: str, given: Any, axes: tuple[int, ...] = ()) -> tuple[Expression, ...]:
        """Components of a velocity, any number of them if `axes` is left out."""
        return self._vector(name, given, self.velocity, axes)

    def direction(self, name: str, given: Any, axes: tuple[int, ...] = (2, 3)) -> tuple[Expression, ...]:
        """A vector of any length but zero."""
        components = self.point(name, given, axes)
        if components and all(map(is_zero, components)):
            self.fault(name, "the zero vector has no direction")
        return components

    def check_same_axes(self, **vectors: tuple[Expression, ...]) -> None:
        """Note a fault unless all these vectors have the same number of components."""
        sizes = {name: len(vector) for name, vector in vectors.items() if vector}
        if len(set(sizes.values())) > 1:
            counted = " and ".join(f"{name} has {size} components" for name, size in sizes.items())
            self._faults.add("arguments " + ", ".join(sizes), f"{counted}; all must lie in the same plane or space")

    def _vector(
        self, name: str, given: Any, read: Callable[[str, Any], Expression], axes: tuple[int, ...]
    ) -> tuple[Expression, ...]:
        entries = _entries(given)
        count = _COUNTS.get(axes, "some")
        if entries is None:
            single = isinstance(given, (sp.Expr, numbers.Number))
            said = (
                f"{short_text(given)} alone" if single else f"{short_text(repr(given))} of type {type(given).__name__}"
            )
            self.fault(name, f"{count} expressions were expected, not {said}", _HOW)
            return ()
        if not entries or (axes and len(entries) not in axes):
            self.fault(name, f"{count} expressions were expected, not {len(entries) or 'none'}", _HOW)
            return ()
        components = tuple(read(f"{name}[{i}]", entry) for i, entry in enumerate(entries))
        return () if any(component is None for component in components) else components


def _entries(given: Any) -> list[Any] | None:
    """What a vector holds, in order; None if it is no vector. Sets have no order, and a text no entries."""
    if isinstance(given, sp.MatrixBase):
        return list(given)
    if isinstance(given, np.ndarray):
        return list(given.ravel())
    if isinstance(given, (str, bytes, Mapping, Set, sp.Expr, sp.FiniteSet)) or not isinstance(given, Iterable):
        return None
    return list(given)
