"""Tables and Python functions in the engine: how they are named there, differentiated, and put to the test at points.

    SymPy   road(t)      road'(t)     u(t, x)        du/dx
    inside  road[0](t)   road[1](t)   u[0,0](t, x)   u[0,1](t, x)

Inside they are function symbols whose name holds the orders of the derivative; what the name stands for, the Engine
knows.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import symengine as se

ZERO, ONE = se.Integer(0), se.Integer(1)
WAVES = 2


def code(name: str, orders: tuple[int, ...]) -> str:
    """The name inside of a given function or of its derivative."""
    return f"{name}[{','.join(map(str, orders))}]"


def decoded(function: Any) -> tuple[str, tuple[int, ...]]:
    """The name and the orders of a function symbol."""
    name, _, orders = str(function.get_name()).rstrip("]").partition("[")
    return name, tuple(int(order) for order in orders.split(","))


@lru_cache(maxsize=256)  # an expression is differentiated by one symbol after another
def functions_in(e: Any) -> frozenset[Any]:
    """The given functions in an expression, with those in their arguments."""
    return frozenset(e.atoms(se.FunctionSymbol))


def chain_rule(e: Any, symbol: Any, derivative: Callable[[Any, Any], Any]) -> Any:
    """The derivative by a symbol, de/dx + sum_k de/df_k sum_i f_k,i du_i/dx for the given functions f_k(u_1, ...).

    `derivative` does the same for an expression without given functions. SymEngine itself would leave derivatives of
    unknown functions unevaluated.
    """
    functions = sorted(functions_in(e), key=str)
    if not functions:
        return derivative(e, symbol)
    symbols = {f: se.Symbol(f"#{k}") for k, f in enumerate(functions)}  # no name of a user has such a sign
    outer = e.subs(symbols)  # from the outside: what stands in the argument of another is not replaced
    present = outer.free_symbols
    terms = [derivative(outer, symbol)]
    for f, stands in symbols.items():
        if stands in present:
            slope = se.Add(*_slopes(f, symbol, derivative))
            if slope != 0:
                terms.append(derivative(outer, stands) * slope)
    return se.Add(*terms).subs({stands: f for f, stands in symbols.items()})


def _slopes(f: Any, symbol: Any, derivative: Callable[[Any, Any], Any]) -> list[Any]:
    """The terms f_i(u) du_i/dx."""
    name, orders = decoded(f)
    found = []
    for place, argument in enumerate(f.args):
        inner = chain_rule(argument, symbol, derivative)
        if inner != 0:
            raised = tuple(order + (i == place) for i, order in enumerate(orders))
            found.append(se.Function(code(name, raised))(*f.args) * inner)
    return found


def generic(e: Any) -> Any:
    """The expression with a generic function in place of each given one, for tests at random points.

    Whether something vanishes, or a row follows from others, is asked for functions in general: a table has values
    only between its ends and no more digits than it was measured with, and a controller may not be called at random.
    The stand-in is analytic, differs by name, has no bounds, and its derivatives are its own, so that identities hold
    for it and Newton's method can follow it; what holds only for these very numbers is not seen.
    """
    return _replaced(e) if functions_in(e) else e


@lru_cache(maxsize=4096)
def _replaced(e: Any) -> Any:
    return e.subs({f: _stand_in(f) for f in functions_in(e)})


def _stand_in(f: Any) -> Any:
    """The derivative by its orders of c + sum_i a_i u_i + sum_j b_j sin(w_j . u + p_j)."""
    name, orders = decoded(f)
    arguments = [generic(a) for a in f.args]
    c, slopes, waves = _numbers(name, len(arguments))
    total = sum(orders)
    terms = []
    if total == 0:
        terms = [c, *(a * u for a, u in zip(slopes, arguments, strict=True))]
    elif total == 1:
        terms = [slopes[orders.index(1)]]
    for b, w, p in waves:
        angle = se.Add(p, *[w_i * u for w_i, u in zip(w, arguments, strict=True)])
        factor = se.Mul(b, *[w_i**order for w_i, order in zip(w, orders, strict=True)])
        wave = se.cos(angle) if total % 2 else se.sin(angle)
        terms.append((-1) ** (total // 2) * factor * wave)
    return se.Add(*terms)


@lru_cache(maxsize=1024)
def _numbers(name: str, arguments: int) -> tuple[Any, list[Any], list[tuple[Any, list[Any], Any]]]:
    """The numbers c, a_i and (b_j, w_j, p_j) of a name; the slopes may have either sign."""
    source = random.Random(f"{name}/{arguments}")  # the same question gets the same answer

    def number(least: float, most: float) -> Any:
        return se.Rational(round(source.uniform(least, most) * 10**6), 10**6)

    slopes = [number(0.4, 0.6) for _ in range(arguments)]
    waves = [(number(0.5, 0.8), [number(0.9, 1.9) for _ in range(arguments)], number(-3, 3)) for _ in range(WAVES)]
    return number(0.2, 1), slopes, waves
