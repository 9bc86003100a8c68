"""Solids: mass, centre, inertia and shapes of a body, moved, turned and composed before a body is made of them.

For two solids with masses m1, m2 and centres c1, c2, d = c2 - c1 (the sum of pseudo-inertias of mechanisms 1.3):
m = m1 + m2, c = (m1 c1 + m2 c2)/m, J = J1 + J2 + (m1 m2/m) (|d|^2 I - d d^T); for a hole m2 and J2 are negative.
"""

from __future__ import annotations

from typing import TypeVar

import sympy as sp

from ....errors import Faults
from ....foundation.frozen_dataclass import dataclass, replace
from ....language.expression import Expression, ExpressionLike
from ....model.bodies.description import Shape, Vector
from ..inertia import possible_inertia
from ..reading import expression_of, rotation_of
from .algebra import NO_INERTIA, Inertia, add, offset_inertia, product, scaled, turned, turned_inertia

S = TypeVar("S", bound="Solid")


@dataclass(frozen=True)
class Solid:
    """Mass, mass centre, inertia xx yy zz xy xz yz about the centre, and the shapes that are drawn.

    All in the solid's own axes; numbers may be expressions of parameters. In the plane z is zero, and the moment of
    inertia is the entry zz. Solids are added with + and `sum`; a solid of mass 0 adds its shapes only.
    """

    mass: Expression
    centre: Vector
    inertia: Inertia
    shapes: tuple[Shape, ...] = ()

    planar = False

    def __add__(self: S, other: object) -> S:
        if isinstance(other, int) and other == 0:  # where sum() begins
            return self
        if type(other) is not type(self):
            return NotImplemented
        return replace(_combined(self, other, 1), shapes=(*self.shapes, *other.shapes))

    __radd__ = __add__

    def without(self: S, other: S) -> S:
        """Return the solid with a hole: what remains when the mass of `other` is taken away.

        Parameters
        ----------
        other : Solid
            What is cut out, with the mass that its material had; it must lie inside. It is not drawn.

        Returns
        -------
        Solid
            The remaining solid.

        Raises
        ------
        ModelError
            If the numbers show that `other` does not lie inside: a negative mass or an impossible inertia remains.

        Examples
        --------
        >>> washer = lk.planar.disc(4, 2).without(lk.planar.disc(1, 1))
        >>> washer.mass, washer.inertia[2]
        (3, 15/2)
        """
        faults = Faults()
        if type(other) is not type(self):
            faults.add(
                "hole", f"{'a planar' if self.planar else 'a spatial'} solid was expected, not a {type(other).__name__}"
            )
            faults.raise_any("The solid")
        left = _combined(self, other, -1)
        if left.mass.is_number and float(left.mass) < 0:
            faults.add("hole", f"it weighs {other.mass}, more than the solid with {self.mass}")
        problem = possible_inertia(left.inertia, self.planar)
        if problem and not faults:
            faults.add("hole", f"it does not lie inside the solid: of what remains, {problem}")
        faults.raise_any("The solid")
        return left

    def _moved(self: S, rotation: tuple[Expression, ...], position: Vector) -> S:
        """Return the solid turned by a rotation about the origin and then shifted."""
        return replace(
            self,
            centre=add(position, turned(rotation, self.centre)),
            inertia=turned_inertia(rotation, self.inertia),
            shapes=tuple(_moved_shape(shape, rotation, position, self.planar) for shape in self.shapes),
        )


class PlanarSolid(Solid):
    """Solid of a planar mechanism, made by `lk.planar.rod`, `lk.planar.disc`, ..."""

    planar = True

    def at(self, x: ExpressionLike = 0, y: ExpressionLike = 0, angle: ExpressionLike = 0) -> PlanarSolid:
        """Return the solid moved: turned by an angle about its origin, which then is placed at (x, y).

        Parameters
        ----------
        x, y : number or expression
            Place of the solid's origin; parameters are possible, time is not.
        angle : number or expression
            Turn, anticlockwise.

        Returns
        -------
        PlanarSolid
            The moved solid.

        Examples
        --------
        >>> rod = lk.planar.rod(2, 3).at(0, 1)
        >>> rod.centre, rod.inertia[2]
        ((3/2, 1, 0), 3/2)
        """
        faults = Faults()
        px, py, a = (expression_of(e, "place", faults) for e in (x, y, angle))
        faults.raise_any("The place of a solid")
        c, s, zero, one = sp.cos(a), sp.sin(a), sp.S.Zero, sp.S.One
        rotation = () if a == 0 else (c, -s, zero, s, c, zero, zero, zero, one)
        moved = self._moved(rotation, (px, py, zero))
        return replace(moved, inertia=self.inertia)  # without the sin^2 + cos^2 of a turn about z


class SpatialSolid(Solid):
    """Solid of a spatial mechanism, made by `lk.spatial.box`, `lk.spatial.cylinder`, ..."""

    def at(
        self, x: ExpressionLike = 0, y: ExpressionLike = 0, z: ExpressionLike = 0, rotation: object = None
    ) -> SpatialSolid:
        """Return the solid moved: turned by a rotation about its origin, which then is placed at (x, y, z).

        Parameters
        ----------
        x, y, z : number or expression
            Place of the solid's origin; parameters are possible, time is not.
        rotation : matrix, optional
            Its columns are the solid's axes in the new axes, 3 x 3.

        Returns
        -------
        SpatialSolid
            The moved solid.

        Examples
        --------
        >>> lk.spatial.particle(2).at(0, 0, 3).centre
        (0, 0, 3)
        """
        faults = Faults()
        px, py, pz = (expression_of(e, "place", faults) for e in (x, y, z))
        R = rotation_of(rotation, "place", faults)
        faults.raise_any("The place of a solid")
        return self._moved(R, (px, py, pz))


def _combined(one: S, other: S, sign: int) -> S:
    """Return the first solid with the mass of the other added or, with sign -1, taken away."""
    m1, m2 = one.mass, sign * other.mass
    m = m1 + m2
    inertia = tuple(J1 + sign * J2 for J1, J2 in zip(one.inertia, other.inertia, strict=True))
    d = add(other.centre, scaled(sp.S.NegativeOne, one.centre))
    centre = one.centre
    if m2 != 0 and m != 0:
        centre = other.centre if m1 == 0 else _mean(one.centre, m1 / m, other.centre, m2 / m)
        inertia = tuple(J + m1 * m2 / m * e for J, e in zip(inertia, offset_inertia(d), strict=True))
    kept = (*NO_INERTIA[:2], inertia[2], *NO_INERTIA[3:]) if one.planar else inertia
    return replace(one, mass=m, centre=centre, inertia=kept)


def _mean(a: Vector, share: Expression, b: Vector, other_share: Expression) -> Vector:
    """Return the weighted mean of two points, an entry as it is where both have the same."""
    x, y, z = (p if p == q else share * p + other_share * q for p, q in zip(a, b, strict=True))
    return (x, y, z)


def _moved_shape(shape: Shape, rotation: tuple[Expression, ...], position: Vector, planar: bool) -> Shape:
    points = tuple(add(position, turned(rotation, point)) for point in shape.points)
    axes = () if planar else product(rotation, shape.rotation)
    return replace(shape, points=points, rotation=axes if shape.is_turned else ())
