"""Build of machine code from a statement, for functions not in the cache; a run from the cache does not import this."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from ...language.data_functions import PythonFunction
from ..emit.llvm_module import module
from ..functions.catalogue import plan, straight_plan, terms
from ..functions.plan import Plan, symbol_name
from ..mechanics.equations import Mechanics
from ..mechanics.statement_nodes import StatementNodes, statement_nodes
from .object_code import object_code

if TYPE_CHECKING:
    from ..model import Definition


class Build:
    """Derivation and code of one model; `definition` as in CompiledModel, `nodes` its statement on the graph."""

    def __init__(self, definition: Definition, nodes: StatementNodes) -> None:
        self._definition, self._nodes = definition, nodes

    @cached_property
    def mechanics(self) -> Mechanics:
        """Equations on the graph with fewer operations, of two that search common factors to different depths."""
        statement, constraints, parameters, outputs = self._definition
        other = statement_nodes(statement, constraints, parameters, outputs, factor_depth=1)
        candidates = [Mechanics(self._nodes), Mechanics(other)]
        return min(candidates, key=lambda m: m.graph.operations(terms(m).roots))

    @property
    def nonlinear(self) -> tuple[int, ...]:
        """Indices of the constraints that are nonlinear in the accelerations."""
        return tuple(k for k, rows in enumerate(self.mechanics.rows) if rows.nonlinear)

    def plan(self, name: str) -> Plan | None:
        """Return the plan of a function, or None if the model has no such function."""
        return plan(self.mechanics, name)

    def straight_plan(self, name: str) -> Plan | None:
        """Return the plan of a function as straight-line code, for output in another language."""
        return straight_plan(self.mechanics, name)

    def text(self, plan: Plan, slots: list[tuple[str, int]], n: int, inputs: int) -> str:
        """Return the LLVM IR of a plan; `slots` are (argument, index) of each input of the graph."""
        return module(self.mechanics.graph, slots, [plan], n, inputs)

    def code(self, plan: Plan, slots: list[tuple[str, int]], n: int, inputs: int, level: int) -> bytes:
        """Return the object code of a plan, generated at a level of LLVM's code generator."""
        return object_code(self.text(plan, slots, n, inputs), level)

    def python_functions(self, plan: Plan) -> dict[str, tuple[PythonFunction, tuple[int, ...]]]:
        """Return the Python functions in a plan, each with its orders of derivatives, by their symbols in the code."""
        graph = self.mechanics.graph
        calls = [graph.data[x] for x in graph.below(plan.roots) if graph.operation[x] == "data_call"]
        return {symbol_name(*data): data for data in calls if isinstance(data[0], PythonFunction)}
