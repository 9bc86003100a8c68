"""The graph as LLVM IR: one function of straight-line code.

    i64 name(double t, double *q, double *v, double *parameters, double *inputs, double *out)

`inputs` are accelerations (n) and multipliers (s), read by functions that depend on them and null otherwise. The
result is 0 if every condition holds and 1 if the numbers in `out` cannot be trusted.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .graph import COMPARISONS, Graph
from .sine import DECLARATIONS, LANES, hexadecimal, sine_and_cosine

SIGNATURE = "double %t, ptr noalias %q, ptr noalias %v, ptr noalias %p, ptr noalias %x, ptr noalias %out"
_LIBRARY = ("tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "log")
_DECLARATIONS = (
    *DECLARATIONS,
    *(f"declare double @{name}(double)" for name in _LIBRARY),
    "declare double @pow(double, double)",
    "declare double @atan2(double, double)",
    "declare double @llvm.sqrt.f64(double)",
    "declare double @llvm.fabs.f64(double)",
)
_CALLS = {name: name for name in _LIBRARY} | {
    "power": "pow",
    "atan2": "atan2",
    "sqrt": "llvm.sqrt.f64",
    "abs": "llvm.fabs.f64",
}
_COMPARED = {"less": "olt", "less_equal": "ole", "equal": "oeq", "unequal": "one"}
NAN = "0x7FF8000000000000"


@dataclass(frozen=True)
class Written:
    """What a function computes: out[k] = node for each pair, and the comparisons that must hold."""

    name: str
    outputs: tuple[tuple[int, int], ...]
    conditions: tuple[int, ...] = ()

    def roots(self) -> list[int]:
        """Every node it needs."""
        return [*(x for _, x in self.outputs), *self.conditions]


def module(graph: Graph, places: Sequence[tuple[str, int]], functions: Iterable[Written], n: int, inputs: int) -> str:
    """A module with the functions, each with its loop over many states.

    `places` says for each input in which argument it stands, and where; n and `inputs` are the lengths of q (and v)
    and of the further inputs.
    """
    bodies = []
    for function in functions:
        bodies += [Emitter(graph, places, function).text(), _loop(function.name, n, inputs, len(function.outputs))]
    return "\n".join([*_DECLARATIONS, *bodies])


def _loop(name: str, n: int, inputs: int, size: int) -> str:
    """The loop name_many(count, t, q, v, parameters, inputs, out, status) over states one after another in memory."""
    steps = (("t", 1), ("q", n), ("v", n), ("x", inputs), ("out", size), ("status", 1))
    lines = [
        f"define void @{name}_many(i64 %count, ptr %t, ptr %q, ptr %v, ptr %p, ptr %x, ptr %out, ptr %status) {{",
        "entry:",
        "%some = icmp sgt i64 %count, 0",
        "br i1 %some, label %loop, label %done",
        "loop:",
        "%i = phi i64 [ 0, %entry ], [ %next, %loop ]",
    ]
    for pointer, step in steps:
        lines.append(f"%{pointer}.k = mul i64 %i, {step}")
        lines.append(f"%{pointer}.i = getelementptr double, ptr %{pointer}, i64 %{pointer}.k")
    arguments = "double %time, ptr %q.i, ptr %v.i, ptr %p, ptr %x.i, ptr %out.i"
    lines += [
        "%time = load double, ptr %t.i",
        f"%trusted = call i64 @{name}({arguments})",
        "store i64 %trusted, ptr %status.i",
        "%next = add i64 %i, 1",
        "%again = icmp slt i64 %next, %count",
        "br i1 %again, label %loop, label %done",
        "done:",
        "ret void",
        "}",
    ]
    return "\n".join(lines)


class Emitter:
    """Writes one function."""

    def __init__(self, graph: Graph, places: Sequence[tuple[str, int]], function: Written) -> None:
        self.graph, self._places, self._function = graph, places, function
        self.lines: list[str] = []
        self._names: dict[int, str] = {}
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
        for slot, x in self._function.outputs:
            self._emit(x)
            place = self._new(f"getelementptr double, ptr %out, i64 {slot}")
            self.lines.append(f"store double {self._names[x]}, ptr {place}")
        result = self._status()
        body = "\n".join(self.lines)
        return f"define i64 @{self._function.name}({SIGNATURE}) {{\nentry:\n{body}\nret i64 {result}\n}}"

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

    def _new(self, text: str) -> str:
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
            return self._new(f"fdiv double 1.0, {names[0]}")
        if operation in _CALLS:
            listed = ", ".join(f"double {name}" for name in names)
            return self._new(f"call double @{_CALLS[operation]}({listed})")
        if operation in COMPARISONS:
            return self._new(f"fcmp {_COMPARED[operation]} double {names[0]}, {names[1]}")
        return self._case(operation, arguments, names)

    def _input(self, k: int) -> str:
        pointer, place = self._places[k]
        if pointer == "t":
            return "%t"
        address = self._new(f"getelementptr double, ptr %{pointer}, i64 {place}")
        return self._new(f"load double, ptr {address}")

    def _scaled(self, c: float, name: str) -> str:
        if c == -1.0:
            return self._new(f"fneg double {name}")
        return self._new(f"fmul contract double {hexadecimal(c)}, {name}")

    def _sum(self, terms: tuple[int, ...]) -> str:
        graph = self.graph
        found = ""
        for x in terms:
            c, base = (graph.data[x], graph.arguments[x][0]) if graph.operation[x] == "scale" else (1.0, x)
            value = self._names[base]
            if abs(c) != 1.0:
                value, c = self._new(f"fmul contract double {hexadecimal(c)}, {value}"), 1.0
            if not found:
                found = value if c > 0 else self._new(f"fneg double {value}")
            else:
                found = self._new(f"{'fadd' if c > 0 else 'fsub'} contract double {found}, {value}")
        return found

    def _product(self, x: int, factors: tuple[int, ...]) -> str:
        one, other = factors
        for a, b in ((one, other), (other, one)):
            if self._is_divisor(x, a):
                return self._new(f"fdiv double {self._names[b]}, {self._names[self.graph.arguments[a][0]]}")
        return self._new(f"fmul contract double {self._names[one]}, {self._names[other]}")

    def _case(self, operation: str, arguments: tuple[int, ...], names: list[str]) -> str:
        """sign, min, max and select; NaN among what is compared gives NaN."""
        if operation == "sign":
            above, below = (self._new(f"fcmp {c} double {names[0]}, 0.0") for c in ("ogt", "olt"))
            negative = self._new(f"select i1 {below}, double -1.0, double {names[0]}")
            return self._new(f"select i1 {above}, double 1.0, double {negative}")
        if operation in ("min", "max"):
            first = self._new(f"fcmp {'olt' if operation == 'min' else 'ogt'} double {names[0]}, {names[1]}")
            chosen = self._new(f"select i1 {first}, double {names[0]}, double {names[1]}")
            missing = self._new(f"fcmp uno double {names[0]}, {names[0]}")
            return self._new(f"select i1 {missing}, double {names[0]}, double {chosen}")
        chosen = self._new(f"select i1 {names[0]}, double {names[1]}, double {names[2]}")
        compared = ", ".join(self._names[a] for a in self.graph.arguments[arguments[0]])
        missing = self._new(f"fcmp uno double {compared}")
        return self._new(f"select i1 {missing}, double {NAN}, double {chosen}")

    def _status(self) -> str:
        held = "true"
        for x in self._function.conditions:
            self._emit(x)
            held = self._new(f"and i1 {held}, {self._names[x]}")
        if held == "true":
            return "0"
        failed = self._new(f"xor i1 {held}, true")
        return self._new(f"zext i1 {failed} to i64")
