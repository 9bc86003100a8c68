"""Schema of a model file: its keys and the types of their values.

Formulas are text in the language of `language.text`; a plain number may replace a formula. Properties that the
schema cannot express (names, derivatives, symmetry) are checked when the statement is made.

A new key is one line in its table here, with a default if files may leave it out; `typed_toml` lists the available
annotations, and editors show the text in Annotated[...]. Keys are read in `reading` and written in `writing`, those
of constraints and events in `constraints` and `events`; `make schema` updates docs/model.schema.json. The keys of a law
are the fields of its class.
"""

from __future__ import annotations

from dataclasses import MISSING, field, fields
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Literal, Protocol, Union

from ...foundation.frozen_dataclass import dataclass
from ..laws import LAWS, Law
from ..laws.fields import COLUMN, EXPRESSION, FLAG, VECTOR, WORD, law_fields

VERSION = 1  # schema version that this package reads and writes

Formula = Annotated[str | int | float, 'A formula, for example "m*der(x)^2/2 + k*cos(phi)", or a plain number.']
Sum = Annotated[Formula | list[Formula], "A formula, or a list of formulas that are added up."]
Symbol = Annotated[str | None, "Its name in Python and in print if that is LaTeX, for example \\theta or m_{1}."]
Assumptions = Annotated[dict[str, bool], "SymPy assumptions, for example {positive = true}."]


@dataclass(frozen=True, eq=False, repr=False)
class CoordinateEntry:
    """A coordinate with a unit or assumptions; a coordinate without either is just its name."""

    name: str
    symbol: Symbol = None
    unit: str | None = None
    assume: Assumptions = field(default_factory=dict)


@dataclass(frozen=True, eq=False, repr=False)
class ParameterEntry:
    """A parameter with a unit or assumptions, or without a number."""

    value: Annotated[Formula | None, 'Its default number; text such as "1/3" or "pi/4" is exact.'] = None
    symbol: Symbol = None
    unit: str | None = None
    assume: Assumptions = field(default_factory=dict)


@dataclass(frozen=True, eq=False, repr=False)
class InputEntry:
    """A function of time that is no coordinate, with a unit or assumptions, or without a value."""

    value: Annotated[Formula | None, "What it is unless a run states something else; 0 if left out."] = None
    symbol: Symbol = None
    unit: str | None = None
    assume: Assumptions = field(default_factory=dict)


@dataclass(frozen=True, eq=False, repr=False)
class LoadEntry:
    """A force applied at a point, both in the same fixed axes."""

    at: Annotated[list[Formula], "The position of the point as a function of the coordinates."]
    components: Annotated[list[Formula], "The components of the force."]
    name: str = ""


@dataclass(frozen=True, eq=False, repr=False)
class TableEntry:
    """A function of one argument given by points, called in formulas by its name: road(t)."""

    x: Annotated[list[int | float], "The arguments, strictly increasing."]
    y: Annotated[list[int | float], "The values at these arguments."]
    kind: Annotated[Literal["cubic", "pchip", "linear"], "The interpolation between the points."] = "cubic"
    outside: Annotated[Literal["error", "hold", "extrapolate"], "The behaviour beyond the first and last point."] = (
        "error"
    )


def law_entry(law: type[Law]) -> type:
    """Return the class of the entries of a law; its keys follow from the fields of the law."""
    keys: dict[str, Any] = {"kind": Literal[law.kind]}
    body: dict[str, Any] = {"__annotations__": keys, "__module__": __name__}
    for name, mark in law_fields(law).items():
        shapes: dict[str, Any] = {COLUMN: dict[str, Formula], VECTOR: list[Formula], FLAG: bool, EXPRESSION: Formula}
        shape = Literal[mark.choices] if mark.role == WORD else shapes[mark.role]
        if mark.default is None and not mark.required:
            shape = shape | None
        keys[name] = Annotated[shape, mark.about] if mark.about else shape
        body |= {} if mark.required or mark.default is MISSING else {name: field(default=mark.default)}
    body["__doc__"] = law.about or (law.__doc__ or "").partition("\n")[0]
    return dataclass(frozen=True, eq=False, repr=False)(type(f"{law.__name__}Entry", (), body))


if TYPE_CHECKING:

    class LawEntry(Protocol):
        """The entry of a law; its other keys are the fields of the law."""

        kind: str
else:
    LawEntry = Union[tuple(map(law_entry, LAWS))]  # noqa: UP007  the union of a tuple


