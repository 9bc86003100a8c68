"""Schema of a model file: its keys and the types of their values.

Formulas are text in the language of `language.text`; a plain number may replace a formula. Properties that the
schema cannot express (names, derivatives, symmetry) are checked when the statement is made.

A new key is one line in its table here, with a default if files may leave it out; `typed_toml` lists the available
annotations, and editors show the text in Annotated[...]. Keys are read in `reading` and written in `writing`, those
of constraints and events in `constraints` and `events`; `make schema` updates docs/model.schema.json.
"""

from __future__ import annotations

from dataclasses import field
from typing import Annotated, Literal

from ...foundation.frozen_dataclass import dataclass

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


@dataclass(frozen=True, eq=False, repr=False)
class CoulombEntry:
    """Dry friction, driven by the reaction of the constraint, with the sliding velocity `slip`."""

    kind: Literal["coulomb"]
    mu: Annotated[Formula, "The coefficient while it slides."]
    slip: Annotated[Formula, "The sliding velocity, linear in the velocities: der(x) - v."]
    mu_static: Annotated[Formula | None, "The coefficient while it sticks; mu if left out."] = None
    stribeck: Annotated[Formula | None, "The velocity over which the coefficient falls from mu_static to mu."] = None
    viscous: Annotated[Formula, "The coefficient of a part that grows with the velocity."] = 0
    unilateral: Annotated[bool, "Whether the contact only pushes and may open: equation >= 0."] = False
    restitution: Annotated[Formula, "The coefficient of restitution of a unilateral contact, 0 to 1."] = 0
    impact: Annotated[
        Literal["newton", "poisson"], "The meaning of restitution: ratio of velocities, or of impulses."
    ] = "newton"
    smooth: Annotated[Formula | None, "A velocity: the sign of slip becomes tanh(slip/smooth); nothing sticks."] = None


@dataclass(frozen=True, eq=False, repr=False)
class ViscousEntry:
    """A force against the sliding velocity `slip`, independent of the reaction."""

    kind: Literal["viscous"]
    coefficient: Annotated[Formula, "Force over velocity."]
    slip: Annotated[Formula, "The sliding velocity, linear in the velocities."]


@dataclass(frozen=True, eq=False, repr=False)
class ExertedEntry:
    """A given generalized force that the constraint exerts besides its ideal reaction."""

    kind: Literal["exerted"]
    forces: Annotated[dict[str, Formula], "The force by coordinate."]


@dataclass(frozen=True, eq=False, repr=False)
class UnilateralEntry:
    """A contact that pushes and does not pull: equation >= 0."""

    kind: Literal["unilateral"]
    restitution: Annotated[Formula, "The coefficient of restitution, 0 to 1."] = 0
    impact: Annotated[
        Literal["newton", "poisson"], "The meaning of restitution: ratio of velocities, or of impulses."
    ] = "newton"


LawEntry = CoulombEntry | ViscousEntry | ExertedEntry | UnilateralEntry


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
