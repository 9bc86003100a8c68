"""From what the user hands in to a Statement: every input is read, every fault collected, then all are reported."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import sympy as sp

from ...errors import did_you_mean
from ...language.as_expression import as_expression
from ...language.faults import Faults, short_text
from ...language.names import key_name, name_problem
from ...language.symbols import is_coordinate_like, name_of, t
from ..checks.statement import check_statement
from ..checks.units import check_units
from ..force import Force
from ..statement import FreeStatement, Statement
from .constraint import read_constraint


def read_system(
    name: str,
    coordinates: Iterable[Any],
    *,
    kinetic: Any = None,
    inertia: Any = None,
    potential: Any = 0,
    forces: Mapping[Any, Any] | None = None,
    loads: Iterable[Force] = (),
    dissipation: Any = 0,
    values: Mapping[Any, Any] | None = None,
    units: Mapping[Any, str] | None = None,
    constraints: Iterable[tuple[str, Any]] = (),
) -> Statement:
    """The checked statement of a system; raises one ModelError with all its faults."""
    faults = Faults()
    if not isinstance(name, str) or not name.strip() or not name.isprintable():
        faults.add("name", f"the name of a system is a printable text, not {name!r}")
        name = str(name)
    known = _read_coordinates(coordinates, faults)
    if (kinetic is None) == (inertia is None):
        faults.add(
            "kinetic",
            "neither kinetic energy nor inertia is given" if kinetic is None else "both kinetic and inertia are given",
            "Give exactly one: kinetic=T(q, q', t), or inertia=A(q) for T = q'^T A q'/2.",
        )
    free = FreeStatement(
        coordinates=known,
        kinetic=None if kinetic is None else as_expression(kinetic, "kinetic", faults),
        inertia=None if inertia is None else _read_inertia(inertia, len(known), faults),
        potential=as_expression(potential, "potential", faults),
        forces=_read_forces(forces, known, faults),
        loads=_read_loads(loads, faults),
        dissipation=as_expression(dissipation, "dissipation", faults),
    )
    stated = tuple(read_constraint(label, said, known, faults) for label, said in constraints)
    bare = Statement(name, free, stated)
    statement = Statement(
        name,
        free,
        stated,
        values=_read_table(values, "values", bare, faults, _read_value),
        units=_read_table(units, "units", bare, faults, _read_unit),
    )
    check_statement(statement, faults)
    check_units(statement, faults)
    faults.raise_any(f"The system {name!r}")
    return statement.normal()


def _read_coordinates(given: Any, faults: Faults) -> tuple[Any, ...]:
    if isinstance(given, sp.MatrixBase):
        given = list(given)
    if isinstance(given, str) or not isinstance(given, Iterable):
        if is_coordinate_like(given):
            return (given,)
        faults.add("coordinates", f"a list of coordinates was expected, not {short_text(given)!r}", _HOW_COORDINATES)
        return ()
    found: list[Any] = []
    for x in given:
        if isinstance(x, sp.Basic) and x == t:
            faults.add("coordinates", "time t cannot be a coordinate")
        elif not is_coordinate_like(x):
            faults.add("coordinates", f"{short_text(x)} is not a function of time", _HOW_COORDINATES)
        elif name_of(x) in map(name_of, found):
            other = "" if x in found else ", with different assumptions"
            faults.add("coordinates", f"{name_of(x)} is listed twice{other}")
        else:
            problem = name_problem(name_of(x))
            if problem:
                faults.add("coordinates", problem)
            found.append(x)
    if not found and not len(faults):
        faults.add("coordinates", "there is none", _HOW_COORDINATES)
    return tuple(found)


_HOW_COORDINATES = "Make coordinates with x, y = lk.coordinates('x y') (or dynamicsymbols) and list them: [x, y]."


def _read_inertia(given: Any, n: int, faults: Faults) -> Any:
    """A as an n x n matrix of admitted entries; the wrong shape is a fault."""
    rows: list[Any]
    if isinstance(given, sp.MatrixBase):
        rows = given.tolist()
    elif isinstance(given, Iterable) and not isinstance(given, str):
        rows = [list(row) if isinstance(row, Iterable) and not isinstance(row, str) else [row] for row in given]
    else:
        rows = [[given]]
    if len(rows) != n or any(len(row) != n for row in rows):
        widths = sorted({len(row) for row in rows}) or [0]
        shape = f"{len(rows)} x {widths[0]}" if len(widths) == 1 else f"{len(rows)} rows of different lengths"
        faults.add("inertia", f"its shape is {shape}, but {n} coordinates need {n} x {n}")
        return sp.ImmutableMatrix.zeros(n, n)
    entries = [
        [as_expression(e, f"inertia[{i}, {j}]", faults) for j, e in enumerate(row)] for i, row in enumerate(rows)
    ]
    return sp.ImmutableMatrix(entries)


def _read_forces(given: Mapping[Any, Any] | None, coordinates: tuple[Any, ...], faults: Faults) -> tuple[Any, ...]:
    column = [sp.S.Zero] * len(coordinates)
    if given is None:
        return tuple(column)
    if not isinstance(given, Mapping):
        faults.add("forces", f"a mapping from coordinate to generalized force was expected, not {short_text(given)}")
        return tuple(column)
    place = {name_of(x): i for i, x in enumerate(coordinates)}
    taken = set()
    for key, force in given.items():
        label = key_name(key)
        if label not in place or not (isinstance(key, str) or key in coordinates):
            advice = "A force at a point goes into loads: lk.Force(at=..., components=...)."
            faults.add("forces", f"{short_text(key)} is no coordinate{did_you_mean(label, place)}", advice)
            as_expression(force, f"forces[{label}]", faults)
        elif label in taken:
            faults.add("forces", f"{label} has two entries")
        else:
            taken.add(label)
            column[place[label]] = as_expression(force, f"forces[{label}]", faults)
    return tuple(column)


def _read_loads(given: Any, faults: Faults) -> tuple[Force, ...]:
    found = []
    for i, load in enumerate(given if isinstance(given, Iterable) else [given], 1):
        if not isinstance(load, Force):
            faults.add(f"load {i}", f"a lk.Force(at=..., components=...) was expected, not {short_text(load)}")
            continue
        where = f"load {load.name!r}" if load.name else f"load {i}"
        if not isinstance(load.name, str) or not (load.name.isprintable()):
            faults.add(where, f"its name must be a printable text, not {load.name!r}")
        if len(load.at) != len(load.components) or not 1 <= len(load.at) <= 3:
            sizes = f"{len(load.at)} entries in the position, {len(load.components)} in the force"
            faults.add(where, f"{sizes}; both need the same number, 1, 2 or 3")
        at = [as_expression(e, f"{where}, position", faults) for e in load.at]
        components = [as_expression(e, f"{where}, force", faults) for e in load.components]
        found.append(Force(at, components, str(load.name)))
    return tuple(found)


def _read_table(given: Any, where: str, bare: Statement, faults: Faults, read: Any) -> tuple[tuple[Any, Any], ...]:
    """A table by symbol or name, sorted by name; a symbol declares a parameter, a text refers to one."""
    if given is None:
        return ()
    if not isinstance(given, Mapping):
        faults.add(where, f"a mapping by parameter was expected, not {short_text(given)}")
        return ()
    used = {name_of(s): s for s in (*bare.coordinates, *bare.parameters)}
    found: dict[str, tuple[Any, Any]] = {}
    for key, entry in given.items():
        label = key_name(key)
        if label in found:
            faults.add(where, f"{label} has two entries")
        elif isinstance(key, str) and label not in used:
            advice = "To name a parameter that a later constraint brings, use its symbol as the key."
            faults.add(where, f"nothing in the system is named {label!r}{did_you_mean(label, used)}", advice)
        else:
            symbol = used.get(label, key) if isinstance(key, str) else key
            found[label] = (symbol, read(symbol, entry, faults))
    return tuple(found[label] for label in sorted(found))


def _read_value(symbol: Any, entry: Any, faults: Faults) -> Any:
    where = f"values[{key_name(symbol)}]"
    if is_coordinate_like(symbol):
        faults.add(where, "it is a coordinate; start values are given to simulate(start=...)")
    number = as_expression(entry, where, faults)
    if isinstance(entry, (float, np.floating, sp.Float)) and number.is_Rational and not number.is_Integer:
        number = sp.Float(float(number))  # 0.25 is shown and saved as it was given
    if number.free_symbols or not number.is_real:
        faults.add(where, f"a real number was expected, not {short_text(entry)}")
    elif (symbol.is_positive and not number.is_positive) or (symbol.is_negative and not number.is_negative):
        faults.add(where, f"{short_text(number)} contradicts the assumption on the sign of {symbol}")
    return number


def _read_unit(symbol: Any, entry: Any, faults: Faults) -> str:
    if not isinstance(entry, str) or not entry.strip() or not entry.isprintable():
        faults.add(f"units[{key_name(symbol)}]", f"a text such as 'kg' was expected, not {entry!r}")
    return str(entry)
