"""Questions about rest: positions of equilibrium, one or a branch of them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ...assembly.models import compiled_model
from ...errors import LienketError
from ...language.faults import Faults
from ...language.names import by_name
from ...model.input.numbers import parameter_numbers, time
from ...model.input.start import read_start
from ...model.statement import Statement
from ..linearization.numeric import linearize, refuse_programs
from .request import ParameterRange, held, read_branch

if TYPE_CHECKING:
    from .forces_at_rest import ForcesAtRest
    from .result import Equilibria, Equilibrium

Array = Any


def equilibrium(
    statement: Statement, guess: Any, values: Any, t: Any, fixed: Any, over: Any
) -> Equilibrium | Equilibria:
    """A position of equilibrium near a guess; with `over`, the branch of them over a parameter."""
    from .forces_at_rest import statics
    from .newton import equilibrium as found_near
    from .result import equilibrium_result, no_equilibrium
    from .stability import stability

    refuse_programs(statement, "asked for its equilibria")
    faults = Faults()
    path = read_branch(over, statement, faults)
    if path is not None and (values is None or isinstance(values, Mapping)):
        values = {**by_name(values or {}), path.name: path.values[0]}
    parameters = parameter_numbers(statement, values, faults)
    moment = time(t, faults)
    given = guess if guess is None or isinstance(guess, Mapping) else (guess, None)
    start = read_start(given, None, statement.coordinates, statement.parameters, faults)
    holding = held(statement, fixed, start.q, faults)
    faults.raise_any("The equilibrium")
    numbers = holding.numbers(parameters, statement)
    kept = holding.statement
    if path is not None:
        numbers[path.place(kept)] = path.values[0]
    model = compiled_model(kept.free, kept.constraints, kept.parameters)
    found = found_near(statics(model, moment, numbers, kept.names, holding.q), holding.q)
    if not found.balanced:
        raise no_equilibrium(found)
    if path is not None:
        return _branch(kept, found.rest, path)
    return equilibrium_result(found.rest, stability(found.rest, partial(by_eigenvalues, kept, found.rest)))


def _branch(statement: Statement, first: ForcesAtRest, path: ParameterRange) -> Equilibria:
    """The branch over a parameter from its first equilibrium on."""
    from .continuation import follow_branch
    from .result import Equilibria
    from .stability import NEUTRAL, stability

    system, place = first.of, path.place(statement)
    branch = follow_branch(system, place, first.q, path.values, path.name)
    rests = [system.with_parameter(place, float(point.z[-1])).at(point.z[:-1]) for point in branch.points]
    # Where a branch turns, a stiffness passes through zero; rounding must not decide its sign.
    words = [
        NEUTRAL if point.turning else stability(rest, partial(by_eigenvalues, statement, rest)).word
        for rest, point in zip(rests, branch.points, strict=True)
    ]
    return Equilibria(
        system.t, statement.names, path.name,
        np.array([point.z[-1] for point in branch.points]), np.array([rest.q for rest in rests]),
        np.array([rest.multipliers for rest in rests]), tuple(words),
        np.array([point.asked for point in branch.points]),
        tuple(k for k, point in enumerate(branch.points) if point.turning), branch.outcome, branch.complete,
    )  # fmt: skip


def by_eigenvalues(statement: Statement, rest: ForcesAtRest) -> tuple[str, Array]:
    """The stability of a position of rest and its frequencies from the eigenvalues of the linear system."""
    from ..linearization.result import SURE
    from .stability import NEUTRAL, STABLE, UNSTABLE

    try:
        linear = linearize(statement, rest.q, None, rest.of.t, rest.of.parameters, None, None, None)
    except LienketError:
        return NEUTRAL, np.zeros(0)  # a motion without inertia, or a dead point: not decided to first order
    word = STABLE if linear.asymptotically_stable else NEUTRAL if linear.stable else UNSTABLE
    upper = linear.eigenvalues[linear.eigenvalues.imag > SURE * linear.uncertainty]
    return word, np.sort(np.abs(upper))
