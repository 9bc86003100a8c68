"""CompiledModel: the functions of one statement, each derived and compiled, or loaded, at its first use."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from functools import cached_property
from threading import RLock
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import LienketError
from ..foundation.arrays import Array, ArrayLike, IntArray
from ..foundation.frozen_dataclass import dataclass
from ..language.expression import Expression, Symbol
from .constraint_facts import ConstraintFacts, constraint_facts
from .machine import cache
from .machine.function import CompiledFunction, FunctionInfo
from .machine.object_code import LoadedCode
from .machine.python_callbacks import Callback, callback

if TYPE_CHECKING:
    from ..model.constraint import Constraint
    from ..model.statement import FreeStatement
    from .functions.plan import Plan
    from .machine.build import Build
    from .mechanics.statement_nodes import StatementNodes

Definition = tuple["FreeStatement", tuple["Constraint", ...], tuple[Symbol, ...], dict[str, Expression]]
"""Free system, constraints, parameters, outputs of a model."""

# The time of the optimizing code generator grows faster than the number of operations.
OPERATIONS_FOR_OPTIMIZED_CODE = 8000  # [1] operations up to which a function is optimized unless `optimize` is True
NO_MOTION = (
    "This system has no function 'motion', since no elimination can be fixed in advance: there is a program, a "
    "constraint nonlinear in the accelerations or a coordinate without inertia, or the system is too large. "
    "Use 'terms', which gives A, h, G and g0, and solve for the accelerations and multipliers."
)


@dataclass(frozen=True)
class CodeRecord:
    """What finds the machine code of a model again: its digest; and the names of its outputs."""

    digest: str
    outputs: tuple[str, ...]
    outputs_need_accelerations: bool


class CompiledModel:
    """Machine code for a statement: `function("terms")` and the others of `functions.catalogue`.

    n coordinates, s rows; the rows belong to `constraints`, `followed` are the programs that the motion may deviate
    from, `drives` the names of all drives. `inputs` is the number of a (n), multipliers (s) and drives, the further
    arguments of some functions. With `optimize`, every function is compiled to optimized code. A model is immutable.
    """

    def __init__(
        self,
        statement: FreeStatement,
        constraints: Sequence[Constraint],
        parameters: Sequence[Symbol],
        outputs: Mapping[str, Expression] | None = None,
        optimize: bool = False,
    ) -> None:
        self.n = len(statement.coordinates)
        self.parameters = len(parameters)
        definition = (statement, tuple(constraints), tuple(parameters), dict(outputs or {}))
        self._describe(map(constraint_facts, constraints), tuple(outputs or {}), lambda: definition, optimize)

    def _describe(
        self,
        constraints: Iterable[ConstraintFacts],
        outputs: tuple[str, ...],
        define: Callable[[], Definition],
        optimize: bool,
    ) -> None:
        """Set what follows from the facts of the constraints and the names of the outputs."""
        every = tuple(constraints)
        self.constraints = tuple(c for c in every if not c.may_deviate)
        self.followed = tuple(c for c in every if c.may_deviate)
        self.s = sum(c.rows for c in self.constraints)
        self.drives = tuple(name for c in (*self.constraints, *self.followed) for name in c.drives)
        self.inputs = self.n + self.s + len(self.drives)
        self.outputs, self.optimize, self._define = outputs, optimize, define
        self._functions: dict[str, CompiledFunction | None] = {}
        self._callbacks: dict[str, Callback] = {}
        self._lock = RLock()

    @classmethod
    def recorded(
        cls, n: int, parameters: int, constraints: Iterable[ConstraintFacts], code: CodeRecord,
        define: Callable[[], Definition],
    ) -> CompiledModel:  # fmt: skip
        """Return the model whose machine code an earlier process has made and recorded.

        `define` returns the arguments of the class; it is called only if code is missing in the cache.
        """
        model = cls.__new__(cls)
        model.n, model.parameters = n, parameters
        model._describe(constraints, code.outputs, define, False)
        model.__dict__ |= {  # cached properties
            "digest": code.digest,
            "outputs_need_accelerations": code.outputs_need_accelerations,
            "_has_python_functions": False,
        }
        return model

    @property
    def record(self) -> CodeRecord | None:
        """What a later process needs to find the code; None if it calls Python functions, whose addresses change."""
        if self._has_python_functions:
            return None
        return CodeRecord(self.digest, self.outputs, self.outputs_need_accelerations)

    def function(self, name: str) -> CompiledFunction:
        """Return the function of a name; raise LienketError if the system has none."""
        function = self._function(name)
        if function is None:
            raise LienketError(NO_MOTION)
        return function

    @property
    def motion(self) -> CompiledFunction | None:
        """Function of accelerations and multipliers; None if its elimination cannot be fixed in advance."""
        return self._function("motion")

    def address(self, name: str) -> int:
        """Return the address of the function of a name, 0 if there is none."""
        function = self._function(name)
        return 0 if function is None else function.address

    def _function(self, name: str) -> CompiledFunction | None:
        """Return the function of a name or None, loaded or built once."""
        try:
            return self._functions[name]
        except KeyError:
            pass
        with self._lock:
            if name not in self._functions:
                self._functions[name] = self._load_or_build(name)
            return self._functions[name]

    @cached_property
    def levels(self) -> IntArray:
        """Level of each row (s): 0 holonomic, 1 on velocities, 2 on accelerations."""
        return np.array([c.level for c in self.constraints for _ in range(c.rows)], dtype=np.int64)

    @cached_property
    def owners(self) -> tuple[str, ...]:
        """Name of the constraint of each row (s)."""
        return tuple(c.name for c in self.constraints for _ in range(c.rows))

    @cached_property
    def rows(self) -> dict[str, slice]:
        """Rows of each constraint among all s rows, by name."""
        rows, first = {}, 0
        for c in self.constraints:
            rows[c.name] = slice(first, first + c.rows)
            first += c.rows
        return rows

    @cached_property
    def non_ideal(self) -> bool:
        """Whether the equations have friction or drives besides A, h, G, g0; see `mechanics.non_ideal_loads`."""
        possible = bool(self.drives) or any(c.depends_on_reaction for c in self.constraints)
        return possible and self._function("loads") is not None

    @cached_property
    def nonlinear(self) -> tuple[str, ...]:
        """Names of the constraints that are nonlinear in the accelerations."""
        loaded = self.functions()
        function = loaded[0] if loaded else self.motion or self.function("terms")
        return tuple(self.constraints[k].name for k in function.info.nonlinear)

    @cached_property
    def outputs_need_accelerations(self) -> bool:
        """Whether the outputs depend on accelerations, multipliers or drives."""
        with self._lock:
            graph = self._nodes.graph
            bits = sum(graph.depends[x] for x in (*self._nodes.a, *self._nodes.multipliers, *self._nodes.drives))
            return any(graph.depends[x] & bits for _, x in self._nodes.outputs)

    @property
    def definition(self) -> Definition:
        """Arguments of the model: free system, all constraints, parameters, outputs."""
        return self._definition

    @property
    def stated_outputs(self) -> tuple[tuple[str, Expression], ...]:
        """Names and expressions of the outputs."""
        return tuple(self._definition[3].items())

    def __reduce__(self) -> Any:
        return CompiledModel, (*self._definition, self.optimize)

    def optimized(self) -> CompiledModel:
        """Return the model with optimized code throughout, for a long run of a large system."""
        return self if self.optimize else CompiledModel(*self._definition, optimize=True)

    def functions(self) -> list[CompiledFunction]:
        """Return the functions loaded or built so far."""
        with self._lock:
            return [f for f in self._functions.values() if f is not None]

    def source(self, name: str) -> tuple[StatementNodes, Plan]:
        """Return the graph and the plan of a function, for output in another language."""
        with self._lock:  # two threads must not add nodes to one graph
            plan = self._build.straight_plan(name)
        if plan is None:
            raise LienketError(NO_MOTION)
        return self._build.mechanics.nodes, plan

    # Private

    @cached_property
    def _definition(self) -> Definition:
        return self._define()

    @cached_property
    def _nodes(self) -> StatementNodes:
        """Statement on the graph."""
        from .mechanics.statement_nodes import statement_nodes

        return statement_nodes(*self._definition)

    @cached_property
    def _build(self) -> Build:
        """Derivation and code of this model, imported only when the cache has no code."""
        from .machine.build import Build

        return Build(self._definition, self._nodes)

    @cached_property
    def digest(self) -> str:
        """Digest of the whole statement."""
        graph, roots = self._nodes.graph, self._nodes.roots()
        order = {x: k for k, x in enumerate(graph.below(roots))}
        digest = hashlib.sha256()
        for x in order:
            arguments, data = [order[a] for a in graph.arguments[x]], graph.data[x]
            content = (data[0].identity, data[1]) if graph.operation[x] == "data_call" else data
            digest.update(f"{graph.operation[x]}{arguments}{content!r};".encode())
        every = (*self._nodes.constraints, *self._nodes.followed)
        shape = [(c.kind, c.level, len(c), len(c.drives), len(c.push), len(c.direction), len(c.gains)) for c in every]
        counts = (self._nodes.kinetic is None, len(self._nodes.points), len(self._nodes.followed), shape)
        digest.update(f"{[order[x] for x in roots]} {self.n} {self.s} {self.parameters} {counts}".encode())
        if self._nodes.mechanism is not None:  # results of joints depend on more than the equations
            named = [(c.name, c.of_mechanism, len(c)) for c in every]
            digest.update(f"{self._nodes.mechanism.outline} {named}".encode())
        return digest.hexdigest()

    @property
    def _lengths(self) -> tuple[int, int, int]:
        """Lengths of the arguments q (and v), parameters and inputs of every function."""
        return self.n, self.parameters, self.inputs

    def _load_or_build(self, name: str) -> CompiledFunction | None:
        """Return the function of a name from the cache, or build it; None if the system has none."""
        for level in () if self._has_python_functions else (1,) if self.optimize else (1, 0):
            entry = cache.read(cache.key(cache.compiler_digest(), (self.digest, name, str(level))))
            if entry is None:
                continue
            info, code = _function_info(entry[0]), entry[1]
            if (info.name, info.lengths) == (name, self._lengths):  # otherwise it would read beyond its arguments
                return CompiledFunction(info, LoadedCode(code), len(code), True) if info.blocks else None
        return self._build_function(name)

    def _build_function(self, name: str) -> CompiledFunction | None:
        """Derive and compile the function of a name and write it to the cache; None if the system has none."""
        begin = time.perf_counter()
        build = self._build
        plan = build.plan(name)
        operations = 0 if plan is None else build.mechanics.graph.operations(plan.roots)
        level = int(self.optimize or operations <= OPERATIONS_FOR_OPTIMIZED_CODE)
        code = b"" if plan is None else build.code(plan, self.input_slots, self.n, self.inputs, level)
        seconds = time.perf_counter() - begin
        blocks = () if plan is None else tuple((block.name, block.shape) for block in plan.blocks)
        info = FunctionInfo(name, blocks, operations, level, seconds, self._lengths, build.nonlinear)
        if not self._has_python_functions:
            cache.write(cache.key(cache.compiler_digest(), (self.digest, name, str(level))), asdict(info), code)
        if plan is None:
            return None
        return CompiledFunction(info, LoadedCode(code, self._symbols(plan), self.callbacks), len(code), False)

    @cached_property
    def _has_python_functions(self) -> bool:
        """Whether the statement calls Python functions, whose addresses differ in every process: it is not cached."""
        from ..language.data_functions import PythonFunction

        graph = self._nodes.graph
        nodes = graph.below(self._nodes.roots())
        return any(graph.operation[x] == "data_call" and isinstance(graph.data[x][0], PythonFunction) for x in nodes)

    def _symbols(self, plan: Plan) -> dict[str, int]:
        """Return the addresses of the Python functions of this model by their symbols, those of the plan included."""
        functions = self._build.python_functions(plan) if self._has_python_functions else {}
        for name, (function, orders) in functions.items():
            if name not in self._callbacks:
                self._callbacks[name] = _callback(function.name, function.callable_of(orders), function.arguments)
        return {name: call.address for name, call in self._callbacks.items()}

    @property
    def callbacks(self) -> tuple[Callback, ...]:
        """Python functions called by the functions built so far."""
        if not self._callbacks:
            return ()
        with self._lock:
            return tuple(self._callbacks.values())

    @property
    def input_slots(self) -> list[tuple[str, int]]:
        """Argument of the compiled function, "t", "q", "v", "p" or "x", and index in it, of each input of the graph."""
        groups = (("q", self.n), ("v", self.n), ("p", self.parameters), ("x", self.inputs))
        return [("t", 0), *((name, k) for name, count in groups for k in range(count))]


def of_rows(name: str, rows: Sequence[int]) -> str:
    """Return the name of a function under some of the rows, see `functions.catalogue`."""
    return ".".join([name, *map(str, rows)])


def _function_info(data: dict[str, Any]) -> FunctionInfo:
    """Return the description of a function from its JSON form."""
    blocks = tuple((name, tuple(shape)) for name, shape in data["blocks"])
    tuples = {name: tuple(data[name]) for name in ("lengths", "nonlinear")}
    return FunctionInfo(**{**data, **tuples, "blocks": blocks})


def _callback(name: str, call: Callable[..., float] | None, arguments: int) -> Callback:
    """Return the callback of a Python function, one for all models where the function is hashable."""
    try:
        return callback(name, call, arguments)
    except TypeError:  # not hashable: no cached callback
        return callback.__wrapped__(name, call, arguments)


def contiguous(values: ArrayLike) -> Array:
    """Return the values as a C-contiguous float64 array."""
    return np.ascontiguousarray(values, dtype=float)
