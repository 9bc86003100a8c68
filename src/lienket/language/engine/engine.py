"""The one door between SymPy, the user's language, and SymEngine, the engine inside.

Inside, a coordinate x(t) is the symbol x, its velocity the symbol x' and its acceleration x'', all
independent of each other, so that partial derivatives by them are plain derivatives by a symbol.

    SymPy   x(t)   Derivative(x(t), t)   Derivative(x(t), (t, 2))   m      t
    inside  x      x'                    x''                        m      t

A table or a Python function, road(t), is a function symbol, see `data_functions`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any

import symengine as se
import sympy as sp
from sympy.functions.elementary.piecewise import ExprCondPair

from ...errors import LienketError
from ..data_functions import DataCall, DataDerivative
from ..functions import BY_CLASS, FUNCTIONS, RELATIONS
from ..symbols import name_of, t
from .data_functions import chain_rule, code, decoded
from .kinks import resolve_kinks, safe_sign
from .sympy_forms import canonical_function, canonical_power, canonical_product, canonical_sum

_FUNCTION_OUTWARD = {getattr(se, f.sympy.__name__): f.sympy for f in FUNCTIONS.values() if f.sympy is not sp.exp}
_RELATION_INWARD = {
    RELATIONS["<"]: se.Lt,
    RELATIONS["<="]: se.Le,
    RELATIONS[">"]: se.Gt,
    RELATIONS[">="]: se.Ge,
    RELATIONS["=="]: se.Eq,
    RELATIONS["!="]: se.Ne,
}
# SymEngine stores > and >= as < and <= with the sides exchanged, so four classes are enough outward.
_RELATION_OUTWARD = {
    se.StrictLessThan: sp.StrictLessThan,
    se.LessThan: sp.LessThan,
    se.Equality: sp.Equality,
    se.Unequality: sp.Unequality,
}
_BENT = (sp.Abs, sp.sign, sp.Min, sp.Max)
# SymEngine makes these of sines and tangents of shifted angles; the formula language does without.
_RECIPROCAL = {se.cot: (sp.cos, sp.sin), se.sec: (lambda _: sp.S.One, sp.cos), se.csc: (lambda _: sp.S.One, sp.sin)}
_CONSTANTS = {sp.pi: se.pi, sp.E: se.E, sp.true: se.true, sp.false: se.false}
_CONSTANTS_OUTWARD = {inside: outside for outside, inside in _CONSTANTS.items()}


ROUNDS = 8  # there and back, at most, to a normal form


ENGINE_FUNCTIONS = {f.name: getattr(se, f.sympy.__name__) for f in FUNCTIONS.values()} | {"sign": safe_sign}
"""The functions of the formula language in the engine, by their written names."""


class Engine:
    """Translates the expressions of one set of coordinates and differentiates them.

    `q`, `v`, `a` are the engine's symbols of positions, velocities and accelerations in the order of
    the coordinates, `t` is time. Parameters get their symbols when they are first met. `given` holds the
    tables and Python functions met so far, by name.
    """

    def __init__(self, coordinates: Sequence[Any]) -> None:
        names = [name_of(x) for x in coordinates]
        self.q = [se.Symbol(name) for name in names]
        self.v = [se.Symbol(name + "'") for name in names]
        self.a = [se.Symbol(name + "''") for name in names]
        self.t = se.Symbol("t")
        self._inward: dict[Any, Any] = {t: self.t}
        for x, q, v, a in zip(coordinates, self.q, self.v, self.a, strict=True):
            velocity, acceleration = _derivatives(x)
            self._inward |= {x: q, velocity: v, acceleration: a}
        self._outward: dict[Any, Any] = {inside: outside for outside, inside in self._inward.items()}
        self._bent = False  # whether anything with a kink has been met
        self._roots = False
        self._angles: dict[Any, tuple[Any, bool]] = {}
        self.given: dict[str, Any] = {}
        self._sources: dict[str, DataDerivative] = {}  # by their names inside

    def inward(self, expression: Any) -> Any:
        """The SymEngine form of a SymPy expression in the formula language."""
        return _translated(expression, self._inward, self._make_inward)

    def outward(self, expression: Any) -> Any:
        """The SymPy form of a SymEngine expression."""
        return _translated(expression, self._outward, self._make_outward)

    @property
    def known(self) -> tuple[Any, ...]:
        """The coordinates and their derivatives, as SymPy writes them."""
        return tuple(self._outward[x] for x in (*self.q, *self.v, *self.a))

    def fork(self) -> Engine:
        """Another engine of the same coordinates that knows what this one does and keeps what it meets to itself."""
        other = object.__new__(Engine)
        other.__dict__ |= self.__dict__
        other._inward, other._outward, other._angles = dict(self._inward), dict(self._outward), dict(self._angles)
        other.given, other._sources = dict(self.given), dict(self._sources)
        return other

    def joined(self, other: Engine) -> Engine:
        """An engine that knows what both do."""
        joint = self.fork()
        joint._inward |= other._inward
        joint._outward |= other._outward
        joint._bent |= other._bent
        joint._roots |= other._roots
        joint.given |= other.given
        joint._sources |= other._sources
        return joint

    def given_of(self, function: Any) -> DataDerivative:
        """What a function symbol stands for: `.data`, a Table or PythonFunction, and `.orders` of its derivative."""
        label = str(function.get_name())
        if label not in self._sources:
            name, orders = decoded(function)
            self._sources[label] = DataDerivative(self.given[name], orders)
        return self._sources[label]

    def stand_in(self, function: Any) -> Any:
        """A symbol inside for another function of time, such as a pseudovelocity; it comes outward as that function."""
        symbol = se.Symbol(f"{name_of(function)}(t)")
        self._outward[symbol] = function
        return symbol

    def normal(self, expression: Any) -> Any:
        """The SymPy expression that comes back unchanged from the engine: the same for all that the engine finds equal.

        SymEngine and SymPy each join what the other left apart (1/(2*x) under a root, for example), so the way
        is gone until nothing changes; the first time nearly always settles it.
        """
        for _ in range(ROUNDS):
            again = self.outward(self.inward(expression))
            if again == expression:
                break
            expression = again
        return expression

    def column(self, entries: Iterable[Any]) -> sp.ImmutableMatrix:
        """The engine's entries as a SymPy column."""
        entries = list(entries)
        return sp.ImmutableMatrix(len(entries), 1, [self.outward(e) for e in entries])

    def matrix(self, rows: Sequence[Sequence[Any]]) -> sp.ImmutableMatrix:
        """The engine's rows as a SymPy matrix."""
        return sp.ImmutableMatrix([[self.outward(e) for e in row] for row in rows])

    def derivative(self, expression: Any, symbol: Any) -> Any:
        """The partial derivative by a symbol, with d|x| = sign x dx, d sign x = 0 and the branch of min and max."""
        return chain_rule(expression, symbol, self._plain) if self.given else self._plain(expression, symbol)

    def _plain(self, expression: Any, symbol: Any) -> Any:
        """The derivative of an expression without given functions."""
        found = expression.diff(symbol)
        # SymEngine leaves the derivative of a kink unevaluated; looking for one costs a walk.
        return resolve_kinks(found, {}) if self._bent else found

    def _make_inward(self, e: Any, arguments: list[Any]) -> Any:
        if e.is_Add:
            return se.Add(*arguments)
        if e.is_Mul:
            return se.Mul(*arguments)
        if e.is_Pow:
            return arguments[0] ** arguments[1]
        if e.is_Symbol:
            symbol = se.Symbol(e.name)
            self._outward[symbol] = e
            return symbol
        if e.is_Number:
            return _number_inward(e)
        if e in _CONSTANTS:
            return _CONSTANTS[e]
        if e.func in BY_CLASS:
            self._bent |= e.func in _BENT
            return ENGINE_FUNCTIONS[BY_CLASS[e.func].name](*arguments)
        if isinstance(e, sp.Piecewise):
            *first, (last, condition) = arguments
            if isinstance(last, se.Piecewise):  # cases in the last case continue the list
                first += zip(last.args[::2], last.args[1::2], strict=True)
            else:
                first.append((last, condition))
            same = all(value == first[0][0] for value, _ in first)
            return first[0][0] if same else se.Piecewise(*first)
        if isinstance(e, ExprCondPair):
            return tuple(arguments)
        if e.func in _RELATION_INWARD:
            return _RELATION_INWARD[e.func](*arguments)
        if isinstance(e, DataDerivative):
            return self._function_inward(e)
        if isinstance(e, DataCall):
            function, *inside = arguments
            return function(*inside)
        raise TypeError(f"no engine form for {e} of class {e.func}")

    def _function_inward(self, source: DataDerivative) -> Any:
        data = source.data
        if self.given.setdefault(data.name, data) != data:
            raise LienketError(f"Two different functions are both named {data.name!r}. Give one of them another name.")
        label = code(data.name, source.orders)
        self._sources[label] = source
        return se.Function(label)

    def _make_outward(self, e: Any, arguments: list[Any]) -> Any:
        if e.is_Add:
            return sp.Add(*arguments) if self._roots else canonical_sum(arguments)
        if e.is_Mul:
            return sp.Mul(*arguments) if self._roots else canonical_product(arguments)
        if e.is_Pow:
            # sqrt(2)*sqrt(3) is one root in SymPy and two here, so from now on SymPy has to look itself.
            self._roots |= bool(arguments[0].is_Number)
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
                return arguments[0]  # the same in every case, as a slope often is
            return sp.Piecewise(*zip(arguments[::2], arguments[1::2], strict=True), evaluate=False)
        if kind in _RELATION_OUTWARD:
            return _RELATION_OUTWARD[kind](*arguments, evaluate=False)
        if kind is se.FunctionSymbol:
            return DataCall(self.given_of(e), *arguments)
        raise TypeError(f"no SymPy form for {e} of class {kind}")


