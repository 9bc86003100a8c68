"""Numbers: machine code of a statement, and everything at one state."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ..model.constraint import Constraint
from ..model.contacts import contacts, is_spelled, spelled
from ..model.faults import Faults
from ..model.given import parameter_values, positions, share, time, velocities
from ..model.outputs import state_outputs
from ..model.statement import FreeStatement, Statement

if TYPE_CHECKING:
    from ..compiled.evaluator import Evaluator
    from ..compiled.model import CompiledModel
    from ..elimination.verdict import Verdict
    from ..kernels.compiled_system import CompiledSystem
    from ..kernels.state import State
    from ..simulation.problem import Problem

KEPT = 128  # different models kept at a time


@lru_cache(maxsize=KEPT)
def evaluator(statement: FreeStatement, constraints: tuple[Constraint, ...], parameters: tuple[Any, ...]) -> Evaluator:
    """The function that gives the numbers of the system at a state."""
    from ..compiled.evaluator import Evaluator

    return Evaluator(compiled_model(statement, constraints, parameters))


@lru_cache(maxsize=KEPT)
def compiled_model(
    statement: FreeStatement,
    constraints: tuple[Constraint, ...],
    parameters: tuple[Any, ...],
    outputs: tuple[tuple[str, Any], ...] = (),
) -> CompiledModel:
    """The machine code of the system; each function is made when it is first needed."""
    from ..compiled.model import CompiledModel

    return CompiledModel(statement, constraints, parameters, dict(outputs))


def problem(
    statement: Statement, parameters: Any, outputs: tuple[tuple[str, Any], ...], active: tuple[int, ...] | None = None
) -> Problem:
    """The system as integrators see it, with numbers for its parameters, in their order.

    `active` are places of the constraints that act, among all with those of events; without, the system's own do.
    """
    from ..simulation.problem import Problem

    every = statement.every_constraint
    chosen = statement.constraints if active is None else tuple(every[k] for k in active)
    model = compiled_model(statement.free, chosen, statement.parameters, outputs)
    return Problem(model, parameters, statement.names)


def compiled_system(statement: Statement, outputs: Any) -> CompiledSystem:
    """The system as machine code, with the user's outputs."""
    from ..kernels.compiled_system import CompiledSystem

    faults = Faults()
    wanted = state_outputs(outputs, statement, faults)
    faults.raise_any("The compilation")
    model = compiled_model(statement.free, statement.constraints, statement.parameters, wanted)
    return CompiledSystem(model, statement.coordinates, statement.parameters, dict(statement.values))


def state(statement: Statement, q: Any, v: Any, t: Any, values: Any, tolerance: float | None) -> State:
    """Everything in numbers at one state."""
    stated = statement
    if any(c.kind == "program" for c in statement.constraints):
        from .machined import machined

        statement = machined(statement)
    from ..kernels.chain import RANK_TOLERANCE
    from ..kernels.solve import solve

    statement = spelled(statement)
    faults = Faults()
    numbers = (
        time(t, faults),
        positions(q, statement.coordinates, faults),
        velocities(v, statement.coordinates, faults),
        parameter_values(values, statement.parameters, dict(statement.values), faults),
    )
    limit = RANK_TOLERANCE if tolerance is None else share(tolerance, "tolerance", faults)
    faults.raise_any("The state")
    statement, modes, numbers = _in_modes(stated, statement, numbers)
    evaluate = evaluator(statement.free, statement.constraints, statement.parameters)

    def without(name: str) -> State:
        kept = tuple(c for c in statement.constraints if c.name != name)
        return state(
            replace(statement, constraints=kept),
            q,
            v,
            t,
            dict(zip(statement.parameters, numbers[3], strict=True)),
            limit,
        )

    judge = partial(_everywhere, statement, *numbers)
    return solve(evaluate, *numbers, statement.names, judge, without if evaluate.nonlinear else None, limit, modes)


def _in_modes(
    stated: Statement, statement: Statement, numbers: tuple[Any, ...]
) -> tuple[Statement, tuple[tuple[str, str], ...], tuple[Any, ...]]:
    """The statement under the constraints that act, the modes of its contacts, and the numbers with their signs.

    A statement that is spelled out by itself has its modes already.
    """
    found = contacts(statement.constraints)
    if not found:
        return statement, (), numbers
    acting_now = tuple(range(len(statement.constraints)))
    if not is_spelled(stated):
        from .contacts import acting

        active, parameters = acting(statement, *numbers)
        acting_now, numbers = active, (*numbers[:3], parameters)
    chosen = tuple(statement.constraints[k] for k in acting_now)
    names = {c.name for c in chosen}
    words = [(c.name, "open" if c.name not in names else "sticks" if c.sticking in names else "slides") for c in found]
    under = replace(statement, constraints=chosen)
    known = dict(zip(statement.parameters, numbers[3], strict=True))  # what only an open contact needs is left out
    signed = np.array([known[p] for p in under.parameters], dtype=float)
    return under, tuple(words), (*numbers[:3], signed)


def _everywhere(*given: Any) -> Verdict:
    """The verdict at a state with what algebra says of it; most runs never ask."""
    from .algebra import everywhere

    return everywhere(*given)
