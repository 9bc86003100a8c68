"""Machine code of a statement, cached by statement."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ..errors import LienketError
from ..language.faults import Faults
from ..model.constraint import Constraint
from ..model.contacts import contacts
from ..model.input.later_values import report_unused
from ..model.input.outputs import read_output_expressions
from ..model.statement import FreeStatement, Statement
from ..model.time_tables import record_times

if TYPE_CHECKING:
    from ..compiled.model import CompiledModel
    from ..compiled.state_numbers import Evaluator
    from ..simulation.problem import Problem
    from .compiled_system import CompiledSystem

MODELS_CACHED = 128  # [models] compiled models and derived objects cached by statement


@lru_cache(maxsize=MODELS_CACHED)
def evaluator(statement: FreeStatement, constraints: tuple[Constraint, ...], parameters: tuple[Any, ...]) -> Evaluator:
    """Return the function that evaluates the matrices of the system at a state."""
    from ..compiled.state_numbers import Evaluator

    return Evaluator(compiled_model(statement, constraints, parameters))


def compiled_model(
    statement: FreeStatement,
    constraints: tuple[Constraint, ...],
    parameters: tuple[Any, ...],
    outputs: tuple[tuple[str, Any], ...] = (),
) -> CompiledModel:
    """Return the machine code of the system; each function is compiled when it is first needed."""
    return _compiled_model(
        statement, constraints, parameters, outputs
    )  # positional: one cache key with and without outputs


@lru_cache(maxsize=MODELS_CACHED)
def _compiled_model(
    statement: FreeStatement, constraints: tuple[Constraint, ...], parameters: tuple[Any, ...], outputs: Any
) -> CompiledModel:
    from ..compiled.model import CompiledModel

    return CompiledModel(statement, constraints, parameters, dict(outputs))


def problem(
    statement: Statement, parameters: Any, outputs: tuple[tuple[str, Any], ...], active: tuple[int, ...] | None = None
) -> Problem:
    """Return the system as integrated, with numbers for its parameters, in their order.

    `active` are indices of the active constraints among all, including those of events; None: those of the system.
    """
    from ..simulation.problem import Problem

    return Problem(_model_of(statement, outputs, active), parameters, statement.names, record_times(statement))


@lru_cache(maxsize=MODELS_CACHED)
def _model_of(
    statement: Statement, outputs: tuple[tuple[str, Any], ...], active: tuple[int, ...] | None
) -> CompiledModel:
    """Return the machine code of the system under the active constraints, with outputs."""
    every = statement.every_constraint
    chosen = statement.constraints if active is None else tuple(every[k] for k in active)
    return compiled_model(statement.free, chosen, statement.parameters, outputs)


def compiled_system(statement: Statement, outputs: Any) -> CompiledSystem:
    """Return the system as machine code, with the user's outputs."""
    from .compiled_system import CompiledSystem

    faults = Faults()
    expressions = read_output_expressions(outputs, statement, faults)
    report_unused(statement, faults)
    faults.raise_any("The compilation")
    stated = contacts(statement.constraints)
    if stated:
        raise LienketError(
            f"The contact {stated[0].name!r} slides, sticks or is open, with different equations for each mode; "
            "there is no code for all states. Use system.at(q, v, t) for each state, or compile without the law."
        )
    model = compiled_model(statement.free, statement.constraints, statement.parameters, expressions)
    return CompiledSystem(model, statement.coordinates, statement.parameters, dict(statement.values))
