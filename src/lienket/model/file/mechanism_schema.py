"""Schema of model files by bodies and joints: the keys of `[[bodies]]`, `[[joints]]` and `[[elements]]`.

Joints and elements have a `kind`, the name of the call in Python; their other keys are the arguments of that call. The
tables JOINTS and ELEMENTS list them: a new kind is one line there.
"""

from __future__ import annotations

from dataclasses import MISSING, field
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, Protocol, Union

from ...foundation.frozen_dataclass import dataclass
from ..laws import LAWS, Law
from .schema import (
    ConstraintEntry,
    EventEntry,
    Formula,
    InputEntry,
    ParameterEntry,
    TableEntry,
    with_laws,
)


@dataclass(frozen=True, eq=False, repr=False)
class PlaceEntry:
    """A point with axes on a body; its name alone is the body's origin."""

    body: Annotated[str, 'The name of the body, or "ground".']
    at: Annotated[list[Formula] | None, "The position in the body's axes; the origin if left out."] = None
    angle: Annotated[Formula, "In the plane: the turn of the axes, anticlockwise."] = 0
    rotation: Annotated[list[list[Formula]] | None, "In space: rotation matrix whose columns are the axes."] = None


@dataclass(frozen=True, eq=False, repr=False)
class ShapeEntry:
    """What is drawn of a body."""

    kind: Literal["line", "polygon", "circle", "box", "cylinder", "sphere", "capsule"]
    points: Annotated[list[list[Formula]], "Points in the body's axes."]
    sizes: Annotated[list[Formula], "The radius, or the lengths along the axes of a box."] = field(default_factory=list)
    rotation: Annotated[list[list[Formula]] | None, "Of a box or a circle: matrix whose columns are its axes."] = None


@dataclass(frozen=True, eq=False, repr=False)
class BodyEntry:
    """A rigid body, a particle or a massless body."""

    name: str
    mass: Formula = 0
    inertia: Annotated[
        Formula | list[Formula | list[Formula]],
        "About the centre in the body's axes: one number in the plane; in space the principal moments, "
        "[xx, yy, zz, xy, xz, yz] as entries of the matrix, or the matrix.",
    ] = 0
    centre: Annotated[list[Formula] | None, "The mass centre in the body's axes; the origin if left out."] = None
    length: Annotated[
        Formula | None, "Makes a uniform rod along x from the body's origin; centre and inertia follow."
    ] = None
    shapes: Annotated[list[ShapeEntry], "What is drawn; lines between its joints if left out."] = field(
        default_factory=list
    )


class Argument(NamedTuple):
    """Key of a joint or an element: its role, its default (MISSING for a required one), its description."""

    role: str
    default: Any = MISSING
    about: str = ""


PLACE, PLACES, COORDINATE, NUMBER, VECTOR, TURNING, AXES, FLAG, WORD, ANGLES = (
    "place", "places", "coordinate", "number", "vector", "turning", "axes", "flag", "word", "angles",
)  # fmt: skip
_SHAPES: dict[str, Any] = {
    PLACE: str | PlaceEntry,
    PLACES: list[str | PlaceEntry],
    COORDINATE: str,
    NUMBER: Formula,
    VECTOR: list[Formula],
    TURNING: Formula | list[Formula],
    AXES: list[list[Formula]],
    FLAG: bool,
    WORD: str,
    ANGLES: Literal["xyz"],
}

_A = Argument(PLACE, about="The place on the first body.")
_B = Argument(PLACE, about="The place on the second body.")
_AXIS = Argument(VECTOR, None, "A direction in the axes of the first place; its length does not matter.")
_COORDINATE = Argument(WORD, None, "The name of its coordinate, or the beginning of their names; that of the joint.")
_JOINT = Argument(COORDINATE, about="A joint with one coordinate, or a coordinate.")
_ENDS = {"a": Argument(PLACE), "b": Argument(PLACE)}
_PHASE = Argument(NUMBER, 0)
_PLAIN = {"a": _A, "b": _B, "coordinate": _COORDINATE}
_ALONG = {"a": _A, "b": _B, "axis": _AXIS, "coordinate": _COORDINATE}

