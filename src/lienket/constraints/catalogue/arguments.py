"""Reading and checking of the arguments of the catalogue's functions; all faults are reported together."""

from __future__ import annotations

import numbers
from collections.abc import Callable, Iterable, Mapping, Set
from typing import TypeAlias

import numpy as np
import sympy as sp
from sympy.core.function import AppliedUndef

from ...errors import Faults
from ...language.as_expression import as_expression
from ...language.expression import Expression, ExpressionLike
from ...language.short_text import short_text
from ...language.symbols import t
from .vectors import is_zero

Vector: TypeAlias = "Iterable[ExpressionLike]"  # a tuple, a list, a SymPy matrix or a NumPy array

_VECTOR_ADVICE = (
    "Give the components in fixed axes, as in (x, y) or (x, y, z); convert a SymPy vector by .to_matrix(frame)."
)
_COUNTS = {(2,): "2", (3,): "3", (2, 3): "2 or 3"}


class Arguments:
    """Reader of the arguments of one function of the catalogue.

    Each method returns the expression or the tuple of expressions, and None or () if there is a fault. Call
    `raise_any` before using them.
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

    def expression(self, name: str, value: object) -> Expression:
        """Read any expression of the formula language."""
        faults = Faults()
        expression = as_expression(value, f"argument {name}", faults)
        for fault in faults:
            self._faults.add(fault.where, fault.what, fault.advice)
        return None if len(faults) else expression

    def position(self, name: str, value: object) -> Expression:
        """Read an expression of coordinates and time, without derivatives."""
        return self._of_order(0, name, value, "a position has no derivatives")

    def velocity(self, name: str, value: object) -> Expression:
        """Read an expression with derivatives of at most first order."""
        return self._of_order(1, name, value, "a velocity has no derivatives of second order")

    def law(self, name: str, value: object, advice: str = "") -> Expression:
        """Read an expression of time and parameters, without coordinates."""
        return self._without(lambda e: e.atoms(AppliedUndef), "a given function of time", name, value, advice)

    def constant(self, name: str, value: object) -> Expression:
        """Read an expression of parameters only."""
        return self._without(lambda e: e.atoms(AppliedUndef) or e.free_symbols & {t}, "a constant", name, value)

    def _of_order(self, highest: int, name: str, value: object, why: str) -> Expression:
        expression = self.expression(name, value)
        if expression is None:
            return None
        too_high = [d for d in expression.atoms(sp.Derivative) if d.derivative_count > highest]
        if too_high:
            self.fault(name, f"it contains {short_text(min(too_high, key=str))}, but {why}")
        return None if too_high else expression

    def _without(
        self, moving: Callable[[Expression], set[Expression]], kind: str, name: str, value: object, advice: str = ""
    ) -> Expression:
        expression = self.expression(name, value)
        if expression is None:
            return None
        excluded = moving(expression)
        if excluded:
            self.fault(name, f"it must be {kind}, but it contains {short_text(min(excluded, key=str))}", advice)
        return None if excluded else expression

    def check_positive(self, name: str, expression: Expression, advice: str = "") -> None:
        """Note a fault if a number or a bare parameter (by its assumptions) is zero or negative."""
        # SymPy may need minutes for the sign of a composed expression.
        plain = expression is not None and (expression.is_number or expression.is_Symbol)
        if plain and expression.is_nonpositive:
            self.fault(name, f"{short_text(expression)} is not positive", advice)

    # Several expressions

    def point(self, name: str, value: object, axes: tuple[int, ...] = (2, 3)) -> tuple[Expression, ...]:
        """Read the position of a point: one expression without derivatives per axis."""
        return self._vector(name, value, self.position, axes)

    def velocities(self, name: str, value: object, axes: tuple[int, ...] = ()) -> tuple[Expression, ...]:
        """Read the components of a velocity, any number of them if `axes` is left out."""
        return self._vector(name, value, self.velocity, axes)

    def direction(self, name: str, value: object, axes: tuple[int, ...] = (2, 3)) -> tuple[Expression, ...]:
        """Read a vector of nonzero length."""
        components = self.point(name, value, axes)
        if components and all(map(is_zero, components)):
            self.fault(name, "the zero vector has no direction")
        return components

    def check_same_axes(self, **vectors: tuple[Expression, ...]) -> None:
        """Note a fault unless all vectors have equal numbers of components."""
        sizes = {name: len(vector) for name, vector in vectors.items() if vector}
        if len(set(sizes.values())) > 1:
            sentence = " and ".join(f"{name} has {size} components" for name, size in sizes.items())
            self._faults.add("arguments " + ", ".join(sizes), f"{sentence}; all must lie in the same plane or space")

    def _vector(
        self, name: str, value: object, read: Callable[[str, object], Expression], axes: tuple[int, ...]
    ) -> tuple[Expression, ...]:
        entries = _entries(value)
        count = _COUNTS.get(axes, "some")
        if entries is None:
            single = isinstance(value, (sp.Expr, numbers.Number))
            description = (
                f"{short_text(value)} alone" if single else f"{short_text(repr(value))} of type {type(value).__name__}"
            )
            self.fault(name, f"{count} expressions were expected, not {description}", _VECTOR_ADVICE)
            return ()
        if not entries or (axes and len(entries) not in axes):
            self.fault(name, f"{count} expressions were expected, not {len(entries) or 'none'}", _VECTOR_ADVICE)
            return ()
        components = tuple(read(f"{name}[{i}]", entry) for i, entry in enumerate(entries))
        return () if any(component is None for component in components) else components


def _entries(value: object) -> list[object] | None:
    """Return the components of a vector in order, or None if the value is not a vector (sets have no order)."""
    if isinstance(value, sp.MatrixBase):
        return list(value)
    if isinstance(value, np.ndarray):
        return list(value.ravel())
    if isinstance(value, (str, bytes, Mapping, Set, sp.Expr, sp.FiniteSet)) or not isinstance(value, Iterable):
        return None
    return list(value)
