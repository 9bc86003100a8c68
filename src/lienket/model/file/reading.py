"""Reader of model files: TOML, then the schema, then every formula, then the statement itself.

Each step reports all its faults before the next begins, since later faults would only be consequences.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import sympy as sp

from ...errors import ExpressionError, Fault, Faults, ModelError, ModelFileError, did_you_mean
from ...language.data_functions import table
from ...language.engine.sympy_forms import canonical_sum
from ...language.expression import Expression
from ...language.names import identifier_problem, name_problem
from ...language.symbols import t
from ...language.text import read_expression
from ..force import Force
from ..input.event import with_events
from ..input.inputs import with_inputs
from ..input.system import read_system
from ..laws import LAWS, Law
from ..model_text import text_of_file
from ..statement import Statement
from .constraints import read_constraint
from .events import read_event
from .messages import add_schema_faults
from .schema import CoordinateEntry, Formula, InputEntry, LoadEntry, ModelFile, ParameterEntry, model_file
from .toml_faults import syntax_fault
from .typed_toml import fit

if TYPE_CHECKING:
    from .mechanism_schema import MechanismFile

# SymPy accepts any word as an assumption; these are the ones it knows.
_ASSUMPTIONS = {a for seed in ("positive", "even", "prime") for a in sp.Symbol("s", **{seed: True}).assumptions0}
_ADVICE_IN_FILE = (
    (r"Add unilateral=True\.", "Add unilateral = true."),
    (r"Use None for no bound\.", "Use inf for no bound."),
    (r"Write lk\.Holonomic\(.*", 'Write kind = "holonomic", or leave `kind` out.'),
    (r"Write lk\.Velocity\(.*", 'Write kind = "velocity", or leave `kind` out.'),
    (r"Write lk\.Acceleration\(.*", 'Write kind = "acceleration", or leave `kind` out.'),
    (r"Create coordinates with .*", 'List the names of the coordinates: coordinates = ["x", "y"].'),
    (r"Give exactly one: kinetic=.*", 'Give exactly one: kinetic = "m*der(x)^2/2", or the matrix inertia = [["m"]].'),
    (r"Add it to the coordinates, or make it a constant: .*", "Add it to coordinates or to [parameters]."),
    (r"slip=der\(x\), for example\.", 'slip = "der(x)", for example.'),
)
"""Advice in Python's notation, and the same in that of a file."""


Laws = tuple[type[Law], ...]
File = TypeVar("File")


def read_file(path: str | PathLike[str], laws: Laws = ()) -> Statement:
    """Return the statement in a model file; raises ModelFileError with all its faults."""
    return read_text(text_of_file(path), Path(path), laws)


def read_text(text: str, path: str | PathLike[str] = "(text)", laws: Laws = ()) -> Statement:
    """Return the statement in the text of a model file; `path` appears only in messages.

    `laws` are laws that the file may have besides those of the package.
    """
    with shallow(path):
        return read_formulas(toml_data(text, path), path, (*LAWS, *laws))


@contextmanager
def shallow(path: str | PathLike[str]) -> Iterator[None]:
    """Report a file that is nested beyond what its readers can follow."""
    try:
        yield
    except RecursionError:
        raise ModelFileError(path, [Fault("", "it is nested too deeply")]) from None


def read_formulas(data: dict[str, Any], path: str | PathLike[str], laws: Laws) -> Statement:
    """Return the statement that the data of a model file state by formulas, with these laws."""
    faults = Faults()
    model = fitted(data, model_file(laws), path, faults)
    names = _declared_symbols(model, faults)
    if len(faults):
        raise ModelFileError(path, faults)
    formulas = Formulas(names, faults, laws)
    arguments = _arguments(model, names, formulas)
    stated = stated_inputs(model, names, formulas)
    events = [read_event(entry, names, formulas, lambda c: read_constraint(c, formulas)) for entry in model.events]
    if len(faults):
        raise ModelFileError(path, faults)
    try:
        statement = read_system(model.name, **arguments)
        statement = with_inputs(statement, stated) if stated else statement
        return with_events(events, statement) if events else statement
    except ModelError as error:
        raise ModelFileError(
            path, [Fault(location_in_file(f.where), f.what, advice_for_file(f.advice)) for f in error.faults]
        ) from None


