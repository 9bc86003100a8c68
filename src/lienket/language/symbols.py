"""The symbols a user writes a system with: coordinates, parameters, time and derivatives.

Coordinates are SymPy functions of time, equal to `sympy.physics.mechanics.dynamicsymbols`, so that a
model written for that package can be handed over as it is. Parameters are plain SymPy symbols.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp
from sympy.core.function import AppliedUndef

t: sp.Symbol = sp.Symbol("t")
"""Time; the same symbol as `dynamicsymbols._t`."""


def split_names(names: str) -> list[str]:
    """The single names in a text such as "x y" or "x, y"."""
    if not isinstance(names, str):
        raise TypeError(f"names are given in one text, as in coordinates('x y phi'), not as {names!r}")
    found = names.replace(",", " ").split()
    if not found:
        raise ValueError("no name given: write for example coordinates('x y phi')")
    return found


def coordinates(names: str, **assumptions: bool) -> Any:
    """Generalized coordinates q_i(t), one SymPy function of time for each name.

    `names` separates them by spaces or commas. One name gives one coordinate, several give a tuple, as
    `sympy.symbols` does. `assumptions` are SymPy's (real=True, ...).

        x, y, phi = lk.coordinates("x y phi")
    """
    made = tuple(sp.Function(name, **assumptions)(t) for name in split_names(names))
    return made if len(made) > 1 else made[0]


def parameters(names: str, **assumptions: bool) -> Any:
    """Constants of the system, one SymPy symbol for each name; see `coordinates` for the form of `names`.

    m, g = lk.parameters("m g")
    """
    made = tuple(sp.Symbol(name, **assumptions) for name in split_names(names))
    return made if len(made) > 1 else made[0]


def der(expression: Any, order: int = 1) -> Any:
    """The total derivative d^order/dt^order of a coordinate or of an expression of coordinates.

    der(x) is x.diff(t); der(x, 2) the acceleration. In model files the same is written as text.
    """
    if not isinstance(order, (int, sp.Integer, np.integer)) or isinstance(order, bool) or order < 1:
        raise ValueError(f"the order of a derivative is a whole number from 1 on, not {order!r}")
    if isinstance(expression, str):
        raise TypeError(f"der takes a symbol, not the text {expression!r}: x = lk.coordinates('x'); der(x)")
    if isinstance(expression, (np.ndarray, list, tuple)):
        raise TypeError("der takes one expression; for several write [der(x) for x in ...]")
    if isinstance(expression, sp.Symbol) and expression != t:
        raise TypeError(
            f"der({expression}): {expression} is a constant, its derivative is zero; "
            f"if it moves, make it a coordinate: {expression} = lk.coordinates('{expression}')"
        )
    return sp.diff(expression, t, int(order))


def is_coordinate_like(expression: Any) -> bool:
    """Whether this is a function of time alone, f(t), as a coordinate must be."""
    return isinstance(expression, AppliedUndef) and expression.args == (t,)


def name_of(symbol: Any) -> str:
    """The bare name of a coordinate x(t), a parameter m or a derivative of a coordinate (x', x'')."""
    if isinstance(symbol, sp.Derivative):
        return name_of(symbol.expr) + "'" * int(symbol.derivative_count)
    return str(symbol.func.__name__) if isinstance(symbol, AppliedUndef) else str(symbol.name)
