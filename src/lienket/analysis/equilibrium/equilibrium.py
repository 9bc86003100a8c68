"""Equilibria: one position of equilibrium near a guess, or a branch of them over a parameter.

request  ->  forces_at_rest  ->  newton  ->  stability, or continuation for a branch  ->  result
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from ...assembly.models import compiled_model
from ...errors import Faults, LienketError
from ...foundation.arrays import Array
from ...language.names import by_name
from ...model.input.numbers import time
from ...model.input.parameters import parameter_numbers, symbol_table
from ...model.input.start import read_start
from ...model.statement import Statement
from ..linearization.numeric import linearize, refuse_programs
from .request import ParameterRange, hold, read_branch

if TYPE_CHECKING:
    from .forces_at_rest import ForcesAtRest
    from .result import Equilibria, Equilibrium


def equilibrium(
    statement: Statement, guess: object, values: object, t: object, fixed: object, over: object
) -> Equilibrium | Equilibria:
    """Return an equilibrium near a guess; with `over`, the branch of equilibria over a parameter."""
    from .forces_at_rest import statics
    from .newton import search_equilibrium
    from .result import equilibrium_result, no_equilibrium
    from .stability import stability

    refuse_programs(statement, "an equilibrium")
    faults = Faults()
    path = read_branch(over, statement, faults)
    if path is not None and (values is None or isinstance(values, Mapping)):
        values = {**by_name(values or {}, [p.name for p in statement.parameters]), path.name: path.values[0]}
    parameters = parameter_numbers(statement, values, faults, ("guess", "fixed"))
    at_time = time(t, faults)
    positions = guess if guess is None or isinstance(guess, Mapping) else (guess, None)
    start = read_start(positions, None, symbol_table(statement), faults)
    held = hold(statement, fixed, start.q, faults)
    faults.raise_any("The equilibrium")
    numbers = held.numbers(parameters, statement)
    held_statement = held.statement
    if path is not None:
        numbers[path.index(held_statement)] = path.values[0]
    model = compiled_model(held_statement.free, held_statement.constraints, held_statement.parameters)
    search = search_equilibrium(statics(model, at_time, numbers, held_statement.names, held.q), held.q)
    if not search.balanced:
        raise no_equilibrium(search)
    rest = search.rest
    if path is not None:
        return _branch(held_statement, rest, path)
    return equilibrium_result(rest, stability(rest, partial(by_eigenvalues, held_statement, rest)))


def _branch(statement: Statement, first: ForcesAtRest, path: ParameterRange) -> Equilibria:
    """Return the branch over a parameter from its first equilibrium on."""
    from .continuation import follow_branch
    from .result import Equilibria
    from .stability import NEUTRAL, stability

    system, index = first.of, path.index(statement)
    branch = follow_branch(system, index, first.q, path.values, path.name)
    rests = [system.with_parameter(index, float(point.z[-1])).at(point.z[:-1]) for point in branch.points]
    # Where a branch turns, a stiffness passes through zero; rounding must not decide its sign.
    words = [
        NEUTRAL if point.turning else stability(rest, partial(by_eigenvalues, statement, rest)).word
        for rest, point in zip(rests, branch.points, strict=True)
    ]
    return Equilibria(
        system.t, statement.names, path.name,
        np.array([point.z[-1] for point in branch.points]), np.array([rest.q for rest in rests]),
        np.array([rest.multipliers for rest in rests]), tuple(words),
        np.array([point.requested for point in branch.points]),
        tuple(k for k, point in enumerate(branch.points) if point.turning), branch.outcome, branch.complete,
    )  # fmt: skip


def by_eigenvalues(statement: Statement, rest: ForcesAtRest) -> tuple[str, Array]:
    """Return the stability of a position of rest and its frequencies, from the eigenvalues of the linear system."""
    from ..linearization.result import EIGENVALUE_ROUNDING_FACTOR
    from .stability import NEUTRAL, STABLE, UNSTABLE

    try:
        linear = linearize(statement, rest.q, None, rest.of.t, rest.of.parameters, None, None, None)
    except LienketError:
        return NEUTRAL, np.zeros(0)  # a motion without inertia, or a dead point: not decided to first order
    word = STABLE if linear.asymptotically_stable else NEUTRAL if linear.stable else UNSTABLE
    upper = linear.eigenvalues[linear.eigenvalues.imag > EIGENVALUE_ROUNDING_FACTOR * linear.uncertainty]
    return word, np.sort(np.abs(upper))
