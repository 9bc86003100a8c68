"""Calls of the builder: bodies, joints, dampers and couplings of a file."""

from __future__ import annotations

from collections.abc import Sequence

from ..building.spatial import SpatialBody, SpatialBuilder
from .findings import Findings
from .joints import UrdfJoint
from .links import Link
from .names import body_name, coordinate_bases, element_name, suffixes_of


def fill(
    builder: SpatialBuilder, links: dict[str, Link], joints: Sequence[UrdfJoint], root: str, findings: Findings
) -> dict[str, tuple[str, ...]]:
    """Add links and joints to a builder, the root link as its ground; return the names of coordinates by joint."""
    bodies = {root: builder.ground}
    for name, link in links.items():
        if name != root:
            body = body_name(name, link.line, links, findings)
            drawn = link.shapes or None
            bodies[name] = builder.body(body, link.mass, link.inertia, link.centre, shapes=drawn)
    bases = coordinate_bases(joints, findings)
    for joint in joints:
        _connect(builder, bodies, joint, bases.get(joint.name))
    _couple(builder, joints, findings)
    return {j.name: tuple(f"{bases[j.name]}{x}" for x in suffixes_of(j)) if j.name in bases else () for j in joints}


def _connect(builder: SpatialBuilder, bodies: dict[str, SpatialBody], joint: UrdfJoint, coordinate: str | None) -> None:
    """Add a joint: its first place is its origin on the parent, its second the frame of the child."""
    x, y, z = joint.origin.xyz
    first = bodies[joint.parent].at(x, y, z, rotation=joint.origin.rotation if joint.origin.turned else None)
    second = bodies[joint.child].at()
    if joint.kind == "weld":
        builder.weld(joint.name, first, second)
    elif joint.kind == "free":
        builder.free(joint.name, first, second, coordinate=coordinate)
    else:
        add = {"revolute": builder.revolute, "prismatic": builder.prismatic, "planar": builder.planar}[joint.kind]
        add(joint.name, first, second, axis=joint.axis, coordinate=coordinate)


def _couple(builder: SpatialBuilder, joints: Sequence[UrdfJoint], findings: Findings) -> None:
    """Add the dampers and the couplings of mimic joints."""
    taken = {joint.name for joint in joints}
    for joint in joints:
        if joint.damping:
            name = element_name(joint, "damping", taken, findings)
            builder.torsion_damper(name, joint.name, damping=joint.damping)
    for joint in joints:
        if joint.mimic is not None:
            name, mimic = element_name(joint, "mimic", taken, findings), joint.mimic
            builder.gear(name, joint.name, mimic.joint, ratio=mimic.multiplier, phase=mimic.offset)
