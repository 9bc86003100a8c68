"""Energies and forces of a mechanism as formulas, for reading and for `System.as_formulas`.

They are short for small mechanisms only: the kinetic energy of an arm of 12 joints in space would have 2e10 terms.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import symengine as se

from ..language.engine.engine import Engine
from ..model.statement import FreeStatement
from .dynamics import kinetic_energy
from .elements import loads_of
from .loads import dissipation_of, from_outside, generalized_forces, potential_of
from .scalars.engine_algebra import EngineAlgebra
from .state import MechanismState

CACHED = 64  # [statements] whose formulas are kept


@lru_cache(maxsize=CACHED)
def with_formulas(free: FreeStatement) -> FreeStatement:
    """Return the free system stated by T, V, R and generalized forces instead of bodies and joints."""
    if free.mechanism is None:
        return free
    engine = Engine(free.coordinates)
    algebra = EngineAlgebra(engine)
    state = MechanismState(free.mechanism, algebra)
    loads = list(loads_of(state).values())
    kinetic = kinetic_energy(state.tree, state.masses, state.rates, algebra, state.factors)
    potential, dissipation = potential_of(state, loads), dissipation_of(loads)
    forces = generalized_forces(state, from_outside(loads), {})

    def outward(x: Any) -> Any:
        return engine.outward(se.Integer(0) + x)

    return FreeStatement(
        free.coordinates, outward(kinetic), None, outward(potential), tuple(map(outward, forces)), (),
        outward(dissipation),
    )  # fmt: skip
