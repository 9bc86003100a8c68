"""Inertia matrix by composite bodies, generalized forces by one sweep from the tips, kinetic energy (mechanisms 1.5).

    A_ij = w_i . M_j + l_i . F_j       (F_j, M_j) the wrench that moves what hangs on joint j with q_j'' = 1 alone
    Q_i  = w_i . M + l_i . F           of the wrenches on all bodies that hang on the joint of q_i

Wrenches are forces and moments about a point that is near: the origin of a body, or the second point of a joint.

A joint with Euler parameters p has c (p . p')^2/2 in the kinetic energy, which is zero where p . p = 1: it makes the
block of A of these coordinates regular and changes nothing but the multiplier of p . p = 1 (mechanisms 3.3).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import sympy as sp

from ..foundation.frozen_dataclass import dataclass
from ..model.bodies import Body, Description
from .frames import LinkPlace, Position, inward, outward
from .motion import Rates
from .scalars.algebra import (
    ZERO,
    Algebra,
    Matrix,
    Scalar,
    Vector,
    add,
    applied,
    cross,
    dot,
    is_zero,
    multiplied,
    scaled,
)
from .scalars.axes import UNTURNED, Axes
from .tree import Link, Tree


@dataclass(frozen=True, eq=False)
class Wrench:
    """Force and moment about a point; about the origin of a body unless said."""

    force: Vector
    moment: Vector

    def moved(self, step: Vector) -> Wrench:
        """Return the wrench about another point, from which `step` leads to the first."""
        return Wrench(self.force, add(self.moment, cross(step, self.force)))

    def __add__(self, other: Wrench) -> Wrench:
        return Wrench(add(self.force, other.force), add(self.moment, other.moment))

    def __neg__(self) -> Wrench:
        return Wrench(scaled(-1, self.force), scaled(-1, self.moment))


NO_WRENCH = Wrench(ZERO, ZERO)


@dataclass(frozen=True, eq=False)
class Mass:
    """Mass m, first moment h and inertia I about a point, in the axes of the ground."""

    m: Scalar
    h: Vector
    inertia: Matrix

    def moved(self, step: Vector) -> Mass:
        """Return the same about another point, from which `step` = g leads to the first.

        h + m g,   I + 2 g.k 1 - g k^T - k g^T with k = h + m g/2
        """
        g, h, m = step, self.h, self.m
        if is_zero(g):
            return self
        half = tuple(x + m * y / 2 for x, y in zip(h, g, strict=True))
        diagonal = 2 * dot(g, half)

        def entry(i: int, j: int) -> Scalar:
            return self.inertia[i][j] + (diagonal if i == j else 0) - g[i] * half[j] - half[i] * g[j]

        return Mass(m, add(h, scaled(m, g)), symmetric(entry))

    def __add__(self, other: Mass) -> Mass:
        inertia = symmetric(lambda i, j: self.inertia[i][j] + other.inertia[i][j])
        return Mass(self.m + other.m, add(self.h, other.h), inertia)

    def moving(self, w: Vector, v: Vector) -> Wrench:
        """Return the wrench about the point for the accelerations w, v of the point, without velocities."""
        force = add(scaled(self.m, v), cross(w, self.h))
        return Wrench(force, add(applied(self.inertia, w), cross(self.h, v)))


@dataclass(frozen=True, eq=False)
class BodyMass:
    """Mass, vector from the origin to the centre, and inertia about the centre, in the axes of the ground."""

    m: Scalar
    to_centre: Vector
    inertia: Matrix

    @property
    def about_origin(self) -> Mass:
        """Mass about the origin."""
        return Mass(self.m, ZERO, self.inertia).moved(self.to_centre)

    def inertial(self, rates: Rates, acceleration: Rates) -> Wrench:
        """Return m a_c and J om' + om x J om, about the origin."""
        w, s = rates.w, self.to_centre
        a = add(acceleration.v, cross(acceleration.w, s), cross(w, cross(w, s)))
        force = scaled(self.m, a)
        turning = add(applied(self.inertia, acceleration.w), cross(w, applied(self.inertia, w)))
        return Wrench(force, add(turning, cross(s, force)))

    def energy(self, rates: Rates) -> Scalar:
        """Return m v_c^2/2 + om . J om/2."""
        v = add(rates.v, cross(rates.w, self.to_centre))
        return (self.m * dot(v, v) + dot(rates.w, applied(self.inertia, rates.w))) / 2


