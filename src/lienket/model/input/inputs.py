"""Reader of inputs: which functions of time they are, and what is stated for each."""

from __future__ import annotations

import inspect
import math
import numbers
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
import sympy as sp
from sympy.core.function import AppliedUndef

from ...errors import ExpressionError, Faults, did_you_mean
from ...language.as_expression import as_expression
from ...language.data_functions import PythonFunction, Table
from ...language.engine.engine import Engine
from ...language.expression import Coordinate, Expression
from ...language.input_functions import InputValue, Sampled
from ...language.names import name_among, name_problem
from ...language.short_text import short_text
from ...language.symbols import is_coordinate_like, name_of, t, velocity
from ...language.text import read_expression
from ...language.traversal import find_cached
from ..checks.inputs import check_input_symbols, check_input_uses
from ..checks.statement import check_data_functions, check_motion
from ..statement import Statement
from .finite_number import finite_number
from .later_values import settled

DIFFERENCE_STEP = 6e-6  # [1] relative step of central differences of Python functions, the cube root of rounding
CALLS_CACHED = 256  # [functions] Python functions of (t, q, v) with their numbers as separate arguments

_HOW = "Create inputs with F = lk.inputs('F') and list them: inputs=[F]."
_WHAT = "a number, an expression, a table, a Python function of (t, q, v) or lk.Sampled(...)"


def read_input_symbols(
    stated: object, coordinates: tuple[Coordinate, ...], faults: Faults
) -> tuple[tuple[Coordinate, InputValue], ...]:
    """Return (input, None) for each function of time in a list of inputs."""
    if isinstance(stated, str) or not isinstance(stated, Iterable):
        stated = [stated]
    taken = {name_of(x): "a coordinate" for x in coordinates}
    symbols: list[Coordinate] = []
    for F in stated:
        if not is_coordinate_like(F):
            faults.add("inputs", f"{short_text(F)} is not a function of time", _HOW)
            continue
        label = name_of(F)
        if label in taken:
            faults.add("inputs", f"{label} is {taken[label]} too")
        elif name_problem(label):
            faults.add("inputs", name_problem(label))
        else:
            taken[label] = "an input"
            symbols.append(F)
    return tuple((F, None) for F in symbols)


def with_inputs(statement: Statement, stated: object) -> Statement:
    """Return the statement with what a mapping states for its inputs; raises ModelError with all faults."""
    if stated is None:
        return statement
    faults = Faults()
    pairs = dict(statement.inputs)
    symbols = {name_of(F): F for F in pairs}
    if not isinstance(stated, Mapping):
        faults.add("inputs", f"a mapping from inputs to {_WHAT} was expected, not {short_text(repr(stated))}")
        stated = {}
    labels = [name_among(key, list(symbols)) for key in stated]
    for label, entry in zip(labels, stated.values(), strict=True):
        if label in symbols and labels.count(label) > 1:
            faults.add("inputs", f"{label} has two entries")
        elif label in symbols:
            pairs[symbols[label]] = _read_input(label, entry, statement, faults)
        elif not symbols:
            faults.add("inputs", f"this system has no inputs, so {label!r} is not one", _HOW)
        else:
            faults.add("inputs", f"{label!r} is not an input of this system{did_you_mean(label, symbols)}")
    extended = settled(replace(statement, inputs=tuple(pairs.items())), faults)
    if not faults:
        if any(isinstance(e, sp.Basic) for e in pairs.values()):
            check_data_functions(extended, faults)
        check_input_uses(extended, faults)
    faults.raise_any("The mapping of inputs")
    return extended


