"""What is checked: the statement of a builder, with a free joint for each group of bodies that floats."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from typing import TYPE_CHECKING

import sympy as sp

from ...foundation.frozen_dataclass import dataclass
from ...mechanism.joints import KINDS
from ...mechanism.tree import spanning_tree
from ...model.bodies import GROUND, Body, Description, Joint, Place
from .result import Loop

if TYPE_CHECKING:
    from ...mechanism.building.builder import Builder
    from ...model.statement import Statement

ORIGIN = (sp.S.Zero, sp.S.Zero, sp.S.Zero)


@dataclass(frozen=True, eq=False)
class Request:
    """Statement to be checked, the loops of the mechanism, the bodies that float, and the joints that were added."""

    statement: Statement
    description: Description
    loops: tuple[Loop, ...]
    floating: tuple[str, ...]
    added: tuple[str, ...]


def read_request(builder: Builder, coordinates: str) -> Request:
    """Return what is to be checked; raise one ModelError with all faults of the builder.

    Bodies that nothing connects to the ground are no fault here: a free joint carries one of each group.
    """
    bodies, joints = tuple(builder._bodies), tuple(builder._joints)
    known = {GROUND, *(body.name for body in bodies)}
    sound = [j for j in joints if {j.first.body, j.second.body} <= known and j.first.body != j.second.body]
    floating, carried = _floating(bodies, sound)
    complete = copy(builder)
    names = {x for joint in joints for x in (joint.name, *joint.coordinates)} | set(builder.elements)
    added = [_free_joint(body, builder._planar, names) for body in carried]
    complete._joints = [*joints, *added]
    statement = complete.statement(coordinates)
    described = statement.free.mechanism
    assert described is not None  # noqa: S101  # the statement of a builder has bodies
    relative = complete.description()
    return Request(statement, described, tuple(_loops(relative)), floating, tuple(joint.name for joint in added))


def _floating(bodies: Sequence[Body], joints: Sequence[Joint]) -> tuple[tuple[str, ...], list[Body]]:
    """Return the names of the bodies without connection to the ground, and the first body of each group of them."""
    neighbours: dict[str, set[str]] = {GROUND: set(), **{body.name: set() for body in bodies}}
    for joint in joints:
        neighbours[joint.first.body].add(joint.second.body)
        neighbours[joint.second.body].add(joint.first.body)

    def reached_from(name: str, reached: set[str]) -> set[str]:
        todo = [name]
        while todo:
            body = todo.pop()
            if body not in reached:
                reached.add(body)
                todo += neighbours[body]
        return reached

    reached = reached_from(GROUND, set())
    floating = tuple(body.name for body in bodies if body.name not in reached)
    carried = []
    for body in bodies:
        if body.name not in reached:
            carried.append(body)
            reached = reached_from(body.name, reached)
    return floating, carried


def _free_joint(body: Body, planar: bool, taken: set[str]) -> Joint:
    """Return a free joint from the ground to a body, with names that are not taken."""
    suffixes = (KINDS["free"].planar_suffixes if planar else KINDS["free"].spatial_suffixes) or ()
    base = "floating"
    while base in taken or any(f"{base}{suffix}" in taken for suffix in suffixes):
        base += "_"
    coordinates = tuple(f"{base}{suffix}" for suffix in suffixes)
    taken.update((base, *coordinates))
    places = Place(GROUND, ORIGIN, sp.S.Zero), Place(body.name, ORIGIN, sp.S.Zero)
    return Joint(base, "free", *places, coordinates, (*ORIGIN[:2], sp.S.One))


def _loops(description: Description) -> Iterator[Loop]:
    """Yield the loops of a mechanism in relative coordinates, in the order of the joints that close them."""
    tree = spanning_tree(description)
    for joint in tree.cut:
        down, up = tree.path(joint.first.body), tree.path(joint.second.body)
        common = 0
        while common < min(len(down), len(up)) and down[common] is up[common]:
            common += 1
        top = down[common - 1].outer if common else GROUND
        inwards, outwards = down[common:][::-1], up[common:]
        bodies = (*(link.outer for link in inwards), top, *(link.outer for link in outwards))
        yield Loop(joint.name, bodies, (*(link.joint.name for link in (*inwards, *outwards)), joint.name))
