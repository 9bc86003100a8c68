"""One graph for all expressions of a system: equal subexpressions are one node, and nodes are simplified when added.

A node is an integer; its arguments are smaller integers, so evaluation in increasing order computes every value before
it is used. Equal operations on equal arguments are one node (hash-consing):

    constant c        input k            scale(c, x) = c x         sum(x, y, ...)      product(x, y)
    reciprocal(x)     power(x, y)        sqrt, sin, cos, ... (x)   atan2(y, x)         min(x, y), max(x, y)
    less(x, y) ...    select(c, x, y)    data_call(x, ...), a table or Python function of the user

Numbers are factored out: every node except `scale` is a base b with coefficient 1, so that 2 x and -x add up to x
in a sum, and -x y and x y share their product.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from .nodes import Nodes
from .shorter_sums import common_factor, divide_out, pythagoras

if TYPE_CHECKING:
    from ...language.data_functions import DataFunction


INTEGER_POWER_LIMIT = 64  # [1] largest integer exponent computed by multiplication
HALF_POWER_LIMIT = 32  # [1] largest half-integer exponent computed by multiplication and a square root
COMPARISONS = ("less", "less_equal", "equal", "unequal")
_ODD = frozenset(("sin", "tan", "asin", "atan", "sinh", "tanh", "sign"))
_EVEN = frozenset(("cos", "cosh", "abs"))
_FOLDED: dict[str, Callable[..., float]] = {
    "sqrt": math.sqrt,
    "exp": math.exp,
    "log": math.log,
    **{name: getattr(math, name) for name in ("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh")},
    "abs": abs,
    "sign": lambda x: float((x > 0) - (x < 0)),
    "atan2": math.atan2,
    "power": math.pow,
    "min": min,
    "max": max,
}
_COMPARED: dict[str, Callable[[float, float], bool]] = {
    "less": lambda x, y: x < y,
    "less_equal": lambda x, y: x <= y,
    "equal": lambda x, y: x == y,
    "unequal": lambda x, y: x != y,
}


class Graph(Nodes):
    """Nodes with the simplifying constructors of sums, products, powers, functions and cases."""

    # Sums and products

    def scale(self, c: float, x: int) -> int:
        """Return the product c x."""
        factor, base = self.split(x)
        c *= factor
        if c == 0.0:
            return self.zero
        if base == self.one:
            return self.constant(c)
        return base if c == 1.0 else self._node("scale", (base,), c)

    def sum(self, terms: Iterable[int]) -> int:
        """Return the sum of the terms, equal ones joined.

        A coefficient common to all terms stands outside the sum node, otherwise the sign of the first term does.
        """
        joined: dict[int, float] = {}
        for x in terms:
            c, base = self.split(x)
            joined[base] = joined.get(base, 0.0) + c
        left = sorted((base, c) for base, c in joined.items() if c != 0.0)
        if not left:
            return self.zero
        if len(left) > 1 and (shorter := pythagoras(self, left)) is not None:
            return self.sum(shorter)
        first = left[0][1]
        if len(left) == 1:
            return self.scale(first, left[0][0])
        if (factor := common_factor(self, [base for base, _ in left])) is not None:
            return self.product(factor, self.sum(self.scale(c, divide_out(self, base, factor)) for base, c in left))
        alike = all(abs(c) == abs(first) for _, c in left)
        outside = first if alike else math.copysign(1.0, first)
        inner = self._node("sum", tuple(self.scale(c / outside, base) for base, c in left))
        return self.scale(outside, inner)

    def add(self, x: int, y: int) -> int:
        """Return the sum x + y."""
        if x == self.zero:
            return y
        return x if y == self.zero else self.sum((x, y))

    def subtract(self, x: int, y: int) -> int:
        """Return the difference x - y."""
        return self.add(x, self.scale(-1.0, y))

    def product(self, x: int, y: int) -> int:
        """Return the product x y."""
        c, x = self.split(x)
        d, y = self.split(y)
        if x == self.one or y == self.one:
            return self.scale(c * d, y if x == self.one else x)
        for one, other in ((x, y), (y, x)):
            if self.operation[one] == "reciprocal" and self.arguments[one][0] == other:
                return self.constant(c * d)
        return self.scale(c * d, self._node("product", (x, y) if x <= y else (y, x)))

    def products(self, factors: Iterable[int]) -> int:
        """Return the product of all factors, from left to right."""
        result = self.one
        for x in factors:
            result = self.product(result, x)
        return result

    def reciprocal(self, x: int) -> int:
        """Return the quotient 1/x."""
        c, base = self.split(x)
        if base == self.one:
            return self.constant(1.0 / c) if c != 0.0 else self.constant(math.nan)
        if self.operation[base] == "reciprocal":
            return self.scale(1.0 / c, self.arguments[base][0])
        return self.scale(1.0 / c, self._node("reciprocal", (base,)))

    def divide(self, x: int, y: int) -> int:
        """Return the quotient x/y."""
        return self.product(x, self.reciprocal(y))

    # Powers and functions

    def integer_power(self, x: int, exponent: int) -> int:
        """Return x^exponent by repeated squaring."""
        if exponent < 0:
            return self.reciprocal(self.integer_power(x, -exponent))
        result, square = self.one, x
        while exponent:
            if exponent & 1:
                result = self.product(result, square)
            exponent >>= 1
            square = self.product(square, square) if exponent else square
        return result

    def power(self, x: int, y: int) -> int:
        """Return x^y; integer and half-integer exponents by multiplication and square roots."""
        if self.operation[y] == "constant":
            exponent = self.data[y]
            if exponent == int(exponent) and abs(exponent) <= INTEGER_POWER_LIMIT:
                return self.integer_power(x, int(exponent))
            if 2 * exponent == int(2 * exponent) and abs(exponent) <= HALF_POWER_LIMIT:
                root = self.function("sqrt", x)
                return (
                    self.product(self.integer_power(x, math.floor(exponent)), root)
                    if exponent > 0
                    else (self.reciprocal(self.power(x, self.constant(-exponent))))
                )
        return self.function("power", x, y)

    def function(self, name: str, *arguments: int) -> int:
        """Return a function of the formula language; constants are folded, signs in odd or even ones extracted."""
        if all(self.operation[a] == "constant" for a in arguments):
            try:
                return self.constant(_FOLDED[name](*(self.data[a] for a in arguments)))
            except (ValueError, OverflowError):  # outside its domain: NaN or infinity at run time
                return self._node(name, arguments)
        if len(arguments) == 1 and self.split(arguments[0])[0] < 0.0:
            if name in _ODD:
                return self.scale(-1.0, self.function(name, self.scale(-1.0, arguments[0])))
            if name in _EVEN:
                return self.function(name, self.scale(-1.0, arguments[0]))
        if name in ("min", "max") and arguments[0] == arguments[1]:
            return arguments[0]
        return self._node(name, arguments)

    def compare(self, comparison: str, x: int, y: int) -> int:
        """Return a comparison, to be used as a condition of `select`."""
        if self.operation[x] == self.operation[y] == "constant":
            return self.constant(float(_COMPARED[comparison](self.data[x], self.data[y])))
        return self._node(comparison, (x, y))

    def select(self, condition: int, x: int, y: int) -> int:
        """Return x where the condition holds, otherwise y; NaN where a compared number is NaN."""
        if x == y:
            return x
        if self.operation[condition] == "constant":
            return x if self.data[condition] else y
        return self._node("select", (condition, x, y))

    def data_call(self, function: DataFunction, orders: tuple[int, ...], *arguments: int) -> int:
        """Return the call of a table or Python function of the user, or of its derivative of these orders."""
        return self._node("data_call", arguments, (function, orders))

    def substitute(self, roots: Sequence[int], by: Mapping[int, int]) -> list[int]:
        """Return the roots with the nodes {old: new} replaced."""
        new = dict(by)
        for x in self.below(roots):
            if x not in new:
                arguments = [new[a] for a in self.arguments[x]]
                new[x] = x if arguments == list(self.arguments[x]) else self._rebuild(x, arguments)
        return [new[x] for x in roots]

    def _rebuild(self, x: int, arguments: list[int]) -> int:
        """Return the operation of a node applied to other arguments."""
        operation = self.operation[x]
        if operation == "sum":
            return self.sum(arguments)
        if operation == "scale":
            return self.scale(self.data[x], arguments[0])
        if operation == "data_call":
            return self.data_call(*self.data[x], *arguments)
        if operation in ("product", "reciprocal", "power", "select"):
            return int(getattr(self, operation)(*arguments))
        if operation in COMPARISONS:
            return self.compare(operation, *arguments)
        return self.function(operation, *arguments)
