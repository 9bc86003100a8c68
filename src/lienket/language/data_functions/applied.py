"""DataCall: a table or a Python function applied to its arguments, in SymPy expressions.

    road(t)           DataCall(DataDerivative(road, (0,)), t)
    d/dt road(t)      DataCall(DataDerivative(road, (1,)), t)
    d/dt u(t, x(t))   DataCall(DataDerivative(u, (1, 0)), t, x) + DataCall(DataDerivative(u, (0, 1)), t, x) x'

Coordinates are SymPy's undefined functions of time; a DataCall is not one of these, since it has values.
"""

from __future__ import annotations

import numbers
from collections.abc import Iterable
from typing import TYPE_CHECKING, Protocol

import sympy as sp

from ..expression import Expression, ExpressionLike
from ..traversal import find_cached

if TYPE_CHECKING:
    from sympy.printing.pretty.pretty import PrettyPrinter
    from sympy.printing.pretty.stringpict import prettyForm
    from sympy.printing.printer import Printer


class DataFunction(Protocol):
    """Interface of functions defined by data: a Table or a PythonFunction."""

    @property
    def name(self) -> str:
        """Name of the function in formulas."""

    @property
    def arguments(self) -> int:
        """Number of arguments."""

    @property
    def identity(self) -> tuple[object, ...]:
        """Data by which two functions of equal name are compared."""

    def unavailable(self, orders: tuple[int, ...]) -> str:
        """Return a sentence that states why the derivative of these orders is unavailable, or an empty text."""


class DataDerivative(sp.Atom):
    """A data function and the orders of its derivative, one per argument: u, (0, 1) is du/d(second argument)."""

    __slots__ = ("data", "orders")
    is_commutative = True
    data: DataFunction
    orders: tuple[int, ...]

    def __new__(cls, data: DataFunction, orders: Iterable[int]) -> DataDerivative:  # noqa: D102
        derivative: DataDerivative = sp.Basic.__new__(cls)
        derivative.data, derivative.orders = data, tuple(int(order) for order in orders)
        return derivative

    def differentiated(self, index: int) -> DataDerivative:
        """Return the derivative by the argument number `index`, counted from 0."""
        return DataDerivative(self.data, [order + (i == index) for i, order in enumerate(self.orders)])

    @property
    def label(self) -> str:
        """Plain text of the function or derivative."""
        return derivative_label(self.data.name, self.orders)

    def _hashable_content(self) -> tuple[object, ...]:
        return self.data.name, self.orders, self.data.identity

    def __getnewargs__(self) -> tuple[DataFunction, tuple[int, ...]]:
        return self.data, self.orders

    def _sympystr(self, printer: Printer) -> str:
        return self.label


class DataCall(sp.Function):
    """A data function or derivative applied to its arguments; args are (source, *arguments), the value is real."""

    is_real = True
    is_commutative = True

    def __new__(cls, source: DataDerivative, *arguments: Expression, **options: object) -> Expression:  # noqa: D102
        # SymPy's Function would evaluate road(0.5) at once; here it stays unevaluated, and no controller is called.
        return sp.Expr.__new__(cls, source, *arguments)

    @property
    def source(self) -> DataDerivative:
        """Function and orders of its derivative."""
        return self.args[0]

    @property
    def arguments(self) -> tuple[Expression, ...]:
        """Arguments of the call."""
        return tuple(self.args[1:])

    def fdiff(self, argindex: int = 1) -> Expression:
        """Return the partial derivative by an argument, counted from 1."""
        return DataCall(self.source.differentiated(argindex - 1), *self.arguments)

    def _eval_derivative(self, symbol: Expression) -> Expression:
        inner = [argument.diff(symbol) for argument in self.arguments]
        return sp.Add(*[self.fdiff(i) * slope for i, slope in enumerate(inner, 1) if slope != 0])

    def _eval_evalf(self, precision: int) -> Expression | None:
        """Return the value of a table at a number, in double precision, else None."""
        value = getattr(self.source.data, "value", None)
        points = [argument.evalf() for argument in self.arguments]
        if value is None or not all(point.is_Float or point.is_Rational for point in points):
            return None
        number = float(value(float(points[0]), self.source.orders[0]))
        return sp.Float(number, precision=precision) if number == number else sp.nan

    def _sympystr(self, printer: Printer) -> str:
        return f"{self.source.label}({', '.join(map(printer._print, self.arguments))})"

    def _latex(self, printer: Printer, exp: str | None = None) -> str:
        inside = ", ".join(map(printer._print, self.arguments))
        text = rf"\operatorname{{{self.source.label}}}\left({inside}\right)"
        return text if exp is None else f"{text}^{{{exp}}}"

    def _pretty(self, printer: PrettyPrinter) -> prettyForm:
        return printer._print_Function(sp.Function(self.source.label)(*self.arguments))


def applied(data: DataFunction, arguments: tuple[ExpressionLike, ...]) -> Expression:
    """Return the expression data(*arguments)."""
    if len(arguments) != data.arguments:
        expected = "1 argument" if data.arguments == 1 else f"{data.arguments} arguments"
        raise TypeError(f"{data.name} takes {expected}, not {len(arguments)}")
    return DataCall(DataDerivative(data, [0] * data.arguments), *[_argument(data, a) for a in arguments])


def _argument(data: DataFunction, argument: ExpressionLike) -> Expression:
    """Return one argument as a SymPy expression."""
    if isinstance(argument, sp.Expr):
        return argument
    if isinstance(argument, numbers.Integral) and not isinstance(argument, bool):
        return sp.Integer(int(argument))
    if isinstance(argument, numbers.Real) and not isinstance(argument, bool):
        return sp.Float(float(argument))
    raise TypeError(
        f"{data.name} takes expressions, as in {data.name}(t), not {type(argument).__name__}; "
        "to evaluate a table at an array of points, use its method value(x, order)"
    )


def derivative_label(name: str, orders: tuple[int, ...]) -> str:
    """Return a function or its derivative in plain text: road, road', road^(4), D[2](u) for du/d(second argument)."""
    total = sum(orders)
    if not total:
        return name
    if len(orders) == 1:
        return name + ("'" * total if total < 4 else f"^({total})")
    slots = [str(i) for i, order in enumerate(orders, 1) for _ in range(order)]
    return f"D[{','.join(slots)}]({name})"


def sources_in(expressions: Iterable[Expression]) -> set[DataDerivative]:
    """Return every DataDerivative that occurs in the expressions."""
    return {source for e in expressions for source in find_cached(e, DataDerivative)}
