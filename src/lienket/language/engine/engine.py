"""Translation between SymPy, used by the user, and SymEngine, used for the computations.

In SymEngine a coordinate x(t) is the symbol x, its velocity the symbol x' and its acceleration x'', all
independent of each other, so that partial derivatives by them are derivatives by a symbol.

    SymPy      x(t)   Derivative(x(t), t)   Derivative(x(t), (t, 2))   m      t
    SymEngine  x      x'                    x''                        m      t

A table or a Python function, road(t), is a function symbol, see `data_functions`. So is every other function of time
F(t), an input, with its derivatives.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any, TypeVar

import symengine as se
import sympy as sp
from sympy.functions.elementary.piecewise import ExprCondPair

from ...errors import LienketError
from ..data_functions import DataCall, DataDerivative, DataFunction
from ..expression import Coordinate, Expression, Node
from ..functions import BY_CLASS, FUNCTIONS, RELATIONS
from ..input_functions import InputFunction
from ..symbols import is_coordinate_like, name_of, t
from .data_functions import chain_rule, decode_name, encode_name
from .kinks import rebuilt_arithmetic, resolve_kinks, safe_sign
from .sympy_forms import canonical_function, canonical_power, canonical_product, canonical_sum

From = TypeVar("From")  # an expression of SymPy or SymEngine
To = TypeVar("To")  # an expression of the other

_FUNCTION_OUTWARD = {getattr(se, f.sympy.__name__): f.sympy for f in FUNCTIONS.values() if f.sympy is not sp.exp}
_RELATION_INWARD = {
    RELATIONS["<"]: se.Lt,
    RELATIONS["<="]: se.Le,
    RELATIONS[">"]: se.Gt,
    RELATIONS[">="]: se.Ge,
    RELATIONS["=="]: se.Eq,
    RELATIONS["!="]: se.Ne,
}
# SymEngine stores > and >= as < and <= with exchanged sides, so four classes suffice outward.
_RELATION_OUTWARD = {
    se.StrictLessThan: sp.StrictLessThan,
    se.LessThan: sp.LessThan,
    se.Equality: sp.Equality,
    se.Unequality: sp.Unequality,
}
_KINKED = (sp.Abs, sp.sign, sp.Min, sp.Max)
# SymEngine creates these from sines and tangents of shifted angles; the formula language does not have them.
_RECIPROCAL = {se.cot: (sp.cos, sp.sin), se.sec: (lambda _: sp.S.One, sp.cos), se.csc: (lambda _: sp.S.One, sp.sin)}
_CONSTANTS = {sp.pi: se.pi, sp.E: se.E, sp.true: se.true, sp.false: se.false}
_CONSTANTS_OUTWARD = {inside: outside for outside, inside in _CONSTANTS.items()}


NORMAL_FORM_ROUND_LIMIT = 8  # [iterations] translations to SymEngine and back until the form is unchanged


ENGINE_FUNCTIONS = {f.name: getattr(se, f.sympy.__name__) for f in FUNCTIONS.values()} | {"sign": safe_sign}
"""SymEngine functions of the formula language by written name."""


class Engine:
    """Translator and differentiator of the expressions in one set of coordinates.

    `q`, `v`, `a` are the SymEngine symbols of positions, velocities and accelerations in the order of the
    coordinates, `t` is time. Parameters get their symbols when first translated. `data_functions` holds the
    tables and Python functions translated so far, by name.
    """

    def __init__(self, coordinates: Sequence[Coordinate]) -> None:
        names = [name_of(x) for x in coordinates]
        self._coordinates = frozenset(coordinates)
        self.q = [se.Symbol(name) for name in names]
        self.v = [se.Symbol(name + "'") for name in names]
        self.a = [se.Symbol(name + "''") for name in names]
        self.t = se.Symbol("t")
        self._inward: dict[Node, se.Expr] = {t: self.t}
        for x, q, v, a in zip(coordinates, self.q, self.v, self.a, strict=True):
            velocity, acceleration = _derivatives(x)
            self._inward |= {x: q, velocity: v, acceleration: a}
        self._outward: dict[se.Expr, Node] = {inside: outside for outside, inside in self._inward.items()}
        self._has_kinks = False  # whether abs, sign, min or max has been translated
        self._has_roots = False  # whether a power of a number has been translated
        self._angles: dict[Expression, tuple[Expression, bool]] = {}
        self.data_functions: dict[str, DataFunction] = {}
        self._sources: dict[str, DataDerivative] = {}  # by their SymEngine names

    def inward(self, expression: Node) -> se.Expr:
        """Return the SymEngine form of a SymPy expression in the formula language."""
        return _translate(expression, self._inward, self._make_inward, _sympy_arguments)

    def outward(self, expression: se.Expr) -> Expression:
        """Return the SymPy form of a SymEngine expression."""
        return _translate(expression, self._outward, self._make_outward, _symengine_arguments)

    @property
    def state_symbols(self) -> tuple[Expression, ...]:
        """Coordinates, velocities and accelerations in SymPy form."""
        return tuple(self._outward[x] for x in (*self.q, *self.v, *self.a))

    def fork(self) -> Engine:
        """Return a copy with the translations made so far; later translations are independent."""
        other = object.__new__(Engine)
        other.__dict__ |= self.__dict__
        other._inward, other._outward, other._angles = dict(self._inward), dict(self._outward), dict(self._angles)
        other.data_functions, other._sources = dict(self.data_functions), dict(self._sources)
        return other

    def joined(self, other: Engine) -> Engine:
        """Return an engine with the translations of both."""
        joint = self.fork()
        joint._inward |= other._inward
        joint._outward |= other._outward
        joint._has_kinks |= other._has_kinks
        joint._has_roots |= other._has_roots
        joint.data_functions |= other.data_functions
        joint._sources |= other._sources
        return joint

    def data_derivative(self, function: se.Expr) -> DataDerivative:
        """Return the data (Table or PythonFunction) and orders of derivative of a function symbol."""
        label = str(function.get_name())
        if label not in self._sources:
            name, orders = decode_name(function)
            self._sources[label] = DataDerivative(self.data_functions[name], orders)
        return self._sources[label]

    def stand_in(self, function: Coordinate) -> se.Symbol:
        """Return a SymEngine symbol for another function of time, such as a pseudovelocity."""
        symbol = se.Symbol(f"{name_of(function)}(t)")
        self._outward[symbol] = function
        return symbol

    def normal(self, expression: Expression) -> Expression:
        """Return the SymPy form that translation to SymEngine and back leaves unchanged.

        SymEngine and SymPy each combine terms that the other leaves separate (1/(2*x) under a root, for example),
        so the translation is repeated until the form is unchanged; one round nearly always suffices.
        """
        for _ in range(NORMAL_FORM_ROUND_LIMIT):
            translated = self.outward(self.inward(expression))
            if translated == expression:
                break
            expression = translated
        return expression

    def column(self, entries: Iterable[se.Expr]) -> sp.ImmutableMatrix:
        """Return SymEngine entries as a SymPy column."""
        entries = list(entries)
        return sp.ImmutableMatrix(len(entries), 1, [self.outward(e) for e in entries])

    def matrix(self, rows: Sequence[Sequence[se.Expr]]) -> sp.ImmutableMatrix:
        """Return SymEngine rows as a SymPy matrix."""
        return sp.ImmutableMatrix([[self.outward(e) for e in row] for row in rows])

    def derivative(self, expression: se.Expr, symbol: se.Symbol) -> se.Expr:
        """Return the partial derivative by a symbol; d|x| = sign x dx, d sign x = 0, min and max by branch."""
        plain = self._plain_derivative
        return chain_rule(expression, symbol, plain) if self.data_functions else plain(expression, symbol)

    def _plain_derivative(self, expression: se.Expr, symbol: se.Symbol) -> se.Expr:
        """Return the derivative of an expression without data functions."""
        derivative = expression.diff(symbol)
        # SymEngine leaves the derivative of a kink unevaluated; searching for one costs a traversal.
        return resolve_kinks(derivative, {}) if self._has_kinks else derivative

    def _make_inward(self, e: Node, arguments: list[Any]) -> se.Expr:
        arithmetic = rebuilt_arithmetic(e, arguments)
        if arithmetic is not None:
            return arithmetic
        if e.is_Symbol:
            symbol = se.Symbol(e.name)
            self._outward[symbol] = e
            return symbol
        if e.is_Number:
            return _number_inward(e)
        if e in _CONSTANTS:
            return _CONSTANTS[e]
        if e.func in BY_CLASS:
            self._has_kinks |= e.func in _KINKED
            return ENGINE_FUNCTIONS[BY_CLASS[e.func].name](*arguments)
        if isinstance(e, sp.Piecewise):
            *first, (last, condition) = arguments
            if isinstance(last, se.Piecewise):  # a Piecewise in the last case is merged into the list
                first += zip(last.args[::2], last.args[1::2], strict=True)
            else:
                first.append((last, condition))
            all_equal = all(value == first[0][0] for value, _ in first)
            return first[0][0] if all_equal else se.Piecewise(*first)
        if isinstance(e, ExprCondPair):
            return tuple(arguments)
        if e.func in _RELATION_INWARD:
            return _RELATION_INWARD[e.func](*arguments)
        if isinstance(e, DataDerivative):
            return self._function_inward(e)
        if isinstance(e, DataCall):
            function, *inside = arguments
            return function(*inside)
        if is_coordinate_like(e):
            return self._function_inward(_input(e, 0))(self.t)
        if e.is_Derivative and is_coordinate_like(e.expr) and e.expr not in self._coordinates:
            return self._function_inward(_input(e.expr, int(e.derivative_count)))(self.t)
        raise TypeError(f"no SymEngine form for {e} of class {e.func}")

    def _function_inward(self, source: DataDerivative) -> se.Function:
        data = source.data
        if self.data_functions.setdefault(data.name, data) != data:
            raise LienketError(f"Two different functions are both named {data.name!r}. Give one of them another name.")
        label = encode_name(data.name, source.orders)
        self._sources[label] = source
        return se.Function(label)

    def _make_outward(self, e: se.Expr, arguments: list[Node]) -> Node:
        if e.is_Add:
            return sp.Add(*arguments) if self._has_roots else canonical_sum(arguments)
        if e.is_Mul:
            return sp.Mul(*arguments) if self._has_roots else canonical_product(arguments)
        if e.is_Pow:
            # sqrt(2)*sqrt(3) is one root in SymPy and two in SymEngine, so from now on SymPy combines the terms.
            self._has_roots |= bool(arguments[0].is_Number)
            return canonical_power(*arguments)
        if e.is_Number:
            return _number_outward(e)
        if e in _CONSTANTS_OUTWARD:
            return _CONSTANTS_OUTWARD[e]
        kind = type(e)
        if kind in _FUNCTION_OUTWARD:
            return canonical_function(_FUNCTION_OUTWARD[kind], arguments, self._angles)
        if kind in _RECIPROCAL:
            above, below = _RECIPROCAL[kind]
            return above(*arguments) / below(*arguments)
        if kind is se.Piecewise:
            if len(set(arguments[::2])) == 1:
                return arguments[0]  # equal in every case, as derivatives often are
            return sp.Piecewise(*zip(arguments[::2], arguments[1::2], strict=True), evaluate=False)
        if kind in _RELATION_OUTWARD:
            return _RELATION_OUTWARD[kind](*arguments, evaluate=False)
        if kind is se.FunctionSymbol:
            source = self.data_derivative(e)
            data = source.data
            return _of_input(data, *source.orders) if isinstance(data, InputFunction) else DataCall(source, *arguments)
        raise TypeError(f"no SymPy form for {e} of class {kind}")


@lru_cache(maxsize=4096)
def _derivatives(x: Coordinate) -> tuple[Expression, Expression]:
    """Return velocity and acceleration of a coordinate, cached since SymPy constructs derivatives slowly."""
    return sp.Derivative(x, t), sp.Derivative(x, (t, 2))


def _input(symbol: Coordinate, order: int) -> DataDerivative:
    """Return an input F(t), or its derivative of an order, as a function of data."""
    return DataDerivative(InputFunction(name_of(symbol), symbol), (order,))


def _of_input(data: InputFunction, order: int) -> Expression:
    """Return F(t), or its derivative of an order, from its form as a function of data."""
    return sp.Derivative(data.symbol, (t, order)) if order else data.symbol


def _sympy_arguments(e: Node) -> tuple[Node, ...]:
    """Return what must be translated before an expression of SymPy; a derivative of an input is translated whole."""
    return () if e.is_Derivative else e.args


def _symengine_arguments(e: se.Expr) -> tuple[se.Expr, ...]:
    return e.args


def _translate(
    expression: From,
    translations: dict[From, To],
    make: Callable[[From, list[To]], To],
    arguments_of: Callable[[From], tuple[From, ...]],
) -> To:
    """Translate an expression, its arguments first; without recursion, so that any depth is possible."""
    todo = [(expression, arguments_of(expression))]  # SymEngine rebuilds `args` on each access, so they are stored
    while todo:
        e, arguments = todo[-1]
        missing = [a for a in arguments if a not in translations]
        if missing and e not in translations:
            todo.extend((a, arguments_of(a)) for a in missing)
            continue
        todo.pop()
        if e not in translations:
            translations[e] = make(e, [translations[a] for a in arguments])
    return translations[expression]


def _number_inward(e: sp.Number) -> se.Number:
    if e.is_Integer:
        return se.Integer(int(e))
    return se.Rational(int(e.p), int(e.q)) if e.is_Rational else se.RealDouble(float(e))


def _number_outward(e: se.Number) -> sp.Number:
    if isinstance(e, se.Integer):
        return sp.Integer(int(e))
    return sp.Rational(int(e.p), int(e.q)) if isinstance(e, se.Rational) else sp.Float(float(e))
