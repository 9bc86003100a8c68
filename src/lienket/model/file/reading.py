"""From a model file to a Statement: TOML, then its shape, then every formula, then the statement itself.

Each step collects all it finds wrong before the next begins, since the next would only complain of the
consequences.
"""

from __future__ import annotations

import re
import tomllib
from os import PathLike
from pathlib import Path
from typing import Any

import sympy as sp

from ...errors import ExpressionError, Fault, ModelError, ModelFileError, did_you_mean
from ...language.data_functions import table
from ...language.engine.sympy_forms import canonical_sum
from ...language.faults import Faults
from ...language.names import name_problem
from ...language.symbols import t
from ...language.text import read_expression
from ..force import Force
from ..input.event import with_events
from ..input.system import read_system
from ..statement import Statement
from .constraints import read_constraint
from .events import read_event
from .messages import add_schema_faults
from .schema import CoordinateEntry, ModelFile, ParameterEntry
from .typed_toml import fitted

LARGEST = 4 * 2**20  # bytes; a model file is written by a person
# SymPy takes any word as an assumption; these are the ones it knows.
_ASSUMPTIONS = {a for known in ("positive", "even", "prime") for a in sp.Symbol("s", **{known: True}).assumptions0}


def read_file(path: str | PathLike[str]) -> Statement:
    """The statement in a model file; raises ModelFileError with all that is wrong."""
    path = Path(path)
    try:
        if path.exists() and not path.is_file() and not path.is_dir():
            raise ModelFileError(path, [Fault("", "it is not a regular file")])
        if path.stat().st_size > LARGEST:
            raise ModelFileError(path, [Fault("", f"it is larger than {LARGEST // 2**20} MiB, too large for a model")])
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ModelFileError(path, [Fault("", f"it is not UTF-8 text (byte {error.start})")]) from None
    except (OSError, ValueError, RuntimeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ModelFileError(path, [Fault("", f"it cannot be read: {reason}")]) from None
    return read_text(text, path)


def read_text(text: str, path: str | PathLike[str] = "(text)") -> Statement:
    """The statement in the text of a model file; `path` is for messages only."""
    try:
        return _read(text, path)
    except RecursionError:
        raise ModelFileError(path, [Fault("", "it is nested too deeply")]) from None


def _read(text: str, path: str | PathLike[str]) -> Statement:
    faults = Faults()
    model = _parsed(text, path, faults)
    names = _declared(model, faults)
    if len(faults):
        raise ModelFileError(path, faults)
    formulas = _Formulas(names, faults)
    arguments = _arguments(model, names, formulas)
    events = [read_event(entry, names, formulas, lambda c: read_constraint(c, formulas)) for entry in model.events]
    if len(faults):
        raise ModelFileError(path, faults)
    try:
        found = read_system(model.name, **arguments)
        return with_events(events, found) if events else found
    except ModelError as error:
        raise ModelFileError(
            path, [Fault(_in_file(f.where), f.what, _advice(f.advice)) for f in error.faults]
        ) from None


def _parsed(text: str, path: str | PathLike[str], faults: Faults) -> ModelFile:
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # a ValueError also for integers of thousands of digits
        what = str(error) or "it is nested too deeply"
        raise ModelFileError(path, [Fault("TOML", what[:1].lower() + what[1:])]) from None
    model, misfits = fitted(data, ModelFile)
    if misfits:
        add_schema_faults(misfits, data, faults)
        raise ModelFileError(path, faults)
    return model


def _declared(model: ModelFile, faults: Faults) -> dict[str, Any]:
    """The symbols of the file by name, coordinates first."""
    names: dict[str, Any] = {}
    for entry in model.coordinates:
        name, assume = (entry, {}) if isinstance(entry, str) else (entry.name, entry.assume)
        _declare(names, name, "coordinates", assume, sp.Function, faults)
    for name, parameter in model.parameters.items():
        assume = parameter.assume if isinstance(parameter, ParameterEntry) else {}
        _declare(names, name, f"[parameters] {name}", assume, sp.Symbol, faults)
    for name, points in model.tables.items():
        where = f"[tables.{name}]"
        if name in names:
            faults.add(where, f"{name} is already the name of something else")
        try:
            names.setdefault(name, table(name, points.x, points.y, points.kind, points.outside))
        except ModelError as error:
            for fault in error.faults:
                faults.add(where, fault.what, fault.advice)
    return names


def _declare(names: dict[str, Any], name: str, where: str, assume: dict[str, bool], kind: Any, faults: Faults) -> None:
    problem = name_problem(name) or (f"{name} is already the name of something else" if name in names else "")
    unknown = [a for a in assume if a not in _ASSUMPTIONS]
    if unknown:
        problem = f"there is no assumption {unknown[0]!r}{did_you_mean(unknown[0], _ASSUMPTIONS)}"
    if problem:
        faults.add(where, problem)
        return
    try:
        made = kind(name, **assume)
    except (TypeError, ValueError) as error:
        faults.add(where, f"its assumptions contradict each other ({error})")
        return
    names[name] = made(t) if kind is sp.Function else made


class _Formulas:
    """Reads the formulas of one file with its names; what cannot be read becomes a fault and counts as zero."""

    def __init__(self, names: dict[str, Any], faults: Faults) -> None:
        self.names = names
        self.faults = faults

    def __call__(self, formula: str | int | float, where: str, names: dict[str, Any] | None = None) -> Any:
        if not isinstance(formula, str):
            return formula
        try:
            return read_expression(formula, self.names if names is None else names)
        except ExpressionError as error:
            hint = "\nA name is declared in coordinates or in [parameters]." if "unknown name" in error.message else ""
            hint += "\nA table is declared as [tables.name]." if "unknown function" in error.message else ""
            self.faults.add(where, error.message, f"column {error.column + 1}:\n{error.pointer()}{hint}")
            return sp.S.Zero

    def sum(self, formulas: Any, where: str) -> Any:
        """A formula, or the sum of a list of them."""
        if not isinstance(formulas, list):
            return self(formulas, where)
        parts = [self(formula, f"{where}, entry {i}") for i, formula in enumerate(formulas, 1)]
        return canonical_sum([term for part in parts for term in sp.Add.make_args(part)])


def _arguments(model: ModelFile, names: dict[str, Any], read: _Formulas) -> dict[str, Any]:
    """The arguments of `read_system` that the file gives."""
    entries = [e for e in model.coordinates if isinstance(e, CoordinateEntry)]
    detailed = {name: p for name, p in model.parameters.items() if isinstance(p, ParameterEntry)}
    units = {e.name: e.unit for e in entries} | {name: p.unit for name, p in detailed.items()}
    numbers = {name: p.value if isinstance(p, ParameterEntry) else p for name, p in model.parameters.items()}
    values = {name: read(p, f"[parameters] {name}", {}) for name, p in numbers.items() if p is not None}
    inertia = None
    if model.inertia is not None:
        inertia = [[read(e, f"inertia[{i}][{j}]") for j, e in enumerate(row)] for i, row in enumerate(model.inertia)]
    return {
        "coordinates": [names[e if isinstance(e, str) else e.name] for e in model.coordinates],
        "kinetic": None if model.kinetic is None else read.sum(model.kinetic, "kinetic"),
        "inertia": inertia,
        "potential": read.sum(model.potential, "potential"),
        "dissipation": read.sum(model.dissipation, "dissipation"),
        "forces": {name: read(e, f"[forces] {name}") for name, e in model.forces.items()},
        "loads": [_load(entry, i, read) for i, entry in enumerate(model.loads, 1)],
        "values": {names[name]: value for name, value in values.items()},
        "units": {names[name]: unit for name, unit in units.items() if unit is not None},
        "constraints": [(entry.name, read_constraint(entry, read)) for entry in model.constraints],
    }


def _load(entry: Any, i: int, read: _Formulas) -> Force:
    where = f"[[loads]] {entry.name!r}" if entry.name else f"[[loads]] number {i}"
    at = [read(e, f"{where}, at") for e in entry.at]
    return Force(at, [read(e, f"{where}, components") for e in entry.components], entry.name)


def _in_file(where: str) -> str:
    """The place of a fault of the statement, in the words of a file."""
    where = re.sub(r"^forces\[(\w+)\]", r"[forces] \1", where)
    where = re.sub(r"^(values|units)\[(\w+)\]", r"[parameters] \2", where)
    where = re.sub(r"^function '(\w+)'", r"[tables.\1]", where)
    where = re.sub(r"^constraint (?='|\")", "[[constraints]] ", where)
    return re.sub(r"^load ", "[[loads]] ", where)


def _advice(advice: str) -> str:
    """The advice on a statement, in the words of a file."""
    said = {"Say unilateral=True.": "Add unilateral = true.", "None stands for no bound.": "inf stands for no bound."}
    return said.get(advice, advice)
