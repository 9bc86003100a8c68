"""Given: a table or a Python function applied to its arguments, as it stands in SymPy expressions.

    road(t)           Given(Source(road, (0,)), t)
    d/dt road(t)      Given(Source(road, (1,)), t)
    d/dt u(t, x(t))   Given(Source(u, (1, 0)), t, x) + Given(Source(u, (0, 1)), t, x) x'

Coordinates are undefined functions of time in SymPy's sense; a Given is none of these, since it has values.
"""

from __future__ import annotations

import numbers
from collections.abc import Iterable
from typing import Any, Protocol

import sympy as sp

from ..traversal import find_cached


class DataFunction(Protocol):
    """What a given function is made of: a Table or a PythonFunction."""

    @property
    def name(self) -> str:
        """The name by which formulas call it."""

    @property
    def arguments(self) -> int:
        """The number of its arguments."""

    @property
    def identity(self) -> tuple[Any, ...]:
        """What makes two of the same name equal; comparable."""

    def unavailable(self, orders: tuple[int, ...]) -> str:
        """Why the derivative of these orders has no numbers, in a sentence; empty if it has."""


class DataDerivative(sp.Atom):
    """A given function and the orders of its derivative, one for each argument: u, (0, 1) is du/d(second argument)."""

    __slots__ = ("data", "orders")
    is_commutative = True
    data: Any
    orders: tuple[int, ...]

    def __new__(cls, data: DataFunction, orders: Iterable[int]) -> DataDerivative:  # noqa: D102
        made: DataDerivative = sp.Basic.__new__(cls)
        made.data, made.orders = data, tuple(int(order) for order in orders)
        return made

    def raised(self, place: int) -> DataDerivative:
        """The source of the derivative by the argument at that place, from 0."""
        return DataDerivative(self.data, [order + (i == place) for i, order in enumerate(self.orders)])

    @property
    def label(self) -> str:
        """How it is written in plain text."""
        return derivative_label(self.data.name, self.orders)

    def _hashable_content(self) -> tuple[Any, ...]:
        return self.data.name, self.orders, self.data.identity

    def __getnewargs__(self) -> tuple[Any, ...]:
        return self.data, self.orders

    def _sympystr(self, printer: Any) -> str:
        return self.label


class DataCall(sp.Function):
    """A source applied to its arguments; args are (source, *arguments). Real; never evaluated by itself."""

    is_real = True
    is_commutative = True

    def __new__(cls, source: DataDerivative, *arguments: Any, **options: Any) -> Any:  # noqa: D102
        # SymPy's Function would put numbers in at once: road(0.5) stays as it is stated, and no controller is called.
        return sp.Expr.__new__(cls, source, *arguments)

    @property
    def source(self) -> DataDerivative:
        """The function and the orders of its derivative."""
        return self.args[0]

    @property
    def arguments(self) -> tuple[Any, ...]:
        """What it is applied to."""
        return tuple(self.args[1:])

    def fdiff(self, argindex: int = 1) -> Any:
        """The partial derivative by an argument, counted from 1."""
        return DataCall(self.source.raised(argindex - 1), *self.arguments)

    def _eval_derivative(self, symbol: Any) -> Any:
        slopes = [argument.diff(symbol) for argument in self.arguments]
        return sp.Add(*[self.fdiff(i) * slope for i, slope in enumerate(slopes, 1) if slope != 0])

    def _eval_evalf(self, precision: int) -> Any:
        """The number, if this is a table at a number; it has the digits of a double."""
        value = getattr(self.source.data, "value", None)
        places = [argument.evalf() for argument in self.arguments]
        if value is None or not all(place.is_Float or place.is_Rational for place in places):
            return None
        number = float(value(float(places[0]), self.source.orders[0]))
        return sp.Float(number, precision=precision) if number == number else sp.nan

    def _sympystr(self, printer: Any) -> str:
        return f"{self.source.label}({', '.join(map(printer._print, self.arguments))})"

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        inside = ", ".join(map(printer._print, self.arguments))
        text = rf"\operatorname{{{self.source.label}}}\left({inside}\right)"
        return text if exp is None else f"{text}^{{{exp}}}"

    def _pretty(self, printer: Any) -> Any:
        return printer._print_Function(sp.Function(self.source.label)(*self.arguments))


def applied(data: DataFunction, arguments: tuple[Any, ...]) -> Any:
    """The expression data(*arguments)."""
    if len(arguments) != data.arguments:
        wanted = "1 argument" if data.arguments == 1 else f"{data.arguments} arguments"
        raise TypeError(f"{data.name} takes {wanted}, not {len(arguments)}")
    return DataCall(DataDerivative(data, [0] * data.arguments), *[_argument(data, a) for a in arguments])


def _argument(data: DataFunction, given: Any) -> Any:
    if isinstance(given, sp.Expr):
        return given
    if isinstance(given, numbers.Integral) and not isinstance(given, bool):
        return sp.Integer(int(given))
    if isinstance(given, numbers.Real) and not isinstance(given, bool):
        return sp.Float(float(given))
    raise TypeError(
        f"{data.name} takes expressions, as in {data.name}(t), not {type(given).__name__}; "
        "the numbers of a table at many places are given by its value(x, order)"
    )


def derivative_label(name: str, orders: tuple[int, ...]) -> str:
    """A function or its derivative in plain text: road, road', road^(4), D[2](u) for du/d(second argument)."""
    total = sum(orders)
    if not total:
        return name
    if len(orders) == 1:
        return name + ("'" * total if total < 4 else f"^({total})")
    places = [str(i) for i, order in enumerate(orders, 1) for _ in range(order)]
    return f"D[{','.join(places)}]({name})"


def sources_in(expressions: Iterable[Any]) -> set[DataDerivative]:
    """Every source that stands in the expressions."""
    return {source for e in expressions for source in find_cached(e, DataDerivative)}