def body_masses(description: Description, position: Position, algebra: Algebra) -> dict[str, BodyMass]:
    """Return the masses of all bodies by name."""
    return {body.name: _body_mass(body, position.frames[body.name].axes, algebra) for body in description.bodies}


def _body_mass(body: Body, axes: Axes, algebra: Algebra) -> BodyMass:
    x, y, z = map(algebra.number, body.centre)
    xx, yy, zz, xy, xz, yz = map(algebra.number, body.inertia)
    J: Matrix = ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))
    planar = axes.angle is not None  # turned about z, which leaves J_zz
    plain = (body.inertia[0] == body.inertia[1] == body.inertia[2]) and not any(body.inertia[3:])
    if axes is not UNTURNED and not plain and not (planar and not any((*body.inertia[:2], *body.inertia[3:]))):
        RJ = multiplied(axes.matrix, J)
        J = symmetric(lambda i, j: dot(RJ[i], axes.matrix[j]))
    return BodyMass(algebra.number(body.mass), axes @ (x, y, z), J)


def symmetric(entry: Callable[[int, int], Scalar]) -> Matrix:
    """Return a symmetric matrix, each entry formed once."""
    xx, yy, zz, xy, xz, yz = (entry(i, j) for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)))
    return ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))


def kinetic_energy(
    tree: Tree, masses: Mapping[str, BodyMass], rates: Mapping[str, Rates], algebra: Algebra, factors: Sequence[Scalar]
) -> Scalar:
    """Return T, with the terms c (p . p')^2/2; `factors` are c of each link, 0 without Euler parameters."""
    energy = 0
    for name, mass in masses.items():
        energy = energy + mass.energy(rates[name])
    for link, factor in zip(tree.links, factors, strict=True):
        if not _is_none(factor):
            along = _along(link, algebra)
            energy = energy + factor * (along * along) / 2
    return energy


def inertia_matrix(
    tree: Tree, position: Position, masses: Mapping[str, BodyMass], algebra: Algebra, factors: Sequence[Scalar]
) -> list[list[Scalar]]:
    """Return A (n x n), from the tips inwards."""
    n = len(tree.coordinates)
    A: list[list[Scalar]] = [[0] * n for _ in range(n)]
    composite = {name: mass.about_origin for name, mass in masses.items()}
    for k in reversed(range(len(tree.links))):
        link, place = tree.links[k], position.links[k]
        hanging = composite[link.outer].moved(outward(link, place))
        for i, w, v in _columns(place):
            wrench = hanging.moving(w, v)
            _project(A, i, link, place, wrench, 1)
            _project_on_ancestors(A, i, tree, position, k, wrench)
        if link.parent >= 0:
            composite[link.inner] = composite[link.inner] + hanging.moved(inward(link, place))
        if not _is_none(factors[k]):
            p = _parameters(link, algebra)
            for a, i in enumerate(link.at[-4:]):
                for b, j in enumerate(link.at[-4:]):
                    A[i][j] = A[i][j] + factors[k] * (p[a] * p[b])
    return A


def generalized(tree: Tree, position: Position, wrenches: Mapping[str, Wrench]) -> list[Scalar]:
    """Return the generalized forces (n) of wrenches on the bodies, by name, about their origins."""
    Q: list[Scalar] = [0] * len(tree.coordinates)
    for link, place, wrench in zip(tree.links, position.links, hanging_wrenches(tree, position, wrenches), strict=True):
        sign = 1 if link.forward else -1
        for e, k in place.motions.shifts:
            Q[k] = Q[k] + sign * dot(e, wrench.force)
        for e, k in place.motions.turns:
            Q[k] = Q[k] + sign * dot(e, wrench.moment)
    return Q


