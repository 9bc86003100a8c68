"""Text summary of bodies, joints and elements, a short line each."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from ...language.expression import Expression
from ...language.printing.text import plain
from ...language.short_text import short_text
from .description import Body, Description, Element, Joint, Place

PART_LENGTH = 60  # [characters] of a number or formula in a line


def mechanism_lines(description: Description, constraints: Collection[str]) -> list[str]:
    """Return gravity and the kind of coordinates, then a line for every body, joint and element.

    Joints that are cut and not among the `constraints` (names) have been released.
    """
    lines = _Lines(description, constraints)
    dimension = "planar" if description.planar else "spatial"
    coordinates = "absolute" if description.absolute else "relative"
    head = f"  {dimension}, gravity {lines.vector(description.gravity)}, {coordinates} coordinates"
    parts = [
        *map(lines.body, description.bodies),
        *map(lines.joint, description.joints),
        *map(lines.element, description.elements),
    ]
    return [head, *(f"  {part}" for part in parts)]


class _Lines:
    """Lines of the parts of a description."""

    def __init__(self, description: Description, constraints: Collection[str]) -> None:
        self.description, self.planar, self.constraints = description, description.planar, constraints

    def vector(self, entries: Iterable[Expression]) -> str:
        """Return a vector: two components in the plane."""
        return f"({', '.join([_brief(e) for e in entries][: 2 if self.planar else 3])})"

    def body(self, body: Body) -> str:
        """Return a body: its mass, and its inertia and mass centre unless they are zero."""
        parts = [f"mass {_brief(body.mass)}"]
        if any(body.inertia):
            shown = [body.inertia[2]] if self.planar else body.inertia[: 6 if any(body.inertia[3:]) else 3]
            parts.append(f"inertia {', '.join(map(_brief, shown))}")
        parts += [f"centre {self.vector(body.centre)}"] if any(body.centre) else []
        return f"body {body.name}: {', '.join(parts)}"

    def joint(self, joint: Joint) -> str:
        """Return a joint: its kind, both places, and whether it is cut or released."""
        kind = joint.kind.replace("_", " ")
        return f"{kind} {joint.name}: {self.place(joint.first)} - {self.place(joint.second)}{self._remark(joint)}"

    def _remark(self, joint: Joint) -> str:
        """Return whether a joint is cut or released."""
        if joint.name not in self.description.cut or joint.kind == "free":
            return ""
        if joint.name not in self.constraints:
            return ", released"
        return "" if self.description.absolute else ", cut"

    def place(self, place: Place) -> str:
        """Return a place: its body, and the position unless it is the origin."""
        return f"{place.body} {self.vector(place.position)}" if any(place.position) else place.body

    def element(self, element: Element) -> str:
        """Return an element: what it acts on, and its numbers."""
        ends = " - ".join([*map(self.place, element.places), *element.joints])
        numbers = [f"{key} {_brief(e)}" for key, e in element.numbers if e != 0]
        return f"{element.kind.replace('_', ' ')} {element.name}: {', '.join([ends, *numbers])}"


def _brief(e: Expression) -> str:
    """Return an expression as shortened text."""
    return short_text(plain(e), PART_LENGTH)
