"""The shape of a model file, as pydantic models: which keys there are and what they hold.

Formulas are text in the language of `model.text`; a plain number may stand for a formula. What the
shape cannot say (names, derivatives, symmetry) is checked when the statement is made.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictFloat, StrictInt, StrictStr

VERSION = 1
"""The schema version this package reads and writes."""

Formula = Annotated[
    StrictStr | StrictInt | StrictFloat,
    Field(description='A formula, for example "m*der(x)^2/2 + k*cos(phi)", or a plain number.'),
]
Sum = Annotated[
    Formula | list[Formula],
    Field(description="A formula, or a list of formulas that are added up."),
]
Assumptions = Annotated[dict[str, StrictBool], Field(description="SymPy assumptions, for example {positive = true}.")]


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid")


class CoordinateEntry(_Table):
    """A coordinate with a unit or assumptions; a coordinate without either is just its name."""

    name: StrictStr
    unit: StrictStr | None = None
    assume: Assumptions = {}


class ParameterEntry(_Table):
    """A parameter with a unit or assumptions, or without a number."""

    value: Formula | None = Field(None, description='Its default number; text such as "1/3" or "pi/4" is exact.')
    unit: StrictStr | None = None
    assume: Assumptions = {}


class LoadEntry(_Table):
    """A force applied at a point, both in the same fixed axes."""

    name: StrictStr = ""
    at: list[Formula] = Field(description="The position of the point as a function of the coordinates.")
    components: list[Formula] = Field(description="The components of the force.")


class TableEntry(_Table):
    """A function of one argument given by points, called in formulas by its name: road(t)."""

    x: list[StrictFloat | StrictInt] = Field(description="The places, strictly increasing.")
    y: list[StrictFloat | StrictInt] = Field(description="The values there.")
    kind: Literal["cubic", "pchip", "linear"] = Field("cubic", description="How the points are joined.")
    outside: Literal["error", "hold", "extrapolate"] = Field("error", description="What it is beyond its ends.")


class ConstraintEntry(_Table):
    """A constraint: formulas that must be zero."""

    name: StrictStr
    equation: Formula | list[Formula] = Field(description="What must be zero; a list makes several rows.")
    kind: Literal["holonomic", "velocity", "acceleration", "program"] | None = Field(
        None, description="Follows from the highest derivative if left out; a program must say so."
    )
    drives: dict[str, dict[str, Formula]] = Field({}, description="For a program: drive -> {coordinate = factor}.")


class EventEntry(_Table):
    """Something that happens during a run when a formula passes through zero, and what it does."""

    name: StrictStr
    when: Formula = Field(description="The event happens when this passes through zero.")
    direction: Literal["rising", "falling", "any"] = "any"
    terminal: StrictBool = Field(False, description="Whether the run ends there.")
    release: list[StrictStr] = Field([], description="Names of constraints that go.")
    set: dict[str, Formula] = Field({}, description="New numbers of parameters, by name.")
    velocities: dict[str, Formula] = Field({}, description='New velocities, by names such as "x\'".')
    add: list[StrictStr] = Field([], description="Names of constraints that come in again.")
    constraints: list[ConstraintEntry] = Field([], description="Constraints that come in, stated here.")
    reactions: dict[str, StrictStr | list[StrictStr | StrictInt]] = Field(
        {},
        description='Names for reactions in these formulas: {F = "rod"}, on a coordinate {F = ["rod", "x"]}, or the '
        'multiplier of a row {F = ["rod", 0]}.',
    )


class ModelFile(_Table):
    """A mechanical system: coordinates, energy or inertia, forces, parameters and constraints."""

    lienket: Literal[1] = Field(description="The version of this format.")
    name: StrictStr
    coordinates: list[StrictStr | CoordinateEntry]
    kinetic: Sum | None = Field(None, description="The kinetic energy T(q, q', t); or give inertia.")
    inertia: list[list[Formula]] | None = Field(None, description="The inertia matrix A(q, t), row by row.")
    potential: Sum = Field(0, description="The potential energy V(q, t).")
    dissipation: Sum = Field(0, description="Rayleigh's function R(q, q', t); its force is -dR/dq'.")
    parameters: dict[str, StrictInt | StrictFloat | StrictStr | ParameterEntry] = {}
    tables: dict[str, TableEntry] = Field({}, description="Functions given by points, by name.")
    forces: dict[str, Formula] = Field({}, description="Generalized forces by coordinate.")
    loads: list[LoadEntry] = []
    constraints: list[ConstraintEntry] = []
    events: list[EventEntry] = []


def json_schema() -> dict[str, Any]:
    """The JSON Schema of model files, for editors."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema"} | ModelFile.model_json_schema()
