"""Nodes of a graph: the operation of each, its arguments, and the inputs on which it depends."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

Key = tuple[Any, ...]


class Nodes:
    """Nodes 0, 1, 2, ...: `operation`, `arguments` (nodes) and `data` (a number, an index) of each; none is removed.

    `depends` has one bit for each input on which a node depends. `factor_depth` is the depth of nested products in
    which common factors of a sum are searched; 0 switches the search off.
    """

    def __init__(self, factor_depth: int = 2) -> None:
        self.factor_depth = factor_depth
        self.operation: list[str] = []
        self.arguments: list[tuple[int, ...]] = []
        self.data: list[Any] = []
        self.depends: list[int] = []
        self.inputs: list[int] = []
        self._index: dict[Key, int] = {}
        self.has_sine_factor: list[bool] = []  # or a cosine
        self.zero = self.constant(0.0)
        self.one = self.constant(1.0)

    def __len__(self) -> int:
        return len(self.operation)

    def _node(self, operation: str, arguments: tuple[int, ...] = (), data: object = None) -> int:
        """Return the node of an operation, a new one if there is none yet."""
        key = (operation, arguments, data)
        node = self._index.get(key)
        if node is None:
            node = self._index[key] = len(self.operation)
            self.operation.append(operation)
            self.arguments.append(arguments)
            self.data.append(data)
            bits = 0
            for a in arguments:
                bits |= self.depends[a]
            self.depends.append(bits)
            inherited = operation == "product" and any(self.has_sine_factor[a] for a in arguments)
            self.has_sine_factor.append(inherited or operation in ("sin", "cos"))
        return node

    def find(self, operation: str, *arguments: int) -> int | None:
        """Return the node of an operation, or None if there is none."""
        return self._index.get((operation, arguments, None))

    # Leaves

    def constant(self, value: float) -> int:
        """Return the node of a number."""
        return self._node("constant", (), float(value) + 0.0)  # + 0.0 turns -0.0 into 0.0, so that both are one node

    def input(self) -> int:
        """Add an input; the k-th call adds input k."""
        return self.inputs_made((0,))[0]

    def inputs_made(self, order: Sequence[int]) -> list[int]:
        """Add as many inputs and return them; their nodes are made, and hence numbered, in this order."""
        first, added = len(self.inputs), [0] * len(order)
        for k in order:
            added[k] = node = self._node("input", (), first + k)
            self.depends[node] = 1 << (first + k)
        self.inputs += added
        return added

    def split(self, x: int) -> tuple[float, int]:
        """Return the number c and the base b of x = c b."""
        if self.operation[x] == "scale":
            return self.data[x], self.arguments[x][0]
        if self.operation[x] == "constant":
            return self.data[x], self.one
        return 1.0, x

    # Walks

    def below(self, roots: Iterable[int], bits: int | None = None) -> list[int]:
        """Return the roots and all nodes below them in order; with `bits` only those that depend on these inputs."""
        seen = {x for x in roots if bits is None or self.depends[x] & bits}
        todo = list(seen)
        while todo:
            for a in self.arguments[todo.pop()]:
                if a not in seen and (bits is None or self.depends[a] & bits):
                    seen.add(a)
                    todo.append(a)
        return sorted(seen)

    def operations(self, roots: Iterable[int]) -> int:
        """Count the operations below the roots: a sum of k terms counts k - 1, a factor other than -1 counts 1."""
        count = 0
        for x in self.below(roots):
            operation = self.operation[x]
            if operation == "sum":
                count += len(self.arguments[x]) - 1
            elif operation == "scale":
                count += self.data[x] != -1.0
            elif operation not in ("constant", "input"):
                count += 1
        return count
