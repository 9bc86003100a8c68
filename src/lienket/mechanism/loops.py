"""Constraints of a mechanism: rows of cut joints, of elements that hold something, unit Euler parameters.

`held_of` returns each with the load of a unit multiplier, in the scalars of any algebra: the engine's expressions
become the formulas of the constraints, the nodes of a graph their forces in results.

Both ends of a cut joint are stated in the axes of the lowest common body of the tree, so that the coordinates before it
do not appear; in a long loop in space in those of the body in its middle, since expressions grow with the longer side.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..model.bodies import GROUND, Joint
from .dynamics import Wrench, has_euler_parameters
from .elements.load import Load
from .frames import Frame, carried, place_on
from .held import Held, HeldRow
from .joints import Relative, kind_of
from .scalars.algebra import Vector, add, cross, subtract
from .scalars.axes import UNTURNED, Axes
from .state import MechanismState, coordinate_of
from .tree import Link

LONG_SIDE = 4  # [joints] of one side of a loop in space, beyond which both ends are stated in the middle of the loop


def held_of(state: MechanismState) -> list[Held]:
    """Return the constraints of a mechanism: cut joints, elements in order of statement, unit Euler parameters."""
    from .elements.holding import HOLDING

    found = [cut_joint(state, joint) for joint in state.tree.cut if kind_of(joint).name != "free"]
    for element in state.description.elements:
        if element.kind in HOLDING:
            found += HOLDING[element.kind](element, state)
    return [held for held in [*found, *_counted(state), *_units(state)] if held.rows]


def cut_joint(state: MechanismState, joint: Joint) -> Held:
    """Return the rows of a cut joint."""
    place, axes = relative_in_loop(state, joint)
    rows = []
    for row in kind_of(joint).rows(joint, place, state.algebra, state.planar):
        force, torque = axes @ row.force, axes @ row.torque
        rows.append(HeldRow(row.expression, Load(joint_wrenches(state, joint, force, torque))))
    return Held(joint.name, tuple(rows))


def joint_wrenches(
    state: MechanismState, joint: Joint, force: Vector, torque: Vector
) -> tuple[tuple[str, Wrench], ...]:
    """Return the wrench at the second place on the second body, and the opposite one there on the first."""
    wrenches = []
    second = state.lever(joint.second)
    if joint.second.body != GROUND:
        wrenches.append((joint.second.body, Wrench(force, add(torque, cross(second, force)))))
    if joint.first.body != GROUND:
        frames = state.position.frames
        lever = state.lever(joint.first)
        if joint.first.body != joint.second.body:
            origins = subtract(frames[joint.second.body].origin, frames[joint.first.body].origin)
            lever = add(origins, second)
        opposite = (-force[0], -force[1], -force[2])
        moment = add(torque, cross(lever, force))
        wrenches.append((joint.first.body, Wrench(opposite, (-moment[0], -moment[1], -moment[2]))))
    return tuple(wrenches)


def relative_in_loop(state: MechanismState, joint: Joint) -> tuple[Relative, Axes]:
    """Return the places of a cut joint in the axes of the body that the loop is stated in, and that body's axes."""
    if state.description.absolute:
        return state.relative(joint), UNTURNED
    reference = _reference(state, joint)
    if reference == GROUND:
        return state.relative(joint), UNTURNED
    frames = {reference: Frame(UNTURNED, (0, 0, 0))}
    for body in (joint.first.body, joint.second.body):
        _frame_from(state, reference, body, frames)
    ends = [place_on(frames[place.body], place, state.algebra) for place in (joint.first, joint.second)]
    places = [
        add(frames[p.body].origin, lever) for p, (_, lever) in zip((joint.first, joint.second), ends, strict=True)
    ]
    return Relative(ends[0][0], ends[1][0], subtract(places[1], places[0])), state.axes_of(reference)


def _reference(state: MechanismState, joint: Joint) -> str:
    """Return the body in whose axes a loop is stated."""
    one, other = (state.tree.path(place.body) for place in (joint.first, joint.second))
    common = 0
    while common < min(len(one), len(other)) and one[common] is other[common]:
        common += 1
    lowest = one[common - 1].outer if common else GROUND
    sides = one[common:], other[common:]
    longer = max(sides, key=len)
    if state.planar or len(longer) <= LONG_SIDE:
        return lowest
    beyond = (len(longer) - min(map(len, sides))) // 2
    return longer[beyond - 1].outer if beyond else lowest


def _frame_from(state: MechanismState, reference: str, body: str, frames: dict[str, Frame]) -> None:
    """Add the frames of the bodies on the way from the reference to a body, in the reference's axes."""
    for known, link, outwards in _way(state, reference, body):
        reached = link.outer if outwards else link.inner
        if reached not in frames:
            from_first = link.forward == outwards
            frames[reached], _ = carried(link, frames[known], state.algebra, state.planar, from_first)


def _way(state: MechanismState, begin: str, end: str) -> Iterator[tuple[str, Link, bool]]:
    """Yield (body, link that leads on, whether outwards) from one body to another."""
    down, up = state.tree.path(begin), state.tree.path(end)
    common = 0
    while common < min(len(down), len(up)) and down[common] is up[common]:
        common += 1
    for link in reversed(down[common:]):
        yield link.outer, link, False
    for link in up[common:]:
        yield link.inner, link, True


def _counted(state: MechanismState) -> list[Held]:
    """Return 2 sin((a - angle)/2) = 0 for angles a that count the turns of a cut joint: zero at whole turns only."""
    counted = []
    for name in state.tree.angles:
        joint, index = coordinate_of(state.description, name)
        angle = kind_of(joint).measures(joint, state.relative(joint), state.algebra, state.planar)[index]
        half = (state.coordinate(name) - angle) / 2
        counted.append(Held(f"{name}_angle", (HeldRow(2 * state.algebra.sin(half), Load()),)))
    return counted


def _units(state: MechanismState) -> list[Held]:
    """Return (p . p - 1)/2 = 0 for every joint with Euler parameters, in absolute coordinates for every body."""
    units = []
    for link in state.tree.links:
        if has_euler_parameters(link, state.planar):
            p = [state.algebra.q[k] for k in link.at[-4:]]
            total = p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]
            units.append(Held(f"{link.joint.name}_unit", (HeldRow((total - 1) / 2, Load()),)))
    return units
