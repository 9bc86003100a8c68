"""Output of a plan as LLVM IR: one function of straight-line code.

    i64 name(double t, double *q, double *v, double *parameters, double *inputs, double *out)

`inputs` are accelerations (n), multipliers (s) and drives, read only by functions that depend on them. The return value
is 0 if every condition of the plan holds; else the numbers in `out` may be inaccurate: 2 if only digits may be lost,
otherwise 1. A function that checks digits reads no inputs; it leaves the check out if `inputs` is a null pointer.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from ...errors import LienketError
from ...language.data_functions import PythonFunction, Table
from ..functions.plan import Plan, symbol_name
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
# Names of tables and Python functions in the code
DataCalls = dict[tuple[Table | PythonFunction, tuple[int, ...]], str]


class Emitter:
    """Emitter of one function."""

    def __init__(self, graph: Graph, slots: Sequence[tuple[str, int]], plan: Plan, calls: DataCalls) -> None:
        self.graph, self._slots, self._plan, self._calls = graph, slots, plan, calls
        self.lines: list[str] = []
        self._names: dict[int, str] = {}
        self._lanes: dict[int, tuple[str, int]] = {}
        self._count = 0
        self._nodes = graph.below(plan.roots)
        self._uses = [0] * (self._nodes[-1] + 1 if self._nodes else 0)
        for x in self._nodes:
            for a in graph.arguments[x]:
                self._uses[a] += 1
        for _, x in plan.outputs:
            self._uses[x] += 1

    def text(self) -> str:
        """Return the whole function."""
        for k, arguments in enumerate(self._angles()):
            self._sines(f"a{k}", arguments)
        dense = self._plan.dense
        if dense is not None:
            self.lines.insert(0, f"%K = alloca [{dense.columns * dense.width} x double], align 32")
        store_results(self, self._plan)
        result = self._status()
        if dense is not None:
            result = self.new(f"call i64 @{self._plan.name}_solve(ptr %K, ptr %out)")
        body = "\n".join(self.lines)
        return f"define i64 @{self._plan.name}({SIGNATURE}) {{\nentry:\n{body}\nret i64 {result}\n}}"

    # For vectors of results

    def value(self, x: int) -> str:
        """Return the name of the value of a node; emit its computation if that is not done yet."""
        self._emit(x)
        return self._names[x]

    def slot(self, x: int) -> tuple[str, int]:
        """Return (argument, index) of an input."""
        return self._slots[self.graph.data[x]]

    @cached_property
    def inputs(self) -> frozenset[tuple[str, int]]:
        """Slots (argument, index) of all inputs."""
        return frozenset(self._slots)

    def group(self, lanes: Sequence[int | None]) -> str | None:
        """Return the vector that has these sines or cosines in these lanes, or None."""
        computed = [self._lanes.get(x) for x in lanes if x is not None]
        indices = [k for k, x in enumerate(lanes) if x is not None]
        if None in computed or len({lane[0] for lane in computed if lane}) != 1:
            return None
        aligned = all(lane is not None and lane[1] == k for lane, k in zip(computed, indices, strict=True))
        return computed[0][0] if aligned and computed[0] else None

    # Angles first, four at a time

    def _angles(self) -> list[list[int]]:
        """Return the arguments of sines and cosines in groups of four, each after the angles on which it depends."""
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
        """Emit the sines and cosines of one group of angles."""
        for x in angles:
            self._emit(x)
        lines, sines, cosines = sine_and_cosine(name, [self._names[x] for x in angles])
        self.lines += lines
        for x, sine, cosine in zip(angles, sines, cosines, strict=True):
            for function, value in (("sin", sine), ("cos", cosine)):
                node = self.graph.find(function, x)
                if node is not None:
                    self._names[node] = value
                    self._lanes[node] = (f"%{name}.{function[0]}", angles.index(x))

    # All other nodes, each just before its first use

    def _emit(self, root: int) -> None:
        """Emit the computation of a node and of everything below it that is not computed yet."""
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
            names[x] = self._instruction(x, arguments[x])

    def _needed(self, x: int) -> list[int]:
        """Return the nodes to compute before x; a scaled term and a divisor 1/b are replaced by their arguments."""
        graph = self.graph
        nodes: list[int] = []
        for a in graph.arguments[x]:
            inner = graph.operation[a] == "scale" and graph.operation[x] == "sum"
            inner |= self._is_divisor(x, a)
            nodes += graph.arguments[a] if inner else (a,)
        return nodes

    def _is_divisor(self, x: int, a: int) -> bool:
        """Return whether the product x is emitted as a quotient by b, since its factor a = 1/b is used nowhere else."""
        graph = self.graph
        if graph.operation[x] != "product" or graph.operation[a] != "reciprocal" or self._uses[a] > 1:
            return False
        other = graph.arguments[x][1]
        return a == other or graph.operation[other] != "reciprocal" or self._uses[other] > 1

    def new(self, text: str) -> str:
        """Append an instruction and return the name of its value."""
        self._count += 1
        name = f"%n{self._count}"
        self.lines.append(f"{name} = {text}")
        return name

    def _instruction(self, x: int, arguments: tuple[int, ...]) -> str:
        """Emit the operation of a node whose arguments are computed; return the name of its value."""
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
        if operation == "data_call":
            return self._call(self._data_name(*data), isinstance(data[0], Table), names)
        if operation in COMPARISONS:
            return self.new(f"fcmp {_COMPARED[operation]} double {names[0]}, {names[1]}")
        return self._case(operation, arguments, names)

    def _call(self, function: str, table: bool, names: list[str]) -> str:
        """Emit the call of a table, with one number, or of a Python function, with its arguments in memory."""
        if table:
            return self.new(f"call double @{function}(double {names[0]})")
        self._count += 1
        memory = f"%m{self._count}"
        self.lines.insert(0, f"{memory} = alloca [{len(names)} x double]")
        for k, name in enumerate(names):
            address = self.new(f"getelementptr double, ptr {memory}, i64 {k}")
            self.lines.append(f"store double {name}, ptr {address}")
        return self.new(f"call double @{function}(ptr {memory})")

    def _data_name(self, function: Table | PythonFunction, orders: tuple[int, ...]) -> str:
        """Return the name in the code of a table or Python function, or of its derivative."""
        refusal = function.unavailable(orders)
        if refusal:
            raise LienketError(refusal)
        name = f"table{len(self._calls)}" if isinstance(function, Table) else symbol_name(function, orders)
        return self._calls.setdefault((function, orders), name)

    def _input(self, k: int) -> str:
        """Emit the load of an input."""
        argument, index = self._slots[k]
        if argument == "t":
            return "%t"
        if argument == "x" and self._plan.digits:
            raise ValueError(f"{self._plan.name} depends on accelerations or multipliers, which it is to compute")
        address = self.new(f"getelementptr double, ptr %{argument}, i64 {index}")
        return self.new(f"load double, ptr {address}")

    def _scaled(self, c: float, name: str) -> str:
        """Emit c x."""
        if c == -1.0:
            return self.new(f"fneg double {name}")
        return self.new(f"fmul contract double {hexadecimal(c)}, {name}")

    def _sum(self, terms: tuple[int, ...]) -> str:
        """Emit a sum from left to right, with subtraction for terms scaled by -1."""
        graph = self.graph
        total = ""
        for x in terms:
            c, base = (graph.data[x], graph.arguments[x][0]) if graph.operation[x] == "scale" else (1.0, x)
            value = self._names[base]
            if abs(c) != 1.0:
                value, c = self.new(f"fmul contract double {hexadecimal(c)}, {value}"), 1.0
            if not total:
                total = value if c > 0 else self.new(f"fneg double {value}")
            else:
                total = self.new(f"{'fadd' if c > 0 else 'fsub'} contract double {total}, {value}")
        return total

    def _product(self, x: int, factors: tuple[int, ...]) -> str:
        """Emit a product, or a quotient where one factor is a reciprocal used nowhere else."""
        one, other = factors
        for a, b in ((one, other), (other, one)):
            if self._is_divisor(x, a):
                return self.new(f"fdiv double {self._names[b]}, {self._names[self.graph.arguments[a][0]]}")
        return self.new(f"fmul contract double {self._names[one]}, {self._names[other]}")

    def _case(self, operation: str, arguments: tuple[int, ...], names: list[str]) -> str:
        """Emit sign, min, max or select; NaN among the compared values gives NaN."""
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
        """Emit the return value, 0, or 2 if digits may be lost; the function returns 1 before if a condition fails.

        A branch on the conditions divides the code into two parts, for which the code generator takes less time.
        """
        held = self._all(self._plan.conditions)
        if held == "false":
            return "1"
        if held != "true":
            self.lines += [f"br i1 {held}, label %held, label %failed", "failed:", "ret i64 1", "held:"]
        if not self._plan.digits:
            return "0"
        checked = self.new("icmp ne ptr %x, null")
        self.lines += [f"br i1 {checked}, label %digits, label %unchecked", "unchecked:", "ret i64 0", "digits:"]
        return self.new(f"select i1 {self._all(self._plan.digits)}, i64 0, i64 2")

    def _all(self, conditions: Sequence[int]) -> str:
        """Emit the truth value whether all conditions hold."""
        valid = "true"
        for x in conditions:
            if self.graph.operation[x] == "constant":
                valid = valid if self.graph.data[x] else "false"
                continue
            valid = self.new(f"and i1 {valid}, {self.value(x)}")
        return valid
