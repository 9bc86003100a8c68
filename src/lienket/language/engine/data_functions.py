"""Tables and Python functions in SymEngine: names, derivatives, and generic stand-ins for tests at random points.

    SymPy      road(t)      road'(t)     u(t, x)        du/dx
    SymEngine  road[0](t)   road[1](t)   u[0,0](t, x)   u[0,1](t, x)

In SymEngine they are function symbols whose name contains the orders of the derivative; the Engine maps the name
to the data.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import lru_cache

import symengine as se

ZERO, ONE = se.Integer(0), se.Integer(1)
STAND_IN_WAVES = 2  # [1] sine terms of the generic function that replaces a data function

Derivative = Callable[[se.Expr, se.Symbol], se.Expr]
"""The derivative of an expression by a symbol."""


def encode_name(name: str, orders: tuple[int, ...]) -> str:
    """Return the SymEngine name of a data function or of its derivative."""
    return f"{name}[{','.join(map(str, orders))}]"


def decode_name(function: se.Expr) -> tuple[str, tuple[int, ...]]:
    """Return the name and the orders of derivative of a function symbol."""
    name, _, orders = str(function.get_name()).rstrip("]").partition("[")
    return name, tuple(int(order) for order in orders.split(","))


@lru_cache(maxsize=256)  # an expression is differentiated by several symbols in succession
def functions_in(e: se.Expr) -> frozenset[se.Expr]:
    """Return the data functions in an expression, including those in arguments."""
    return frozenset(e.atoms(se.FunctionSymbol))


def chain_rule(e: se.Expr, symbol: se.Symbol, derivative: Derivative) -> se.Expr:
    """Return the derivative de/dx + sum_k de/df_k sum_i f_k,i du_i/dx with the data functions f_k(u_1, ...).

    `derivative` differentiates an expression without data functions. SymEngine itself would leave the derivatives of
    function symbols unevaluated.
    """
    functions = sorted(functions_in(e), key=str)
    if not functions:
        return derivative(e, symbol)
    symbols = {f: se.Symbol(f"#{k}") for k, f in enumerate(functions)}  # '#' occurs in no user-defined name
    outer = e.subs(symbols)  # outermost first: a function within an argument of another is not replaced
    present = outer.free_symbols
    terms = [derivative(outer, symbol)]
    for f, stand_in in symbols.items():
        if stand_in in present:
            slope = se.Add(*_slopes(f, symbol, derivative))
            if slope != 0:
                terms.append(derivative(outer, stand_in) * slope)
    return se.Add(*terms).subs({stand_in: f for f, stand_in in symbols.items()})


def _slopes(f: se.Expr, symbol: se.Symbol, derivative: Derivative) -> list[se.Expr]:
    """Return the nonzero terms f_i(u) du_i/dx."""
    name, orders = decode_name(f)
    terms = []
    for index, argument in enumerate(f.args):
        inner = chain_rule(argument, symbol, derivative)
        if inner != 0:
            raised = tuple(order + (i == index) for i, order in enumerate(orders))
            terms.append(se.Function(encode_name(name, raised))(*f.args) * inner)
    return terms


def generic(e: se.Expr) -> se.Expr:
    """Replace each data function by a generic analytic function, for tests at random points.

    Whether an expression vanishes, or a row depends on others, is decided for arbitrary functions: a table has values
    only between its ends and only the digits of its measurement, and a controller must not be called at random states.
    The stand-in depends on the name, is defined everywhere, and its derivatives are consistent, so that identities
    hold and Newton's method converges; properties of the particular data are not detected.
    """
    return _replaced(e) if functions_in(e) else e


@lru_cache(maxsize=4096)
def _replaced(e: se.Expr) -> se.Expr:
    return e.subs({f: _stand_in(f) for f in functions_in(e)})


def _stand_in(f: se.Expr) -> se.Expr:
    """Return the derivative, by the orders of f, of c + sum_i a_i u_i + sum_j b_j sin(w_j . u + p_j)."""
    name, orders = decode_name(f)
    arguments = [generic(a) for a in f.args]
    c, slopes, waves = _coefficients(name, len(arguments))
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
def _coefficients(
    name: str, arguments: int
) -> tuple[se.Expr, list[se.Expr], list[tuple[se.Expr, list[se.Expr], se.Expr]]]:
    """Return the coefficients c, a_i and (b_j, w_j, p_j) of a name; the slopes may have either sign."""
    source = random.Random(f"{name}/{arguments}")  # seeded by the name, so that results are reproducible

    def number(least: float, most: float) -> se.Expr:
        return se.Rational(round(source.uniform(least, most) * 10**6), 10**6)

    slopes = [number(0.4, 0.6) for _ in range(arguments)]
    waves = [
        (number(0.5, 0.8), [number(0.9, 1.9) for _ in range(arguments)], number(-3, 3)) for _ in range(STAND_IN_WAVES)
    ]
    return number(0.2, 1), slopes, waves
