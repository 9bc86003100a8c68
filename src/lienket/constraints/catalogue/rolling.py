"""Contact without slip in the plane: along a line (rolling) or sideways (knife edge)."""

from __future__ import annotations

import sympy as sp

from ...foundation.nearest_name import with_suggestions
from ...language.expression import Expression, ExpressionLike
from ...model.laws.catalogue_row import CatalogueRow
from .arguments import Arguments, Vector
from .vectors import dot, rate, unit


@with_suggestions
def rolling(
    centre: Vector,
    angle: ExpressionLike,
    radius: ExpressionLike,
    along: Vector = (1, 0),
    *,
    surface_velocity: Vector | None = None,
    start: ExpressionLike | None = None,
) -> Expression:
    """Return a constraint of a disc that rolls without slip on a straight line in the plane.

        e . centre' + radius angle' = 0                            by default
        e . (centre' - surface_velocity) + radius angle' = 0       on a moving line
        e . centre  + radius angle - start = 0                     integrated, if `start` is given

    e is the unit vector of `along`. lambda is the force of the line on the disc along e; its torque on the disc is
    radius lambda. That the centre stays at the distance radius from the line is another constraint: the disc of paper
    000 has slot((x, y), (0, r), (1, 0)), which is y - r, and rolling((x, y), phi, r, start=0), which is x + r phi.

    Parameters
    ----------
    centre : vector
        Position of the centre, 2 expressions.
    angle : expression
        Rotation of the disc, counterclockwise from fixed axes.
    radius : expression
        Radius, positive and constant.
    along : vector
        Direction of the line, which may turn; the disc lies to its left, above the line for (1, 0). For the wheels of
        a vehicle seen from above `along` is the heading and `angle` the spin, positive backwards.
    surface_velocity : vector, optional
        Velocity of the line's material at the contact, such as (der(X), 0) on a wedge at X.
    start : expression, optional
        Value of e . centre + radius angle, a constant or, for a belt, its displacement as a function of time. It makes
        the constraint holonomic and requires a constant direction.

    Returns
    -------
    Expr
        Expression that must be zero.

    Raises
    ------
    ModelError
        With all faults of the arguments.

    Examples
    --------
    >>> x, y, phi, r = *lk.coordinates("x y phi"), lk.parameters("r")
    >>> lk.catalogue.rolling((x, y), phi, r)
    r*Derivative(phi(t), t) + Derivative(x(t), t)
    """
    return _rolling_row(centre, angle, radius, along, surface_velocity, start)


def _rolling_row(
    centre: Vector,
    angle: ExpressionLike,
    radius: ExpressionLike,
    along: Vector,
    surface_velocity: Vector | None,
    start: ExpressionLike | None,
) -> Expression:
    """Return the expression of `rolling` from its arguments, or raise all their faults."""
    read = Arguments("rolling")
    c, e = read.point("centre", centre, (2,)), read.direction("along", along, (2,))
    phi, r = read.position("angle", angle), read.constant("radius", radius)
    read.check_positive("radius", r)
    u = (sp.S.Zero, sp.S.Zero)
    if surface_velocity is not None:
        u = read.velocities("surface_velocity", surface_velocity, (2,))
    offset = None if start is None else read.law("start", start)
    if start is not None:
        if surface_velocity is not None:
            problem = "it is given together with surface_velocity, which cannot be integrated here"
            read.fault("start", problem, "Give one of them; start may be a displacement that depends on time.")
        for i, component in enumerate(e):
            read.constant(f"along[{i}]", component)
    read.raise_any()
    if offset is not None:
        return CatalogueRow(dot(unit(e), c) + r * phi - offset, sp.S.One)
    slip = [v - w for v, w in zip(rate(c), u, strict=True)]
    return CatalogueRow(dot(unit(e), slip) + r * rate([phi])[0], sp.S.One)


@with_suggestions
def knife_edge(point: Vector, heading: ExpressionLike) -> Expression:
    """Return a constraint without sideways velocity of a blade, skate or thin wheel.

        sin(heading) x' - cos(heading) y' = 0

    lambda is the force on the point to the right of the heading.

    Parameters
    ----------
    point : vector
        Position of the point, 2 expressions.
    heading : expression
        Direction of the blade, counterclockwise from the x axis.

    Returns
    -------
    Expr
        Expression that must be zero.

    Raises
    ------
    ModelError
        With all faults of the arguments.

    Examples
    --------
    >>> x, y, phi = lk.coordinates("x y phi")
    >>> lk.catalogue.knife_edge((x, y), phi)
    sin(phi(t))*Derivative(x(t), t) - cos(phi(t))*Derivative(y(t), t)
    """
    read = Arguments("knife_edge")
    blade, angle = read.point("point", point, (2,)), read.position("heading", heading)
    read.raise_any()
    return CatalogueRow(dot((sp.sin(angle), -sp.cos(angle)), rate(blade)), sp.S.One)
