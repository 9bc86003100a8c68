"""Walks over expressions that meet each different piece once: SymPy's own walk a piece as often as it is repeated."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy as sp


def pieces(expression: Any) -> Iterator[Any]:
    """Every different piece of an expression, once, without recursion."""
    seen, todo = {expression}, [expression]
    while todo:
        piece = todo.pop()
        yield piece
        for argument in piece.args:
            if argument not in seen:
                seen.add(argument)
                todo.append(argument)


def found(expression: Any, *kinds: Any) -> set[Any]:
    """The pieces of these kinds, as `expression.atoms(*kinds)` gives them."""
    return {piece for piece in pieces(expression) if isinstance(piece, kinds)}


def symbols_in(expression: Any) -> set[Any]:
    """The symbols, time included, as `expression.free_symbols` gives them."""
    return found(expression, sp.Symbol)