@dataclass(frozen=True, eq=False, repr=False)
class ConstraintEntry:
    """A constraint: formulas that must be zero."""

    name: str
    equation: Annotated[Formula | list[Formula], "What must be zero; a list makes several rows."]
    kind: Annotated[
        Literal["holonomic", "velocity", "acceleration", "program"] | None,
        "Follows from the highest derivative if left out; required for a program.",
    ] = None
    drives: Annotated[dict[str, dict[str, Formula]], "For a program: drive -> {coordinate = factor}."] = field(
        default_factory=dict
    )
    weights: Annotated[dict[str, Formula], "For a program: the cost of the square of each drive, 1 by default."] = (
        field(default_factory=dict)
    )
    bounds: Annotated[
        dict[str, tuple[Formula, Formula]], "For a program: drive -> [least, most]; -inf and inf stand for no bound."
    ] = field(default_factory=dict)
    feedback: Annotated[
        Formula | tuple[Formula, Formula] | None,
        "For a program: the rate of a critically damped return to it, or the gains [k_p, k_d].",
    ] = None
    law: Annotated[LawEntry | None, "The law of a constraint that is not ideal."] = None


@dataclass(frozen=True, eq=False, repr=False)
class EventEntry:
    """A change during a run, made when a formula passes through zero."""

    name: str
    when: Annotated[Formula, "The event happens when this passes through zero."]
    direction: Literal["rising", "falling", "any"] = "any"
    terminal: Annotated[bool, "Whether the run ends there."] = False
    release: Annotated[list[str], "Names of the constraints to release."] = field(default_factory=list)
    set: Annotated[dict[str, Formula], "New values of parameters, by name."] = field(default_factory=dict)
    velocities: Annotated[dict[str, Formula], 'New velocities, by names such as "x\'".'] = field(default_factory=dict)
    add: Annotated[list[str], "Names of the constraints to add again."] = field(default_factory=list)
    constraints: Annotated[list[ConstraintEntry], "New constraints to add."] = field(default_factory=list)
    reactions: Annotated[
        dict[str, str | list[str | int]],
        'Names for reactions in these formulas: {F = "rod"}, on a coordinate {F = ["rod", "x"]}, or the '
        'multiplier of a row {F = ["rod", 0]}.',
    ] = field(default_factory=dict)


@dataclass(frozen=True, eq=False, repr=False)
class ModelFile:
    """A mechanical system: coordinates, energy or inertia, forces, parameters and constraints."""

    lienket: Annotated[Literal[1], "The version of this format."]
    name: str
    coordinates: list[str | CoordinateEntry]
    kinetic: Annotated[Sum | None, "The kinetic energy T(q, q', t); or give inertia."] = None
    inertia: Annotated[list[list[Formula]] | None, "The inertia matrix A(q, t), row by row."] = None
    potential: Annotated[Sum, "The potential energy V(q, t)."] = 0
    dissipation: Annotated[Sum, "Rayleigh's function R(q, q', t); its force is -dR/dq'."] = 0
    parameters: dict[str, int | float | str | ParameterEntry] = field(default_factory=dict)
    inputs: Annotated[
        dict[str, int | float | str | InputEntry],
        "Functions of time that are no coordinates: what each is unless a run states something else, as a formula of "
        "t, coordinates, velocities and parameters, or {} for 0.",
    ] = field(default_factory=dict)
    tables: Annotated[dict[str, TableEntry], "Functions given by points, by name."] = field(default_factory=dict)
    forces: Annotated[dict[str, Formula], "Generalized forces by coordinate."] = field(default_factory=dict)
    loads: list[LoadEntry] = field(default_factory=list)
    constraints: list[ConstraintEntry] = field(default_factory=list)
    events: list[EventEntry] = field(default_factory=list)


@cache
def model_file(laws: tuple[type[Law], ...] = LAWS) -> type[ModelFile]:
    """Return the class of model files with these laws."""
    changed: type[ModelFile] = ModelFile if laws == LAWS else with_laws(ModelFile, laws)
    return changed


def with_laws(file: type, laws: tuple[type[Law], ...]) -> Any:
    """Return the class of files whose constraints, also those of events, know other laws."""
    entry: Any = Union[tuple(map(law_entry, laws))]  # noqa: UP007
    about = "The law of a constraint that is not ideal."
    constraint: Any = _with_keys(ConstraintEntry, law=Annotated[entry | None, about])
    event: Any = _with_keys(EventEntry, constraints=Annotated[list[constraint], "New constraints to add."])
    return _with_keys(file, constraints=list[constraint], events=list[event])


def _with_keys(table: type, **shapes: Any) -> Any:
    """Return the class of a table in which some keys have other shapes."""
    body: dict[str, Any] = {"__annotations__": shapes, "__module__": __name__, "__doc__": table.__doc__}
    for f in fields(table):
        if f.name in shapes:
            body[f.name] = field(default=f.default) if f.default is not MISSING else field(default_factory=list)
    return dataclass(frozen=True, eq=False, repr=False)(type(table.__name__, (table,), body))


MECHANISM_KEYS = ("mechanism", "bodies", "joints", "elements")
"""Keys by which a file states a mechanism (`mechanism_schema`) instead of formulas."""


def states_bodies(data: dict[str, Any]) -> bool:
    """Return whether the data of a model file state a mechanism instead of formulas."""
    return any(key in data for key in MECHANISM_KEYS)
