"""Tree of a mechanism: the joints that carry coordinates, run from the ground outwards (mechanisms 1.1).

In relative coordinates the joints are gone through in the order of statement; one whose bodies are connected already is
cut. Only then the tree is oriented, so that a joint may be run from its second to its first body. In absolute
coordinates the tree has a free joint from the ground to the centre of every body, and all joints are cut.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Collection, Sequence
from functools import cached_property

import sympy as sp

from ..foundation.frozen_dataclass import dataclass
from ..model.bodies import GROUND, Body, Description, Joint, Place
from .joints import KINDS, kind_of

ZERO = (sp.S.Zero,) * 3
COUNTING = ("torsion_spring", "torsion_damper", "gear", "rack", "stop")
"""Kinds of elements for which an angle and the same angle after a turn are different."""


@dataclass(frozen=True)
class Link:
    """Joint of the tree run from the body `inner` to `outer`, `forward` from its first to its second body.

    `at` are the indices of its coordinates; `parent` is the index of the link that carries the inner body, -1 for the
    ground.
    """

    joint: Joint
    inner: str
    outer: str
    forward: bool
    at: tuple[int, ...]
    parent: int


@dataclass(frozen=True)
class Tree:
    """Links in an order in which every inner body comes before, the joints that are cut, and names of coordinates.

    `floating` are the bodies that no joint connects with the ground. `angles` are the last coordinates: angles of cut
    joints that have no mass and follow from the others, for elements that count turns.
    """

    links: tuple[Link, ...]
    cut: tuple[Joint, ...]
    coordinates: tuple[str, ...]
    floating: tuple[str, ...]
    angles: tuple[str, ...] = ()

    @cached_property
    def link_of(self) -> dict[str, Link]:
        """Link that carries each body."""
        return {link.outer: link for link in self.links}

    @cached_property
    def index(self) -> dict[str, int]:
        """Index of the link that carries each body, -1 for the ground."""
        return {GROUND: -1, **{link.outer: k for k, link in enumerate(self.links)}}

    def path(self, body: str) -> list[Link]:
        """Return the links from the ground to a body."""
        links = []
        while body != GROUND:
            links.append(self.link_of[body])
            body = links[-1].inner
        return links[::-1]


def cut_joints(bodies: Sequence[Body], joints: Sequence[Joint], cut: Collection[str] = ()) -> tuple[str, ...]:
    """Return the names of the joints that close loops, in order; those named in `cut` are cut first."""
    group = {name: name for name in (GROUND, *(body.name for body in bodies))}

    def root(name: str) -> str:
        group.setdefault(name, name)  # a body that does not exist is a fault of its own
        while group[name] != name:
            name = group[name]
        return name

    closing = []
    for joint in joints:
        a, b = root(joint.first.body), root(joint.second.body)
        if a == b or joint.name in cut:
            closing.append(joint.name)
        else:
            group[a] = b
    return tuple(closing)


def spanning_tree(description: Description) -> Tree:
    """Return the tree of a mechanism."""
    if description.absolute:
        joints = [absolute_joint(body, description.planar) for body in description.bodies]
        cut = description.joints
    else:
        joints = [joint for joint in description.joints if joint.name not in description.cut]
        cut = tuple(joint for joint in description.joints if joint.name in description.cut)
    angles = counted_angles(description)
    coordinates = (*(name for joint in joints for name in joint.coordinates), *angles)
    first: dict[str, int] = {}
    count = 0
    for joint in joints:
        first[joint.name] = count
        count += len(joint.coordinates)
    links = _oriented(joints, first)
    reached = {link.outer for link in links}
    floating = tuple(body.name for body in description.bodies if body.name not in reached)
    return Tree(tuple(links), cut, coordinates, floating, angles)


def counted_angles(description: Description) -> tuple[str, ...]:
    """Return the coordinates of cut joints that elements need beyond half a turn: all but shifts, in space.

    In the plane angles of bodies add up; springs, gears, racks and stops on other angles need one that counts turns.
    """
    if description.planar:
        return ()
    cut = {name for j in description.joints if j.name in description.cut for name in angles_of(j)}
    needed = [name for e in description.elements if e.kind in COUNTING for name in e.joints if name in cut]
    return tuple(dict.fromkeys(needed))


def angles_of(joint: Joint) -> tuple[str, ...]:
    """Return the coordinates of a joint in space that are angles."""
    suffixes = kind_of(joint).spatial_suffixes or ()
    turning = joint.kind in ("revolute", "screw")
    return tuple(x for x, suffix in zip(joint.coordinates, suffixes, strict=True) if turning or "angle" in suffix)


def absolute_joint(body: Body, planar: bool) -> Joint:
    """Return the free joint from the ground to the centre of a body, which gives it absolute coordinates."""
    suffixes = KINDS["free"].planar_suffixes if planar else KINDS["free"].spatial_suffixes
    names = tuple(f"{body.name}{suffix}" for suffix in suffixes or ())
    ground = Place(GROUND, ZERO, sp.S.Zero)
    return Joint(body.name, "free", ground, Place(body.name, body.centre, sp.S.Zero), names, (*ZERO[:2], sp.S.One))


def _oriented(joints: Sequence[Joint], first: dict[str, int]) -> list[Link]:
    """Return the links of the tree, from the ground outwards."""
    neighbours: dict[str, list[Joint]] = defaultdict(list)
    for joint in joints:
        neighbours[joint.first.body].append(joint)
        neighbours[joint.second.body].append(joint)
    links: list[Link] = []
    reached, todo = {GROUND: -1}, deque([GROUND])
    while todo:
        inner = todo.popleft()
        for joint in neighbours[inner]:
            forward = joint.first.body == inner
            outer = joint.second.body if forward else joint.first.body
            if outer not in reached:
                at = tuple(range(first[joint.name], first[joint.name] + len(joint.coordinates)))
                links.append(Link(joint, inner, outer, forward, at, reached[inner]))
                reached[outer] = len(links) - 1
                todo.append(outer)
    return links
