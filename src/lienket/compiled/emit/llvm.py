"""The graph as LLVM IR: one function of straight-line code.

    i64 name(double t, double *q, double *v, double *parameters, double *inputs, double *out)

`inputs` are accelerations (n) and multipliers (s), read by functions that depend on them and null otherwise. The
result is 0 if every condition holds and 1 if the numbers in `out` cannot be trusted.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from ...errors import LienketError
from ...language.data_functions import Table
from ..functions.plan import Written, given_name
from ..graph.graph import COMPARISONS, Graph
from .sine import LANES, hexadecimal, sine_and_cosine
from .stores import store_results

SIGNATURE = "double %t, ptr noalias %q, ptr noalias %v, ptr noalias %p, ptr noalias %x, ptr noalias %out"
LIBRARY = ("tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "log")
_CALLS = {name: name for name in LIBRARY} | {
    "power": "pow",
    "atan2": "atan2",
    "sqrt": "llvm.sqrt.f64",
    "abs": "llvm.fabs.f64",
}
_COMPARED = {"less": "olt", "less_equal": "ole", "equal": "oeq", "unequal": "one"}
NAN = "0x7FF8000000000000"
Given = dict[tuple[Any, tuple[int, ...]], str]  # names of tables and Python functions in the code


class Emitter:
    """Writes one function."""

    def __init__(self, graph: Graph, places: Sequence[tuple[str, int]], function: Written, given: Given) -> None:
        self.graph, self._places, self._function, self._given = graph, places, function, given
        self.lines: list[str] = []
        self._names: dict[int, str] = {}
        self._lanes: dict[int, tuple[str, int]] = {}
        self._count = 0
        self._nodes = graph.below(function.roots())
        self._uses = [0] * (self._nodes[-1] + 1 if self._nodes else 0)
        for x in self._nodes:
            for a in graph.arguments[x]:
                self._uses[a] += 1
        for _, x in function.outputs:
            self._uses[x] += 1

    def text(self) -> str:
        """The whole function."""
        for k, arguments in enumerate(self._angles()):
            self._sines(f"a{k}", arguments)
        dense = self._function.dense
        if dense is not None:
            self.lines.insert(0, f"%K = alloca [{dense.columns * dense.width} x double], align 32")
        store_results(self, self._function)
        result = self._status()
        if dense is not None:
            result = self.new(f"call i64 @{self._function.name}_solve(ptr %K, ptr %out)")
        body = "\n".join(self.lines)
        return f"define i64 @{self._function.name}({SIGNATURE}) {{\nentry:\n{body}\nret i64 {result}\n}}"

    # For vectors of results

    def value(self, x: int) -> str:
        """The name of the value of a node, computed now if it is not there."""
        self._emit(x)
        return self._names[x]

    def place(self, x: int) -> tuple[str, int]:
        """In which argument an input stands, and where."""
        return self._places[self.graph.data[x]]

    @cached_property
    def inputs(self) -> frozenset[tuple[str, int]]:
        """All places of inputs."""
        return frozenset(self._places)

    def group(self, lanes: Sequence[int | None]) -> str | None:
        """The vector whose places these sines or cosines have; None if there is none."""
        found = [self._lanes.get(x) for x in lanes if x is not None]
        places = [k for k, x in enumerate(lanes) if x is not None]
        if None in found or len({lane[0] for lane in found if lane}) != 1:
            return None
        same = all(lane is not None and lane[1] == k for lane, k in zip(found, places, strict=True))
        return found[0][0] if same and found[0] else None

    # Angles first, four at a time

    def _angles(self) -> list[list[int]]:
        """The arguments of sines and cosines in groups, those that depend on other angles after them."""
        graph = self.graph
        depth: dict[int, int] = {}
        levels: dict[int, dict[int, None]] = {}
        for x in self._nodes:
            below = max((depth[a] for a in graph.arguments[x]), default=0)
            if graph.operation[x] in ("sin", "cos"):
                levels.setdefault(below, {})[graph.arguments[x][0]] = None
                below += 1
            depth[x] = below
        groups = []
        for level in sorted(levels):
            angles = list(levels[level])
            groups += [angles[k : k + LANES] for k in range(0, len(angles), LANES)]
        return groups

    def _sines(self, name: str, angles: list[int]) -> None:
        for x in angles:
            self._emit(x)
        lines, sines, cosines = sine_and_cosine(name, [self._names[x] for x in angles])
        self.lines += lines
        known = self.graph.known
        for x, sine, cosine in zip(angles, sines, cosines, strict=True):
            for function, value in (("sin", sine), ("cos", cosine)):
                node = known(function, x)
                if node is not None:
                    self._names[node] = value
                    self._lanes[node] = (f"%{name}.{function[0]}", angles.index(x))

    # Everything else, each piece just before it is needed

    def _emit(self, root: int) -> None:
        todo = [root]
        names, arguments = self._names, self.graph.arguments
        while todo:
            x = todo[-1]
            if x in names:
                todo.pop()
                continue
            waiting = [a for a in self._needed(x) if a not in names]
            if waiting:
                todo.extend(reversed(waiting))
                continue
            todo.pop()
            names[x] = self._written(x, arguments[x])

    def _needed(self, x: int) -> list[int]:
        """The nodes to compute before x: below a scaled term or a quotient, what is under it."""
        graph = self.graph
        found: list[int] = []
        for a in graph.arguments[x]:
            inner = graph.operation[a] == "scale" and graph.operation[x] == "sum"
            inner |= self._is_divisor(x, a)
            found += graph.arguments[a] if inner else (a,)
        return found

    def _is_divisor(self, x: int, a: int) -> bool:
        """Whether the product x is better a quotient: its factor a = 1/b is used nowhere else."""
        graph = self.graph
        if graph.operation[x] != "product" or graph.operation[a] != "reciprocal" or self._uses[a] > 1:
            return False
        other = graph.arguments[x][1]
        return a == other or graph.operation[other] != "reciprocal" or self._uses[other] > 1

    def new(self, text: str) -> str:
        """The name of a new value."""
        self._count += 1
        name = f"%n{self._count}"
        self.lines.append(f"{name} = {text}")
        return name

    def _written(self, x: int, arguments: tuple[int, ...]) -> str:
        graph = self.graph
        operation, data = graph.operation[x], graph.data[x]
        if operation == "constant":
            return hexadecimal(data)
        if operation == "input":
            return self._input(data)
        if operation == "sum":
            return self._sum(arguments)
        if operation == "product":
            return self._product(x, arguments)
        names = [self._names[a] for a in arguments]
        if operation == "scale":
            return self._scaled(data, names[0])
        if operation == "reciprocal":
            return self.new(f"fdiv double 1.0, {names[0]}")
        if operation in _CALLS:
            listed = ", ".join(f"double {name}" for name in names)
            return self.new(f"call double @{_CALLS[operation]}({listed})")
        if operation == "given":
            return self._called(self._given_name(*data), isinstance(data[0], Table), names)
        if operation in COMPARISONS:
            return self.new(f"fcmp {_COMPARED[operation]} double {names[0]}, {names[1]}")
        return self._case(operation, arguments, names)

    def _called(self, function: str, table: bool, names: list[str]) -> str:
        """A table of one number; or a Python function, which takes its arguments in memory."""
        if table:
            return self.new(f"call double @{function}(double {names[0]})")
        self._count += 1
        room = f"%m{self._count}"
        self.lines.insert(0, f"{room} = alloca [{len(names)} x double]")
        for k, name in enumerate(names):
            place = self.new(f"getelementptr double, ptr {room}, i64 {k}")
            self.lines.append(f"store double {name}, ptr {place}")
        return self.new(f"call double @{function}(ptr {room})")

    def _given_name(self, function: Any, orders: tuple[int, ...]) -> str:
        refusal = function.unavailable(orders)
        if refusal:
            raise LienketError(refusal)
        table = isinstance(function, Table)
        name = f"table{len(self._given)}" if table else given_name(function, orders)
        return self._given.setdefault((function, orders), name)

    def _input(self, k: int) -> str:
        pointer, place = self._places[k]
        if pointer == "t":
            return "%t"
        address = self.new(f"getelementptr double, ptr %{pointer}, i64 {place}")
        return self.new(f"load double, ptr {address}")

    def _scaled(self, c: float, name: str) -> str:
        if c == -1.0:
            return self.new(f"fneg double {name}")
        return self.new(f"fmul contract double {hexadecimal(c)}, {name}")

    def _sum(self, terms: tuple[int, ...]) -> str:
        graph = self.graph
        found = ""
        for x in terms:
            c, base = (graph.data[x], graph.arguments[x][0]) if graph.operation[x] == "scale" else (1.0, x)
            value = self._names[base]
            if abs(c) != 1.0:
                value, c = self.new(f"fmul contract double {hexadecimal(c)}, {value}"), 1.0
            if not found:
                found = value if c > 0 else self.new(f"fneg double {value}")
            else:
                found = self.new(f"{'fadd' if c > 0 else 'fsub'} contract double {found}, {value}")
        return found

    def _product(self, x: int, factors: tuple[int, ...]) -> str:
        one, other = factors
        for a, b in ((one, other), (other, one)):
            if self._is_divisor(x, a):
                return self.new(f"fdiv double {self._names[b]}, {self._names[self.graph.arguments[a][0]]}")
        return self.new(f"fmul contract double {self._names[one]}, {self._names[other]}")

    def _case(self, operation: str, arguments: tuple[int, ...], names: list[str]) -> str:
        """sign, min, max and select; NaN among what is compared gives NaN."""
        if operation == "sign":
            above, below = (self.new(f"fcmp {c} double {names[0]}, 0.0") for c in ("ogt", "olt"))
            negative = self.new(f"select i1 {below}, double -1.0, double {names[0]}")
            return self.new(f"select i1 {above}, double 1.0, double {negative}")
        if operation in ("min", "max"):
            first = self.new(f"fcmp {'olt' if operation == 'min' else 'ogt'} double {names[0]}, {names[1]}")
            chosen = self.new(f"select i1 {first}, double {names[0]}, double {names[1]}")
            missing = self.new(f"fcmp uno double {names[0]}, {names[0]}")
            return self.new(f"select i1 {missing}, double {names[0]}, double {chosen}")
        chosen = self.new(f"select i1 {names[0]}, double {names[1]}, double {names[2]}")
        compared = ", ".join(self._names[a] for a in self.graph.arguments[arguments[0]])
        missing = self.new(f"fcmp uno double {compared}")
        return self.new(f"select i1 {missing}, double {NAN}, double {chosen}")

    def _status(self) -> str:
        held = "true"
        for x in self._function.conditions:
            if self.graph.operation[x] == "constant":
                held = held if self.graph.data[x] else "false"
                continue
            held = self.new(f"and i1 {held}, {self.value(x)}")
        if held in ("true", "false"):
            return str(int(held == "false"))
        failed = self.new(f"xor i1 {held}, true")
        return self.new(f"zext i1 {failed} to i64")
