"""Making code of what is stated, for what the cache does not have. A run from the cache never imports this."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from ...language.data_functions import PythonFunction
from ..emit.llvm_module import module
from ..functions.catalogue import plan, straight_plan, terms
from ..functions.plan import Plan, Written, given_name
from ..mechanics.equations import Mechanics
from ..mechanics.statement_nodes import StatementNodes, statement_nodes
from .object_code import object_code


class Build:
    """The graph of a model with everything that follows from it; `state` is what it was made of, `first` its graph."""

    def __init__(self, state: tuple[Any, ...], first: StatementNodes) -> None:
        self._definition, self._first = state, first

    @cached_property
    def mechanics(self) -> Mechanics:
        """Everything that follows, on the graph with the fewer operations: common factors sought deeper, or less."""
        statement, constraints, parameters, outputs = self._definition
        other = statement_nodes(statement, constraints, parameters, outputs, factor_depth=1)
        found = [Mechanics(self._first), Mechanics(other)]
        return min(found, key=lambda m: m.graph.operations(terms(m).roots()))

    @property
    def nonlinear(self) -> tuple[int, ...]:
        """The places of the constraints that are nonlinear in the accelerations."""
        return tuple(k for k, rows in enumerate(self.mechanics.rows) if rows.nonlinear)

    def plan(self, name: str) -> Plan | None:
        """The plan of a function, None if it cannot be had."""
        return plan(self.mechanics, name)

    def straight_plan(self, name: str) -> Plan | None:
        """The same in one piece, for writing it in another language."""
        return straight_plan(self.mechanics, name)

    def text(self, found: Plan, places: list[tuple[str, int]], n: int, inputs: int) -> str:
        """The code of a plan for LLVM; `places` say in which argument each input of the graph stands, and where."""
        function = Written(found.name, tuple(found.outputs()), found.conditions, found.dense)
        return module(self.mechanics.graph, places, [function], n, inputs)

    def code(self, found: Plan, places: list[tuple[str, int]], n: int, inputs: int, level: int) -> bytes:
        """The machine code of a plan."""
        return object_code(self.text(found, places, n, inputs), level)

    def python_functions(self, found: Plan) -> dict[str, tuple[PythonFunction, Any]]:
        """The user's functions that stand in a plan, with their orders of derivatives, by their names in code."""
        graph = self.mechanics.graph
        nodes = [graph.data[x] for x in graph.below(found.roots()) if graph.operation[x] == "given"]
        return {given_name(*data): data for data in nodes if isinstance(data[0], PythonFunction)}
