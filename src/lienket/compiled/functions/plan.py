"""A plan: what a compiled function writes, as blocks of nodes.

What a function of machine code computes, before it is written.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...foundation.frozen_dataclass import dataclass
from .saddle_layout import SaddleLayout


@dataclass(frozen=True)
class Block:
    """A named array of nodes, row by row."""

    name: str
    shape: tuple[int, ...]
    nodes: tuple[int, ...]


@dataclass(frozen=True)
class Plan:
    """A function: its blocks and the comparisons that must hold for its numbers to be trusted.

    With `dense` the nodes are the entries of a matrix instead, and the blocks have none: they are solved for.
    """

    name: str
    blocks: tuple[Block, ...]
    conditions: tuple[int, ...] = ()
    dense: SaddleLayout | None = None
    entries: tuple[tuple[int, int], ...] = ()

    def outputs(self) -> list[tuple[int, int]]:
        """(place, node) of everything to be stored."""
        if self.dense is not None:
            return list(self.entries)
        return list(enumerate(x for block in self.blocks for x in block.nodes))

    def roots(self) -> list[int]:
        """Every node it needs."""
        return [*(x for _, x in self.outputs()), *self.conditions]


def matrix(name: str, rows: Iterable[Iterable[int]], columns: int) -> Block:
    """A block of rows."""
    listed = [tuple(row) for row in rows]
    return Block(name, (len(listed), columns), tuple(x for row in listed for x in row))


def vector(name: str, nodes: Iterable[int]) -> Block:
    """A block of one row."""
    listed = tuple(nodes)
    return Block(name, (len(listed),), listed)


@dataclass(frozen=True)
class Written:
    """What a function computes: out[k] = node for each pair, and the comparisons that must hold.

    With `dense` the pairs fill the matrix of a system that is then solved (see `emit.dense_solver`).
    """

    name: str
    outputs: tuple[tuple[int, int], ...]
    conditions: tuple[int, ...] = ()
    dense: SaddleLayout | None = None

    @property
    def size(self) -> int:
        """How many numbers it writes."""
        return len(self.outputs) if self.dense is None else self.dense.n + self.dense.s

    def roots(self) -> list[int]:
        """Every node it needs."""
        return [*(x for _, x in self.outputs), *self.conditions]


def given_name(function: Any, orders: tuple[int, ...]) -> str:
    """The name in the code of a Python function or of its derivative, by which its address is looked up."""
    return f"given.{id(function.callable_of(orders)):x}.{'.'.join(map(str, orders))}"
