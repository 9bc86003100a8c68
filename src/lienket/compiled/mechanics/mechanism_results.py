"""What is shown of joints, bodies and elements, as nodes: wrenches from accelerations and multipliers (mechanisms 4).

A cut joint exerts the sum of the wrenches of its rows. For a joint of the tree the inertial forces of all that hangs on
it, less what acts there from outside, are the whole wrench F, M at its second point; without motors, springs, given
motions and whatever else acts along its coordinates it is the reaction, which does no work on the joint's own motions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

from ...mechanism.dynamics import NO_WRENCH, Wrench, hanging_wrenches
from ...mechanism.elements.load import Load
from ...mechanism.frames import place_on
from ...mechanism.held import Held
from ...mechanism.joints import kind_of
from ...mechanism.loads import collected, onto_bodies, times
from ...mechanism.loops import held_of
from ...mechanism.motion import point_velocity
from ...mechanism.scalars.algebra import ZERO, Scalar, Vector, add, cross, dot, negative, scaled, subtract
from ...mechanism.tree import Link
from ...model.bodies import GROUND, Joint
from .equations import Mechanics
from .graph_algebra import Scalar as GraphScalar
from .mechanism_nodes import MechanismNodes

Blocks = list[tuple[str, list[list[int]], int]]
ScalarBlocks = list[tuple[str, Sequence[Sequence[Scalar]], int]]


def mechanism_results(m: Mechanics) -> Blocks | None:
    """Return the blocks (name, rows of nodes, columns) of a mechanism, None without bodies and joints.

    force, torque        of each joint on its second body at its second point, in the axes of the ground (J x 3); then
                         of each rolling contact on its wheel, at the point of contact
    first, second        axes of both places of each joint, row by row (J x 9)
    measures             coordinates of the joints, their rates and second rates (K x 3)
    position, rotation   of the bodies' frames as stated (B x 3, B x 9); velocity, angular_velocity (B x 3)
    centre, angle        place and velocity of the mass centres (B x 6); angle in the plane (B x 1)
    between              from the first to the second place of each joint (J x 3)
    length               largest distance of two joint places on one body (1 x 1)
    efforts              of the elements (E x 1)
    """
    if m.nodes.mechanism is None:
        return None
    return _Results(m, m.nodes.mechanism).blocks()


class _Results:
    """Nodes of the results of one mechanism."""

    def __init__(self, m: Mechanics, nodes: MechanismNodes) -> None:
        self.m, self.nodes, self.state, self.algebra = m, nodes, nodes.state, nodes.algebra
        self.held = {held.name: held for held in held_of(self.state)}
        self.multipliers = dict(_multipliers(m, nodes))

    def blocks(self) -> Blocks:
        state, algebra = self.state, self.algebra
        description = state.description
        wrenches = self._wrenches()
        rolling = [element for element in description.elements if element.kind == "rolling"]
        names = [*(joint.name for joint in description.joints), *(element.name for element in rolling)]
        joints = [wrenches.get(name, NO_WRENCH) for name in names]
        ends = [*((j.first, j.second) for j in description.joints), *((e.places[0], e.places[1]) for e in rolling)]
        places = [(state.axes(first).matrix, state.axes(second).matrix) for first, second in ends]
        measures = [x for joint in description.joints for x in self._measures(joint)]
        rates = [algebra.total_rate(x) for x in measures]
        second = [algebra.total_rate(x, accelerations=True) for x in rates]
        rows: ScalarBlocks = [
            ("force", [w.force for w in joints], 3),
            ("torque", [w.moment for w in joints], 3),
            ("first", [[x for row in A for x in row] for A, _ in places], 9),
            ("second", [[x for row in B for x in row] for _, B in places], 9),
            ("between", [subtract(state.place(second), state.place(first)) for first, second in ends], 3),
            ("measures", list(zip(measures, rates, second, strict=True)), 3),
            *self._bodies(),
            ("length", [[self._length()]], 1),
            ("efforts", [[self._effort(element.name)] for element in description.elements], 1),
        ]
        return [(name, [algebra.nodes(row) for row in block], width) for name, block, width in rows]

    # Wrenches of joints

    def _wrenches(self) -> dict[str, Wrench]:
        """Return the reaction of each joint on its second body at its second point."""
        return {**dict(self._of_cut_joints()), **dict(self._of_tree_joints()), **dict(self._of_contacts())}

    def _of_cut_joints(self) -> Iterator[tuple[str, Wrench]]:
        state = self.state
        for joint in state.tree.cut:
            held = self.held.get(joint.name)
            if held is None or joint.name not in self.multipliers:
                continue
            total = NO_WRENCH
            for wrench, multiplier in zip(self._rows_of(joint, held), self.multipliers[joint.name], strict=True):
                total = total + Wrench(scaled(multiplier, wrench.force), scaled(multiplier, wrench.moment))
            yield joint.name, total

    def _of_contacts(self) -> Iterator[tuple[str, Wrench]]:
        """Yield the force of each rolling contact on its wheel, at the point of contact."""
        for element in self.state.description.elements:
            if element.kind == "rolling":
                line, wheel = (place.body for place in element.places)
                total = ZERO
                for name in (element.name, f"{element.name}_slip"):
                    for row, multiplier in zip(self.held[name].rows, self.multipliers.get(name, ()), strict=False):
                        of_body = dict(row.load.wrenches)
                        force = of_body[wheel].force if wheel in of_body else negative(of_body[line].force)
                        total = add(total, scaled(multiplier, force))
                yield element.name, Wrench(total, ZERO)

    def _rows_of(self, joint: Joint, held: Held) -> list[Wrench]:
        """Return the wrench of each row on the second body at the second point."""
        wrenches = []
        for row in held.rows:
            of_body = dict(row.load.wrenches)
            if joint.second.body in of_body:
                about_point = of_body[joint.second.body].moved(negative(self.state.lever(joint.second)))
            else:  # the ground: the opposite of what acts on the first body, at the same place
                first = -of_body[joint.first.body]
                step = add(self.state.place(joint.second), negative(self._origin(joint.first.body)))
                about_point = first.moved(negative(step))
            wrenches.append(about_point)
        return wrenches

    def _origin(self, body: str) -> Vector:
        return self.state.position.frames[body].origin

    def _of_tree_joints(self) -> Iterator[tuple[str, Wrench]]:
        state = self.state
        if state.description.absolute:
            return
        loads = [*self.nodes.loads.values(), *self._held_loads()]
        outside, along = collected(state, loads, self.nodes.weights)
        for k, force in enumerate(self._stated_forces()):
            along[k] = along.get(k, 0) + force
        onto_bodies(state, outside, along)
        inertial = self.nodes.inertial_wrenches(self.algebra.a)
        sums = {name: wrench + -outside.get(name, NO_WRENCH) for name, wrench in inertial.items()}
        hanging = hanging_wrenches(state.tree, state.position, sums)
        for link, total in zip(state.tree.links, hanging, strict=True):
            reaction = total if link.forward else -total
            for effort in self._efforts_along(link, along):
                reaction = reaction + -effort
            yield link.joint.name, reaction

    def _held_loads(self) -> Iterator[Load]:
        """Yield what the constraints of the mechanism exert: of each row, times its multiplier."""
        for name, held in self.held.items():
            for row, multiplier in zip(held.rows, self.multipliers.get(name, ()), strict=False):
                yield times(row.load, multiplier)

    def _stated_forces(self) -> list[Any]:
        """Return the generalized forces (n) of constraints that the mechanism has not made, and of laws."""
        every = (*self.m.nodes.constraints, *self.m.nodes.followed)
        parts = [r for c, r in zip(every, self.m.reactions, strict=True) if not c.of_mechanism]
        parts += [r for c, r in zip(every, self.m.exerted, strict=True) if c.of_mechanism]
        totals = [self.m.graph.sum(column) for column in zip(*parts, strict=True)]
        return [self.algebra.scalar(x) for x in totals]

    def _efforts_along(self, link: Link, along: dict[int, Any]) -> Iterator[Wrench]:
        """Yield the wrenches on the second body of what acts along the coordinates of a link."""
        joint, state = link.joint, self.state
        efforts = [along.get(k, 0) for k in link.at]
        kind = kind_of(joint)
        if kind.euler and not state.planar:
            place = state.position.links[state.tree.links.index(link)]
            force, torque = ZERO, ZERO
            for (direction, _), effort in zip(place.motions.shifts, efforts, strict=False):
                force = add(force, scaled(effort, direction))
            for (column, _), effort in zip(place.motions.turns, efforts[-4:], strict=True):
                torque = add(torque, scaled(effort * 0.25, column))  # G f/2, by the columns of 2 G
            yield Wrench(force, torque)
            return
        for effort, (force, torque) in zip(
            efforts, kind.efforts(joint, state.relative(joint), self.algebra, state.planar), strict=True
        ):
            yield Wrench(scaled(effort, force), scaled(effort, torque))

    # Coordinates, bodies, elements

    def _measures(self, joint: Joint) -> list[Any]:
        return self.state.measures(joint)

    def _bodies(self) -> ScalarBlocks:
        state, positions, rotations, velocities, turning = self.state, [], [], [], []
        centres, angles = [], []
        for name, stated in state.frames.stated.items():
            frame = state.position.frames[name]
            axes, lever = place_on(frame, stated, self.algebra)
            positions.append(add(frame.origin, lever))
            rotations.append([x for row in axes.matrix for x in row])
            velocities.append(point_velocity(frame, state.rates[name], stated, self.algebra))
            turning.append(state.rates[name].w)
            mass, rates = state.masses[name], state.rates[name]
            centres.append([*add(frame.origin, mass.to_centre), *add(rates.v, cross(rates.w, mass.to_centre))])
            angles.append([0 if axes.angle is None else axes.angle])
        return [
            ("position", positions, 3),
            ("rotation", rotations, 9),
            ("velocity", velocities, 3),
            ("angular_velocity", turning, 3),
            ("centre", centres, 6),
            ("angle", angles, 1),
        ]

    def _length(self) -> Scalar:
        """Return the largest distance of two joint places on one body; 1 if all coincide."""
        places: dict[str, list[Vector]] = {}
        for joint in self.state.description.joints:
            for place in (joint.first, joint.second):
                x, y, z = map(self.algebra.number, place.position)
                places.setdefault(place.body, []).append((x, y, z))
        squares = [
            dot(between, between)
            for body, points in places.items()
            for a, b in combinations(points, 2)
            if body != GROUND
            for between in (subtract(a, b),)
        ]
        largest = self.algebra.largest(squares)
        return self.algebra.sqrt(largest) if isinstance(largest, GraphScalar) else 1

    def _effort(self, name: str) -> Any:
        """Return the effort of an element: of a force, or of a constraint by its multiplier."""
        if name in self.nodes.loads:
            return self.nodes.loads[name].effort
        total: Any = 0
        for own in (name, f"{name}_lower", f"{name}_upper"):
            multipliers = self.multipliers.get(own, ())
            if own in self.held and multipliers:
                total = total + self.held[own].rows[0].load.effort * multipliers[0]
        return total


def _multipliers(m: Mechanics, nodes: MechanismNodes) -> Iterator[tuple[str, list[Any]]]:
    """Yield the multipliers of each constraint that the mechanism has made, by name."""
    first = 0
    for c in m.nodes.constraints:
        if c.of_mechanism:
            yield c.name, nodes.algebra.multipliers[first : first + len(c)]
        first += len(c)
