"""Machine code of a statement, cached by statement."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ..model.constraint import Constraint
from ..model.statement import FreeStatement, Statement
from ..model.time_tables import record_times

if TYPE_CHECKING:
    from ..compiled.model import CompiledModel
    from ..compiled.state_numbers import Evaluator
    from ..simulation.problem import Problem

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

    return Problem(model_under(statement, outputs, active), parameters, statement.names, record_times(statement))


@lru_cache(maxsize=MODELS_CACHED)
def model_under(
    statement: Statement, outputs: tuple[tuple[str, Any], ...], active: tuple[int, ...] | None
) -> CompiledModel:
    """Return the machine code of the system under the active constraints, with outputs."""
    every = statement.every_constraint
    chosen = statement.constraints if active is None else tuple(every[k] for k in active)
    return compiled_model(statement.free, chosen, statement.parameters, outputs)
