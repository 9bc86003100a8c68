"""Writer of model files of bodies and joints."""

from __future__ import annotations

from os import PathLike
from typing import Any

from ...language.symbols import name_of
from ...model.bodies import Description
from ...model.file.reading import toml_data
from ...model.file.writing import FileFormat, array_of_tables, write_file
from ...model.laws import LAWS, Law
from ...model.statement import Statement
from ..statement import statement_of
from ..tree import cut_joints
from .entries import Writer
from .reading import read_mechanism


def write_mechanism(statement: Statement, path: str | PathLike[str]) -> None:
    """Write a statement to `path`; the file there is replaced only when the new one is complete."""
    write_file(statement, path, BODIES)


def _read(text: str, path: str, laws: tuple[type[Law], ...]) -> Statement:
    """Return the statement in the text of a file of bodies and joints."""
    return read_mechanism(toml_data(text, path), path, (*LAWS, *laws))


def _keys(statement: Statement) -> dict[str, Any]:
    """Return the entries before the parameters."""
    description = _description(statement)
    writer = Writer(description)
    entries: dict[str, Any] = {
        "mechanism": "planar" if description.planar else "spatial",
        "gravity": writer.vector(description.gravity),
        "coordinates": "absolute" if description.absolute else "relative",
    }
    if not description.absolute and description.cut != cut_joints(description.bodies, description.joints):
        entries["cut"] = list(description.cut)
    kept = {constraint.name for constraint in statement.constraints if constraint.of_mechanism}
    every = statement_of(statement.name, description, ()).constraints
    released = [constraint.name for constraint in every if constraint.name not in kept]
    return entries | ({"released": released} if released else {})


def _tables(statement: Statement) -> dict[str, Any]:
    """Return the tables of units, bodies, joints and elements."""
    description = _description(statement)
    writer, coordinates = Writer(description), set(statement.coordinates)
    units = {name_of(x): unit for x, unit in statement.units if x in coordinates}
    tables = {
        "bodies": array_of_tables(writer.bodies()),
        "joints": array_of_tables(map(writer.joint, description.joints)),
        "elements": array_of_tables(map(writer.element, description.elements)),
    }
    return {key: table for key, table in {"units": units, **tables}.items() if len(table)}


def _description(statement: Statement) -> Description:
    """Return the bodies and joints of a statement."""
    description = statement.free.mechanism
    assert description is not None  # noqa: S101  # the callers have looked
    return description


BODIES = FileFormat(_read, _keys, _tables)
"""Format of mechanisms."""
