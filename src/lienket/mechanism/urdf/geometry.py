"""Geometry: boxes, cylinders, capsules and spheres as shapes of a body; meshes are named and never opened.

What is drawn is the visual geometry, the collision geometry of a link without any primitive in the visual one.
"""

from __future__ import annotations

from ...errors import Faults
from ...language.as_expression import as_expression
from ...language.expression import Expression
from ...model.bodies import Shape
from .findings import Findings
from .numbers import Triple, known_attributes, number, triple
from .rotation import Origin, only, origin_of
from .xml_nodes import Node, quoted, shown

PRIMITIVES = {
    "box": ("size",),
    "cylinder": ("radius", "length"),
    "capsule": ("radius", "length"),
    "sphere": ("radius",),
}
INSIDE = ("origin", "geometry")
SIDES = ("visual", "collision")


def drawn_of(link: Node, label: str, findings: Findings) -> tuple[Shape, ...]:
    """Return the shapes of a link; report geometry that is not drawn."""
    found: dict[str, list[Shape]] = {side: [] for side in SIDES}
    for node in link.children:
        if node.tag in SIDES:
            found[node.tag] += _shapes(node, f"{label}, {node.tag}", findings)
    return tuple(found["visual"] or found["collision"])


def _shapes(node: Node, label: str, findings: Findings) -> list[Shape]:
    """Return the shape of an element <visual> or <collision>, in a list."""
    for child in node.children:
        if child.tag not in INSIDE:
            findings.left_out(child, INSIDE)
    origin, geometry = origin_of(node, label, findings), only(node, "geometry", label, findings)
    if geometry is None:
        findings.fault_at(node, label, "it has no element <geometry>")
        return []
    found = []
    for part in geometry.children:
        if part.tag in PRIMITIVES:
            found += _primitive(part, origin, label, findings)
        elif part.tag == "mesh":
            file = part.attributes.get("filename", "")
            findings.note_at(part, label, f"the mesh {quoted(file)} is not drawn; meshes are never opened")
        else:
            findings.note_at(part, label, f"<{shown(part.tag)}> is not drawn")
    return found


def _primitive(node: Node, origin: Origin, label: str, findings: Findings) -> list[Shape]:
    """Return a primitive, in a list; one without extension is not drawn."""
    known_attributes(node, PRIMITIVES[node.tag], label, findings, strict=False)
    read: list[float] = []
    for key in PRIMITIVES[node.tag]:
        if node.tag == "box":
            read += triple(node, key, label, findings) or ()
        else:
            value = number(node, key, label, findings)
            read += () if value is None else (value,)
    if len(read) != (3 if node.tag == "box" else len(PRIMITIVES[node.tag])):
        return []
    if min(read) <= 0:
        findings.note_at(node, label, f"<{node.tag}> is not drawn, since it has no extension")
        return []
    if node.tag == "box":
        return [_box(read, origin)]
    ends: list[Triple] = [(0.0, 0.0, 0.0)] if node.tag == "sphere" else [(0.0, 0.0, s * read[1] / 2) for s in (-1, 1)]
    return [Shape(node.tag, tuple(_vector(origin.place(p)) for p in ends), (_exact(read[0]),))]


def _box(size: list[float], origin: Origin) -> Shape:
    rotation = tuple(_exact(e) for row in origin.rotation for e in row) if origin.turned else ()
    return Shape("box", (_vector(origin.xyz),), tuple(map(_exact, size)), rotation)


def _vector(point: Triple) -> tuple[Expression, Expression, Expression]:
    x, y, z = map(_exact, point)
    return (x, y, z)


def _exact(x: float) -> Expression:
    """Return a finite number as the formula language keeps it, short binary fractions exactly."""
    return as_expression(x, "shape", Faults())
