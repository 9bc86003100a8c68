"""Joints: kind, links, origin, axis, limits, damping and mimic as the file states them."""

from __future__ import annotations

from ...foundation.frozen_dataclass import dataclass
from .facts import JointLimit
from .findings import Findings
from .numbers import Triple, known_attributes, missing, number, optional_number, triple
from .rotation import Origin, only, origin_of
from .xml_nodes import Node, quoted

KINDS = {
    "revolute": "revolute",
    "continuous": "revolute",
    "prismatic": "prismatic",
    "fixed": "weld",
    "floating": "free",
    "planar": "planar",
}
"""Kinds of joints by their types in a file."""
ALONG_AXIS = ("revolute", "prismatic")
INSIDE = ("origin", "parent", "child", "axis", "limit", "dynamics", "mimic")
DEFAULT_AXIS: Triple = (1.0, 0.0, 0.0)


@dataclass(frozen=True)
class Mimic:
    """Coupling q = multiplier q_joint + offset."""

    joint: str
    multiplier: float
    offset: float
    line: int


@dataclass(frozen=True)
class UrdfJoint:
    """Joint of a `kind` of the package; `axis` has length 1. A name of a link that is missing is empty."""

    name: str
    line: int
    kind: str
    parent: str
    child: str
    origin: Origin
    axis: Triple
    limit: JointLimit | None
    damping: float
    mimic: Mimic | None

    @property
    def where(self) -> str:
        """Its place in messages."""
        return f"line {self.line}, joint {quoted(self.name)}"


def joint_of(node: Node, name: str, findings: Findings) -> UrdfJoint:
    """Return a joint."""
    label = f"joint {quoted(name)}"
    known_attributes(node, ("name", "type"), label, findings, strict=False)
    for part in node.children:
        if part.tag not in INSIDE:
            findings.left_out(part, INSIDE)
    kind = _kind(node, label, findings)
    parent, child = (_link(node, tag, label, findings) for tag in ("parent", "child"))
    origin = origin_of(node, label, findings)
    axis = _axis(node, label, findings) if kind in (*ALONG_AXIS, "planar") else DEFAULT_AXIS
    limit, damping = _limit(node, label, findings), _damping(node, kind, label, findings)
    mimic = _mimic(node, kind, label, findings)
    return UrdfJoint(name, node.line, kind, parent, child, origin, axis, limit, damping, mimic)


def _kind(node: Node, label: str, findings: Findings) -> str:
    text = node.attributes.get("type")
    if text is None:
        missing(node, "type", label, findings)
        return ""
    if text not in KINDS:
        near = findings.meant(text, KINDS) if len(text) < 100 else ""
        findings.fault_at(node, label, f"the type {quoted(text)} is not known{near}", f"Known: {', '.join(KINDS)}.")
    return KINDS.get(text, "")


def _link(node: Node, tag: str, label: str, findings: Findings) -> str:
    """Return the name of the parent or of the child, an empty text if it is missing."""
    found = only(node, tag, label, findings)
    if found is None:
        findings.fault_at(node, label, f"it has no element <{tag}>", f'Write <{tag} link="..."/>.')
        return ""
    known_attributes(found, ("link",), label, findings)
    if "link" not in found.attributes:
        missing(found, "link", label, findings)
        return ""
    if not found.attributes["link"]:
        findings.fault_at(found, label, f"<{tag}> names no link")
    return found.attributes["link"]


def _axis(node: Node, label: str, findings: Findings) -> Triple:
    """Return the axis with length 1; x without it."""
    found = only(node, "axis", label, findings)
    if found is None:
        return DEFAULT_AXIS
    known_attributes(found, ("xyz",), label, findings)
    axis = triple(found, "xyz", label, findings)
    if axis is None:
        return DEFAULT_AXIS
    largest = max(map(abs, axis))
    if largest == 0:
        findings.fault_at(found, f"{label}, axis", "the axis is zero")
        return DEFAULT_AXIS
    if sorted(map(abs, axis)) == [0, 0, largest]:
        x, y, z = (e / largest for e in axis)
        return (x, y, z)
    scaled = [e / largest for e in axis]
    length = sum(e * e for e in scaled) ** 0.5
    x, y, z = (e / length for e in scaled)
    return (x, y, z)


def _limit(node: Node, label: str, findings: Findings) -> JointLimit | None:
    """Return the limits; where they bound the coordinate, lower and upper are 0 unless stated."""
    found = only(node, "limit", label, findings)
    if found is None:
        return None
    known_attributes(found, ("lower", "upper", "effort", "velocity"), label, findings, strict=False)
    lower, upper = (optional_number(found, key, label, findings) for key in ("lower", "upper"))
    effort, velocity = (optional_number(found, key, label, findings) for key in ("effort", "velocity"))
    if node.attributes.get("type") in ALONG_AXIS:
        lower, upper = lower or 0.0, upper or 0.0
    if lower is not None and upper is not None and lower > upper:
        findings.fault_at(found, f"{label}, limit", f"lower = {lower!r} is above upper = {upper!r}")
    return JointLimit(lower, upper, effort, velocity)


def _damping(node: Node, kind: str, label: str, findings: Findings) -> float:
    """Return the damping along the coordinate; report friction."""
    found = only(node, "dynamics", label, findings)
    if found is None:
        return 0.0
    known_attributes(found, ("damping", "friction"), label, findings, strict=False)
    damping, friction = (number(found, key, label, findings, 0.0) for key in ("damping", "friction"))
    if friction:
        findings.note_at(found, label, f"its friction {friction!r} is not supported and left out")
    if damping is not None and damping < 0:
        findings.fault_at(found, f"{label}, dynamics", f"the damping {damping!r} is negative")
    if damping and kind not in ALONG_AXIS:
        findings.note_at(found, label, f"its damping {damping!r} is left out, since it has not one coordinate")
        return 0.0
    return damping or 0.0


def _mimic(node: Node, kind: str, label: str, findings: Findings) -> Mimic | None:
    """Return the coupling to another joint."""
    found = only(node, "mimic", label, findings)
    if found is None:
        return None
    known_attributes(found, ("joint", "multiplier", "offset"), label, findings)
    multiplier = number(found, "multiplier", label, findings, 1.0)
    offset = number(found, "offset", label, findings, 0.0)
    if kind and kind not in ALONG_AXIS:
        findings.fault_at(found, f"{label}, mimic", "a joint that mimics another has one coordinate")
    if "joint" not in found.attributes:
        missing(found, "joint", label, findings)
        return None
    return Mimic(found.attributes["joint"], multiplier or 0.0, offset or 0.0, found.line)
