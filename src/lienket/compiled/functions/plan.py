"""Plan of a compiled function: its results as blocks of nodes, and the conditions under which they are accurate."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING

from ...foundation.frozen_dataclass import dataclass
from .saddle_layout import SaddleLayout

if TYPE_CHECKING:
    from ...language.data_functions import PythonFunction


@dataclass(frozen=True)
class Block:
    """Named array of nodes, row by row."""

    name: str
    shape: tuple[int, ...]
    nodes: tuple[int, ...]


@dataclass(frozen=True)
class Plan:
    """Function to be compiled: its blocks, and the comparisons that must hold for its results to be accurate.

    `digits` are those that fail where digits may be lost, see `digit_guard`; a dense system checks its own results.

    With `dense` the results are the solution of a linear system (see `emit.dense_solver`): `entries` are (index, node)
    of its matrix, and the blocks have shapes but no nodes.
    """

    name: str
    blocks: tuple[Block, ...]
    conditions: tuple[int, ...] = ()
    dense: SaddleLayout | None = None
    entries: tuple[tuple[int, int], ...] = ()
    digits: tuple[int, ...] = ()

    @cached_property
    def outputs(self) -> tuple[tuple[int, int], ...]:
        """Pairs (index, node) of all numbers to be stored, in `out` or in the matrix."""
        if self.dense is not None:
            return self.entries
        return tuple(enumerate(x for block in self.blocks for x in block.nodes))

    @cached_property
    def roots(self) -> tuple[int, ...]:
        """Nodes of all outputs and conditions."""
        return (*(x for _, x in self.outputs), *self.conditions, *self.digits)

    @property
    def size(self) -> int:
        """Number of results in `out`."""
        return len(self.outputs) if self.dense is None else self.dense.n + self.dense.s


def matrix(name: str, rows: Iterable[Iterable[int]], columns: int) -> Block:
    """Return a block of rows."""
    listed = [tuple(row) for row in rows]
    return Block(name, (len(listed), columns), tuple(x for row in listed for x in row))


def vector(name: str, nodes: Iterable[int]) -> Block:
    """Return a block of one row."""
    listed = tuple(nodes)
    return Block(name, (len(listed),), listed)


def symbol_name(function: PythonFunction, orders: tuple[int, ...]) -> str:
    """Return the symbol in the code of a Python function or of its derivative, by which its address is found."""
    return f"given.{id(function.callable_of(orders)):x}.{'.'.join(map(str, orders))}"
