"""Velocities and accelerations of all bodies along the tree (mechanisms 1.2 and 1.5).

For the points p_a, p_b of a joint, d = p_b - p_a, axes n_k that turn and directions l_k that shift:

    om_b = om_a + sum n_k q_k'                       v_pb = v_pa + om_a x d + sum l_k q_k'
    om_b' = om_a' + sum n_k q_k'' + sum (om_a + sum_(j<k) n_j q_j') x n_k q_k'
    v_pb' = v_pa' + om_a' x d + om_a x (om_a x d) + 2 om_a x sum l_k q_k' + sum l_k q_k''

Backwards they are solved for the first body. Euler parameters: n_k are the columns of 2 G(p), and 2 G(p') p' = 0.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..foundation.frozen_dataclass import dataclass
from ..model.bodies import GROUND, Place
from .frames import Attached, Frame, LinkPlace, Position, attached
from .scalars.algebra import ZERO, Algebra, Scalar, Vector, add, cross, is_zero, multiplied, scaled, subtract
from .scalars.axes import Axes, angle_vector
from .tree import Tree


@dataclass(frozen=True, eq=False)
class Rates:
    """Motion of a body, or of a frame: angular velocity `w` and velocity `v` of a point, or their derivatives."""

    w: Vector
    v: Vector


def velocities(tree: Tree, position: Position, algebra: Algebra) -> dict[str, Rates]:
    """Return angular velocity and velocity of the origin of each body, by name."""
    rates = {GROUND: Rates(ZERO, ZERO)}
    for link, place in zip(tree.links, position.links, strict=True):
        first, second = attached(link.joint.first, algebra), attached(link.joint.second, algebra)
        turning, sliding = joint_rates(place, algebra)
        known, frames = rates[link.inner], position.frames
        if link.forward:
            a = _at_place(known, frames[link.inner].axes, first, place.to_first, algebra)
            b = Rates(add(a.w, turning), add(a.v, cross(a.w, place.between), sliding))
            rates[link.outer] = _of_body(b, frames[link.outer].axes, second, place.to_second, algebra)
        else:
            b = _at_place(known, frames[link.inner].axes, second, place.to_second, algebra)
            w = subtract(b.w, turning)
            a = Rates(w, subtract(b.v, add(cross(w, place.between), sliding)))
            rates[link.outer] = _of_body(a, frames[link.outer].axes, first, place.to_first, algebra)
    return rates


def joint_rates(place: LinkPlace, algebra: Algebra) -> tuple[Vector, Vector]:
    """Return sum n_k q_k' and sum l_k q_k' of a link."""
    turning = add(ZERO, *(scaled(algebra.v[k], n) for n, k in place.motions.turns))
    return turning, add(ZERO, *(scaled(algebra.v[k], e) for e, k in place.motions.shifts))


def accelerations(
    tree: Tree, position: Position, rates: dict[str, Rates], algebra: Algebra, a: Sequence[Scalar] | None
) -> dict[str, Rates]:
    """Return angular acceleration and acceleration of the origin of each body; with q'' = `a`, or 0 for None."""
    found = {GROUND: Rates(ZERO, ZERO)}
    for link, place in zip(tree.links, position.links, strict=True):
        first, second = attached(link.joint.first, algebra), attached(link.joint.second, algebra)
        inner, outer = position.frames[link.inner].axes, position.frames[link.outer].axes
        own = (first, place.to_first), (second, place.to_second)
        (near, to_near), (far, to_far) = own if link.forward else own[::-1]
        velocity = _at_place(rates[link.inner], inner, near, to_near, algebra)
        known = _acceleration_at_place(found[link.inner], rates[link.inner], inner, near, to_near, algebra)
        beyond = _at_place(rates[link.outer], outer, far, to_far, algebra)
        w_a = velocity.w if link.forward else beyond.w
        turning, sliding = _joint_accelerations(place, w_a, algebra, a)
        d = place.between
        if link.forward:
            w = add(known.w, turning)
            v = add(known.v, cross(known.w, d), cross(w_a, cross(w_a, d)), sliding)
        else:
            w = subtract(known.w, turning)
            v = subtract(known.v, add(cross(w, d), cross(w_a, cross(w_a, d)), sliding))
        found[link.outer] = _acceleration_of_body(Rates(w, v), rates[link.outer], outer, far, to_far, algebra)
    return found


def _joint_accelerations(
    place: LinkPlace, w_a: Vector, algebra: Algebra, a: Sequence[Scalar] | None
) -> tuple[Vector, Vector]:
    """Return what the joint adds to the angular acceleration, and to the acceleration of its second point."""
    _, sliding_rate = joint_rates(place, algebra)
    turning, w = ZERO, w_a
    for n, k in place.motions.turns:
        rate = scaled(algebra.v[k], n)
        if not place.motions.euler:
            turning, w = add(turning, cross(w, rate)), add(w, rate)
        if a is not None:
            turning = add(turning, scaled(a[k], n))
    if place.motions.euler:
        turning = add(turning, cross(w_a, joint_rates(place, algebra)[0]))
    sliding = ZERO if is_zero(sliding_rate) else cross(scaled(2, w_a), sliding_rate)
    if a is not None:
        sliding = add(sliding, *(scaled(a[k], e) for e, k in place.motions.shifts))
    return turning, sliding


# Places on bodies, which may move with time: r(t) and R_P(t) in the axes of the body


def _at_place(body: Rates, axes: Axes, place: Attached, to_place: Vector, algebra: Algebra) -> Rates:
    """Return the motion of a place from that of its body."""
    v = add(body.v, cross(body.w, to_place))
    if not place.moves:
        return Rates(body.w, v)
    w, drift = _own_rates(place, axes, algebra)
    return Rates(add(body.w, w), add(v, drift))


def _of_body(at_place: Rates, axes: Axes, place: Attached, to_place: Vector, algebra: Algebra) -> Rates:
    """Return the motion of a body from that of a place on it."""
    if not place.moves:
        return Rates(at_place.w, subtract(at_place.v, cross(at_place.w, to_place)))
    own, drift = _own_rates(place, axes, algebra)
    w = subtract(at_place.w, own)
    return Rates(w, subtract(at_place.v, add(cross(w, to_place), drift)))


def _acceleration_at_place(
    body: Rates, rates: Rates, axes: Axes, place: Attached, to_place: Vector, algebra: Algebra
) -> Rates:
    """Return the acceleration of a place from that of its body."""
    extra = _extra_acceleration(rates, axes, place, to_place, algebra)
    return Rates(add(body.w, extra.w), add(body.v, cross(body.w, to_place), extra.v))


def _acceleration_of_body(
    at_place: Rates, rates: Rates, axes: Axes, place: Attached, to_place: Vector, algebra: Algebra
) -> Rates:
    """Return the acceleration of a body from that of a place on it."""
    extra = _extra_acceleration(rates, axes, place, to_place, algebra)
    w = subtract(at_place.w, extra.w)
    return Rates(w, subtract(at_place.v, add(cross(w, to_place), extra.v)))


def _extra_acceleration(rates: Rates, axes: Axes, place: Attached, to_place: Vector, algebra: Algebra) -> Rates:
    """Return the acceleration of a place relative to its body, with the parts that depend on velocities."""
    centripetal = cross(rates.w, cross(rates.w, to_place))
    if not place.moves:
        return Rates(ZERO, centripetal)
    own, drift = _own_rates(place, axes, algebra)
    second = axes @ _rate(_rate(place.position, algebra), algebra)
    turning = axes @ _rate(_own_turning(place, algebra), algebra)
    w = add(cross(rates.w, own), turning)
    return Rates(w, add(centripetal, cross(scaled(2, rates.w), drift), second))


def _own_rates(place: Attached, axes: Axes, algebra: Algebra) -> tuple[Vector, Vector]:
    """Return angular velocity and velocity of a place relative to its body, in the axes of the ground."""
    return axes @ _own_turning(place, algebra), axes @ _rate(place.position, algebra)


def _own_turning(place: Attached, algebra: Algebra) -> Vector:
    """Return the angular velocity vee(R' R^T) of a place relative to its body, in the body's axes."""
    if place.axes.angle is not None:
        return (0, 0, algebra.rate(place.axes.angle))
    M = place.axes.matrix
    rate = tuple(_rate(row, algebra) for row in M)
    columns = tuple(zip(*M, strict=True))
    return angle_vector(multiplied(rate, columns))  # type: ignore[arg-type]


def _rate(vector: Vector, algebra: Algebra) -> Vector:
    x, y, z = map(algebra.rate, vector)
    return (x, y, z)


def point_velocity(frame: Frame, body: Rates, place: Place, algebra: Algebra) -> Vector:
    """Return the velocity of a place on a body."""
    there = attached(place, algebra)
    return _at_place(body, frame.axes, there, frame.axes @ there.position, algebra).v
