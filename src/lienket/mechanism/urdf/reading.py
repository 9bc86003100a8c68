"""A URDF file as UrdfFacts, or one ModelFileError with all of its faults."""

from __future__ import annotations

from os import PathLike

from ...errors import ModelError, ModelFileError
from ...model.model_text import text_of_file
from ...model.statement import Statement
from ..building.spatial import SpatialBuilder
from .building import fill
from .facts import UrdfFacts
from .findings import Findings
from .joints import UrdfJoint, joint_of
from .links import Link, check_inertia, link_of
from .numbers import missing
from .structure import check_mimics, note_massless, root_of
from .xml_nodes import Node, Refused, parse, quoted, shown

LINKS_LIMIT = 1000  # [links] most links, and most joints, of a URDF file
NAME_LENGTH_LIMIT = 256  # [characters] longest name of a robot, link or joint
PARTS = ("link", "joint")


def read(path: str | PathLike[str], into: SpatialBuilder | None = None) -> UrdfFacts:
    """Read a URDF file.

    Parameters
    ----------
    path : path-like
        The file, at most 4 MiB. No other file is opened.
    into : SpatialBuilder, optional
        Empty `lk.spatial.Mechanism` that gets bodies, joints and elements, for example one with another gravity. By
        default a new builder with the gravity (0, 0, -9.81).

    Returns
    -------
    UrdfFacts
        The builder with all bodies, joints and elements, limits of joints as data, and notes on what is left out.

    Raises
    ------
    ModelFileError
        With all faults of the file, each with its line.
    """
    text = text_of_file(path)
    findings = Findings()
    try:
        robot = parse(text)
    except Refused as refused:
        raise ModelFileError(path, [refused.fault]) from None
    name = _robot_name(robot, findings)
    links, joints = _parts(robot, findings)
    root = root_of(links, joints, findings) if links else ""
    check_mimics(joints, findings)
    for link in links.values():
        if link.name != root:  # the root is the ground, whose inertia is not needed
            check_inertia(link, findings)
    if links and not joints and root:
        findings.fault("", f"its only link {quoted(root)} is the ground, so that nothing can move", "Add a joint.")
    findings.raise_any(path)
    if links[root].inertia_line:
        findings.note(f"Line {links[root].line}, link {quoted(root)}: it is the ground, so that its mass is left out.")
    if links[root].shapes:
        findings.note(f"Line {links[root].line}, link {quoted(root)}: it is the ground, whose shapes are not drawn.")
    note_massless(links, joints, root, findings)
    builder = SpatialBuilder(name) if into is None else into
    try:
        coordinates = fill(builder, links, joints, root, findings)
        builder.description()
    except ModelError as error:
        raise ModelFileError(path, error.faults) from None
    limits = {joint.name: joint.limit for joint in joints if joint.limit is not None}
    return UrdfFacts(str(path), name, root, builder, coordinates, limits, findings.notes())


def read_statement(path: str | PathLike[str]) -> Statement:
    """Return the statement of a URDF file in relative coordinates; raise ModelFileError with all faults."""
    facts = read(path)
    try:
        return facts.builder.statement()
    except ModelError as error:
        raise ModelFileError(path, error.faults) from None


def _robot_name(robot: Node, findings: Findings) -> str:
    """Return the name of the robot."""
    if robot.tag != "robot":
        formats = {"sdf": "SDF", "mujoco": "MuJoCo's MJCF", "COLLADA": "COLLADA"}
        other = f", it is a file in the format {formats[robot.tag]}" if robot.tag in formats else ""
        what = f"the root element is <{shown(robot.tag)}>, not <robot>{other}"
        findings.fault(f"line {robot.line}", what, 'A URDF file begins with <robot name="...">.')
        return ""
    return _name(robot, "robot", findings)


def _parts(robot: Node, findings: Findings) -> tuple[dict[str, Link], list[UrdfJoint]]:
    """Return the links by name, and the joints, in the order of the file."""
    if robot.tag != "robot":
        return {}, []
    for tag in PARTS:
        count = len(robot.named(tag))
        if count > LINKS_LIMIT:
            findings.fault("", f"it has {count} elements <{tag}>; at most {LINKS_LIMIT} are read")
            return {}, []
    links = [link_of(node, name, findings) for node, name in _named(robot, "link", findings)]
    joints = [joint_of(node, name, findings) for node, name in _named(robot, "joint", findings)]
    for child in robot.children:
        if child.tag not in PARTS:
            findings.left_out(child, PARTS)
    if not links:
        findings.fault(f"line {robot.line}", "<robot> has no element <link>")
        return {}, []
    return {link.name: link for link in links if link.name}, joints


def _named(robot: Node, tag: str, findings: Findings) -> list[tuple[Node, str]]:
    """Return the elements with a tag and their names; report a name that is used twice."""
    lines: dict[str, int] = {}
    found = []
    for node in robot.named(tag):
        name = _name(node, tag, findings)
        if name in lines:
            what = f"a second {tag} has the name {quoted(name)}"
            findings.fault(f"line {node.line}", what, f"The first one is in line {lines[name]}.")
        if name:
            lines.setdefault(name, node.line)
        found.append((node, name))
    return found


def _name(node: Node, tag: str, findings: Findings) -> str:
    """Return the name of an element, an empty text and a fault if it has none that can be used."""
    name = node.attributes.get("name")
    if name is None:
        missing(node, "name", tag, findings)
        return ""
    if len(name) > NAME_LENGTH_LIMIT:
        findings.fault(
            f"line {node.line}",
            f"the name of the {tag} has {len(name)} characters",
            f"At most {NAME_LENGTH_LIMIT} are read.",
        )
        return ""
    if not name.strip() or not name.isprintable():
        findings.fault(f"line {node.line}", f"the name of the {tag} must be a printable text, not {quoted(name)}")
        return ""
    return name