@lru_cache(maxsize=4096)
def _derivatives(x: Any) -> tuple[Any, Any]:
    """The velocity and the acceleration of a coordinate; SymPy takes its time to make them."""
    return sp.Derivative(x, t), sp.Derivative(x, (t, 2))


def _translated(expression: Any, known: dict[Any, Any], make: Callable[[Any, list[Any]], Any]) -> Any:
    """The translation of an expression, its parts first; without recursion, so that depth does not matter."""
    todo = [(expression, expression.args)]  # SymEngine makes `args` anew on each call, so they are kept
    while todo:
        e, arguments = todo[-1]
        missing = [a for a in arguments if a not in known]
        if missing and e not in known:
            todo.extend((a, a.args) for a in missing)
            continue
        todo.pop()
        if e not in known:
            known[e] = make(e, [known[a] for a in arguments])
    return known[expression]


def _number_inward(e: Any) -> Any:
    if e.is_Integer:
        return se.Integer(int(e))
    return se.Rational(int(e.p), int(e.q)) if e.is_Rational else se.RealDouble(float(e))


def _number_outward(e: Any) -> Any:
    if isinstance(e, se.Integer):
        return sp.Integer(int(e))
    return sp.Rational(int(e.p), int(e.q)) if isinstance(e, se.Rational) else sp.Float(float(e))
