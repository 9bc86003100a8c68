"""What every kind of joint tells about itself; each kind is one file of this folder.

    coordinates   names of its coordinates, after the joint's
    shifts        displacement of the second point d = sum e_k q_k, e_k fixed in the first place's axes
    turns         rotation J = Rot(n_1, q_1) Rot(n_2, q_2) ..., or Euler parameters; it stands behind the displacement
    rows          rows of a cut joint, each with the wrench that its multiplier exerts on the second body
    measures      coordinates from the relative place of a cut joint
    efforts       wrench of a generalized effort along each coordinate

Source: mechanisms 2.2 to 2.7 and 5.1 (docs/theory.md). Planar joints turn about z.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...foundation.frozen_dataclass import dataclass
from ...model.bodies import Joint
from ..scalars.algebra import ZERO, Algebra, Scalar, Vector, cross, dot
from ..scalars.axes import Axes, perpendicular

WITH_FALSE_SOLUTIONS = ("revolute", "cylindrical", "screw", "planar", "weld", "prismatic")
"""Kinds whose rows by the matrix R also hold with opposite axes or after half a turn."""


@dataclass(frozen=True, eq=False)
class Relative:
    """Second place of a joint seen from the first: axes `A` and `B` of both and `between` = p_b - p_a, in common axes.

    `parameters` are the Euler parameters of A^T B where they are known, else ().
    """

    A: Axes
    B: Axes
    between: Vector
    parameters: tuple[Scalar, ...] = ()

    @property
    def angle(self) -> Scalar:
        """Angle of B relative to A in the plane."""
        assert self.A.angle is not None and self.B.angle is not None  # noqa: S101  # planar mechanisms only
        return self.B.angle - self.A.angle

    def along(self, axis: Vector) -> Scalar:
        """Return axis . d for an axis of the first place."""
        return dot(self.A @ axis, self.between)

    def cosine(self, a: Vector, b: Vector) -> Scalar:
        """Return a . R b, for a of the first and b of the second place."""
        return dot(self.A @ a, self.B @ b)


@dataclass(frozen=True, eq=False)
class Row:
    """Row of a cut joint and the wrench of its unit multiplier on the second body at its point, in the common axes."""

    expression: Scalar
    force: Vector
    torque: Vector


@dataclass(frozen=True)
class Turn:
    """Turn by the coordinate `index` about `axis`, in the axes after the turns before it."""

    axis: Vector
    index: int


@dataclass(frozen=True)
class Shift:
    """Displacement along `direction`, in the first place's axes, for each unit of the coordinate `index`."""

    direction: Vector
    index: int


class Kind:
    """Base of the kinds of joints."""

    name = ""
    planar_suffixes: tuple[str, ...] | None = None  # None: there is no such joint in the plane
    spatial_suffixes: tuple[str, ...] | None = None
    euler = False  # whether Euler parameters turn it, its last four coordinates

    def shifts(self, joint: Joint, algebra: Algebra, planar: bool) -> Sequence[Shift]:
        """Return the displacements by the coordinates."""
        return ()

    def turns(self, joint: Joint, algebra: Algebra, planar: bool) -> Sequence[Turn]:
        """Return the turns by the coordinates, without those by Euler parameters."""
        return ()

    def rows(self, joint: Joint, place: Relative, algebra: Algebra, planar: bool) -> list[Row]:
        """Return the rows of the joint if it is cut."""
        raise NotImplementedError

    def measures(self, joint: Joint, place: Relative, algebra: Algebra, planar: bool) -> list[Scalar]:
        """Return the coordinates of the joint in a relative place."""
        return []

    def efforts(self, joint: Joint, place: Relative, algebra: Algebra, planar: bool) -> list[tuple[Vector, Vector]]:
        """Return force and torque on the second body, at its point, of a unit effort along each coordinate."""
        turning = [(ZERO, place.A @ turn.axis) for turn in self.turns(joint, algebra, planar)]
        return [*((place.A @ s.direction, ZERO) for s in self.shifts(joint, algebra, planar)), *turning]


# Rows that several kinds share


def joined(planar: bool) -> list[Vector]:
    """Return the directions in which points that coincide are held, in common axes."""
    return [(1, 0, 0), (0, 1, 0)] if planar else [(1, 0, 0), (0, 1, 0), (0, 0, 1)]


def together(place: Relative, planar: bool) -> list[Row]:
    """Return p_b - p_a = 0 in the common axes."""
    return [Row(place.between[k], e, ZERO) for k, e in enumerate(joined(planar))]


def held(place: Relative, directions: Sequence[Vector]) -> list[Row]:
    """Return k . d = 0 for directions k in the first place's axes: the force A k on the second body."""
    return [Row(place.along(k), place.A @ k, ZERO) for k in directions]


def parallel(place: Relative, axis: Vector) -> list[Row]:
    """Return the two rows that keep an axis of both places parallel.

    u.e, w.e with the torque A (e0 k + e x k)/2 where Euler parameters are known, which has no false solutions; else
    u.R n, w.R n with the torque (B n) x (A k).
    """
    if place.parameters:
        return [_parameter_row(place, k) for k in perpendicular(axis)]
    n = place.B @ axis
    return [Row(dot(place.A @ k, n), ZERO, cross(n, place.A @ k)) for k in perpendicular(axis)]


def unturned(place: Relative) -> list[Row]:
    """Return the three rows that keep all axes parallel: e = 0, or vee(R) = 0 with the torque A (tr R - R)^T k/2."""
    axes: list[Vector] = [(1, 0, 0), (0, 1, 0), (0, 0, 1)]
    if place.parameters:
        return [_parameter_row(place, k) for k in axes]
    R = [[place.cosine(a, b) for b in axes] for a in axes]
    trace, rows = R[0][0] + R[1][1] + R[2][2], []
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        torque = [((trace if m == k else 0) - R[k][m]) / 2 for m in range(3)]
        rows.append(Row((R[j][i] - R[i][j]) / 2, ZERO, place.A @ (torque[0], torque[1], torque[2])))
    return rows


def same_angle(place: Relative, algebra: Algebra) -> Row:
    """Return 2 sin(theta/2) = 0 of the plane, which is zero at whole turns only: the torque cos(theta/2) = +-1."""
    half = place.angle / 2
    return Row(2 * algebra.sin(half), ZERO, (0, 0, algebra.cos(half)))


def angle_about(place: Relative, axis: Vector, algebra: Algebra, planar: bool) -> Scalar:
    """Return the angle of the second place about an axis of both: atan2(w.R u, u.R u)."""
    if planar:
        return place.angle
    u, w = perpendicular(axis)
    return algebra.atan2(place.cosine(w, u), place.cosine(u, u))


def _parameter_row(place: Relative, k: Vector) -> Row:
    e0, e = place.parameters[0], (place.parameters[1], place.parameters[2], place.parameters[3])
    across = cross(e, k)
    torque = ((e0 * k[0] + across[0]) / 2, (e0 * k[1] + across[1]) / 2, (e0 * k[2] + across[2]) / 2)
    return Row(dot(k, e), ZERO, place.A @ torque)
