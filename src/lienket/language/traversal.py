"""Traversals that visit each distinct subexpression once; SymPy's own traversal visits every repetition."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import sympy as sp

from .expression import Node, Symbol

FIND_CACHE_SIZE = 4096  # [expressions] entries of the cache of searches


def subexpressions(expression: Node) -> Iterator[Node]:
    """Yield every distinct subexpression once, without recursion."""
    seen, todo = {expression}, [expression]
    while todo:
        node = todo.pop()
        yield node
        for argument in node.args:
            if argument not in seen:
                seen.add(argument)
                todo.append(argument)


def find(expression: Node, *kinds: type[Node]) -> set[Node]:
    """Return the subexpressions of these classes, like `expression.atoms(*kinds)`."""
    return {node for node in subexpressions(expression) if isinstance(node, kinds)}


@lru_cache(maxsize=FIND_CACHE_SIZE)
def find_cached(expression: Node, kind: type[Node]) -> frozenset[Node]:
    """Return the subexpressions of a class, cached: each added constraint repeats the search in all earlier ones.

    Not for classes of numbers: expressions that contain different classes of numbers may compare equal.
    """
    return frozenset(find(expression, kind))


def symbols_in(expression: Node) -> frozenset[Symbol]:
    """Return the symbols, time included, like `expression.free_symbols`."""
    return find_cached(expression, sp.Symbol)
