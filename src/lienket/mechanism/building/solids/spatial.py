"""Solids of spatial mechanisms; numbers or parameters everywhere, a ModelError at once for what is impossible.

A rod begins at the origin, as the body with length= does, and a cone has its base there; the others are centred.
`axis` is "x", "y" or "z"; `.at(x, y, z, rotation)` moves and turns a solid in any way.
"""

from __future__ import annotations

from collections.abc import Sequence

import sympy as sp

from ....errors import Faults
from ....language.expression import Expression, ExpressionLike
from ....model.bodies.description import Shape, Vector
from .algebra import NO_INERTIA, ORIGIN, ZERO, Inertia
from .sizes import mass_and_sizes, points_of, several
from .solid import SpatialSolid

# Rotations that turn z to an axis and keep the order of the axes; row by row.
TO_AXIS: dict[str, tuple[int, ...]] = {"x": (0, 0, 1, 1, 0, 0, 0, 1, 0), "y": (0, 1, 0, 0, 0, 1, 1, 0, 0), "z": ()}


def rod(mass: ExpressionLike, length: ExpressionLike) -> SpatialSolid:
    """Return a thin uniform rod of a `mass` from the origin to (`length`, 0, 0): J = m l^2/12 about y and z, 0 about x.

    It is drawn as a thin capsule.
    """
    m, L = mass_and_sizes("rod", mass, length=length)
    return uniform_rod(m, L)


def disc(mass: ExpressionLike, radius: ExpressionLike, axis: str = "z") -> SpatialSolid:
    """Return a thin uniform disc of a `mass` and a `radius` across an `axis`: J = m r^2/2 about it, m r^2/4 across."""
    m, r = mass_and_sizes("disc", mass, radius=radius)
    return _round(m, m * r**2 / 2, m * r**2 / 4, axis, *_wheel(r))


def ring(mass: ExpressionLike, radius: ExpressionLike, axis: str = "z") -> SpatialSolid:
    """Return a thin ring of a `mass` and a `radius` around an `axis`: J = m r^2 about it, m r^2/2 across."""
    m, r = mass_and_sizes("ring", mass, radius=radius)
    return _round(m, m * r**2, m * r**2 / 2, axis, *_wheel(r))


def cylinder(mass: ExpressionLike, radius: ExpressionLike, length: ExpressionLike, axis: str = "z") -> SpatialSolid:
    """Return a uniform cylinder with `mass`, `radius` and `length` along an `axis`.

    J = m r^2/2 about the axis, m (3 r^2 + l^2)/12 across.
    """
    m, r, L = mass_and_sizes("cylinder", mass, radius=radius, length=length)
    return _round(m, m * r**2 / 2, m * (3 * r**2 + L**2) / 12, axis, Shape("cylinder", _ends(L), (r,)))


def tube(
    mass: ExpressionLike, inner: ExpressionLike, outer: ExpressionLike, length: ExpressionLike, axis: str = "z"
) -> SpatialSolid:
    """Return a uniform hollow cylinder with `mass`, radii `inner` < `outer` and `length` along an `axis`.

    J = m (r1^2 + r2^2)/2 about the axis, m (3 (r1^2 + r2^2) + l^2)/12 across. Equal radii are a thin wall.
    """
    m, r1, r2, L = mass_and_sizes("tube", mass, inner=inner, outer=outer, length=length)
    if (r2 - r1).is_number and float(r2 - r1) < 0:
        _refuse("tube", "inner", f"{r1} exceeds the outer radius {r2}")
    squares = r1**2 + r2**2
    edges = (Shape("circle", (end,), (r1,)) for end in _ends(L))
    return _round(m, m * squares / 2, m * (3 * squares + L**2) / 12, axis, Shape("cylinder", _ends(L), (r2,)), *edges)


def cone(mass: ExpressionLike, radius: ExpressionLike, height: ExpressionLike, axis: str = "z") -> SpatialSolid:
    """Return a uniform cone with `mass`, `radius` and `height`: base at the origin, tip on the `axis`, centre at h/4.

    J = 3 m r^2/10 about the axis, 3 m (4 r^2 + h^2)/80 across, about the mass centre.
    """
    m, r, h = mass_and_sizes("cone", mass, radius=radius, height=height)
    tip: Vector = (ZERO, ZERO, h)
    outlines = [
        Shape("line", ((r, ZERO, ZERO), tip, (-r, ZERO, ZERO))),
        Shape("line", ((ZERO, r, ZERO), tip, (ZERO, -r, ZERO))),
    ]
    shapes = (Shape("circle", (ORIGIN,), (r,)), *outlines)
    centre: Vector = (ZERO, ZERO, h / 4)
    return _round(m, 3 * m * r**2 / 10, 3 * m * (4 * r**2 + h**2) / 80, axis, *shapes, centre=centre)


def box(mass: ExpressionLike, size: Sequence[ExpressionLike]) -> SpatialSolid:
    """Return a uniform box of a `mass` with the `size` (a, b, c) along x, y and z: J_xx = m (b^2 + c^2)/12, ..."""
    m, a, b, c = mass_and_sizes("box", mass, **several("box", "size", size, "xyz"))
    moments = (m * (b**2 + c**2) / 12, m * (a**2 + c**2) / 12, m * (a**2 + b**2) / 12)
    return SpatialSolid(m, ORIGIN, (*moments, *NO_INERTIA[3:]), (Shape("box", (ORIGIN,), (a, b, c)),))