def toml_data(text: str, path: str | PathLike[str]) -> dict[str, Any]:
    """Return the data of a TOML text; raises ModelFileError."""
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # a ValueError also for integers of thousands of digits
        raise ModelFileError(path, [syntax_fault(text, error)]) from None


def fitted(data: dict[str, Any], shape: type[File], path: str | PathLike[str], faults: Faults) -> File:
    """Return the data of a file in the class of its schema; raises ModelFileError."""
    model, misfits = fit(data, shape)
    if misfits:
        add_schema_faults(misfits, data, faults)
        raise ModelFileError(path, faults)
    return model


def _declared_symbols(model: ModelFile, faults: Faults) -> dict[str, Any]:
    """Return the symbols of the file by name, coordinates first."""
    names: dict[str, Any] = {}
    symbols: set[str] = set()
    for entry in model.coordinates:
        coordinate = CoordinateEntry(entry) if isinstance(entry, str) else entry
        _declare(names, symbols, coordinate.name, "coordinates", coordinate, sp.Function, faults)
    declare_others(model, names, symbols, faults)
    return names


def declare_others(model: ModelFile | MechanismFile, names: dict[str, Any], symbols: set[str], faults: Faults) -> None:
    """Add parameters, inputs and tables of a file to `names`; `symbols` are the names of the symbols there."""
    for name, stated in model.parameters.items():
        parameter = stated if isinstance(stated, ParameterEntry) else ParameterEntry()
        _declare(names, symbols, name, f"[parameters] {name}", parameter, sp.Symbol, faults)
    for name, declared in model.inputs.items():
        function = declared if isinstance(declared, InputEntry) else InputEntry()
        _declare(names, symbols, name, f"[inputs] {name}", function, sp.Function, faults)
    for name, points in model.tables.items():
        where = f"[tables.{name}]"
        if name in names:
            faults.add(where, f"the name {name} is already in use")
        try:
            names.setdefault(name, table(name, points.x, points.y, points.kind, points.outside))
        except ModelError as error:
            for fault in error.faults:
                faults.add(where, fault.what, fault.advice)


def _declare(
    names: dict[str, Any],
    symbols: set[str],
    name: str,
    where: str,
    entry: CoordinateEntry | ParameterEntry | InputEntry,
    kind: type[sp.Symbol] | type[sp.Function],
    faults: Faults,
) -> None:
    """Add a symbol or function of time with its assumptions to `names`; report an invalid one.

    `symbols` are the names of those added, which differ from their keys if they are in LaTeX.
    """
    problem = identifier_problem(name) or (f"the name {name} is already in use" if name in names else "")
    label, assume = name if entry.symbol is None else entry.symbol, entry.assume
    if label in symbols:
        problem = problem or f"the symbol {label} is already in use"
    problem = problem or name_problem(label)
    unknown = [a for a in assume if a not in _ASSUMPTIONS]
    if unknown:
        problem = f"there is no assumption {unknown[0]!r}{did_you_mean(unknown[0], _ASSUMPTIONS)}"
    if problem:
        faults.add(where, problem)
        return
    try:
        symbol = kind(label, **assume)
    except (TypeError, ValueError) as error:
        faults.add(where, f"its assumptions contradict each other ({error})")
        return
    names[name] = symbol(t) if kind is sp.Function else symbol
    symbols.add(label)


class Formulas:
    """Reader of the formulas of one file; an unreadable formula is reported and becomes zero."""

    def __init__(self, names: dict[str, Any], faults: Faults, laws: Laws) -> None:
        self.names = names
        self.faults = faults
        self.laws = {law.kind: law for law in laws}

    def __call__(self, formula: Formula | None, where: str, names: dict[str, Any] | None = None) -> Any:
        """Return the expression of a formula as text; a number, or None, stays what it is."""
        if not isinstance(formula, str):
            return formula
        try:
            return read_expression(formula, self.names if names is None else names)
        except ExpressionError as error:
            hint = "\nA name is declared in coordinates or in [parameters]." if "unknown name" in error.message else ""
            hint += "\nA table is declared as [tables.name]." if "unknown function" in error.message else ""
            shown = f"column {error.column + 1}:\n{error.pointer()}{hint}" if error.pointer() else hint.strip()
            self.faults.add(where, error.message, shown)
            return sp.S.Zero

    def sum(self, formulas: Formula | list[Formula], where: str) -> Expression:
        """Return the expression of a formula, or the sum of a list of formulas."""
        if not isinstance(formulas, list):
            return self(formulas, where)
        parts = [self(formula, f"{where}, entry {i}") for i, formula in enumerate(formulas, 1)]
        return canonical_sum([term for part in parts for term in sp.Add.make_args(part)])


