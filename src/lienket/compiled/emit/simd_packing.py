"""Four neighbouring results by one vector operation, where they are made alike.

The rows of a large matrix often hold one formula for many indices: m_i l_j (s_i s_j + c_i c_j). Four nodes of the same
operation are computed together if their arguments can be: the same node for all (spread), neighbouring inputs (one
load), sines of one group (there already), or again four alike. A place may be left open (None) and be filled later.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .sine import LANES, hexadecimal

if TYPE_CHECKING:
    from ..functions.plan import Written
    from .llvm import Emitter

V = "<4 x double>"
Lanes = tuple[int | None, ...]
COSTS = {"gather": 4, "spread": 1, "constant": 0, "load": 1, "angles": 0, "scale": 1}
ENOUGH = 1.0  # of the operations without vectors


class Packer:
    """Makes vectors of four nodes within a function that is being written."""

    def __init__(self, emitter: Emitter) -> None:
        self._emitter, self._graph = emitter, emitter.graph
        self._made: dict[Lanes, str] = {}
        self._shapes: dict[tuple[int, int], int] = {}
        self._known_shapes: dict[tuple[str, tuple[int, ...]], int] = {}
        self._seen: dict[Lanes, tuple[str, tuple[Lanes, ...]]] = {}

    def operations(self, function: Written) -> int:
        """How many operations the results of a function take."""
        return self._graph.operations(x for _, x in function.outputs)

    def worthwhile(self, groups: Sequence[tuple[int, ...]]) -> bool:
        """Whether vectors take fewer operations in all: what many results share, single numbers share as well.

        Counted are the vectors met, each once, and the single numbers that are still needed beside them.
        """
        met: set[Lanes] = set()
        single: list[int] = []
        for nodes in groups:
            odd = self._odd_one(nodes) if len(nodes) == LANES else None
            lanes = tuple(None if k == odd else x for k, x in enumerate(nodes))
            trial = set(met)
            if len(nodes) < LANES or self._gain(lanes, trial) <= 0:
                single += nodes
                continue
            met = trial
            single += [] if odd is None else [nodes[odd]]
        count = 0
        for lanes in met:
            way, parts = self._way(lanes)
            there = [x for x in lanes if x is not None]
            single += there if way == "gather" else there[:1] if way == "spread" else []
            count += COSTS.get(way, len(parts) - 1)
        whole = self._graph.operations(x for nodes in groups for x in nodes)
        return count + self._graph.operations(single) < ENOUGH * whole

    def vector(self, nodes: tuple[int, ...]) -> str | None:
        """The vector of the four nodes, or None where single numbers are as good."""
        odd = self._odd_one(nodes)
        lanes = tuple(None if k == odd else x for k, x in enumerate(nodes))
        if self._gain(lanes, set()) <= 0:
            return None
        found = self._pack(lanes)
        if odd is None:
            return found
        single = self._emitter.value(nodes[odd])
        return self._new(f"insertelement {V} {found}, double {single}, i32 {odd}")

    def _odd_one(self, nodes: tuple[int, ...]) -> int | None:
        """The place of the only node that is not made like the others, as on a diagonal."""
        shapes = [self._shape(x, 2) for x in nodes]
        for k in range(4):
            rest = shapes[:k] + shapes[k + 1 :]
            if rest[0] == rest[1] == rest[2] != shapes[k]:
                return k
        return None

    def _shape(self, x: int | None, depth: int) -> int:
        """A number that nodes made alike have in common, down to a depth."""
        if x is None:
            return -1
        key = (x, depth)
        if key not in self._shapes:
            graph = self._graph
            operation = graph.operation[x]
            inner = () if depth == 0 or operation in ("constant", "input") else graph.arguments[x]
            parts = tuple(sorted(self._shape(a, depth - 1) for a in inner))
            self._shapes[key] = self._known_shapes.setdefault((operation, parts), len(self._known_shapes))
        return self._shapes[key]

    # How four nodes can be computed

    def _way(self, lanes: Lanes) -> tuple[str, tuple[Lanes, ...]]:
        """(what to do, the vectors it takes)."""
        if lanes not in self._seen:
            self._seen[lanes] = self._found_way(lanes)
        return self._seen[lanes]

    def _found_way(self, lanes: Lanes) -> tuple[str, tuple[Lanes, ...]]:
        graph = self._graph
        there = [x for x in lanes if x is not None]
        if len(set(there)) == 1:
            return "spread", ()
        operations = {graph.operation[x] for x in there}
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
        if operation == "sum" and len({len(graph.arguments[x]) for x in there}) == 1:
            return "sum", self._terms(lanes)
        return "gather", ()

    def _consecutive(self, lanes: Lanes) -> bool:
        places = [None if x is None else self._emitter.place(x) for x in lanes]
        known = [(k, place) for k, place in enumerate(places) if place is not None]
        first, (pointer, start) = known[0]
        same = all(place == (pointer, start + k - first) for k, place in known)
        # The open places are read too: they must lie within the array.
        return same and pointer != "t" and start - first >= 0 and (pointer, start - first + 3) in self._emitter.inputs

    def _factors(self, lanes: Lanes) -> tuple[Lanes, Lanes]:
        graph = self._graph
        pairs = [None if x is None else graph.arguments[x] for x in lanes]
        there = [pair for pair in pairs if pair is not None]
        common = set(there[0]).intersection(*there[1:])
        if common:
            shared = min(common)
            rest = [None if p is None else p[1] if p[0] == shared else p[0] for p in pairs]
            return tuple(None if p is None else shared for p in pairs), tuple(rest)
        wanted = self._shape(there[0][0], 2)
        turned = [None if p is None else p if self._shape(p[0], 2) == wanted else (p[1], p[0]) for p in pairs]
        one, other = (tuple(None if p is None else p[k] for p in turned) for k in (0, 1))
        return one, other

    def _terms(self, lanes: Lanes) -> tuple[Lanes, ...]:
        """Terms of the same shape beside each other."""
        graph = self._graph
        columns = []
        for x in lanes:
            terms = () if x is None else graph.arguments[x]
            columns.append(sorted(terms, key=lambda a: (self._shape(a, 3), a)))
        count = max(map(len, columns))
        return tuple(tuple(column[k] if column else None for column in columns) for k in range(count))

    def _gain(self, lanes: Lanes, met: set[Lanes]) -> int:
        """Instructions saved, about."""
        if lanes in met or lanes in self._made:
            return 0
        met.add(lanes)
        way, parts = self._way(lanes)
        own = {"gather": -4, "spread": -1, "constant": 0, "load": 1, "angles": 1, "scale": 3}.get(way)
        if own is None:
            own = 3 * (len(parts) - 1)
        return own + sum(self._gain(part, met) for part in parts)

    # Writing it

    def _pack(self, lanes: Lanes) -> str:
        if lanes not in self._made:
            self._made[lanes] = self._written(lanes)
        return self._made[lanes]

    def _written(self, lanes: Lanes) -> str:
        graph, emitter = self._graph, self._emitter
        way, parts = self._way(lanes)
        there = [x for x in lanes if x is not None]
        if way == "spread":
            single = self._new(f"insertelement {V} poison, double {emitter.value(there[0])}, i32 0")
            return self._new(f"shufflevector {V} {single}, {V} poison, <4 x i32> zeroinitializer")
        if way == "constant":
            return self._numbers([0.0 if x is None else graph.data[x] for x in lanes])
        if way == "load":
            k, x = next((k, x) for k, x in enumerate(lanes) if x is not None)
            pointer, place = emitter.place(x)
            address = self._new(f"getelementptr double, ptr %{pointer}, i64 {place - k}")
            return self._new(f"load {V}, ptr {address}, align 8")
        if way == "angles":
            return str(emitter.group(lanes))
        if way == "scale":
            factors = self._numbers([1.0 if x is None else graph.data[x] for x in lanes])
            return self._new(f"fmul contract {V} {factors}, {self._pack(parts[0])}")
        if way in ("product", "sum"):
            found = self._pack(parts[0])
            word = "fmul" if way == "product" else "fadd"
            for part in parts[1:]:
                found = self._new(f"{word} contract {V} {found}, {self._pack(part)}")
            return found
        gathered = "zeroinitializer"
        for k, node in enumerate(lanes):
            if node is not None:
                gathered = self._new(f"insertelement {V} {gathered}, double {emitter.value(node)}, i32 {k}")
        return gathered

    def _numbers(self, values: list[float]) -> str:
        return "<" + ", ".join(f"double {hexadecimal(value)}" for value in values) + ">"

    def _new(self, text: str) -> str:
        return self._emitter.new(text)
