"""Walks over expressions that meet each different piece once: SymPy's own walk a piece as often as it is repeated."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import sympy as sp


def subexpressions(expression: Any) -> Iterator[Any]:
    """Every different piece of an expression, once, without recursion."""
    seen, todo = {expression}, [expression]
    while todo:
        piece = todo.pop()
        yield piece
        for argument in piece.args:
            if argument not in seen:
                seen.add(argument)
                todo.append(argument)


def find(expression: Any, *kinds: Any) -> set[Any]:
    """The pieces of these kinds, as `expression.atoms(*kinds)` gives them."""
    return {piece for piece in subexpressions(expression) if isinstance(piece, kinds)}


@lru_cache(maxsize=4096)
def find_cached(expression: Any, kind: Any) -> frozenset[Any]:
    """The pieces of a kind, and the answer is kept: each constraint added asks again of all that were there before.

    Not for kinds of numbers, as expressions may be equal that have another kind of number in them.
    """
    return frozenset(find(expression, kind))


def symbols_in(expression: Any) -> frozenset[Any]:
    """The symbols, time included, as `expression.free_symbols` gives them."""
    return find_cached(expression, sp.Symbol)
