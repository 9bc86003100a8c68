"""Normal force of a contact from the multiplier of its constraint: N = nu |lambda| (theory 9).

The constraint exerts G^T lambda. The normal force F lambda acts at the contact point p(q, t), whose virtual
displacement is J dq with J = dp/dq, so that

    J^T F = G^T,        nu = |F| = |dg/dp|.

nu is 1 if the constraint measures a distance, and c for c times a distance. F is known in these cases:

    `normal_factor`    nu is stated with the law; the rows of the catalogue state it (`laws/catalogue_row`)
    law with `point`   p is stated; F is unique if the components of p move independently (J of full rank), and exists
                       if the constraint acts at that point alone
    particles          the constraint contains only Cartesian coordinates of one particle, dp = dq, or of two particles
                       with opposite gradients (action and reaction)

Anything else leaves F open: a body that turns feels a moment as well, and a coordinate may have any scale.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import symengine as se
import sympy as sp

from ..errors import Faults
from ..language.engine.engine import Engine
from ..language.engine.zero_test import vanishes
from ..language.expression import EngineExpression, Expression
from .cartesian_points import cartesian_points, has_axes
from .checks.contact_point import acts_at_point
from .constraint import Constraint
from .statement import Statement

UNIT_ROUNDING = 1e-12  # [1] difference of a computed nu^2 from 1 that counts as rounding

Row = list[EngineExpression]


def with_normal_factors(constraints: Sequence[Constraint], statement: Statement, faults: Faults) -> list[Constraint]:
    """Return the constraints with `normal_factor` of the contacts among them; `statement` is that of the system."""
    return [
        replace(c, normal_factor=_normal_factor(c, statement, faults))
        if c.law is not None and c.law.is_contact and len(c.expressions) == 1
        else c
        for c in constraints
    ]


def _normal_factor(c: Constraint, statement: Statement, faults: Faults) -> Expression | None:
    """Return nu of a contact; None if it does not follow from the statement."""
    if c.law is not None and c.law.stated_normal_factor is not None:
        return c.law.stated_normal_factor
    engine = Engine(statement.coordinates)
    g = engine.inward(c.expressions[0])
    highest = (engine.q, engine.v, engine.a)[c.level]
    G = [engine.derivative(g, x) for x in highest]
    point = None if c.law is None else c.law.contact_point
    if any(not e.free_symbols.isdisjoint(engine.a) for e in G):  # nonlinear in accelerations
        if point is not None:
            what = "the normal force at `point` is not known for a constraint that is nonlinear in the accelerations"
            faults.add(f"constraint {c.name!r}, law, point", what, "Leave the point out: |lambda| is taken.")
        return None
    force = _of_particles(G, statement) if point is None else _at_point(c, point, (g, G, highest), statement, faults)
    return None if force is None else _length(force, engine)


def _of_particles(G: Row, statement: Statement) -> Row | None:
    """Return the force per multiplier on a particle; None if the constraint contains other coordinates."""
    acted = [i for i, e in enumerate(G) if e != 0]
    if not all(has_axes(statement.names, i) for i in acted):  # spares the derivatives of a long kinetic energy
        return None
    points = [p for p in cartesian_points(statement) if not set(p).isdisjoint(acted)]
    if set(acted) - {i for p in points for i in p} or not 1 <= len(points) <= 2:
        return None
    forces = [[G[i] for i in p] for p in points]
    if len(forces) == 2 and (
        len(forces[0]) != len(forces[1]) or not all(vanishes(a + b) for a, b in zip(*forces, strict=True))
    ):
        return None
    return forces[0]


def _at_point(
    c: Constraint,
    point: Sequence[Expression],
    row: tuple[EngineExpression, Row, list[se.Symbol]],
    statement: Statement,
    faults: Faults,
) -> Row | None:
    """Return the force per multiplier at a stated contact point; None and a fault if it is not determined."""
    engine, (_, G, _) = Engine(statement.coordinates), row
    moved = ([engine.derivative(engine.inward(e), x) for x in engine.q] for e in point)
    J = [entries for entries in moved if any(e != 0 for e in entries)]
    where = f"constraint {c.name!r}, law, point"
    if not J:
        faults.add(where, "it contains no coordinate", "State the position of the contact point in coordinates.")
        return None
    force = _force(J, G)
    if force is None:
        what = "its components do not move independently, so that the normal force does not follow from lambda"
        faults.add(where, what, "State only components that the coordinates move independently, or leave it out.")
        return None
    rest = [sum((J[k][i] * f for k, f in enumerate(force)), se.Integer(0)) - G[i] for i in range(len(G))]
    if not acts_at_point(row, rest, statement):
        what = "the reaction of the constraint is not a force at this point: J^T F = G^T has no solution F, J = dp/dq"
        advice = "State the point at which the bodies touch, relative to the other body if that moves, or leave it out."
        faults.add(where, what, advice)
        return None
    return force


def _force(J: list[Row], G: Row) -> Row | None:
    """Return F (d) of J^T F = G^T from d columns of J that are numbers, else F = (J J^T)^-1 J G^T; None if singular."""
    d = len(J)
    plain = [i for i in range(len(G)) if all(row[i].is_Number for row in J) and any(row[i] != 0 for row in J)]
    for columns in combinations(plain, d):
        block = [[row[i] for row in J] for i in columns]
        if _determinant(block) != 0:
            return _solution(block, [G[i] for i in columns])
    products = [[_dot(a, b) for b in J] for a in J]
    if vanishes(_determinant(products)):
        return None
    return _solution(products, [_dot(a, G) for a in J])


def _dot(a: Row, b: Row) -> EngineExpression:
    return sum((x * y for x, y in zip(a, b, strict=True)), se.Integer(0))


def _determinant(matrix: list[Row]) -> EngineExpression:
    """Return the determinant of a matrix of up to three rows."""
    if len(matrix) == 1:
        return matrix[0][0]
    minors = ([row[:k] + row[k + 1 :] for row in matrix[1:]] for k in range(len(matrix)))
    return sum(((-1) ** k * matrix[0][k] * _determinant(m) for k, m in enumerate(minors)), se.Integer(0))


def _solution(matrix: list[Row], right: Row) -> Row:
    """Return the solution of a small system by Cramer's rule."""
    whole = _determinant(matrix)
    columns = range(len(right))
    replaced = ([[*row[:k], b, *row[k + 1 :]] for row, b in zip(matrix, right, strict=True)] for k in columns)
    return [_determinant(m) / whole for m in replaced]


def _length(force: Row, engine: Engine) -> Expression:
    """Return |F|, as 1 where it is 1 identically."""
    entries = [e for e in force if e != 0]
    square = sum((e**2 for e in entries), se.Integer(0))
    if vanishes(square - 1) or (square.is_Number and abs(float(square) - 1) < UNIT_ROUNDING):
        return sp.S.One
    if len(entries) == 1 and entries[0].is_Number:
        return sp.Abs(engine.outward(entries[0]))
    return sp.sqrt(sp.factor_terms(engine.outward(square)))