def hanging_wrenches(tree: Tree, position: Position, wrenches: Mapping[str, Wrench]) -> list[Wrench]:
    """Return for each link the sum of the wrenches on all that hangs on it, about the second point of its joint."""
    sums = dict(wrenches)
    found = [NO_WRENCH] * len(tree.links)
    for k in reversed(range(len(tree.links))):
        link, place = tree.links[k], position.links[k]
        found[k] = sums.get(link.outer, NO_WRENCH).moved(outward(link, place))
        if link.parent >= 0:
            sums[link.inner] = sums.get(link.inner, NO_WRENCH) + found[k].moved(inward(link, place))
    return found


def euler_forces(
    tree: Tree, algebra: Algebra, factors: Sequence[Scalar], a: Sequence[Scalar] | None
) -> dict[int, Scalar]:
    """Return what c (p . p')^2/2 adds to the inertial forces: c (p . p'' + p' . p') p_i, by coordinate."""
    forces = {}
    for link, factor in zip(tree.links, factors, strict=True):
        if not _is_none(factor):
            p, rates = _parameters(link, algebra), [algebra.v[k] for k in link.at[-4:]]
            along = dot(rates, rates)
            if a is not None:
                along = along + dot(p, [a[k] for k in link.at[-4:]])
            for x, k in zip(p, link.at[-4:], strict=True):
                forces[k] = factor * along * x
    return forces


def euler_factors(description: Description, tree: Tree, algebra: Algebra) -> list[Scalar]:
    """Return c of each link: 4/3 of the traces of the inertias that hang on it and m r^2 of its body, 1 if it is 0."""
    hanging = {body.name: sp.S.Zero for body in description.bodies}
    factors: list[Scalar] = [0] * len(tree.links)
    for k in reversed(range(len(tree.links))):
        link = tree.links[k]
        body = description.body[link.outer]
        place = link.joint.second if link.forward else link.joint.first
        offset = [x - y for x, y in zip(body.centre, place.position, strict=True)]
        hanging[link.outer] += sum(body.inertia[:3], start=sp.S.Zero) + body.mass * sum(x**2 for x in offset)
        if link.parent >= 0:
            hanging[link.inner] += hanging[link.outer]
        if has_euler_parameters(link, description.planar):
            total = sp.Rational(4, 3) * hanging[link.outer]
            factors[k] = algebra.number(sp.S.One if total == 0 else total)
    return factors


def has_euler_parameters(link: Link, planar: bool) -> bool:
    """Return whether the joint of a link has Euler parameters as its last coordinates."""
    from .joints import kind_of

    return kind_of(link.joint).euler and not planar


def _columns(place: LinkPlace) -> list[tuple[int, Vector, Vector]]:
    """Return (coordinate, w, l): angular velocity and velocity of the second point for each unit of its rate."""
    columns: dict[int, tuple[Vector, Vector]] = {}
    for e, k in place.motions.shifts:
        columns[k] = (ZERO, e)
    for e, k in place.motions.turns:
        columns[k] = (e, columns[k][1] if k in columns else ZERO)
    return [(k, w, v) for k, (w, v) in sorted(columns.items())]


def _project(A: list[list[Scalar]], j: int, link: Link, place: LinkPlace, wrench: Wrench, sign: int) -> None:
    """Write A_ij for the coordinates i of a link."""
    for i, w, v in _columns(place):
        A[i][j] = A[j][i] = sign * (dot(w, wrench.moment) + dot(v, wrench.force))


def _project_on_ancestors(
    A: list[list[Scalar]], j: int, tree: Tree, position: Position, k: int, wrench: Wrench
) -> None:
    """Write A_ij for the coordinates i of all links inwards of link k, whose coordinate j needs the wrench."""
    link, forward = tree.links[k], tree.links[k].forward
    while link.parent >= 0:
        wrench = wrench.moved(inward(link, position.links[k]))
        k = link.parent
        link = tree.links[k]
        wrench = wrench.moved(outward(link, position.links[k]))
        _project(A, j, link, position.links[k], wrench, 1 if link.forward == forward else -1)


def _parameters(link: Link, algebra: Algebra) -> list[Scalar]:
    return [algebra.q[k] for k in link.at[-4:]]


def _along(link: Link, algebra: Algebra) -> Scalar:
    """Return p . p'."""
    return dot(_parameters(link, algebra), [algebra.v[k] for k in link.at[-4:]])


def _is_none(factor: Scalar) -> bool:
    return type(factor) is int and factor == 0
