"""The nodes of a graph: what each computes, from what, and on which inputs it depends."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

Key = tuple[Any, ...]


class Nodes:
    """Nodes 0, 1, 2, ...: `operation`, `arguments` (nodes) and `data` (a number, an index) of each; it only grows.

    `depends` has a bit for each input a node depends on. `factor_depth` says how deep in products of products a common
    factor of a sum is looked for, 0 for not at all.
    """

    def __init__(self, factor_depth: int = 2) -> None:
        self.factor_depth = factor_depth
        self.operation: list[str] = []
        self.arguments: list[tuple[int, ...]] = []
        self.data: list[Any] = []
        self.depends: list[int] = []
        self.inputs: list[int] = []
        self._known: dict[Key, int] = {}
        self.wavy: list[bool] = []  # whether a sine or cosine is a factor
        self.zero = self.constant(0.0)
        self.one = self.constant(1.0)

    def __len__(self) -> int:
        return len(self.operation)

    def _node(self, operation: str, arguments: tuple[int, ...] = (), data: Any = None) -> int:
        key = (operation, arguments, data)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = len(self.operation)
            self.operation.append(operation)
            self.arguments.append(arguments)
            self.data.append(data)
            bits = 0
            for a in arguments:
                bits |= self.depends[a]
            self.depends.append(bits)
            within = operation == "product" and any(self.wavy[a] for a in arguments)
            self.wavy.append(within or operation in ("sin", "cos"))
        return found

    def known(self, operation: str, *arguments: int) -> int | None:
        """The node of an operation if there is one."""
        return self._known.get((operation, arguments, None))

    # Leaves

    def constant(self, value: float) -> int:
        """A number."""
        return self._node("constant", (), float(value) + 0.0)  # no -0., which equals 0 but is another number

    def input(self) -> int:
        """A new input; the k-th one made is input k."""
        node = self._node("input", (), len(self.inputs))
        self.depends[node] = 1 << len(self.inputs)
        self.inputs.append(node)
        return node

    def split(self, x: int) -> tuple[float, int]:
        """The number c and the base b of x = c b."""
        if self.operation[x] == "scale":
            return self.data[x], self.arguments[x][0]
        if self.operation[x] == "constant":
            return self.data[x], self.one
        return 1.0, x

    # Walks

    def below(self, roots: Iterable[int], bits: int | None = None) -> list[int]:
        """The nodes that the roots are made of, in order; with `bits` only those that depend on such inputs."""
        seen = {x for x in roots if bits is None or self.depends[x] & bits}
        todo = list(seen)
        while todo:
            for a in self.arguments[todo.pop()]:
                if a not in seen and (bits is None or self.depends[a] & bits):
                    seen.add(a)
                    todo.append(a)
        return sorted(seen)

    def operations(self, roots: Iterable[int]) -> int:
        """How many operations compute the roots: a sum of k terms counts k - 1, a factor other than -1 counts 1."""
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
