"""Calls that add elements, the same in the plane and in space."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...language.expression import ExpressionLike
from .builder import Builder


class ElementCalls(Builder):
    """Springs, dampers, motors and what holds: one call each."""

    def spring(self, name: str, a: object, b: object, *, stiffness: ExpressionLike, length: ExpressionLike = 0) -> None:
        """Add a spring between two places with a free length: tension stiffness (distance - length).

        `a` and `b` are places, `body.at(...)`; `stiffness` is a force per length and not negative, `length` the free
        length.
        """
        where = f"element {name!r}"
        numbers = {
            "stiffness": self._number(stiffness, f"{where}, stiffness", 0.0),
            "length": self._number(length, f"{where}, length", 0.0),
        }
        self._add_element(name, "spring", places=self._places((a, b), where), numbers=numbers)

    def damper(self, name: str, a: object, b: object, *, damping: ExpressionLike) -> None:
        """Add a damper between two places: tension damping times the rate of their distance.

        `a` and `b` are places, `body.at(...)`; `damping` is a force per speed and not negative.
        """
        where = f"element {name!r}"
        numbers = {"damping": self._number(damping, f"{where}, damping", 0.0)}
        self._add_element(name, "damper", places=self._places((a, b), where), numbers=numbers)

    def torsion_spring(self, name: str, joint: object, *, stiffness: ExpressionLike, angle: ExpressionLike = 0) -> None:
        """Add a spring along the coordinate of a joint: effort -stiffness (q - angle).

        `joint` is a joint with one coordinate, its name, or the name of a coordinate; `angle` is the coordinate at
        rest.
        """
        where = f"element {name!r}"
        numbers = {
            "stiffness": self._number(stiffness, f"{where}, stiffness", 0.0),
            "angle": self._expression(angle, f"{where}, angle"),
        }
        self._add_element(name, "torsion_spring", joints=(self._coordinate(joint, where),), numbers=numbers)

    def torsion_damper(self, name: str, joint: object, *, damping: ExpressionLike) -> None:
        """Add a damper along the coordinate of a joint: effort -damping q'.

        `joint` is a joint with one coordinate, its name, or the name of a coordinate; `damping` is not negative.
        """
        where = f"element {name!r}"
        numbers = {"damping": self._number(damping, f"{where}, damping", 0.0)}
        self._add_element(name, "torsion_damper", joints=(self._coordinate(joint, where),), numbers=numbers)

    def motor(self, name: str, joint: object, effort: ExpressionLike) -> None:
        """Add a motor along the coordinate of a joint: an effort on the second body, the opposite on the first.

        `joint` is a joint with one coordinate, its name, or the name of a coordinate. `effort` is a torque for an
        angle, a force for a distance: a number or an expression of parameters, time, coordinates and velocities, such
        as a controller.
        """
        where = f"element {name!r}"
        numbers = {"effort": self._effort(effort, f"{where}, effort")}
        self._add_element(name, "motor", joints=(self._coordinate(joint, where),), numbers=numbers)

    def force(self, name: str, at: object, components: Sequence[ExpressionLike], follow: bool = False) -> None:
        """Add a force at a place: components in the ground's axes, or in the place's if it is to `follow` its body.

        `at` is a place, `body.at(...)`; `components` are numbers or expressions of parameters, time, coordinates and
        velocities.
        """
        where = f"element {name!r}"
        x, y, z = self._vector(components, f"{where}, components", effort=True)
        numbers, options = {"x": x, "y": y, "z": z}, {"follow": bool(follow)}
        self._add_element(name, "force", places=(self._place(at, where),), numbers=numbers, options=options)

    def motion(self, name: str, joint: object, position: ExpressionLike) -> None:
        """Add a given motion: the coordinate of a joint is a function of time.

        `joint` is a joint with one coordinate, its name, or the name of a coordinate; `position` an expression of
        `lk.t` and parameters. The effort of the element is what a drive must exert along the coordinate.
        """
        where = f"element {name!r}"
        numbers = {"position": self._expression(position, f"{where}, position", moving=True)}
        self._add_element(name, "motion", joints=(self._coordinate(joint, where),), numbers=numbers)

    def rod(self, name: str, a: object, b: object, *, length: ExpressionLike) -> None:
        """Add a massless rod that keeps the distance of two places.

        `a` and `b` are places, `body.at(...)`; `length` is positive. The effort of the element is the tension.
        """
        where = f"element {name!r}"
        numbers = {"length": self._number(length, f"{where}, length", 0.0, positive=True)}
        self._add_element(name, "rod", places=self._places((a, b), where), numbers=numbers)

    def gear(self, name: str, a: object, b: object, *, ratio: ExpressionLike, phase: ExpressionLike = 0) -> None:
        """Couple the coordinates of two joints: q_a = ratio q_b + phase. Their bearings do not feel the teeth.

        `a` and `b` are joints with one coordinate, their names, or names of coordinates.
        """
        where = f"element {name!r}"
        numbers = {
            "ratio": self._expression(ratio, f"{where}, ratio"),
            "phase": self._expression(phase, f"{where}, phase"),
        }
        joints = (self._coordinate(a, where), self._coordinate(b, where))
        self._add_element(name, "gear", joints=joints, numbers=numbers)

    def rack(
        self, name: str, pinion: object, slide: object, *, radius: ExpressionLike, phase: ExpressionLike = 0
    ) -> None:
        """Couple a pinion and a slide: q_slide = radius q_pinion + phase.

        `pinion` and `slide` are joints with one coordinate, their names, or names of coordinates.
        """
        where = f"element {name!r}"
        numbers = {
            "radius": self._expression(radius, f"{where}, radius"),
            "phase": self._expression(phase, f"{where}, phase"),
        }
        joints = (self._coordinate(slide, where), self._coordinate(pinion, where))
        self._add_element(name, "rack", joints=joints, numbers=numbers)

    def rope(self, name: str, points: Iterable[object], *, length: ExpressionLike) -> None:
        """Add a taut rope of constant length over two or more places, which are small smooth guides.

        `points` are places, `body.at(...)`, in the order of the rope; the effort of the element is the tension.
        """
        where = f"element {name!r}"
        listed = list(points)
        if len(listed) < 2:
            self._faults.add(where, "a rope needs two places or more")
        numbers = {"length": self._number(length, f"{where}, length", 0.0, positive=True)}
        self._add_element(name, "rope", places=self._places(listed, where), numbers=numbers)

    def stop(
        self,
        name: str,
        joint: object,
        *,
        lower: ExpressionLike | None = None,
        upper: ExpressionLike | None = None,
        restitution: ExpressionLike = 0,
    ) -> None:
        """Keep the coordinate of a joint between two bounds; a stop pushes only, and impacts have a restitution.

        `joint` is a joint with one coordinate, its name, or the name of a coordinate; give `lower`, `upper` or both.
        """
        where = f"element {name!r}"
        if lower is None and upper is None:
            self._faults.add(where, "a stop needs a bound", "Give lower=, upper= or both.")
        bounds = {"lower": lower, "upper": upper}
        numbers = {key: self._expression(e, f"{where}, {key}") for key, e in bounds.items() if e is not None}
        known = [e for e in numbers.values() if e.is_number]
        if len(known) == 2 and not float(known[0]) < float(known[1]):
            self._faults.add(where, f"its lower bound {known[0]} is not below the upper one, {known[1]}")
        numbers["restitution"] = self._number(restitution, f"{where}, restitution", 0.0)
        self._add_element(name, "stop", joints=(self._coordinate(joint, where),), numbers=numbers)

    def _places(self, places: Iterable[object], where: str) -> tuple:  # type: ignore[type-arg]
        """Return the places of an element."""
        return tuple(self._place(place, where) for place in places)
