"""Tree of a file: every link but one, the root, is the child of one joint; mimic joints refer to others."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from .findings import LINES_LISTED, Findings
from .joints import ALONG_AXIS, UrdfJoint
from .links import Link
from .xml_nodes import quoted

TREE = (
    "A URDF file holds a tree. Close a loop by one more joint of the builder that lienket.mechanism.urdf.read returns."
)


def root_of(links: dict[str, Link], joints: Sequence[UrdfJoint], findings: Findings) -> str:
    """Return the name of the root link, an empty text if there is none; report everything that makes it no tree."""
    carried: dict[str, list[UrdfJoint]] = defaultdict(list)
    for joint in joints:
        for tag, name in (("parent", joint.parent), ("child", joint.child)):
            if name and name not in links:
                near = findings.meant(name, links)
                findings.fault(joint.where, f"its {tag} {quoted(name)} is no link of the file{near}")
        if joint.parent and joint.parent == joint.child:
            findings.fault(joint.where, f"its parent and its child are the link {quoted(joint.child)}")
        carried[joint.child].append(joint)
    for name, several in carried.items():
        if name and len(several) > 1:
            listed = _listed([f"{quoted(j.name)} (line {j.line})" for j in several])
            findings.fault(f"link {quoted(name)}", f"it is the child of {len(several)} joints: {listed}", TREE)
    _report_rings({name: several[0] for name, several in carried.items()}, findings)
    roots = [name for name in links if name not in carried]
    if "" in carried or any(name not in links for name in carried):
        return ""  # which link has no parent is not known
    if len(roots) > 1:
        listed = _listed([f"{quoted(name)} (line {links[name].line})" for name in roots])
        findings.fault(
            "links", f"{len(roots)} are the child of no joint: {listed}", "Only the root is; connect the others."
        )
    return roots[0] if len(roots) == 1 else ""


def check_mimics(joints: Sequence[UrdfJoint], findings: Findings) -> None:
    """Report mimic joints that refer to no joint with one coordinate, or in a ring to themselves."""
    known = {joint.name: joint for joint in joints}
    for joint in joints:
        if joint.mimic is None:
            continue
        where, other = f"line {joint.mimic.line}, joint {quoted(joint.name)}, mimic", known.get(joint.mimic.joint)
        if other is None:
            near = findings.meant(joint.mimic.joint, known)
            findings.fault(where, f"there is no joint {quoted(joint.mimic.joint)}{near}")
        elif other.kind and other.kind not in ALONG_AXIS:
            findings.fault(where, f"the joint {quoted(other.name)} has not one coordinate")
    done: set[str] = set()
    for joint in joints:
        path: dict[str, None] = {}
        at: UrdfJoint | None = joint
        while at is not None and at.name not in done and at.name not in path:
            path[at.name] = None
            at = known.get(at.mimic.joint) if at.mimic is not None else None
        if at is not None and at.name in path:
            ring = list(path)[list(path).index(at.name) :]
            findings.fault(at.where, f"it mimics itself: {_listed([quoted(x) for x in [*ring, at.name]], ' -> ')}")
        done.update(path)


def note_massless(links: dict[str, Link], joints: Sequence[UrdfJoint], root: str, findings: Findings) -> None:
    """Note the joints that move no mass."""
    outward: dict[str, list[UrdfJoint]] = defaultdict(list)
    for joint in joints:
        outward[joint.parent].append(joint)
    order, todo = list[UrdfJoint](), [root]
    while todo:
        beyond = outward[todo.pop()]
        order += beyond
        todo += [joint.child for joint in beyond]
    massive = {name: not link.massless for name, link in links.items()}
    for joint in reversed(order):
        massive[joint.parent] = massive[joint.parent] or massive[joint.child]
        if joint.kind != "weld" and not massive[joint.child]:
            findings.note(
                f"Line {joint.line}, joint {quoted(joint.name)}: it moves no mass, so that its acceleration is not "
                "determined unless an element gives it."
            )


def _report_rings(carrier: dict[str, UrdfJoint], findings: Findings) -> None:
    """Report the rings of links that one finds on the way from children to parents."""
    done: set[str] = set()
    for start in carrier:
        path: dict[str, None] = {}
        name = start
        while name in carrier and name not in done and name not in path:
            path[name] = None
            name = carrier[name].parent
        if name in path and name:
            ring = list(path)[list(path).index(name) :]
            if len(ring) > 1:  # parent and child of one joint are reported there
                listed = _listed([quoted(x) for x in [*ring[::-1], ring[-1]]], " -> ")
                findings.fault(carrier[name].where, f"links carry each other in a loop: {listed}", TREE)
        done.update(path)


def _listed(words: Sequence[str], between: str = ", ") -> str:
    """Return words as a list, the first ones of many."""
    more = [f"... ({len(words)} in all)"] if len(words) > 2 * LINES_LISTED else []
    return between.join([*words[: 2 * LINES_LISTED], *more])