def plate(mass: ExpressionLike, size: Sequence[ExpressionLike]) -> SpatialSolid:
    """Return a thin uniform rectangle of a `mass` with the `size` (a, b) along x and y.

    J_xx = m b^2/12, J_yy = m a^2/12, J_zz = J_xx + J_yy.
    """
    m, a, b = mass_and_sizes("plate", mass, **several("plate", "size", size, "xy"))
    corners = tuple((i * a / 2, j * b / 2, ZERO) for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1)))
    moments = (m * b**2 / 12, m * a**2 / 12, m * (a**2 + b**2) / 12)
    return SpatialSolid(m, ORIGIN, (*moments, *NO_INERTIA[3:]), (Shape("polygon", corners),))


def sphere(mass: ExpressionLike, radius: ExpressionLike) -> SpatialSolid:
    """Return a uniform ball of a `mass` and a `radius`: J = 2 m r^2/5."""
    m, r = mass_and_sizes("sphere", mass, radius=radius)
    J = 2 * m * r**2 / 5
    return _round(m, J, J, "z", Shape("sphere", (ORIGIN,), (r,)))


def shell(mass: ExpressionLike, radius: ExpressionLike) -> SpatialSolid:
    """Return a thin hollow ball of a `mass` and a `radius`: J = 2 m r^2/3."""
    m, r = mass_and_sizes("shell", mass, radius=radius)
    J = 2 * m * r**2 / 3
    return _round(m, J, J, "z", Shape("sphere", (ORIGIN,), (r,)))


def capsule(mass: ExpressionLike, radius: ExpressionLike, length: ExpressionLike, axis: str = "z") -> SpatialSolid:
    """Return a uniform cylinder with half balls at its ends: `mass`, `radius`, `length` of the cylinder, `axis`.

    With m1 = m l/(l + 4r/3) in the cylinder and m2 = m - m1 in the half balls, J = m1 r^2/2 + 2 m2 r^2/5 about the
    axis, m1 (3 r^2 + l^2)/12 + m2 (2 r^2/5 + 3 l r/8 + l^2/4) across.
    """
    m, r, L = mass_and_sizes("capsule", mass, radius=radius, length=length)
    m1, m2 = m * L / (L + 4 * r / 3), m * (4 * r / 3) / (L + 4 * r / 3)
    along = m1 * r**2 / 2 + 2 * m2 * r**2 / 5
    across = m1 * (3 * r**2 + L**2) / 12 + m2 * (2 * r**2 / 5 + 3 * L * r / 8 + L**2 / 4)
    return _round(m, along, across, axis, Shape("capsule", _ends(L), (r,)))


def particle(mass: ExpressionLike) -> SpatialSolid:
    """Return a `mass` at the origin, without inertia."""
    (m,) = mass_and_sizes("particle", mass)
    return SpatialSolid(m, ORIGIN, NO_INERTIA, (Shape("sphere", (ORIGIN,)),))


def line(*points: Sequence[ExpressionLike]) -> SpatialSolid:
    """Return a line through `points` that is only drawn: a solid without mass."""
    return SpatialSolid(ZERO, ORIGIN, NO_INERTIA, (Shape("line", points_of("line", points, 3, 2)),))


def uniform_rod(m: Expression, L: Expression) -> SpatialSolid:
    """Return the thin uniform rod of expressions that have been checked."""
    J = m * L**2 / 12
    drawn = Shape("capsule", (ORIGIN, (L, ZERO, ZERO)))
    return SpatialSolid(m, (L / 2, ZERO, ZERO), (ZERO, J, J, *NO_INERTIA[3:]), (drawn,))


def _round(
    m: Expression, along: Expression, across: Expression, axis: str, *shapes: Shape, centre: Vector = ORIGIN
) -> SpatialSolid:
    """Return a solid of revolution, stated about z, with its axis along x, y or z."""
    if axis not in TO_AXIS:
        _refuse("solid", "axis", f"{axis!r} is none of 'x', 'y', 'z'", "Turn it with .at(rotation=...) in other ways.")
    inertia: Inertia = (across, across, along, *NO_INERTIA[3:])
    return SpatialSolid(m, centre, inertia, shapes)._moved(tuple(map(sp.Integer, TO_AXIS[axis])), ORIGIN)


def _wheel(radius: Expression) -> tuple[Shape, Shape]:
    """Return the outline of a wheel and a spoke, which shows how it turns."""
    return Shape("circle", (ORIGIN,), (radius,)), Shape("line", (ORIGIN, (radius, ZERO, ZERO)))


def _ends(length: Expression) -> tuple[Vector, Vector]:
    """Return both ends of an axis along z with its middle at the origin."""
    return (ZERO, ZERO, -length / 2), (ZERO, ZERO, length / 2)


def _refuse(solid: str, where: str, what: str, advice: str = "") -> None:
    """Raise a ModelError with one fault."""
    faults = Faults()
    faults.add(where, what, advice)
    faults.raise_any(f"The {solid}")
