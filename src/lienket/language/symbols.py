"""The symbols of a system: coordinates, parameters, time and derivatives.

Coordinates are SymPy functions of time, equal to `sympy.physics.mechanics.dynamicsymbols`, so that a
model written for that package can be used unchanged. Parameters are plain SymPy symbols.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import sympy as sp
from sympy.core.function import AppliedUndef

from .expression import Coordinate, Expression, ExpressionLike

t: sp.Symbol = sp.Symbol("t")
"""Time, equal to `dynamicsymbols._t` of `sympy.physics.mechanics`."""


def split_names(names: str) -> list[str]:
    """Return the names in a text such as "x y" or "x, y"; a comma in braces, as in I_{1,zz}, belongs to the name."""
    if not isinstance(names, str):
        raise TypeError(f"names must be one text, as in coordinates('x y phi'), not {names!r}")
    separate = re.sub(r",(?![^{}]*\})", " ", names).split()
    if not separate:
        raise ValueError("no name was given; write for example coordinates('x y phi')")
    return separate


def coordinates(names: str, **assumptions: bool) -> Any:
    """Return generalized coordinates q_i(t), one SymPy function of time for each name.

    Parameters
    ----------
    names : str
        Names separated by spaces or commas.
    **assumptions : bool
        Assumptions of SymPy, such as real=True.

    Returns
    -------
    Expr or tuple of Expr
        One coordinate for one name, a tuple for several, as with `sympy.symbols`.

    Examples
    --------
    >>> x, y, phi = lk.coordinates("x y phi")
    >>> x
    x(t)
    """
    functions = tuple(sp.Function(name, **assumptions)(t) for name in split_names(names))
    return functions if len(functions) > 1 else functions[0]


def parameters(names: str, **assumptions: bool) -> Any:
    """Return constant parameters, one SymPy symbol for each name.

    Parameters
    ----------
    names : str
        Names separated by spaces or commas.
    **assumptions : bool
        Assumptions of SymPy, such as positive=True.

    Returns
    -------
    Symbol or tuple of Symbol
        One parameter for one name, a tuple for several.

    Raises
    ------
    ValueError
        If there is no name, or one is t, which is the time.

    Examples
    --------
    >>> m, g = lk.parameters("m g")
    >>> m*g
    g*m
    """
    separate = split_names(names)
    if t.name in separate:
        raise ValueError("t is the time, lk.t; give the parameter another name")
    symbols = tuple(sp.Symbol(name, **assumptions) for name in separate)
    return symbols if len(symbols) > 1 else symbols[0]


def der(expression: ExpressionLike, order: int = 1) -> Expression:
    """Return the total derivative d^order/dt^order of a coordinate or an expression of coordinates.

    Parameters
    ----------
    expression : Expr
        Coordinate or expression of coordinates, their derivatives, time and parameters.
    order : int
        Order of the derivative, 1 for velocities, 2 for accelerations.

    Returns
    -------
    Expr
        The derivative; der(x) is x.diff(t).

    Raises
    ------
    TypeError
        If the expression is a text, a list or a parameter.
    ValueError
        If the order is not a positive integer.

    Examples
    --------
    >>> x = lk.coordinates("x")
    >>> der(x**2)
    2*x(t)*Derivative(x(t), t)
    """
    if not isinstance(order, (int, sp.Integer, np.integer)) or isinstance(order, bool) or order < 1:
        raise ValueError(f"the order of a derivative must be a positive integer, not {order!r}")
    if isinstance(expression, str):
        raise TypeError(f"der takes a symbol, not the text {expression!r}; write x = lk.coordinates('x') and der(x)")
    if isinstance(expression, (np.ndarray, list, tuple)):
        raise TypeError("der takes one expression; for several write [der(x) for x in ...]")
    if isinstance(expression, sp.Symbol) and expression != t:
        raise TypeError(
            f"der({expression}): {expression} is a constant, so its derivative is zero; "
            f"if it varies in time, make it a coordinate: {expression} = lk.coordinates('{expression}')"
        )
    return sp.diff(expression, t, int(order))


def velocity(coordinate: Coordinate, order: int = 1) -> sp.Derivative:
    """Return q' (or q'' for order 2) of a coordinate, as it appears in expressions."""
    return sp.Derivative(coordinate, (t, order)) if order > 1 else sp.Derivative(coordinate, t)


def is_coordinate_like(expression: object) -> bool:
    """Return whether the expression is an undefined function of time alone, f(t), as a coordinate must be."""
    return isinstance(expression, AppliedUndef) and expression.args == (t,)


def name_of(symbol: Expression) -> str:
    """Return the name of a coordinate x(t), a parameter m or a derivative of a coordinate (x', x'')."""
    if isinstance(symbol, sp.Derivative):
        return name_of(symbol.expr) + "'" * int(symbol.derivative_count)
    return str(symbol.func.__name__) if isinstance(symbol, AppliedUndef) else str(symbol.name)
