"""Numbers: machine code of a statement, and everything at one state."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ..errors import LienketError
from ..language.faults import Faults
from ..model.constraint import Constraint
from ..model.contacts import contacts
from ..model.input.outputs import read_output_expressions
from ..model.statement import FreeStatement, Statement

if TYPE_CHECKING:
    from ..compiled.model import CompiledModel
    from ..compiled.state_numbers import Evaluator
    from ..simulation.problem import Problem
    from .compiled_system import CompiledSystem

KEPT = 128  # different models kept at a time


@lru_cache(maxsize=KEPT)
def evaluator(statement: FreeStatement, constraints: tuple[Constraint, ...], parameters: tuple[Any, ...]) -> Evaluator:
    """The function that gives the numbers of the system at a state."""
    from ..compiled.state_numbers import Evaluator

    return Evaluator(compiled_model(statement, constraints, parameters))


def compiled_model(
    statement: FreeStatement,
    constraints: tuple[Constraint, ...],
    parameters: tuple[Any, ...],
    outputs: tuple[tuple[str, Any], ...] = (),
) -> CompiledModel:
    """The machine code of the system; each function is made when it is first needed."""
    return _compiled_model(statement, constraints, parameters, outputs)  # one key, whether outputs are given or not


@lru_cache(maxsize=KEPT)
def _compiled_model(
    statement: FreeStatement, constraints: tuple[Constraint, ...], parameters: tuple[Any, ...], outputs: Any
) -> CompiledModel:
    from ..compiled.model import CompiledModel

    return CompiledModel(statement, constraints, parameters, dict(outputs))


def problem(
    statement: Statement, parameters: Any, outputs: tuple[tuple[str, Any], ...], active: tuple[int, ...] | None = None
) -> Problem:
    """The system as integrators see it, with numbers for its parameters, in their order.

    `active` are places of the constraints that act, among all with those of events; without, the system's own do.
    """
    from ..simulation.problem import Problem

    return Problem(_model_of(statement, outputs, active), parameters, statement.names)


@lru_cache(maxsize=KEPT)
def _model_of(
    statement: Statement, outputs: tuple[tuple[str, Any], ...], active: tuple[int, ...] | None
) -> CompiledModel:
    """That machine code."""
    every = statement.every_constraint
    chosen = statement.constraints if active is None else tuple(every[k] for k in active)
    return compiled_model(statement.free, chosen, statement.parameters, outputs)


def compiled_system(statement: Statement, outputs: Any) -> CompiledSystem:
    """The system as machine code, with the user's outputs."""
    from .compiled_system import CompiledSystem

    faults = Faults()
    wanted = read_output_expressions(outputs, statement, faults)
    faults.raise_any("The compilation")
    touching = contacts(statement.constraints)
    if touching:
        raise LienketError(
            f"The contact {touching[0].name!r} slides, sticks or is open, with other equations for each, and there is "
            "no code for all states. Ask system.at(q, v, t) for each state, or compile it without the law."
        )
    model = compiled_model(statement.free, statement.constraints, statement.parameters, wanted)
    return CompiledSystem(model, statement.coordinates, statement.parameters, dict(statement.values))
