"""Reader of model files of bodies and joints.

The faults of the structure, of formulas and of bodies, joints and elements are reported together; constraints, events
and inputs on top are checked when there are none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from os import PathLike
from typing import Any

from ...errors import Fault, Faults, ModelError, ModelFileError, did_you_mean
from ...foundation.frozen_dataclass import replace
from ...language.expression import Coordinate, Expression
from ...language.names import identifier_problem
from ...language.symbols import coordinates as make_coordinates
from ...language.symbols import name_of
from ...model.checks.statement import check_added, check_motion
from ...model.checks.units import check_units
from ...model.constraint import Constraint
from ...model.file.constraints import read_constraint
from ...model.file.events import read_event
from ...model.file.mechanism_schema import MechanismFile, mechanism_file
from ...model.file.messages import add_schema_faults
from ...model.file.reading import (
    Formulas,
    Laws,
    advice_for_file,
    declare_others,
    location_in_file,
    stated_inputs,
    stated_units,
    stated_values,
)
from ...model.file.typed_toml import fit
from ...model.input.constraint import read_constraint as checked_constraint
from ...model.input.event import with_events
from ...model.input.inputs import read_input_symbols, with_inputs
from ...model.input.system import with_numbers
from ...model.normal_force import with_normal_factors
from ...model.statement import Statement
from ..joints import KINDS
from ..joints.spherical import SphericalAngles
from ..statement import statement_of
from .building import built
from .damaged import Remainder

_ADVICE_IN_FILE = (
    (r"Add one with \.body\(.*", "Add a table [[bodies]]."),
    (r"A body that moves freely needs \.free\(.*", 'A body that moves freely needs a joint of kind = "free".'),
    (r"Choose another with coordinate=\.|Name its coordinate with coordinate=\.", 'Name it: coordinate = "..."'),
    (r"(Coordinates are .*;) inputs are named .*", r"\1 inputs are declared in [inputs]."),
    (r"Give lower=, upper= or both\.", "Give lower, upper or both."),
    (r'Give angles="xyz", or leave it out\.', 'Give angles = "xyz", or leave it out.'),
    (r"Numbers, parameters and lk\.t are possible\.", "Numbers, parameters and t are possible."),
    (r"Give a direction, such as \(0, 0, 1\); (.*)", r"Give a direction, such as [0, 0, 1]; \1"),
)  # fmt: skip
"""Advice in Python's notation, and the same in that of a file."""


def read_mechanism(data: dict[str, Any], path: str | PathLike[str], laws: Laws) -> Statement:
    """Return the statement of the data of a file of bodies and joints, which may have these laws."""
    faults = Faults()
    model, misfits = fit(data, mechanism_file(laws))
    if misfits:
        add_schema_faults(misfits, data, faults)
        _check_remainder(Remainder(data, misfits), laws, faults)
        raise ModelFileError(path, faults)
    parts = _Parts(model, laws)
    parts.check(faults)
    if len(faults):
        raise ModelFileError(path, faults)
    try:
        return parts.statement()
    except ModelError as error:
        raise ModelFileError(path, _in_file(error)) from None


def _check_remainder(remainder: Remainder, laws: Laws, faults: Faults) -> None:
    """Add the faults of those parts of a damaged file that can be read."""
    if not remainder.readable:
        return
    model, misfits = fit(remainder.data, mechanism_file(laws))
    if not misfits:
        others = Faults()
        _Parts(model, laws).check(others, whole=False)
        for fault in others:
            if not remainder.is_doubtful(fault):
                faults.add(fault.where, fault.what, fault.advice)


class _Parts:
    """Parts of a file, with their formulas read and the bodies, joints and elements in a builder."""

    def __init__(self, model: MechanismFile, laws: Laws) -> None:
        self.model, self.faults = model, Faults()
        coordinates = {x: make_coordinates(x) for x in _coordinate_names(model) if not identifier_problem(x)}
        self.declared: dict[str, Any] = {}
        declare_others(model, self.declared, set(), self.faults)
        if len(self.faults):  # names that are not there would be further faults
            return
        read = Formulas({**coordinates, **self.declared}, self.faults, laws)
        self.builder = built(model, read)
        self.values, self.inputs = stated_values(model, self.declared, read), stated_inputs(model, self.declared, read)
        self.constraints = [(entry.name, read_constraint(entry, read)) for entry in model.constraints]
        self.events = [read_event(e, read.names, read, lambda c: read_constraint(c, read)) for e in model.events]

    def check(self, faults: Faults, whole: bool = True) -> None:
        """Add the faults of formulas, bodies, joints and elements; if it is the `whole` file, of connections too."""
        found = _in_file(ModelError("", self.faults))
        if not found or hasattr(self, "builder"):
            seen = {fault.where for fault in found}
            # A formula that cannot be read is zero, which is a further fault in some places.
            found += [fault for fault in _in_file(self._of_builder(whole)) if fault.where not in seen]
        for fault in found:
            faults.add(fault.where, fault.what, fault.advice)

    def _of_builder(self, whole: bool) -> ModelError:
        """Return the faults that the builder has collected."""
        try:
            self.builder.description(self.model.coordinates, self.model.cut) if whole else self.builder.check_parts()
        except ModelError as error:
            return error
        return ModelError("", [])

    def statement(self) -> Statement:
        """Return the statement; raises ModelError with the faults of constraints, events and inputs."""
        description = self.builder.description(self.model.coordinates, self.model.cut)
        bare = statement_of(self.model.name, description, ())
        statement = _stated(bare, self.model, self.declared, self.constraints, self.values)
        statement = with_inputs(statement, self.inputs) if self.inputs else statement
        return with_events(self.events, statement) if self.events else statement


