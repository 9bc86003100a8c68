"""Energies and forces of a mechanism as formulas, for reading and for `System.as_formulas`.

They are short for small mechanisms only: the kinetic energy of an arm of 12 joints in space would have 2e10 terms.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import symengine as se

from ..language.engine.engine import Engine
from ..model.statement import FreeStatement
from .dynamics import generalized, kinetic_energy
from .elements import loads_of
from .elements.load import Load
from .loads import collected
from .scalars.algebra import add, dot
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
    potential = _potential(state) + _sum([load.potential for load in loads])
    dissipation = _sum([load.dissipation for load in loads])
    forces = _forces(state, [load for load in loads if load.potential is None and load.dissipation is None])

    def outward(x: Any) -> Any:
        return engine.outward(se.Integer(0) + x)

    return FreeStatement(
        free.coordinates, outward(kinetic), None, outward(potential), tuple(map(outward, forces)), (),
        outward(dissipation),
    )  # fmt: skip


def _sum(parts: list[Any]) -> Any:
    """Return the sum of the parts that there are."""
    return sum((x for x in parts if x is not None), start=se.Integer(0))


def _potential(state: MechanismState) -> Any:
    """Return the potential of the weights."""
    x, y, z = map(state.number, state.description.gravity)
    total = se.Integer(0)
    for name, mass in state.masses.items():
        total = total - mass.m * dot((x, y, z), add(state.position.frames[name].origin, mass.to_centre))
    return total


def _forces(state: MechanismState, loads: list[Load]) -> list[Any]:
    """Return the generalized forces of loads that are applied from outside."""
    wrenches, along = collected(state, loads, {})
    Q = generalized(state.tree, state.position, wrenches)
    for k, effort in along.items():
        Q[k] = Q[k] + effort
    return Q
