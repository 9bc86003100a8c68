"""Four neighbouring results by one vector operation, where their formulas have equal structure.

The rows of a large matrix often hold one formula for many indices: m_i l_j (s_i s_j + c_i c_j). Four nodes with one
operation are computed together if their arguments can be: one node for all lanes (spread), neighbouring inputs (one
load), sines of one group (computed already), or recursively four nodes with one operation. A lane may be left open
(None) and filled later.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .sine import LANES, hexadecimal

if TYPE_CHECKING:
    from ..functions.plan import Plan
    from .llvm import Emitter

V = "<4 x double>"
Lanes = tuple[int | None, ...]
COSTS = {  # operations of each method to make a vector
    "gather": 4,
    "spread": 1,
    "constant": 0,
    "load": 1,
    "angles": 0,
    "scale": 1,
}
OPERATION_RATIO_FOR_VECTORS = 1.0  # [1] operations with vectors over operations without, below which vectors are used


class Packer:
    """Maker of vectors of four nodes within a function that is being emitted."""

    def __init__(self, emitter: Emitter) -> None:
        self._emitter, self._graph = emitter, emitter.graph
        self._vectors: dict[Lanes, str] = {}
        self._shapes: dict[tuple[int, int], int] = {}
        self._shape_numbers: dict[tuple[str, tuple[int, ...]], int] = {}
        self._methods: dict[Lanes, tuple[str, tuple[Lanes, ...]]] = {}

    def operations(self, plan: Plan) -> int:
        """Count the operations of the results of a plan."""
        return self._graph.operations(x for _, x in plan.outputs)

    def worthwhile(self, groups: Sequence[tuple[int, ...]]) -> bool:
        """Return whether vectors take fewer operations in all, although scalar code shares subexpressions as well.

        The count includes every vector once, and the single numbers that are still needed.
        """
        counted: set[Lanes] = set()
        single: list[int] = []
        for nodes in groups:
            odd = self._odd_one(nodes) if len(nodes) == LANES else None
            lanes = tuple(None if k == odd else x for k, x in enumerate(nodes))
            trial = set(counted)
            if len(nodes) < LANES or self._gain(lanes, trial) <= 0:
                single += nodes
                continue
            counted = trial
            single += [] if odd is None else [nodes[odd]]
        count = 0
        for lanes in counted:
            method, parts = self._method(lanes)
            filled = [x for x in lanes if x is not None]
            single += filled if method == "gather" else filled[:1] if method == "spread" else []
            count += COSTS.get(method, len(parts) - 1)
        scalar = self._graph.operations(x for nodes in groups for x in nodes)
        return count + self._graph.operations(single) < OPERATION_RATIO_FOR_VECTORS * scalar

    def vector(self, nodes: tuple[int, ...]) -> str | None:
        """Return the vector of four nodes, or None where it saves nothing."""
        odd = self._odd_one(nodes)
        lanes = tuple(None if k == odd else x for k, x in enumerate(nodes))
        if self._gain(lanes, set()) <= 0:
            return None
        packed = self._pack(lanes)
        if odd is None:
            return packed
        single = self._emitter.value(nodes[odd])
        return self._new(f"insertelement {V} {packed}, double {single}, i32 {odd}")

    def _odd_one(self, nodes: tuple[int, ...]) -> int | None:
        """Return the lane of the only node with another structure, as on a diagonal, or None."""
        shapes = [self._shape(x, 2) for x in nodes]
        for k in range(4):
            rest = shapes[:k] + shapes[k + 1 :]
            if rest[0] == rest[1] == rest[2] != shapes[k]:
                return k
        return None

    def _shape(self, x: int | None, depth: int) -> int:
        """Return a number shared by all nodes with equal structure down to a depth."""
        if x is None:
            return -1
        key = (x, depth)
        if key not in self._shapes:
            graph = self._graph
            operation = graph.operation[x]
            inner = () if depth == 0 or operation in ("constant", "input") else graph.arguments[x]
            parts = tuple(sorted(self._shape(a, depth - 1) for a in inner))
            self._shapes[key] = self._shape_numbers.setdefault((operation, parts), len(self._shape_numbers))
        return self._shapes[key]

    # Methods to compute four nodes

    def _method(self, lanes: Lanes) -> tuple[str, tuple[Lanes, ...]]:
        """Return (method, vectors that it takes), computed once."""
        if lanes not in self._methods:
            self._methods[lanes] = self._choose_method(lanes)
        return self._methods[lanes]

    def _choose_method(self, lanes: Lanes) -> tuple[str, tuple[Lanes, ...]]:
        """Return the first method that applies; "gather", from single numbers, always does."""
        graph = self._graph
        nodes = [x for x in lanes if x is not None]
        if len(set(nodes)) == 1:
            return "spread", ()
        operations = {graph.operation[x] for x in nodes}
        if len(operations) > 1:
            return "gather", ()
        (operation,) = operations
        if operation == "constant":
            return "constant", ()
        if operation == "input" and self._consecutive(lanes):
            return "load", ()
        if operation in ("sin", "cos") and self._emitter.group(lanes) is not None:
            return "angles", ()
        if operation == "product":
            return "product", self._factors(lanes)
        if operation == "scale":
            return "scale", (tuple(None if x is None else graph.arguments[x][0] for x in lanes),)
        if operation == "sum" and len({len(graph.arguments[x]) for x in nodes}) == 1:
            return "sum", self._terms(lanes)
        return "gather", ()

    def _consecutive(self, lanes: Lanes) -> bool:
        """Return whether the lanes are neighbouring inputs of one array, open lanes included."""
        slots = [(k, self._emitter.slot(x)) for k, x in enumerate(lanes) if x is not None]
        first, (pointer, start) = slots[0]
        adjacent = all(slot == (pointer, start + k - first) for k, slot in slots)
        # Open lanes are loaded too: they must lie within the array.
        return (
            adjacent and pointer != "t" and start - first >= 0 and (pointer, start - first + 3) in self._emitter.inputs
        )

    def _factors(self, lanes: Lanes) -> tuple[Lanes, Lanes]:
        """Return two vectors of factors: a common factor first, otherwise factors of equal structure together."""
        graph = self._graph
        pairs = [None if x is None else graph.arguments[x] for x in lanes]
        filled = [pair for pair in pairs if pair is not None]
        common = set(filled[0]).intersection(*filled[1:])
        if common:
            shared = min(common)
            rest = [None if p is None else p[1] if p[0] == shared else p[0] for p in pairs]
            return tuple(None if p is None else shared for p in pairs), tuple(rest)
        shape = self._shape(filled[0][0], 2)
        ordered = [None if p is None else p if self._shape(p[0], 2) == shape else (p[1], p[0]) for p in pairs]
        one, other = (tuple(None if p is None else p[k] for p in ordered) for k in (0, 1))
        return one, other

    def _terms(self, lanes: Lanes) -> tuple[Lanes, ...]:
        """Return vectors of terms, with terms of equal structure in one vector."""
        graph = self._graph
        columns = []
        for x in lanes:
            terms = () if x is None else graph.arguments[x]
            columns.append(sorted(terms, key=lambda a: (self._shape(a, 3), a)))
        count = max(map(len, columns))
        return tuple(tuple(column[k] if column else None for column in columns) for k in range(count))

    def _gain(self, lanes: Lanes, counted: set[Lanes]) -> int:
        """Estimate the instructions that a vector saves, without those of vectors already counted."""
        if lanes in counted or lanes in self._vectors:
            return 0
        counted.add(lanes)
        method, parts = self._method(lanes)
        gain = {"gather": -4, "spread": -1, "constant": 0, "load": 1, "angles": 1, "scale": 3}.get(method)
        if gain is None:
            gain = 3 * (len(parts) - 1)
        return gain + sum(self._gain(part, counted) for part in parts)

    # Instructions

    def _pack(self, lanes: Lanes) -> str:
        """Return the name of a vector, emitted once."""
        if lanes not in self._vectors:
            self._vectors[lanes] = self._emit(lanes)
        return self._vectors[lanes]

    def _emit(self, lanes: Lanes) -> str:
        """Emit a vector and return its name; open lanes hold any number."""
        graph, emitter = self._graph, self._emitter
        method, parts = self._method(lanes)
        if method == "spread":
            shared = next(x for x in lanes if x is not None)
            single = self._new(f"insertelement {V} poison, double {emitter.value(shared)}, i32 0")
            return self._new(f"shufflevector {V} {single}, {V} poison, <4 x i32> zeroinitializer")
        if method == "constant":
            return self._numbers([0.0 if x is None else graph.data[x] for x in lanes])
        if method == "load":
            k, x = next((k, x) for k, x in enumerate(lanes) if x is not None)
            pointer, index = emitter.slot(x)
            address = self._new(f"getelementptr double, ptr %{pointer}, i64 {index - k}")
            return self._new(f"load {V}, ptr {address}, align 8")
        if method == "angles":
            return str(emitter.group(lanes))
        if method == "scale":
            factors = self._numbers([1.0 if x is None else graph.data[x] for x in lanes])
            return self._new(f"fmul contract {V} {factors}, {self._pack(parts[0])}")
        if method in ("product", "sum"):
            result = self._pack(parts[0])
            instruction = "fmul" if method == "product" else "fadd"
            for part in parts[1:]:
                result = self._new(f"{instruction} contract {V} {result}, {self._pack(part)}")
            return result
        gathered = "zeroinitializer"
        for k, node in enumerate(lanes):
            if node is not None:
                gathered = self._new(f"insertelement {V} {gathered}, double {emitter.value(node)}, i32 {k}")
        return gathered

    def _numbers(self, values: list[float]) -> str:
        """Return a constant vector."""
        return "<" + ", ".join(f"double {hexadecimal(value)}" for value in values) + ">"

    def _new(self, text: str) -> str:
        """Append an instruction and return the name of its value."""
        return self._emitter.new(text)