JOINTS: dict[str, dict[str, Argument]] = {
    "revolute": _ALONG,
    "prismatic": _ALONG,
    "slot": _ALONG,
    "cylindrical": _ALONG,
    "screw": {**_ALONG, "pitch": Argument(NUMBER, about="The advance per turn.")},
    "universal": {**_PLAIN, "axes": Argument(AXES, about="An axis in the first place, one in the second.")},
    "spherical": {**_PLAIN, "angles": Argument(ANGLES, None, "Three angles instead of Euler parameters.")},
    "planar": _ALONG,
    "weld": {"a": _A, "b": _B},
    "free": _PLAIN,
}
ELEMENTS: dict[str, dict[str, Argument]] = {
    "spring": {**_ENDS, "stiffness": Argument(NUMBER), "length": Argument(NUMBER, 0)},
    "damper": {**_ENDS, "damping": Argument(NUMBER)},
    "torsion_spring": {"joint": _JOINT, "stiffness": Argument(NUMBER), "angle": Argument(NUMBER, 0)},
    "torsion_damper": {"joint": _JOINT, "damping": Argument(NUMBER)},
    "motor": {"joint": _JOINT, "effort": Argument(NUMBER)},
    "force": {"at": Argument(PLACE), "components": Argument(VECTOR), "follow": Argument(FLAG, False)},
    "torque": {"body": Argument(PLACE), "value": Argument(TURNING, about="One number in the plane, three in space.")},
    "motion": {"joint": _JOINT, "position": Argument(NUMBER, about="A function of time.")},
    "rod": {**_ENDS, "length": Argument(NUMBER)},
    "gear": {"a": _JOINT, "b": _JOINT, "ratio": Argument(NUMBER, about="q_a = ratio q_b + phase"), "phase": _PHASE},
    "rack": {"slide": _JOINT, "pinion": _JOINT, "radius": Argument(NUMBER), "phase": _PHASE},
    "rope": {"points": Argument(PLACES), "length": Argument(NUMBER)},
    "rolling": {"line": Argument(PLACE), "wheel": Argument(PLACE), "radius": Argument(NUMBER), "axis": _AXIS},
    "stop": {
        "joint": _JOINT, "lower": Argument(NUMBER, None), "upper": Argument(NUMBER, None),
        "restitution": Argument(NUMBER, 0),
    },
}  # fmt: skip


def _entry(kind: str, arguments: dict[str, Argument], noun: str) -> type:
    """Return the class of the entries of a kind; required keys come first."""
    keys: dict[str, Any] = {"name": str, "kind": Literal[kind]}
    body: dict[str, Any] = {"__annotations__": keys, "__module__": __name__, "__doc__": f"A {kind} {noun}."}
    for key, argument in sorted(arguments.items(), key=lambda item: item[1].default is not MISSING):
        shape = _SHAPES[argument.role]
        if argument.default is None:
            shape = shape | None
        keys[key] = Annotated[shape, argument.about] if argument.about else shape
        body |= {} if argument.default is MISSING else {key: field(default=argument.default)}
    title = "".join(word.capitalize() for word in kind.split("_"))
    return dataclass(frozen=True, eq=False, repr=False)(type(f"{title}{noun.capitalize()}", (), body))


if TYPE_CHECKING:

    class JointEntry(Protocol):
        """The entry of a joint; its other keys are those of its kind."""

        name: str
        kind: str

    ElementEntry = JointEntry
else:  # the unions of tuples
    JointEntry = Union[tuple(_entry(kind, keys, "joint") for kind, keys in JOINTS.items())]  # noqa: UP007
    ElementEntry = Union[tuple(_entry(kind, keys, "element") for kind, keys in ELEMENTS.items())]  # noqa: UP007


@dataclass(frozen=True, eq=False, repr=False)
class MechanismFile:
    """A mechanism of bodies, joints and elements."""

    lienket: Annotated[Literal[1], "The version of this format."]
    name: str
    mechanism: Annotated[Literal["planar", "spatial"], "Whether it moves in the plane or in space."]
    gravity: Annotated[
        list[Formula] | None, "Acceleration of falling bodies, by default -9.81 along the last axis."
    ] = None
    coordinates: Annotated[
        Literal["relative", "absolute"], "The coordinates of the joints, or those of every body."
    ] = "relative"
    cut: Annotated[list[str] | None, "Joints that are to be constraints; those that close loops if left out."] = None
    released: Annotated[list[str], "Constraints of joints and elements that have been released."] = field(
        default_factory=list
    )
    parameters: dict[str, int | float | str | ParameterEntry] = field(default_factory=dict)
    inputs: Annotated[
        dict[str, int | float | str | InputEntry],
        "Functions of time that are no coordinates: what each is unless a run states something else, as a formula of "
        "t, coordinates, velocities and parameters, or {} for 0.",
    ] = field(default_factory=dict)
    tables: Annotated[dict[str, TableEntry], "Functions given by points, by name."] = field(default_factory=dict)
    units: Annotated[dict[str, str], "Units of coordinates, by name."] = field(default_factory=dict)
    bodies: list[BodyEntry] = field(default_factory=list)
    joints: list[JointEntry] = field(default_factory=list)
    elements: list[ElementEntry] = field(default_factory=list)
    constraints: Annotated[list[ConstraintEntry], "Further constraints by formulas."] = field(default_factory=list)
    events: list[EventEntry] = field(default_factory=list)


@cache
def mechanism_file(laws: tuple[type[Law], ...] = LAWS) -> type[MechanismFile]:
    """Return the class of files of mechanisms with these laws."""
    changed: type[MechanismFile] = MechanismFile if laws == LAWS else with_laws(MechanismFile, laws)
    return changed
