"""Solids of planar mechanisms; numbers or parameters everywhere, a ModelError at once for what is impossible.

A rod begins at the origin, as the body with length= does; the others are centred there. `.at(x, y, angle)` moves them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, pairwise

import sympy as sp

from ....errors import Faults
from ....language.expression import Expression, ExpressionLike
from ....model.bodies.description import Shape, Vector
from .algebra import NO_INERTIA, ORIGIN, ZERO, add, scaled
from .sizes import mass_and_sizes, points_of, several
from .solid import PlanarSolid

Pair = Sequence[ExpressionLike]
NO_AREA = 1e-12  # [1] area of a polygon relative to the square of its size below which it counts as zero


def rod(mass: ExpressionLike, length: ExpressionLike) -> PlanarSolid:
    """Return a thin uniform rod of a `mass` from the origin to (`length`, 0): J = m l^2/12 about its middle."""
    m, L = mass_and_sizes("rod", mass, length=length)
    return uniform_rod(m, L)


def disc(mass: ExpressionLike, radius: ExpressionLike) -> PlanarSolid:
    """Return a uniform disc of a `mass` and a `radius`: J = m r^2/2. It is drawn with a spoke along its x axis."""
    m, r = mass_and_sizes("disc", mass, radius=radius)
    return _solid(m, m * r**2 / 2, *_wheel(r))


def ring(mass: ExpressionLike, radius: ExpressionLike) -> PlanarSolid:
    """Return a thin ring of a `mass` and a `radius`: J = m r^2. It is drawn with a spoke along its x axis."""
    m, r = mass_and_sizes("ring", mass, radius=radius)
    return _solid(m, m * r**2, *_wheel(r))


def plate(mass: ExpressionLike, size: Pair) -> PlanarSolid:
    """Return a uniform rectangle of a `mass` with the `size` (a, b) along x and y: J = m (a^2 + b^2)/12."""
    m, a, b = mass_and_sizes("plate", mass, **several("plate", "size", size, "xy"))
    corners = tuple((i * a / 2, j * b / 2, ZERO) for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1)))
    return _solid(m, m * (a**2 + b**2) / 12, Shape("polygon", corners))


def polygon(mass: ExpressionLike, points: Sequence[Pair]) -> PlanarSolid:
    """Return a uniform lamina of a `mass` with the corners `points`, in the order of its outline.

    With p_k the corners, the first as origin, and a_k = p_k x p_(k+1): c = sum a_k (p_k + p_(k+1)) / (3 sum a_k) and,
    about that corner, J = m sum a_k (p_k.p_k + p_k.p_(k+1) + p_(k+1).p_(k+1)) / (6 sum a_k).
    """
    (m,) = mass_and_sizes("polygon", mass)
    corners = points_of("polygon", points, 2, 3)
    _check_outline(corners)
    first = corners[0]
    p = [add(corner, scaled(sp.S.NegativeOne, first)) for corner in corners[1:]]
    edges = list(pairwise(p))  # the two at the first corner have a_k = 0
    areas = [a[0] * b[1] - a[1] * b[0] for a, b in edges]
    total = sum(areas, ZERO)
    sums = [area * (a[i] + b[i]) for i in (0, 1) for area, (a, b) in zip(areas, edges, strict=True)]
    half = len(edges)
    c: Vector = (sum(sums[:half], ZERO) / (3 * total), sum(sums[half:], ZERO) / (3 * total), ZERO)
    squares = sum(
        (area * (_dot(a, a) + _dot(a, b) + _dot(b, b)) for area, (a, b) in zip(areas, edges, strict=True)), ZERO
    )
    J = m * (squares / (6 * total) - _dot(c, c))
    return _solid(m, J, Shape("polygon", corners), centre=add(first, c))


def particle(mass: ExpressionLike) -> PlanarSolid:
    """Return a `mass` at the origin, without moment of inertia."""
    (m,) = mass_and_sizes("particle", mass)
    return _solid(m, ZERO, Shape("circle", (ORIGIN,)))


def line(*points: Pair) -> PlanarSolid:
    """Return a line through `points` that is only drawn: a solid without mass."""
    return _solid(ZERO, ZERO, Shape("line", points_of("line", points, 2, 2)))


def uniform_rod(m: Expression, L: Expression) -> PlanarSolid:
    """Return the thin uniform rod of expressions that have been checked."""
    return _solid(m, m * L**2 / 12, Shape("line", (ORIGIN, (L, ZERO, ZERO))), centre=(L / 2, ZERO, ZERO))


def _solid(m: Expression, J: Expression, *shapes: Shape, centre: Vector = ORIGIN) -> PlanarSolid:
    return PlanarSolid(m, centre, (*NO_INERTIA[:2], J, *NO_INERTIA[3:]), shapes)


def _wheel(radius: Expression) -> tuple[Shape, Shape]:
    """Return the outline of a wheel and a spoke, which shows how it turns."""
    return Shape("circle", (ORIGIN,), (radius,)), Shape("line", (ORIGIN, (radius, ZERO, ZERO)))


def _dot(a: Vector, b: Vector) -> Expression:
    return a[0] * b[0] + a[1] * b[1]


def _check_outline(corners: Sequence[Vector]) -> None:
    """Raise a ModelError if numbers show that the outline crosses itself or has no area."""
    if not all(e.is_number for corner in corners for e in corner):
        return
    faults = Faults()
    p = [complex(float(x), float(y)) for x, y, _ in corners]
    edges = list(zip(p, [*p[1:], p[0]], strict=True))
    crossing = [(i, j) for (i, a), (j, b) in combinations(enumerate(edges), 2) if _cross(*a, *b)]
    for i, j in crossing[:1]:
        faults.add("points", f"the edges from point {i} and from point {j} cross", "Give them in the outline's order.")
    size = max(abs(z - p[0]) for z in p)
    area = sum(((a - p[0]).conjugate() * (b - p[0])).imag for a, b in edges) / 2
    if not crossing and abs(area) <= NO_AREA * size**2:
        faults.add("points", "they are on one line, so that the area is zero", "A thin rod is lk.planar.rod.")
    faults.raise_any("The polygon")


def _cross(a: complex, b: complex, c: complex, d: complex) -> bool:
    """Return whether the inner parts of the segments ab and cd cross."""

    def side(p: complex, q: complex, r: complex) -> float:
        return ((q - p).conjugate() * (r - p)).imag

    return side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0
