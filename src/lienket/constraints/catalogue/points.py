"""Holonomic constraints between points: fixed, joined, at a distance, or on a straight line."""

from __future__ import annotations

import sympy as sp

from .arguments import Arguments, Expression, Vector
from .vectors import components_across, difference, dot


def fixed_point(point: Vector, at: Vector) -> list[Expression]:
    """`point` stays at `at`, which may depend on time:

        point_i - at_i = 0, one row for each axis.

    lambda_i is the force on the point along axis i.
    """
    read = Arguments("fixed_point")
    fixed = read.point("point", point)
    target = read.point("at", at)
    for i, component in enumerate(target):
        read.law(f"at[{i}]", component, "To join two moving points use pin.")
    read.check_same_axes(point=fixed, at=target)
    read.raise_any()
    return list(difference(fixed, target))


def pin(a: Vector, b: Vector) -> list[Expression]:
    """The point `a` of one body and the point `b` of another stay together:

        a_i - b_i = 0, one row for each axis.

    lambda_i is the force on a along axis i; b feels the opposite.
    """
    read = Arguments("pin")
    first, second = read.point("a", a), read.point("b", b)
    read.check_same_axes(a=first, b=second)
    read.raise_any()
    return list(difference(first, second))


def distance(a: Vector, b: Vector, length: Expression) -> Expression:
    """The points `a` and `b` stay at the distance `length`:

        |b - a| - length = 0.

    lambda is the force itself: positive as thrust, which pushes the points apart, negative as tension. The root
    has no derivative where the points meet; `rod` is the same without it. `length` may depend on coordinates and
    time, as that of a rope on a winch.
    """
    between, extent = _span("distance", a, b, length)
    return sp.sqrt(dot(between, between)) - extent


def rod(a: Vector, b: Vector, length: Expression) -> Expression:
    """The points `a` and `b` stay at the distance `length`, in squares:

        |b - a|^2 - length^2 = 0.

    2 length lambda is the force in the rod: positive as thrust, negative as tension. Polynomial in the positions,
    smooth everywhere. `length` may depend on coordinates and time.
    """
    between, extent = _span("rod", a, b, length)
    return dot(between, between) - extent**2


def slot(point: Vector, origin: Vector, direction: Vector) -> list[Expression]:
    """`point` stays on the straight line through `origin` along `direction`; both may move:

        n . (point - origin) = 0 for each normal n, one in the plane, two in space.

    The force on the point is the sum of lambda n. With a unit direction every n is a unit vector and lambda the
    force itself, in the plane positive to the left of the direction: slot((x, y), (0, r), (1, 0)) is y - r.

        plane                        n = (-d_y, d_x)
        space, a component d_k = 0   n = e_k x d and e_k
        space, otherwise             two perpendicular unit vectors that turn with d (see `vectors.components_across`)

    While the direction is not zero the rows stay independent, but for the last form with a direction exactly along
    -z. Every pair of normals that follows a direction through the whole of space fails somewhere, since a sphere
    cannot be combed.
    A slot that may come to point there is better stated in the body that carries it, by the columns b and c of its
    rotation matrix that stand across the slot: [b . (point - origin), c . (point - origin)].
    """
    read = Arguments("slot")
    guided, start, d = read.point("point", point), read.point("origin", origin), read.direction("direction", direction)
    read.check_same_axes(point=guided, origin=start, direction=d)
    read.raise_any()
    return components_across(d, difference(guided, start))


def _span(function: str, a: Vector, b: Vector, length: Expression) -> tuple[tuple[Expression, ...], Expression]:
    """Read the arguments of `function`; return the vector from a to b and the length."""
    read = Arguments(function)
    first, second, extent = read.point("a", a), read.point("b", b), read.position("length", length)
    read.check_same_axes(a=first, b=second)
    # At length zero the squared form has no gradient and would constrain nothing.
    read.check_positive("length", extent, "To join two points that coincide, use pin.")
    read.raise_any()
    return difference(second, first), extent
