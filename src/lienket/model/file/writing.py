"""Writer of model files; a file is replaced only when the new one is complete."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import sympy as sp
import tomlkit

from ...errors import ExpressionError, Fault, Faults, ModelError, ModelFileError
from ...foundation.atomic_file import write_whole
from ...foundation.frozen_dataclass import dataclass
from ...language.data_functions import PythonFunction, Table
from ...language.expression import Expression
from ...language.input_functions import Sampled
from ...language.symbols import name_of
from ...language.text import write_expression
from ...language.traversal import symbols_in
from ..bodies import Description
from ..checks.statement import constraint_expressions, free_expressions
from ..force import Force
from ..input.parameters import symbol_table
from ..laws import LAWS, Law
from ..model_text import FILE_SIZE_LIMIT
from ..reaction_symbols import is_reaction
from ..renaming import alias_symbols, renamed
from ..statement import Statement
from .constraints import write_constraint
from .events import write_event
from .reading import location_in_file, read_text
from .schema import VERSION
from .symbols import coordinate_entries, input_entry, parameter_entry, table_text

if TYPE_CHECKING:
    from tomlkit.items import AoT, Array


@dataclass(frozen=True)
class FileFormat:
    """What files need to know of mechanisms, whose room comes later: `lienket.mechanism.file` has its own.

    `read` (text, path, laws) reads a file; `keys` and `tables` of a statement are its entries before and after the
    parameters, in place of coordinates and energies.
    """

    read: Callable[[str, str, tuple[type[Law], ...]], Statement]
    keys: Callable[[Statement], dict[str, Any]]
    tables: Callable[[Statement], dict[str, Any]]


def write_file(statement: Statement, path: str | PathLike[str], form: FileFormat | None = None) -> None:
    """Write the statement to `path`; the file there is replaced only when the new one is complete."""
    path = Path(path)
    text = checked_text(statement, path, form or FORMULAS)
    try:
        write_whole(path, text)
    except (OSError, ValueError, RuntimeError) as error:
        raise ModelFileError(path, [_unwritable("", _reason(error))]) from None


def checked_text(statement: Statement, path: str | PathLike[str] = "(text)", form: FileFormat | None = None) -> str:
    """Return the statement as the text of a model file; raises ModelFileError for `path` if a file cannot hold it."""
    python_functions = [data.name for data in statement.data_functions if isinstance(data, PythonFunction)]
    if python_functions:
        advice = "Save the system without it, or give its values as a table (lk.table)."
        what = "it is a Python function, which a file cannot hold"
        raise ModelFileError(path, [Fault(f"function {name!r}", what, advice) for name in python_functions])
    faults = Faults()
    symbol_table(statement).report_unused(faults)
    for F, stated in statement.inputs:
        if isinstance(stated, Sampled):
            advice = "Save the system without it: system.with_inputs({...: None})."
            faults.add(f"input {name_of(F)!r}", "it is a sampled function, which a file cannot hold", advice)
    _check_words(statement, faults)
    if len(faults):
        raise ModelFileError(path, faults)
    try:
        text = write_text(statement, form)
        _check_readable(statement, text, form or FORMULAS)
    except ExpressionError as error:
        raise ModelFileError(path, unwritable_formulas(statement) or [_unwritable("", error.message)]) from None
    except ModelError as error:
        raise ModelFileError(path, [_unwritable(f.where, f.what, f.advice) for f in error.faults]) from None
    except (ValueError, RuntimeError) as error:
        raise ModelFileError(path, [_unwritable("", _reason(error))]) from None
    return text


def _check_words(statement: Statement, faults: Faults) -> None:
    """Report laws without a word in files, or with that of another law."""
    kinds = {law.kind: law for law in LAWS}
    for law in own_laws(statement):
        where, advice = f"law {law.__name__}", f"Write kind = ..., its word in files, in the class {law.__name__}."
        if not law.kind:
            faults.add(where, "it has no word in files", advice)
        elif kinds.setdefault(law.kind, law) is not law:
            faults.add(where, f"its word in files, {law.kind!r}, is that of {kinds[law.kind].__name__}", advice)


def unwritable_formulas(statement: Statement) -> list[Fault]:
    """Return a fault for each formula that a file cannot hold, at its location in the file."""
    faults, advice = [], "A formula in a file has limits, see docs/model-files.md; split or simplify it."
    for where, expression in _located(statement):
        try:
            write_expression(expression)
        except ExpressionError as error:
            faults.append(_unwritable(location_in_file(where), error.message, advice))
    return list(dict.fromkeys(faults))


def _located(statement: Statement) -> Iterator[tuple[str, Any]]:
    """Yield (location, formula) of a statement as the formulas are written: an energy by its terms."""
    constraints = [c for c in statement.every_constraint if not c.of_mechanism]
    for where, expression, _ in (*free_expressions(statement), *constraint_expressions(constraints)):
        terms = where in ("kinetic", "potential", "dissipation")
        yield from ((where, part) for part in (sp.Add.make_args(expression) if terms else (expression,)))
    for event in statement.events:
        where = f"[[events]] {event.name!r}"
        reactions = {s: sp.Symbol("R") for e in event.expressions for s in symbols_in(e) if is_reaction(s)}
        yield from ((where, e.xreplace(reactions)) for e in event.expressions)
    if statement.free.mechanism is not None:
        yield from _located_in_mechanism(statement.free.mechanism)


def _located_in_mechanism(mechanism: Description) -> Iterator[tuple[str, Any]]:
    """Yield (location, formula) of bodies, joints and elements."""
    parts: dict[str, tuple[Any, ...]] = {
        "bodies": mechanism.bodies,
        "joints": mechanism.joints,
        "elements": mechanism.elements,
    }
    yield from (("gravity", e) for e in mechanism.gravity)
    for table, entries in parts.items():
        yield from ((f"[[{table}]] {part.name!r}", e) for part in entries for e in part.expressions())


def _unwritable(where: str, reason: str, advice: str = "") -> Fault:
    """Return the fault of a part that cannot be written."""
    return Fault(where, f"it cannot be written: {reason}", advice)


def _reason(error: Exception) -> str:
    """Return the text of an operating system error or of any other exception."""
    return str(getattr(error, "strerror", None) or error)


def _check_readable(statement: Statement, text: str, form: FileFormat) -> None:
    """Raise ValueError unless reading the text returns an equal statement."""
    if len(text.encode()) > FILE_SIZE_LIMIT:
        raise ValueError(f"it would be larger than {FILE_SIZE_LIMIT // 2**20} MiB; give its tables fewer points")
    if form.read(text, "(written)", own_laws(statement)) != statement:
        raise ValueError("the file would not be read back as an equal system; please report this model")


def own_laws(statement: Statement) -> tuple[type[Law], ...]:
    """Return the classes of the laws of a statement that are not those of the package."""
    laws = dict.fromkeys(type(c.law) for c in statement.every_constraint if c.law is not None)
    return tuple(law for law in laws if law not in LAWS)


def write_text(statement: Statement, form: FileFormat | None = None) -> str:
    """Return the statement as the text of a model file; reading it returns an equal statement."""
    form = form or FORMULAS
    written = {alias: name for name, alias in statement.aliases.items()}
    statement = renamed(statement, alias_symbols(statement))
    units = {name_of(symbol): unit for symbol, unit in statement.units}
    document = tomlkit.document()
    document["lienket"] = VERSION
    document["name"] = statement.name
    if statement.free.mechanism is None:
        document["coordinates"] = coordinate_entries(statement.coordinates, units, written)
    for key, entry in form.keys(statement).items():
        document[key] = entry
    if statement.parameters:
        values = dict(statement.values)
        document["parameters"] = {
            p.name: parameter_entry(p, values.get(p), units, written) for p in statement.parameters
        }
    if statement.inputs:
        document["inputs"] = {name_of(F): input_entry(F, stated, units, written) for F, stated in statement.inputs}
    for key, entry in form.tables(statement).items():
        document[key] = entry
    constraints = [write_constraint(c) for c in statement.constraints if not c.of_mechanism]
    if constraints:
        document["constraints"] = array_of_tables(constraints)
    if statement.events:
        taken = (
            {p.name for p in statement.parameters}
            | {name_of(x) for x in statement.functions_of_time}
            | {data.name for data in statement.data_functions}
        )
        document["events"] = array_of_tables(write_event(event, write_constraint, taken) for event in statement.events)
    # Points are written directly: tomlkit needs minutes for ten thousand of them.
    return tomlkit.dumps(document) + "".join(
        table_text(data) for data in statement.data_functions if isinstance(data, Table)
    )


def _energies(statement: Statement) -> dict[str, Any]:
    """Return the entries of the energies, or of the inertia matrix."""
    free = statement.free
    entries: dict[str, Any] = {}
    if free.kinetic is not None:
        entries["kinetic"] = _sum(free.kinetic)
    if free.inertia is not None:
        rows = tomlkit.array()
        for row in free.inertia.tolist():
            rows.append([write_expression(e) for e in row])
        entries["inertia"] = rows.multiline(True)
    energies = {"potential": free.potential, "dissipation": free.dissipation}
    return entries | {key: _sum(energy) for key, energy in energies.items() if energy != 0}


def _forces(statement: Statement) -> dict[str, Any]:
    """Return the tables of generalized forces and of forces at points."""
    free = statement.free
    forces = {name_of(x): write_expression(e) for x, e in zip(free.coordinates, free.forces, strict=True) if e != 0}
    tables: dict[str, Any] = {"forces": forces} if forces else {}
    return tables | ({"loads": array_of_tables(_load(load) for load in free.loads)} if free.loads else {})


FORMULAS = FileFormat(read_text, _energies, _forces)
"""Format of systems that are stated by formulas."""


def _sum(energy: Expression) -> str | Array:
    """Return an energy as one formula, or as a list of its terms if one formula would be too long."""
    try:
        return write_expression(energy)
    except ExpressionError:
        terms = tomlkit.array()
        for term in sp.Add.make_args(energy):
            terms.append(write_expression(term))
        return terms.multiline(True)


def array_of_tables(entries: Iterable[dict[str, Any]]) -> AoT:
    """Return an array of TOML tables."""
    array = tomlkit.aot()
    for entry in entries:
        table = tomlkit.table()
        table.update(entry)
        array.append(table)
    return array


def _load(load: Force) -> dict[str, Any]:
    """Return the entry of a force at a point."""
    name = {"name": load.name} if load.name else {}
    at = [write_expression(e) for e in load.at]
    return name | {"at": at, "components": [write_expression(e) for e in load.components]}
