"""From a description to a Statement: coordinates, and a constraint for every cut joint and holding element."""

from __future__ import annotations

import sympy as sp

from ..language.engine.engine import Engine
from ..language.expression import Coordinate, EngineExpression, Expression
from ..language.symbols import coordinates
from ..model.bodies import Description
from ..model.constraint import LEVELS, Constraint
from ..model.laws import Unilateral
from ..model.statement import FreeStatement, Statement
from .held import HeldRow
from .loops import held_of
from .scalars.algebra import is_zero
from .scalars.engine_algebra import EngineAlgebra
from .state import MechanismState
from .tree import spanning_tree

ZERO_ROUNDING = 1e-13  # [1] row, relative to the positions of places or to 1 for turns, that counts as rounding
POINTS = 4  # [points] irregular states at which a row must vanish


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
    found, length = [], _length(description)
    for held in held_of(state):
        rows = tuple(_outward(row, engine, length) for row in held.rows)
        law = None if held.restitution is None else Unilateral(restitution=held.restitution, normal_factor=sp.S.One)
        factor = None if law is None else sp.S.One
        found.append(
            Constraint(
                held.name, LEVELS[held.level], held.level, rows, law=law, normal_factor=factor, of_mechanism=True
            )
        )
    return tuple(found)


def _outward(row: HeldRow, engine: Engine, length: float) -> Expression:
    """Return the formula of a row, 0 if it vanishes whatever the coordinates and parameters are.

    Redundant rows of loops do; what is left of them is rounding, which would contradict the other rows.
    """
    expression = engine.inward(sp.S.Zero) + row.expression
    translation = any(not is_zero(w.force) for _, w in row.load.wrenches)
    size = length if translation else 1.0
    return sp.S.Zero if _vanishes(expression, size, length) else engine.outward(expression)


def _vanishes(expression: EngineExpression, size: float, length: float) -> bool:
    """Return whether a row is rounding at all of some irregular points."""
    symbols = sorted(expression.free_symbols, key=str)
    if any(kind in str(type(x)) for x in expression.atoms() for kind in ("FunctionSymbol",)):
        return False
    for k in range(POINTS):
        numbers = {x: length * (0.7390851 + (k + 1) * 0.6180339 * (j + 1) % 1.0) for j, x in enumerate(symbols)}
        try:
            value = abs(float(expression.subs(numbers)))
        except (TypeError, ValueError, RuntimeError):  # a table, or no real number there
            return False
        if not value <= ZERO_ROUNDING * size:
            return False
    return True


def _length(description: Description) -> float:
    """Return the largest number among the positions of the places, 1 without any."""
    places = [place for joint in description.joints for place in (joint.first, joint.second)]
    return max((abs(float(e)) for place in places for e in place.position if e.is_number), default=0.0) or 1.0
