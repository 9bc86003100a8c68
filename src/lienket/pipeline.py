"""The whole theory as one list of calls, from what a user states to what a user asks for.

    statement.free         ->  free_system.derive     ->  A q'' = h
    statement.constraints  ->  constraints.lower      ->  G q'' + g0 = 0
    both at a state        ->  compiled, kernels      ->  accelerations, reactions, verdicts in numbers

Results are kept by what they follow from: a statement that says the same is never derived twice, in
however many systems, stages or values it appears.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from .constraints import ConstraintRows, lower
from .free_system import FreeSystem, derive
from .model.constraint import Constraint
from .model.faults import Faults
from .model.given import parameter_values, positions, time, velocities
from .model.statement import FreeStatement, Statement
from .model.symbols import name_of

if TYPE_CHECKING:
    from .compiled.numbers import Evaluator
    from .kernels.state import State

KEPT = 128  # different results of each kind kept at a time


@lru_cache(maxsize=KEPT)
def free_system(statement: FreeStatement) -> FreeSystem:
    """A q'' = h of the system without its constraints."""
    return derive(statement)


@lru_cache(maxsize=8 * KEPT)
def rows(statement: FreeStatement, constraint: Constraint) -> ConstraintRows:
    """One constraint as G q'' + g0 = 0."""
    return lower(constraint, free_system(statement).engine)


@lru_cache(maxsize=KEPT)
def evaluator(statement: Statement) -> Evaluator:
    """The function that gives the numbers of the system at a state."""
    from .compiled.numbers import Evaluator

    lowered = [rows(statement.free, constraint) for constraint in statement.constraints]
    return Evaluator(free_system(statement.free), lowered, statement.parameters)


def state(statement: Statement, q: Any, v: Any, t: Any, values: Any, tolerance: float | None) -> State:
    """Everything in numbers at one state."""
    from .kernels.chain import RANK_TOLERANCE
    from .kernels.solve import solve

    faults = Faults()
    numbers = (
        time(t, faults),
        positions(q, statement.coordinates, faults),
        velocities(v, statement.coordinates, faults),
        parameter_values(values, statement.parameters, dict(statement.values), faults),
    )
    faults.raise_any("The state")
    names = tuple(name_of(x) for x in statement.coordinates)
    return solve(evaluator(statement), *numbers, names, lambda v: v, RANK_TOLERANCE if tolerance is None else tolerance)
