"""From a description to a Statement: coordinates, and a constraint for every cut joint and holding element."""

from __future__ import annotations

import sympy as sp

from ..language.engine.engine import Engine
from ..language.expression import Coordinate, Expression
from ..language.symbols import coordinates
from ..model.bodies import Description
from ..model.constraint import LEVELS, Constraint
from ..model.statement import FreeStatement, Statement
from .loops import held_of
from .scalars.engine_algebra import EngineAlgebra
from .state import MechanismState
from .tree import spanning_tree


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
    found = []
    for held in held_of(state):
        rows = tuple(engine.outward(engine.inward(sp.S.Zero) + row.expression) for row in held.rows)
        found.append(Constraint(held.name, LEVELS[held.level], held.level, rows, of_mechanism=True))
    return tuple(found)