def _coordinate_names(model: MechanismFile) -> Iterator[str]:
    """Yield the names of the coordinates of joints, and of bodies if these have their own."""
    planar = model.mechanism == "planar"
    for joint in model.joints:
        kind = SphericalAngles() if getattr(joint, "angles", None) else KINDS[joint.kind]
        suffixes = (kind.planar_suffixes if planar else kind.spatial_suffixes) or ()
        base = getattr(joint, "coordinate", None) or joint.name
        yield from (f"{base}{suffix}" for suffix in suffixes)
    if model.coordinates == "absolute":
        free = KINDS["free"]
        suffixes = (free.planar_suffixes if planar else free.spatial_suffixes) or ()
        yield from (f"{body.name}{suffix}" for body in model.bodies for suffix in suffixes)


def _stated(
    bare: Statement,
    model: MechanismFile,
    declared: dict[str, Any],
    constraints: list[tuple[str, object]],
    values: dict[Expression, Any],
) -> Statement:
    """Return the statement of a description with inputs, constraints, numbers and units; raises ModelError."""
    faults = Faults()
    symbols = bare.coordinates
    for name in bare.names:
        if name in declared:
            table = "inputs" if name in model.inputs else "tables" if name in model.tables else "parameters"
            faults.add(f"[{table}] {name}", f"{name} is a coordinate of the mechanism", "Give it another name.")
    added = [checked_constraint(name, entry, symbols, faults) for name, entry in constraints]
    kept = _without_released(bare, model.released, faults)
    inputs = read_input_symbols([declared[name] for name in model.inputs], symbols, faults)
    statement = replace(
        bare, constraints=(*kept, *added), inputs=inputs, units=_units(model, bare.coordinates, declared, faults)
    )
    for element in bare.free.mechanism.elements if bare.free.mechanism else ():
        for key, e in element.numbers:
            check_motion(f"element {element.name!r}, {key}", e, 1, statement, faults)
    check_added(statement, added, faults)
    check_units(statement, faults)
    if not faults:
        added = list(with_normal_factors(added, statement, faults))
        statement = statement.with_constraints((*kept, *added))
    try:
        statement = with_numbers(statement, values, [F for F, _ in inputs])
    except ModelError as error:
        faults.extend(error)
    faults.raise_any(f"The system {bare.name!r}")
    return statement


def _without_released(bare: Statement, released: list[str], faults: Faults) -> tuple[Constraint, ...]:
    """Return the constraints of the mechanism without the released ones."""
    names = [constraint.name for constraint in bare.constraints]
    for name in released:
        if name not in names:
            faults.add("released", f"the mechanism has no constraint {name!r}{did_you_mean(name, names)}")
    return tuple(constraint for constraint in bare.constraints if constraint.name not in released)


def _units(
    model: MechanismFile, coordinates: tuple[Coordinate, ...], declared: dict[str, Any], faults: Faults
) -> tuple[tuple[Expression, str], ...]:
    """Return the units of coordinates, parameters and inputs, sorted by name."""
    named = {name_of(x): x for x in coordinates}
    units: dict[Expression, str] = {declared[name]: unit for name, unit in stated_units(model).items()}
    for name, unit in model.units.items():
        if name in named:
            units[named[name]] = unit
        else:
            faults.add("units", f"{name} is not a coordinate{did_you_mean(name, named)}")
    for symbol, unit in units.items():
        if not unit.strip() or not unit.isprintable():
            faults.add(f"units[{name_of(symbol)}]", f"a text such as 'kg' was expected, not {unit!r}")
    return tuple(sorted(units.items(), key=lambda pair: name_of(pair[0])))


def _in_file(error: ModelError) -> list[Fault]:
    """Return faults with locations and advice in the notation of a file."""
    return [Fault(_location(f.where), f.what, _advice(f.advice)) for f in error.faults]


def _location(where: str) -> str:
    """Return the location of a fault in the notation of a file."""
    for noun, table in (("body", "bodies"), ("joint", "joints"), ("element", "elements")):
        where = re.sub(rf"^{noun} (?='|\")", f"[[{table}]] ", where)
    where = re.sub(r"^(\[\[joints\]\] .*), first place$", r"\1, a", where)
    where = re.sub(r"^(\[\[joints\]\] .*), second place$", r"\1, b", where)
    return location_in_file(where)


def _advice(advice: str) -> str:
    """Return advice in the notation of a file."""
    for pattern, in_file in _ADVICE_IN_FILE:
        match = re.fullmatch(pattern, advice)
        if match is not None:
            return match.expand(in_file)
    return advice_for_file(advice)
