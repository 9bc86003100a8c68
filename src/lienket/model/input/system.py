"""Reader of systems: every input is read and every fault collected before they are reported together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
import sympy as sp

from ...errors import Faults, did_you_mean
from ...language.as_expression import as_expression
from ...language.expression import Coordinate, Expression, ExpressionLike, Key
from ...language.names import key_name, name_among, name_problem
from ...language.short_text import short_text
from ...language.symbols import is_coordinate_like, name_of, t
from ..checks.statement import check_statement
from ..checks.units import check_units
from ..force import Force
from ..normal_force import with_normal_factors
from ..statement import FreeStatement, Statement
from .constraint import read_constraint
from .inputs import read_input_symbols
from .later_values import check_sign, settled

T = TypeVar("T")


def read_system(
    name: str,
    coordinates: Iterable[Coordinate],
    *,
    kinetic: ExpressionLike | None = None,
    inertia: object = None,
    potential: ExpressionLike = 0,
    forces: Mapping[Key, ExpressionLike] | None = None,
    loads: Iterable[Force] = (),
    dissipation: ExpressionLike = 0,
    values: Mapping[Key, ExpressionLike] | None = None,
    units: Mapping[Key, str] | None = None,
    constraints: Iterable[tuple[str, object]] = (),
    inputs: Iterable[Coordinate] = (),
) -> Statement:
    """Return the checked statement of a system; raises one ModelError with all its faults."""
    faults = Faults()
    if not isinstance(name, str) or not name.strip() or not name.isprintable():
        faults.add("name", f"the name of a system must be a printable text, not {name!r}")
        name = str(name)
    symbols = _read_coordinates(coordinates, faults)
    if (kinetic is None) == (inertia is None):
        faults.add(
            "kinetic",
            "neither kinetic energy nor inertia is given" if kinetic is None else "both kinetic and inertia are given",
            "Give exactly one: kinetic=T(q, q', t), or inertia=A(q) for T = q'^T A q'/2.",
        )
    free = FreeStatement(
        coordinates=symbols,
        kinetic=None if kinetic is None else as_expression(kinetic, "kinetic", faults),
        inertia=None if inertia is None else _read_inertia(inertia, len(symbols), faults),
        potential=as_expression(potential, "potential", faults),
        forces=_read_forces(forces, symbols, faults),
        loads=_read_loads(loads, faults),
        dissipation=as_expression(dissipation, "dissipation", faults),
    )
    checked = tuple(read_constraint(constraint_name, entry, symbols, faults) for constraint_name, entry in constraints)
    without_numbers = Statement(name, free, checked, inputs=read_input_symbols(inputs, symbols, faults))
    numbers, later_numbers = _read_table(values, "values", without_numbers, faults, _read_value)
    labels, later_labels = _read_table(units, "units", without_numbers, faults, _read_unit)
    statement = replace(without_numbers, values=numbers, units=labels, later=(*later_numbers, *later_labels))
    # A symbol as a key of one table may be the only one that declares what a name in the other refers to.
    statement = settled(statement, faults)
    check_statement(statement, faults)
    check_units(statement, faults)
    if not faults:
        statement = statement.with_constraints(tuple(with_normal_factors(statement.constraints, statement, faults)))
    faults.raise_any(f"The system {name!r}")
    return statement.normal()


def with_numbers(
    statement: Statement, values: Mapping[Key, ExpressionLike] | None, inputs: Iterable[Coordinate] = ()
) -> Statement:
    """Return a checked statement with default numbers and inputs; raises one ModelError with all their faults."""
    faults = Faults()
    statement = replace(statement, inputs=read_input_symbols(inputs, statement.coordinates, faults))
    numbers, later = _read_table(values, "values", statement, faults, _read_value)
    settled_statement = settled(replace(statement, values=numbers, later=later), faults)
    faults.raise_any(f"The system {statement.name!r}")
    return settled_statement.normal()


def _read_coordinates(stated: object, faults: Faults) -> tuple[Coordinate, ...]:
    """Return the coordinates, functions of time with distinct valid names."""
    if isinstance(stated, sp.MatrixBase):
        stated = list(stated)
    if isinstance(stated, str) or not isinstance(stated, Iterable):
        if is_coordinate_like(stated):
            return (stated,)
        faults.add("coordinates", f"a list of coordinates was expected, not {short_text(stated)!r}", _HOW_COORDINATES)
        return ()
    coordinates: list[Coordinate] = []
    for x in stated:
        if isinstance(x, sp.Basic) and x == t:
            faults.add("coordinates", "time t cannot be a coordinate")
        elif not is_coordinate_like(x):
            faults.add("coordinates", f"{short_text(x)} is not a function of time", _HOW_COORDINATES)
        elif name_of(x) in map(name_of, coordinates):
            difference = "" if x in coordinates else ", with different assumptions"
            faults.add("coordinates", f"{name_of(x)} is listed twice{difference}")
        else:
            problem = name_problem(name_of(x))
            if problem:
                faults.add("coordinates", problem)
            coordinates.append(x)
    if not coordinates and not len(faults):
        faults.add("coordinates", "there are no coordinates", _HOW_COORDINATES)
    return tuple(coordinates)


_HOW_COORDINATES = "Create coordinates with x, y = lk.coordinates('x y') (or dynamicsymbols) and list them: [x, y]."


def _read_inertia(stated: object, n: int, faults: Faults) -> sp.ImmutableMatrix:
    """Return A as an n x n matrix of expressions; report a wrong shape."""
    rows: list[Any]
    if isinstance(stated, sp.MatrixBase):
        rows = stated.tolist()
    elif isinstance(stated, Iterable) and not isinstance(stated, str):
        rows = [list(row) if isinstance(row, Iterable) and not isinstance(row, str) else [row] for row in stated]
    else:
        rows = [[stated]]
    if len(rows) != n or any(len(row) != n for row in rows):
        widths = sorted({len(row) for row in rows}) or [0]
        shape = f"{len(rows)} x {widths[0]}" if len(widths) == 1 else f"{len(rows)} rows of different lengths"
        faults.add("inertia", f"its shape is {shape}, but {n} coordinates need {n} x {n}")
        return sp.ImmutableMatrix.zeros(n, n)
    entries = [
        [as_expression(e, f"inertia[{i}, {j}]", faults) for j, e in enumerate(row)] for i, row in enumerate(rows)
    ]
    return sp.ImmutableMatrix(entries)


def _read_forces(
    stated: Mapping[Key, ExpressionLike] | None, coordinates: tuple[Coordinate, ...], faults: Faults
) -> tuple[Expression, ...]:
    """Return the generalized forces in the order of the coordinates, 0 where none is stated."""
    column = [sp.S.Zero] * len(coordinates)
    if stated is None:
        return tuple(column)
    if not isinstance(stated, Mapping):
        faults.add("forces", f"a mapping from coordinate to generalized force was expected, not {short_text(stated)}")
        return tuple(column)
    row = {name_of(x): i for i, x in enumerate(coordinates)}
    assigned = set()
    for key, force in stated.items():
        label = name_among(key, list(row))
        if label not in row or not (isinstance(key, str) or key in coordinates):
            advice = "A force at a point is stated in `loads`, with the position `at` and its `components`."
            faults.add("forces", f"{short_text(key)} is not a coordinate{did_you_mean(label, row)}", advice)
            as_expression(force, f"forces[{label}]", faults)
        elif label in assigned:
            faults.add("forces", f"{label} has two entries")
        else:
            assigned.add(label)
            column[row[label]] = as_expression(force, f"forces[{label}]", faults)
    return tuple(column)


def _read_loads(stated: object, faults: Faults) -> tuple[Force, ...]:
    """Return the forces at points with checked names, positions and components."""
    loads = []
    for i, load in enumerate(stated if isinstance(stated, Iterable) else [stated], 1):
        if not isinstance(load, Force):
            faults.add(f"load {i}", f"an lk.Force(at=..., components=...) was expected, not {short_text(load)}")
            continue
        where = f"load {load.name!r}" if load.name else f"load {i}"
        if not isinstance(load.name, str) or not (load.name.isprintable()):
            faults.add(where, f"its name must be a printable text, not {load.name!r}")
        if len(load.at) != len(load.components) or not 1 <= len(load.at) <= 3:
            sizes = f"{len(load.at)} entries in the position, {len(load.components)} in the force"
            faults.add(where, f"{sizes}; both need the same number, 1, 2 or 3")
        at = [as_expression(e, f"{where}, position", faults) for e in load.at]
        components = [as_expression(e, f"{where}, force", faults) for e in load.components]
        loads.append(Force(at, components, str(load.name)))
    return tuple(loads)


def _read_table(
    stated: object,
    where: str,
    without_numbers: Statement,
    faults: Faults,
    read: Callable[[Expression, object, Faults], T],
) -> tuple[tuple[tuple[Expression, T], ...], tuple[tuple[str, str, T], ...]]:
    """Return the entries (symbol, entry) of a mapping by symbol or name, and those by names not used so far.

    Both are sorted by name. A symbol as the key declares a parameter, a text refers to one that the system uses or
    that a later constraint or event brings.
    """
    if stated is None:
        return (), ()
    if not isinstance(stated, Mapping):
        faults.add(where, f"a mapping by parameter was expected, not {short_text(stated)}")
        return (), ()
    used = {name_of(s): s for s in (*without_numbers.functions_of_time, *without_numbers.parameters)}
    inputs = {F for F, _ in without_numbers.inputs}
    entries: dict[str, tuple[Expression, T]] = {}
    later: dict[str, tuple[str, str, T]] = {}
    for key, entry in stated.items():
        label = name_among(key, list(used))
        if label in entries or label in later:
            faults.add(where, f"{label} has two entries")
        elif isinstance(key, str) and label not in used:
            if name_problem(label):
                faults.add(where, name_problem(label))
            later[label] = (where, label, read(sp.Symbol(label), entry, faults))
        else:
            symbol = used.get(label, key) if isinstance(key, str) else key
            if where == "values" and symbol in inputs:
                faults.add(f"values[{label}]", "it is an input; state it in simulate(inputs=...) or system.with_inputs")
                continue
            entries[label] = (symbol, read(symbol, entry, faults))
    return tuple(entries[label] for label in sorted(entries)), tuple(later[label] for label in sorted(later))


def _read_value(symbol: Expression, entry: object, faults: Faults) -> Expression:
    """Return the default number of a parameter; report numbers that contradict its assumptions."""
    where = f"values[{key_name(symbol)}]"
    if is_coordinate_like(symbol):
        faults.add(where, "it is a coordinate; start values go into simulate(start=...)")
    number = as_expression(entry, where, faults)
    if isinstance(entry, (float, np.floating, sp.Float)) and number.is_Rational and not number.is_Integer:
        number = sp.Float(float(number))  # 0.25 is shown and saved as a decimal
    if number.free_symbols or not number.is_real:
        faults.add(where, f"a real number was expected, not {short_text(entry)}")
    else:
        check_sign(symbol, number, faults)
    return number


def _read_unit(symbol: Expression, entry: object, faults: Faults) -> str:
    """Return the label of a unit, a printable text."""
    if not isinstance(entry, str) or not entry.strip() or not entry.isprintable():
        faults.add(f"units[{key_name(symbol)}]", f"a text such as 'kg' was expected, not {entry!r}")
    return str(entry)