def _read_input(name: str, entry: object, statement: Statement, faults: Faults) -> InputValue:
    """Return what an input is: None, a float, a Sampled or an expression."""
    where, q = f"input {name!r}", statement.coordinates
    if entry is None or isinstance(entry, Sampled):
        return entry
    if isinstance(entry, (bool, np.bool_)):
        faults.add(where, f"{_WHAT} was expected, not {entry!r}")
        return None
    if isinstance(entry, numbers.Real) and not isinstance(entry, sp.Basic):
        return finite_number(entry, where, "it", faults)
    if isinstance(entry, Table) or (isinstance(entry, PythonFunction) and entry.arguments == 1):
        return entry(t)
    if isinstance(entry, PythonFunction):
        faults.add(where, f"the function {entry.name!r} takes {entry.arguments} arguments", "Apply it: u(lk.t, x).")
        return None
    if callable(entry) and not isinstance(entry, sp.Basic):
        return _python_input(statement.aliases.get(name, name), entry, q, where, faults)
    return _read_expression(entry, where, statement, faults)


def _read_expression(entry: object, where: str, statement: Statement, faults: Faults) -> Expression | float | None:
    """Return an expression of q, q', t and parameters, from an expression or a text; a float if it is a number."""
    if isinstance(entry, str):
        try:
            entry = read_expression(entry, _names(statement))
        except ExpressionError as error:
            faults.add(where, str(error))
            return None
    expression = as_expression(entry, where, faults)
    other = find_cached(expression, AppliedUndef) & {F for F, _ in statement.inputs}
    if other:
        faults.add(where, f"it contains the input {name_of(min(other, key=str))}", "Write what that input is instead.")
        return None
    check_motion(where, expression, 1, replace(statement, inputs=()), faults)
    check_input_symbols(where, expression, statement, faults)
    if expression.is_number:
        if not expression.is_real or not math.isfinite(float(expression)):
            faults.add(where, f"a real number was expected, not {short_text(expression)}")
            return None
        return float(expression)
    return None if faults else Engine(statement.coordinates).normal(expression)


def _names(statement: Statement) -> dict[str, Any]:
    """Return what a text may refer to, by name or alias."""
    named = {name_of(x): x for x in (*statement.coordinates, *statement.parameters)}
    symbols = {name: sp.Symbol(name) for table, name, _ in statement.later if table == "values"}
    symbols |= {statement.aliases.get(name, name): x for name, x in named.items()}
    return symbols | {data.name: data for data in statement.data_functions}


def _python_input(name: str, call: Callable[..., Any], q: tuple[Any, ...], where: str, faults: Faults) -> Any:
    """Return the expression name(t, q, q') that calls a Python function of (t, q, v)."""
    try:
        inspect.signature(call).bind(0.0, (), ())
    except TypeError as error:
        faults.add(where, f"the function must take (t, q, v): {error}", "Write for example lambda t, q, v: -3*q[0].")
        return None
    except ValueError:
        pass  # a callable written in C may have no signature
    function, slopes = _of_numbers(_SameCall(call), len(q))
    return PythonFunction(name, function, 1 + 2 * len(q), slopes)(t, *q, *(velocity(x) for x in q))


class _SameCall:
    """A function of the user, equal to the same function only, whatever its own equality and hash are."""

    def __init__(self, call: Callable[..., Any]) -> None:
        self.call = call

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _SameCall) and (
            self.call is other.call or (inspect.ismethod(self.call) and self.call == other.call)
        )

    def __hash__(self) -> int:
        return hash((id(self.call.__self__), self.call.__func__) if inspect.ismethod(self.call) else id(self.call))


@lru_cache(maxsize=CALLS_CACHED)
def _of_numbers(same: _SameCall, n: int) -> tuple[Callable[..., float], tuple[Callable[..., float], ...]]:
    """Return a function of (t, q, v) as a function of 1 + 2 n numbers, and its partial derivatives by differences.

    The derivatives serve Newton's method of implicit integrators, which needs them only roughly.
    """
    call = same.call

    def function(*values: float) -> float:
        return float(call(values[0], np.array(values[1 : n + 1]), np.array(values[n + 1 :])))

    def slope(k: int) -> Callable[..., float]:
        def derivative(*values: float) -> float:
            step = DIFFERENCE_STEP * (1 + abs(values[k]))
            ends = [(*values[:k], values[k] + side * step, *values[k + 1 :]) for side in (1, -1)]
            return (function(*ends[0]) - function(*ends[1])) / (2 * step)

        return derivative

    return function, tuple(slope(k) for k in range(1 + 2 * n))
