"""Links: mass, mass centre and inertia in the link's axes, and what is drawn of them."""

from __future__ import annotations

import numpy as np
import sympy as sp

from ...foundation.frozen_dataclass import dataclass
from ...model.bodies import Shape
from ..building.inertia import possible_inertia
from .findings import Findings
from .geometry import drawn_of
from .numbers import Triple, known_attributes, number
from .rotation import NOTHING, only, origin_of
from .xml_nodes import Node, quoted

ENTRIES = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
INSIDE = ("inertial", "visual", "collision")
INERTIAL = ("origin", "mass", "inertia")
NO_INERTIA = (0.0,) * 6


@dataclass(frozen=True)
class Link:
    """Link: mass, mass centre and the inertia xx yy zz xy xz yz about it in the link's axes, and its shapes.

    `line` is that of its element, `inertia_line` that of the inertia, 0 if none is stated.
    """

    name: str
    line: int
    inertia_line: int
    mass: float
    centre: Triple
    inertia: tuple[float, ...]
    shapes: tuple[Shape, ...]

    @property
    def massless(self) -> bool:
        """Whether neither its mass nor its inertia resists a motion."""
        return self.mass == 0 and not any(self.inertia)


def link_of(node: Node, name: str, findings: Findings) -> Link:
    """Return a link."""
    label = f"link {quoted(name)}"
    known_attributes(node, ("name", "type"), label, findings, strict=False)
    for child in node.children:
        if child.tag not in INSIDE:
            findings.left_out(child, INSIDE)
    inertial = only(node, "inertial", label, findings)
    shapes = drawn_of(node, label, findings)
    if inertial is None:
        return Link(name, node.line, 0, 0.0, NOTHING, NO_INERTIA, shapes)
    mass, centre, inertia = _inertial(inertial, label, findings)
    line = (inertial.named("inertia") or [inertial])[0].line
    return Link(name, node.line, line, mass, centre, inertia, shapes)


def check_inertia(link: Link, findings: Findings) -> None:
    """Report an inertia that no body has."""
    problem = possible_inertia([sp.Float(e) for e in link.inertia])
    if problem:
        where = f"line {link.inertia_line}, link {quoted(link.name)}, inertia"
        advice = (
            f"{_shortage(link.inertia)}Check units, signs and digits: ixx + iyy >= izz holds in all axes and orders."
        )
        findings.fault(where, problem, advice)


def _inertial(node: Node, label: str, findings: Findings) -> tuple[float, Triple, tuple[float, ...]]:
    """Return mass, mass centre and inertia in the link's axes."""
    origin = origin_of(node, label, findings)
    for child in node.children:
        if child.tag not in INERTIAL:
            findings.left_out(child, INERTIAL)
    mass = _mass(node, label, findings)
    inertia = _inertia(node, label, findings)
    return mass, origin.xyz, NO_INERTIA if inertia is None else origin.inertia(inertia)


def _mass(node: Node, label: str, findings: Findings) -> float:
    found = only(node, "mass", label, findings)
    if found is None:
        findings.fault_at(node, label, "<inertial> has no element <mass>", 'Write <mass value="..."/>.')
        return 0.0
    known_attributes(found, ("value",), label, findings)
    value = number(found, "value", label, findings)
    if value is not None and value < 0:
        findings.fault_at(found, f"{label}, mass", f"the mass {value!r} is negative")
    return value or 0.0


def _inertia(node: Node, label: str, findings: Findings) -> tuple[float, ...] | None:
    """Return the entries of the inertia matrix about the mass centre, in the axes of its origin; None if faulty."""
    found = only(node, "inertia", label, findings)
    if found is None:
        findings.fault_at(
            node, label, "<inertial> has no element <inertia>", 'Write <inertia ixx="..." ixy="..." .../>.'
        )
        return None
    known_attributes(found, ENTRIES, label, findings)
    read = [number(found, key, label, findings) for key in ENTRIES]
    complete = tuple(e for e in read if e is not None)
    return complete if len(complete) == len(ENTRIES) else None


def _shortage(entries: tuple[float, ...]) -> str:
    """Return by how much the sum of two principal moments is below the third, which 6 digits may not show."""
    xx, yy, zz, xy, xz, yz = entries
    small, middle, large = np.linalg.eigvalsh(np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]))
    short = large - small - middle
    return f"The sum is {short:.3g} below it. " if small >= 0 < short else ""
