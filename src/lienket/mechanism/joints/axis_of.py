"""Axis of a joint as scalars, and the directions across it."""

from __future__ import annotations

from ...model.bodies import Joint
from ..scalars.algebra import Algebra, Vector
from ..scalars.axes import perpendicular


def axis_of(joint: Joint, algebra: Algebra) -> Vector:
    """Return the axis in the first place's axes."""
    x, y, z = map(algebra.number, joint.axis)
    return (x, y, z)


def second_axis_of(joint: Joint, algebra: Algebra) -> Vector:
    """Return the second axis of a universal joint, in the second place's axes."""
    assert joint.second_axis is not None  # noqa: S101  # universal joints have one
    x, y, z = map(algebra.number, joint.second_axis)
    return (x, y, z)


def across(axis: Vector, planar: bool) -> list[Vector]:
    """Return the directions across an axis: in the plane the one to its left, m = (-n_y, n_x)."""
    return [(-axis[1], axis[0], 0)] if planar else list(perpendicular(axis))
