"""From a description to a Statement: coordinates, and a constraint for every cut joint and holding element."""

from __future__ import annotations

import sympy as sp

from ..language.engine.engine import Engine
from ..language.expression import Coordinate, Expression
from ..language.symbols import coordinates
from ..model.bodies import Description
from ..model.constraint import LEVELS, Constraint
from ..model.laws import Unilateral
from ..model.statement import FreeStatement, Statement
from .loops import held_of
from .scalars.engine_algebra import EngineAlgebra
from .state import MechanismState
from .tree import spanning_tree

CONSTANT_ROUNDING = 1e-14  # [1] row without coordinates, relative to the positions of places, that counts as rounding


def statement_of(name: str, description: Description, values: tuple[tuple[Expression, Expression], ...]) -> Statement:
    """Return the statement of a mechanism."""
    tree = spanning_tree(description)
    symbols = tuple(coordinates(x) for x in tree.coordinates)
    zero = sp.S.Zero
    free = FreeStatement(symbols, None, None, zero, (zero,) * len(symbols), (), zero, description)
    constraints = constraints_of(description, symbols)
    return Statement(name, free, constraints, values)


def constraints_of(description: Description, symbols: tuple[Coordinate, ...]) -> tuple[Constraint, ...]:
    """Return the constraints of a mechanism in formulas."""
    engine = Engine(symbols)
    state = MechanismState(description, EngineAlgebra(engine))
    found, size = [], _size(description)
    for held in held_of(state):
        rows = tuple(_plain(engine.outward(engine.inward(sp.S.Zero) + row.expression), size) for row in held.rows)
        law = None if held.restitution is None else Unilateral(restitution=held.restitution, normal_factor=sp.S.One)
        factor = None if law is None else sp.S.One
        found.append(
            Constraint(
                held.name, LEVELS[held.level], held.level, rows, law=law, normal_factor=factor, of_mechanism=True
            )
        )
    return tuple(found)


def _plain(row: Expression, size: float) -> Expression:
    """Return a row, 0 if it is a number that is rounding: both ends of a loop meet whatever the coordinates are."""
    return sp.S.Zero if row.is_number and abs(float(row)) <= CONSTANT_ROUNDING * size else row


def _size(description: Description) -> float:
    """Return the largest number among the positions of the places, at least 1."""
    places = [place for joint in description.joints for place in (joint.first, joint.second)]
    numbers = [abs(float(e)) for place in places for e in place.position if e.is_number]
    return max([1.0, *numbers])
