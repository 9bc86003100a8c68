"""Holonomic constraints between points: fixed, joined, at a distance, or on a straight line."""

from __future__ import annotations

from collections.abc import Sequence

import sympy as sp

from ...foundation.nearest_name import with_suggestions
from ...language.expression import Expression, ExpressionLike
from ...model.laws.catalogue_row import CatalogueRow
from .arguments import Arguments, Vector
from .vectors import across_factors, components_across, difference, dot


@with_suggestions
def fixed_point(point: Vector, at: Vector) -> list[Expression]:
    """Return a constraint that keeps a point at a given position: point_i - at_i = 0.

    lambda_i is the force on the point along axis i.

    Parameters
    ----------
    point : vector
        Position of the point, 2 or 3 expressions in fixed axes.
    at : vector
        Prescribed position, expressions of time and parameters.

    Returns
    -------
    list of Expr
        One row for each axis.

    Raises
    ------
    ModelError
        With all faults of the arguments.

    Examples
    --------
    >>> x, y = lk.coordinates("x y")
    >>> lk.catalogue.fixed_point((x, y), (0, 1))
    [x(t), y(t) - 1]
    """
    read = Arguments("fixed_point")
    fixed = read.point("point", point)
    target = read.point("at", at)
    for i, component in enumerate(target):
        read.law(f"at[{i}]", component, "To join two moving points use pin.")
    read.check_same_axes(point=fixed, at=target)
    read.raise_any()
    return _rows(difference(fixed, target))


@with_suggestions
def pin(a: Vector, b: Vector) -> list[Expression]:
    """Return a constraint that joins the point a of one body to the point b of another: a_i - b_i = 0.

    lambda_i is the force on a along axis i; the opposite force acts on b.

    Parameters
    ----------
    a, b : vector
        Positions of the points, 2 or 3 expressions in fixed axes.

    Returns
    -------
    list of Expr
        One row for each axis.

    Raises
    ------
    ModelError
        With all faults of the arguments.

    Examples
    --------
    >>> x, y, s = lk.coordinates("x y s")
    >>> lk.catalogue.pin((x, y), (s, 0))
    [-s(t) + x(t), y(t)]
    """
    read = Arguments("pin")
    first, second = read.point("a", a), read.point("b", b)
    read.check_same_axes(a=first, b=second)
    read.raise_any()
    return _rows(difference(first, second))


@with_suggestions
def distance(a: Vector, b: Vector, length: ExpressionLike) -> Expression:
    """Return a constraint that keeps two points at a distance: |b - a| - length = 0.

    lambda is the force between the points: positive as thrust, which pushes them apart, negative as tension. The root
    has no derivative where the points coincide; `rod` states the constraint without a root.

    Parameters
    ----------
    a, b : vector
        Positions of the points, 2 or 3 expressions in fixed axes.
    length : expression
        Distance, positive; it may depend on coordinates and time, as for a rope on a winch.

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
    >>> x, y = lk.coordinates("x y")
    >>> lk.catalogue.distance((0, 0), (x, y), 2)
    sqrt(x(t)**2 + y(t)**2) - 2
    """
    between, extent = _span("distance", a, b, length)
    return CatalogueRow(sp.sqrt(dot(between, between)) - extent, sp.S.One)


@with_suggestions
def rod(a: Vector, b: Vector, length: ExpressionLike) -> Expression:
    """Return a constraint that keeps two points at a distance, in squares: |b - a|^2 - length^2 = 0.

    2 length lambda is the force in the rod: positive as thrust, negative as tension. The expression is a polynomial in
    the positions and smooth everywhere.

    Parameters
    ----------
    a, b : vector
        Positions of the points, 2 or 3 expressions in fixed axes.
    length : expression
        Distance, positive; it may depend on coordinates and time.

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
    >>> x, y = lk.coordinates("x y")
    >>> lk.catalogue.rod((0, 0), (x, y), 2)
    x(t)**2 + y(t)**2 - 4
    """
    between, extent = _span("rod", a, b, length)
    return CatalogueRow(dot(between, between) - extent**2, 2 * sp.sqrt(dot(between, between)))


@with_suggestions
def slot(point: Vector, origin: Vector, direction: Vector) -> list[Expression]:
    """Return a constraint that keeps a point on a straight line: n . (point - origin) = 0 for each normal n.

        plane                        n = (-d_y, d_x)
        space, a component d_k = 0   n = e_k x d and e_k
        space, otherwise             two perpendicular unit vectors that turn with d (see `vectors.components_across`)

    The force on the point is the sum of lambda n. With a unit direction every n is a unit vector and lambda is the
    force, in the plane positive to the left of the direction. The rows stay independent while the direction is not
    zero, except in the last form for a direction exactly along -z: no continuous pair of normals exists for all
    directions in space. For a slot that may point there, state the rows [b . (point - origin), c . (point - origin)]
    with the columns b and c of the rotation matrix of the guiding body that are perpendicular to the slot.

    Parameters
    ----------
    point : vector
        Position of the point, 2 or 3 expressions in fixed axes.
    origin, direction : vector
        A point of the line and its direction, both of which may move.

    Returns
    -------
    list of Expr
        One row in the plane, two in space.

    Raises
    ------
    ModelError
        With all faults of the arguments.

    Examples
    --------
    >>> x, y, r = *lk.coordinates("x y"), lk.parameters("r")
    >>> lk.catalogue.slot((x, y), (0, r), (1, 0))
    [-r + y(t)]
    """
    read = Arguments("slot")
    guided, start, d = read.point("point", point), read.point("origin", origin), read.direction("direction", direction)
    read.check_same_axes(point=guided, origin=start, direction=d)
    read.raise_any()
    rows = components_across(d, difference(guided, start))
    return [CatalogueRow(row, factor) for row, factor in zip(rows, across_factors(d), strict=True)]


def _rows(components: Sequence[Expression]) -> list[Expression]:
    """Return rows whose multipliers are forces along the axes."""
    return [CatalogueRow(component, sp.S.One) for component in components]


def _span(function: str, a: Vector, b: Vector, length: ExpressionLike) -> tuple[tuple[Expression, ...], Expression]:
    """Read the arguments of `function`; return the vector from a to b and the length."""
    read = Arguments(function)
    first, second, extent = read.point("a", a), read.point("b", b), read.position("length", length)
    read.check_same_axes(a=first, b=second)
    # At length zero the squared form has no gradient and would constrain nothing.
    read.check_positive("length", extent, "To join two points that coincide, use pin.")
    read.raise_any()
    return difference(second, first), extent
