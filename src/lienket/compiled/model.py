"""CompiledModel: the functions of one statement, each derived, compiled or loaded when it is first asked for."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import cached_property
from threading import RLock
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import LienketError
from ..language.data_functions import PythonFunction
from ..model.constraint import Constraint
from ..model.laws import Coulomb
from ..model.statement import FreeStatement
from .machine import cache
from .machine.function import CompiledFunction, FunctionInfo
from .machine.object_code import LoadedCode
from .machine.python_callbacks import Callback, callback
from .mechanics.statement_nodes import StatementNodes, always_held, statement_nodes

if TYPE_CHECKING:
    from .functions.plan import Plan
    from .machine.build import Build

Array = Any

QUICK = 8000
"""Operations up to which the better code generator is used at once; its time grows faster than their number."""
NO_MOTION = (
    "The elimination of this system cannot be written down beforehand: it has a program or a constraint that is "
    "nonlinear in the accelerations, too little inertia, or it is too large. Take 'terms' and solve A, h, G, g0."
)


class CompiledModel:
    """Machine code for a statement: `function("terms")` and the others of `functions.catalogue`.

    n coordinates, s rows; `constraints` are those that these rows belong to, `followed` the programs that a motion may
    be off, `drives` the names of all drives. `inputs` counts a (n), multipliers (s) and drives, which some functions
    want to know. `optimize` asks for the better code whatever it takes to generate. Nothing here changes later.
    """

    def __init__(
        self,
        statement: FreeStatement,
        constraints: Sequence[Constraint],
        parameters: Sequence[Any],
        outputs: Mapping[str, Any] | None = None,
        optimize: bool = False,
    ) -> None:
        self.n = len(statement.coordinates)
        self.parameters = len(parameters)
        self.constraints = always_held(constraints)
        self.followed = tuple(c for c in constraints if c.following.may_deviate)
        self.s = sum(len(c.expressions) for c in self.constraints)
        self.drives = tuple(name for c in (*self.constraints, *self.followed) for name, _ in c.drives)
        self.inputs = self.n + self.s + len(self.drives)
        self.outputs = tuple(outputs or {})
        self.optimize = optimize
        self._definition = (statement, tuple(constraints), tuple(parameters), dict(outputs or {}))
        self._functions: dict[str, CompiledFunction | None] = {}
        self._callbacks: dict[str, Callback] = {}
        self._lock = RLock()

    def function(self, name: str) -> CompiledFunction:
        """The function of that name, any but "motion", which need not exist."""
        found = self._function(name)
        if found is None:
            raise LienketError(NO_MOTION)
        return found

    @property
    def motion(self) -> CompiledFunction | None:
        """The function that gives accelerations and multipliers; None if its elimination cannot be emitted."""
        return self._function("motion")

    def address(self, name: str) -> int:
        """Where the function of that name begins; 0 if there is none."""
        found = self._function(name)
        return 0 if found is None else found.address

    def _function(self, name: str) -> CompiledFunction | None:
        with self._lock:
            if name not in self._functions:
                self._functions[name] = self._load_or_build(name)
            return self._functions[name]

    @cached_property
    def levels(self) -> Array:
        """The level of each row (s): 0 holonomic, 1 on velocities, 2 on accelerations."""
        return np.array([c.level for c in self.constraints for _ in c.expressions], dtype=np.int64)

    @cached_property
    def owners(self) -> tuple[str, ...]:
        """The name of the constraint of each row (s)."""
        return tuple(c.name for c in self.constraints for _ in c.expressions)

    @cached_property
    def loaded(self) -> bool:
        """Whether friction or drives make the equations more than A, h, G, g0; see `mechanics.non_ideal_loads`."""
        some = bool(self.drives) or any(isinstance(c.law, Coulomb) for c in self.constraints)
        return some and self._function("loads") is not None

    @property
    def nonlinear(self) -> tuple[str, ...]:
        """The constraints that are nonlinear in the accelerations, by name."""
        known = self.motion or self.function("terms")
        return tuple(self.constraints[k].name for k in known.facts.nonlinear)

    @cached_property
    def outputs_need_accelerations(self) -> bool:
        """Whether accelerations or multipliers stand in the outputs."""
        with self._lock:
            graph = self._nodes.graph
            bits = sum(graph.depends[x] for x in (*self._nodes.a, *self._nodes.multipliers, *self._nodes.drives))
            return any(graph.depends[x] & bits for _, x in self._nodes.outputs)

    @property
    def definition(self) -> tuple[Any, ...]:
        """What it was made of: the free system, all constraints, parameters, outputs."""
        return self._definition

    @property
    def stated_outputs(self) -> tuple[tuple[str, Any], ...]:
        """The outputs as stated: their names and expressions."""
        return tuple(self._definition[3].items())

    def __reduce__(self) -> Any:
        return CompiledModel, (*self._definition, self.optimize)

    def optimized(self) -> CompiledModel:
        """The same with the better code throughout; worth while for a long run of a large system."""
        return self if self.optimize else CompiledModel(*self._definition, optimize=True)

    def functions(self) -> list[CompiledFunction]:
        """The functions there are so far."""
        with self._lock:
            return [f for f in self._functions.values() if f is not None]

    def source(self, name: str) -> tuple[StatementNodes, Plan]:
        """The graph and the plan of a function, for writing it in another language."""
        with self._lock:  # two threads must not add to one graph
            found = self._making.straight_plan(name)
        if found is None:
            raise LienketError(NO_MOTION)
        return self._making.mechanics.stated, found

    # Inside

    @cached_property
    def _nodes(self) -> StatementNodes:
        return statement_nodes(*self._definition)

    @cached_property
    def _making(self) -> Build:
        from .machine.build import Build

        return Build(self._definition, self._nodes)

    @cached_property
    def _digest(self) -> str:
        """A digest of everything that is stated."""
        graph, roots = self._nodes.graph, self._nodes.roots()
        order = {x: k for k, x in enumerate(graph.below(roots))}
        digest = hashlib.sha256()
        for x in order:
            arguments, data = [order[a] for a in graph.arguments[x]], graph.data[x]
            said = (data[0].identity, data[1]) if graph.operation[x] == "given" else data
            digest.update(f"{graph.operation[x]}{arguments}{said!r};".encode())
        every = (*self._nodes.constraints, *self._nodes.followed)
        shape = [(c.kind, c.level, len(c), len(c.drives), len(c.push), len(c.direction), len(c.gains)) for c in every]
        given = (self._nodes.kinetic is None, len(self._nodes.points), len(self._nodes.followed), shape)
        digest.update(f"{[order[x] for x in roots]} {self.n} {self.s} {self.parameters} {given}".encode())
        return digest.hexdigest()

    def _load_or_build(self, name: str) -> CompiledFunction | None:
        for level in () if self._has_python_functions else (1,) if self.optimize else (1, 0):
            kept = cache.read(cache.key(cache.compiler_digest(), (self._digest, name, str(level))))
            if kept is not None:
                facts, code = _facts(kept[0]), kept[1]
                return CompiledFunction(facts, LoadedCode(code), len(code), True) if facts.blocks else None
        return self._build_function(name)

    def _build_function(self, name: str) -> CompiledFunction | None:
        begin = time.perf_counter()
        making = self._making
        found = making.plan(name)
        operations = 0 if found is None else making.mechanics.graph.operations(found.roots())
        level = int(self.optimize or operations <= QUICK)
        code = b"" if found is None else making.code(found, self.places, self.n, self.inputs, level)
        seconds = time.perf_counter() - begin
        blocks = () if found is None else tuple((block.name, block.shape) for block in found.blocks)
        lengths = (self.n, self.parameters, self.inputs)
        facts = FunctionInfo(name, blocks, operations, level, seconds, lengths, making.nonlinear)
        if not self._has_python_functions:
            cache.write(cache.key(cache.compiler_digest(), (self._digest, name, str(level))), asdict(facts), code)
        if found is None:
            return None
        return CompiledFunction(facts, LoadedCode(code, self._symbols(found), self.callbacks), len(code), False)

    @cached_property
    def _has_python_functions(self) -> bool:
        """Whether Python functions stand in it; their addresses are another process's nonsense."""
        graph = self._nodes.graph
        nodes = graph.below(self._nodes.roots())
        return any(graph.operation[x] == "given" and isinstance(graph.data[x][0], PythonFunction) for x in nodes)

    def _symbols(self, found: Plan) -> dict[str, int]:
        """The addresses of the Python functions in the code, by name."""
        for name, (function, orders) in (
            self._making.python_functions(found).items() if self._has_python_functions else ()
        ):
            if name not in self._callbacks:
                self._callbacks[name] = _callback(function.name, function.callable_of(orders), function.arguments)
        return {name: known.address for name, known in self._callbacks.items()}

    @property
    def callbacks(self) -> tuple[Callback, ...]:
        """The Python functions that have been needed so far."""
        with self._lock:
            return tuple(self._callbacks.values())

    @property
    def places(self) -> list[tuple[str, int]]:
        """In which argument each input of the graph stands, and where."""
        groups = (("q", self.n), ("v", self.n), ("p", self.parameters), ("x", self.inputs))
        return [("t", 0), *((name, k) for name, count in groups for k in range(count))]


def _facts(found: dict[str, Any]) -> FunctionInfo:
    blocks = tuple((name, tuple(shape)) for name, shape in found["blocks"])
    tuples = {name: tuple(found[name]) for name in ("lengths", "nonlinear")}
    return FunctionInfo(**{**found, **tuples, "blocks": blocks})


def _callback(name: str, call: Any, arguments: int) -> Callback:
    try:
        return callback(name, call, arguments)
    except TypeError:  # an object that cannot be a key is taken anew
        return callback.__wrapped__(name, call, arguments)


def contiguous(values: Any) -> Array:
    """The values as doubles, one after another in memory."""
    return np.ascontiguousarray(values, dtype=float)
