"""The position of rest about which `linearize` linearizes if none is stated.

It is q = 0 if that is an equilibrium, otherwise the only equilibrium that searches from several positions find.
Coordinates on which neither inertia nor forces nor rows depend, such as the path of a rolling wheel, may differ: the
linear system is the same everywhere along them.
"""

from __future__ import annotations

import numpy as np

from ...assembly.models import compiled_model
from ...errors import Faults, LienketError, StartError
from ...foundation.arrays import Array
from ...model.input.numbers import time
from ...model.input.parameters import parameter_numbers
from ...model.statement import Statement
from ...simulation.start.assembly import assemble
from ..linearization.numeric import refuse_programs
from .forces_at_rest import Statics, statics
from .newton import angles_of, invariant_coordinates, iterate, search_equilibrium, unwound
from .result import no_equilibrium

SEARCH_COUNT = 12  # [1] further searches for another equilibrium, from irregular positions
SEARCH_REACH = 3.0  # [1] largest angle in rad, or position relative to the equilibrium, at which they begin
SAME_POSITION_TOLERANCE = 1e-6  # [1] distance of equal positions, relative to their size, at least 1


def rest_position(statement: Statement, values: object, t: object) -> Array:
    """Return the position of rest q (n); LienketError if there is none or more than one."""
    refuse_programs(statement, "a linearization")
    faults = Faults()
    parameters, at_time = parameter_numbers(statement, values, faults, ("guess", "fixed")), time(t, faults)
    faults.raise_any("The linearization")
    model = compiled_model(statement.free, statement.constraints, statement.parameters)
    zero = np.zeros(len(statement.names))
    system = statics(model, at_time, parameters, statement.names, zero)
    first = search_equilibrium(system, zero)
    if not first.balanced:
        raise LienketError(f"Without q a system is linearized at rest. {no_equilibrium(first)} Or give q.")
    q = first.rest.q
    other = _another(system, q) if q.any() else None
    if other is not None:
        raise LienketError(
            f"Without q a system is linearized at rest, but it is at rest at {_text(system, q)}, and at "
            f"{_text(system, other)}. Give q, or an equilibrium: system.linearize(system.equilibrium(guess={{...}}))."
        )
    return q


def _text(system: Statics, q: Array) -> str:
    """Return a position for a message, with zero for rounding errors."""
    rounded = np.where(np.abs(q) < SAME_POSITION_TOLERANCE, 0.0, q)
    return ", ".join(f"{name} = {x:.6g}" for name, x in zip(system.names, rounded, strict=True))


def _another(system: Statics, q: Array) -> Array | None:
    """Return an equilibrium that differs from q in a coordinate that matters; None if no search finds one."""
    angles = angles_of(system, q)
    matters = ~invariant_coordinates(system, q, 1.0, ("A", "h", "G"))
    size = np.maximum(np.abs(q), 1.0)
    random = np.random.default_rng(1788)  # always the same positions
    guesses = [-q, *random.uniform(-SEARCH_REACH, SEARCH_REACH, (SEARCH_COUNT, len(q))) * np.where(angles, 1.0, size)]
    for guess in guesses:
        try:
            begin = assemble(system.conditions(), guess, np.zeros(len(q), dtype=bool), others=False).x
        except StartError:
            continue
        search = unwound(system, iterate(system, begin, angles), q, angles)
        difference = np.abs(search.rest.q - q) / size
        if search.balanced and np.any(difference[matters] > SAME_POSITION_TOLERANCE):
            return search.rest.q
    return None