def _arguments(model: ModelFile, names: dict[str, Any], read: Formulas) -> dict[str, Any]:
    """Return the arguments of `read_system` that the file states."""
    entries = [e for e in model.coordinates if isinstance(e, CoordinateEntry)]
    units = {e.name: e.unit for e in entries if e.unit is not None} | stated_units(model)
    inertia = None
    if model.inertia is not None:
        inertia = [[read(e, f"inertia[{i}][{j}]") for j, e in enumerate(row)] for i, row in enumerate(model.inertia)]
    return {
        "coordinates": [names[e if isinstance(e, str) else e.name] for e in model.coordinates],
        "kinetic": None if model.kinetic is None else read.sum(model.kinetic, "kinetic"),
        "inertia": inertia,
        "potential": read.sum(model.potential, "potential"),
        "dissipation": read.sum(model.dissipation, "dissipation"),
        "forces": {names.get(name, name): read(e, f"[forces] {name}") for name, e in model.forces.items()},
        "loads": [_read_load(entry, i, read) for i, entry in enumerate(model.loads, 1)],
        "values": stated_values(model, names, read),
        "units": {names[name]: unit for name, unit in units.items()},
        "constraints": [(entry.name, read_constraint(entry, read)) for entry in model.constraints],
        "inputs": [names[name] for name in model.inputs],
    }


def stated_units(model: ModelFile | MechanismFile) -> dict[str, str]:
    """Return the units of parameters and inputs, by name."""
    entries = {**model.parameters, **model.inputs}
    detailed = {name: e for name, e in entries.items() if isinstance(e, (ParameterEntry, InputEntry))}
    return {name: e.unit for name, e in detailed.items() if e.unit is not None}


def stated_values(model: ModelFile | MechanismFile, names: dict[str, Any], read: Formulas) -> dict[Any, Any]:
    """Return the numbers of parameters, by symbol."""
    numbers = {name: p.value if isinstance(p, ParameterEntry) else p for name, p in model.parameters.items()}
    return {names[name]: read(p, f"[parameters] {name}", {}) for name, p in numbers.items() if p is not None}


def stated_inputs(model: ModelFile | MechanismFile, names: dict[str, Any], read: Formulas) -> dict[Any, Any]:
    """Return what the inputs are, by symbol, of those for which something is stated."""
    inputs = {name: e.value if isinstance(e, InputEntry) else e for name, e in model.inputs.items()}
    return {names[name]: read(e, f"[inputs] {name}") for name, e in inputs.items() if e is not None}


def _read_load(entry: LoadEntry, i: int, read: Formulas) -> Force:
    """Return the force at a point of an entry."""
    where = f"[[loads]] {entry.name!r}" if entry.name else f"[[loads]] number {i}"
    at = [read(e, f"{where}, at") for e in entry.at]
    return Force(at, [read(e, f"{where}, components") for e in entry.components], entry.name)


def location_in_file(where: str) -> str:
    """Return the location of a statement's fault in the notation of a file."""
    where = re.sub(r"^forces\[([^]]+)\]", r"[forces] \1", where)
    where = re.sub(r"^(values|units)\[([^]]+)\]", r"[parameters] \2", where)
    where = re.sub(r"^input '(\w+)'", r"[inputs] \1", where)
    where = re.sub(r"^function '(\w+)'", r"[tables.\1]", where)
    where = re.sub(r"^constraint (?='|\")", "[[constraints]] ", where)
    return re.sub(r"^load ", "[[loads]] ", where)


def advice_for_file(advice: str) -> str:
    """Return the advice on a statement's fault in the notation of a file."""
    for pattern, in_file in _ADVICE_IN_FILE:
        match = re.fullmatch(pattern, advice)
        if match is not None:
            return match.expand(in_file)
    return advice
