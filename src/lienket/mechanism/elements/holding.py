"""Elements that are constraints: rod, given motion, gear, rack, rope, wheel on a line (mechanisms 5.1)."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from ...model.bodies import GROUND, Element, Place
from ..dynamics import Wrench
from ..held import Held, HeldRow
from ..joints import kind_of
from ..scalars.algebra import Scalar, Vector, cross, dot, scaled, subtract
from ..state import MechanismState, coordinate_of
from .between_points import pull
from .load import Load


def rod(element: Element, state: MechanismState) -> list[Held]:
    """Return (d . d - l^2)/2 = 0: the force lambda d on the second place, the tension -lambda l."""
    first, second = (state.place(place) for place in element.places)
    between, length = subtract(second, first), state.number(element["length"])
    expression = (dot(between, between) - length * length) / 2
    load = Load(pull(element, state, scaled(-1, between)), effort=-length)
    return [Held(element.name, (HeldRow(expression, load),))]


def motion(element: Element, state: MechanismState) -> list[Held]:
    """Return q = f(t) for a coordinate of a joint; its multiplier is the effort.

    The angle of a cut joint is compared by 2 sin((q - f)/2), zero at whole turns, whose multiplier has the factor
    cos((q - f)/2) = +-1.
    """
    name, given = element.joints[0], state.number(element["position"])
    joint, index = coordinate_of(state.description, name)
    if name in state.tree.coordinates:
        rows = (HeldRow(state.coordinate(name) - given, Load(efforts=((name, 1),), effort=1)),)
        return [Held(element.name, rows)]
    turned = is_angle(joint, index, state.planar)
    difference = state.coordinate(name) - given
    if not turned:
        return [Held(element.name, (HeldRow(difference, Load(efforts=((name, 1),), effort=1)),))]
    half = difference / 2
    factor = state.algebra.cos(half)
    row = HeldRow(2 * state.algebra.sin(half), Load(efforts=((name, factor),), effort=factor))
    return [Held(element.name, (row,))]


def gear(element: Element, state: MechanismState) -> list[Held]:
    """Return q_1 - ratio q_2 - phase = 0: the efforts lambda and -ratio lambda, pure couples."""
    return _coupled(element, state, state.number(element["ratio"]))


def rack(element: Element, state: MechanismState) -> list[Held]:
    """Return q_slide - radius q_pinion - phase = 0: the efforts lambda and -radius lambda."""
    return _coupled(element, state, state.number(element["radius"]))


def _coupled(element: Element, state: MechanismState, factor: Scalar) -> list[Held]:
    one, other = element.joints
    expression = state.coordinate(one) - factor * state.coordinate(other) - state.number(element["phase"])
    load = Load(efforts=((one, 1), (other, -factor)), effort=1)
    return [Held(element.name, (HeldRow(expression, load),))]


def rope(element: Element, state: MechanismState) -> list[Held]:
    """Return sum |p_i - p_(i-1)| - L = 0: on point i the force S (e_out - e_in) with the tension S = -lambda."""
    places = element.places
    points = [state.place(place) for place in places]
    directions, total = [], -state.number(element["length"])
    for a, b in pairwise(points):
        between = subtract(b, a)
        length = state.algebra.sqrt(dot(between, between))
        x, y, z = (e / length for e in between)
        directions.append((x, y, z))
        total = total + length
    wrenches: list[tuple[str, Wrench]] = []
    for k, place in enumerate(places):
        if k > 0:
            wrenches += _force(state, place, directions[k - 1])
        if k < len(directions):
            wrenches += _force(state, place, scaled(-1, directions[k]))
    return [Held(element.name, (HeldRow(total, Load(tuple(wrenches), effort=-1)),))]


def rolling(element: Element, state: MechanismState) -> list[Held]:
    """Return m . d - r = 0 and n . d' + r angle' = 0 of a wheel on the left side m of a line along n.

    The forces lambda_1 m and lambda_2 n act on the wheel at the contact point, r m below its centre.
    """
    line, centre = element.places
    axes, r = state.axes(line), state.number(element["radius"])
    x, y, _ = (state.number(element[k]) for k in ("axis_x", "axis_y", "axis_z"))
    n, m = axes @ (x, y, 0), axes @ (-y, x, 0)
    d = subtract(state.place(centre), state.place(line))
    contact = scaled(-r, m)
    rows = []
    for direction in (m, n):
        wrenches = [*_force(state, centre, direction, contact), *_force_on_line(state, element, direction, contact)]
        rows.append(Load(tuple(wrenches)))
    angle = state.axes(centre).angle - axes.angle  # type: ignore[operator]
    height, travel = dot(m, d) - r, state.algebra.total_rate(dot(n, d) + r * angle)
    return [
        Held(element.name, (HeldRow(height, rows[0]),)),
        Held(f"{element.name}_slip", (HeldRow(travel, rows[1]),), level=1),
    ]


def stop(element: Element, state: MechanismState) -> list[Held]:
    """Return q - lower >= 0 and upper - q >= 0, which push away from the bounds."""
    name, stops = element.joints[0], []
    for end, sign in (("lower", 1), ("upper", -1)):
        if element.has(end):
            gap = sign * (state.coordinate(name) - state.number(element[end]))
            row = HeldRow(gap, Load(efforts=((name, sign),), effort=sign))
            stops.append(Held(f"{element.name}_{end}", (row,), restitution=element["restitution"]))
    return stops


def _force(state: MechanismState, place: Place, force: Vector, beyond: Vector = (0, 0, 0)) -> list[tuple[str, Wrench]]:
    """Return a force on the body of a place, acting `beyond` the place."""
    if place.body == GROUND:
        return []
    lever = tuple(x + y for x, y in zip(state.lever(place), beyond, strict=True))
    return [(place.body, Wrench(force, cross(lever, force)))]


def _force_on_line(
    state: MechanismState, element: Element, direction: Vector, contact: Vector
) -> list[tuple[str, Wrench]]:
    """Return the opposite force on the body of the line, at the contact point."""
    line, centre = element.places
    step = subtract(state.place(centre), state.place(line))
    beyond = tuple(x + y for x, y in zip(step, contact, strict=True))
    return _force(state, line, scaled(-1, direction), beyond)


def is_angle(joint: object, index: int, planar: bool) -> bool:
    """Return whether a coordinate of a joint is an angle that is measured up to whole turns."""
    from ...model.bodies import Joint

    assert isinstance(joint, Joint)  # noqa: S101
    kind = kind_of(joint)
    suffixes = (kind.planar_suffixes if planar else kind.spatial_suffixes) or ()
    return "angle" in suffixes[index] or kind.name == "revolute"


HOLDING: dict[str, Callable[[Element, MechanismState], list[Held]]] = {
    "rod": rod,
    "motion": motion,
    "gear": gear,
    "rack": rack,
    "rope": rope,
    "rolling": rolling,
    "stop": stop,
}
