"""Checks of a whole statement: known symbols, orders of derivatives, T quadratic in the velocities, A symmetric.

Tables and Python functions in a statement need valid names that denote one thing only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import sympy as sp
from sympy.core.function import AppliedUndef

from ...errors import Faults, did_you_mean
from ...language.data_functions import DataCall, DataFunction, PythonFunction
from ...language.engine.engine import Engine
from ...language.engine.zero_test import vanishes
from ...language.expression import Coordinate, Expression, Symbol
from ...language.names import identifier_problem, name_problem
from ...language.real_number import real_number
from ...language.short_text import short_text
from ...language.symbols import is_coordinate_like, name_of, t
from ...language.traversal import find, find_cached, symbols_in
from ..constraint import Constraint
from ..statement import Statement
from .kinetic_energy import terms_beyond_quadratic

SYMMETRY_TOLERANCE = 1e-12  # [1] relative difference of numeric entries a_ij and a_ji attributed to rounding

_ORDER_WORDS = ("no derivative", "no derivative above the velocity", "no derivative above the acceleration")


def check_data_functions(statement: Statement, faults: Faults) -> None:
    """Report every table and Python function whose name is taken, and different ones with one name."""
    if not statement.data_functions:
        return
    taken = {name_of(F): "an input" for F, _ in statement.inputs}
    taken |= {name_of(x): "a coordinate" for x in statement.coordinates}
    taken |= {p.name: "a parameter" for p in statement.parameters if getattr(p, "is_Symbol", False)}
    taken |= {drive: "a drive" for constraint in statement.constraints for drive, _ in constraint.drives}
    of_inputs = _functions_of_inputs(statement)
    seen: dict[str, DataFunction] = {}
    for data in statement.data_functions:
        where = f"function {data.name!r}"
        if data in of_inputs:
            continue
        if data.name in taken:
            faults.add(where, f"it is named like {taken[data.name]}", "Give it another name.")
        if identifier_problem(data.name):
            faults.add(where, identifier_problem(data.name))
        if seen.setdefault(data.name, data) != data:
            what = "two different tables or Python functions have this name"
            faults.add(where, what, "Create each once and use it everywhere, or give one of them another name.")


def _functions_of_inputs(statement: Statement) -> set[DataFunction]:
    """Return the Python functions of (t, q, v) stated for inputs, which have the names of the inputs."""
    calls = [(F, e.source.data) for F, e in statement.inputs if isinstance(e, DataCall)]
    names = {F: statement.aliases.get(name_of(F), name_of(F)) for F, _ in calls}
    return {data for F, data in calls if isinstance(data, PythonFunction) and data.name == names[F]}


def check_statement(statement: Statement, faults: Faults) -> None:
    """Report every fault of the statement as a whole."""
    for where, expression, highest in free_expressions(statement):
        check_motion(where, expression, highest, statement, faults)
    check_added(statement, statement.constraints, faults)
    if statement.free.kinetic is not None:
        velocities = {sp.Derivative(x, t) for x in statement.coordinates}
        beyond = terms_beyond_quadratic(statement.free.kinetic, velocities)
        if beyond:
            more = f" (and {len(beyond) - 1} more)" if len(beyond) > 1 else ""
            fault = f"velocities may enter at most quadratically, but one term is {short_text(beyond[0])}{more}"
            faults.add("kinetic", fault, "T = T2 + T1 + T0: A(q, t), a row A1(q, t) and A0(q, t).")
    if statement.free.inertia is not None and not len(faults):
        _check_symmetry(statement.free.inertia, statement.coordinates, faults)


def check_added(statement: Statement, added: Iterable[Constraint], faults: Faults) -> None:
    """Report every fault of the added constraints; the rest of the statement has already been checked."""
    for where, expression, highest in constraint_expressions(added):
        check_motion(where, expression, highest, statement, faults)
    _check_parameters(statement, free_expressions(statement) + constraint_expressions(statement.constraints), faults)
    check_data_functions(statement, faults)
    _check_constraints(statement, faults)
    _check_drives(statement, faults)


def free_expressions(statement: Statement) -> list[tuple[str, Expression, int]]:
    """Return (location, expression, highest derivative order allowed) for the free system."""
    free = statement.free
    located: list[tuple[str, Expression, int]] = [
        ("potential", free.potential, 0),
        ("dissipation", free.dissipation, 1),
    ]
    if free.kinetic is not None:
        located.append(("kinetic", free.kinetic, 1))
    if free.inertia is not None:
        n = free.inertia.rows
        located += [(f"inertia[{i}, {j}]", free.inertia[i, j], 0) for i in range(n) for j in range(n)]
    located += [(f"forces[{name_of(x)}]", e, 1) for x, e in zip(free.coordinates, free.forces, strict=True)]
    for i, load in enumerate(free.loads, 1):
        where = f"load {load.name!r}" if load.name else f"load {i}"
        located += [(f"{where}, position", e, 0) for e in load.at]
        located += [(f"{where}, force", e, 1) for e in load.components]
    return located


def constraint_expressions(constraints: Iterable[Constraint]) -> list[tuple[str, Expression, int]]:
    """Return (location, expression, highest derivative order allowed) for the constraints."""
    located: list[tuple[str, Expression, int]] = []
    for constraint in constraints:
        where = f"constraint {constraint.name!r}"
        located += [(where, e, 2) for e in constraint.expressions]
        located += [(f"{where}, drive {name!r}", e, 1) for name, factors in constraint.drives for _, e in factors]
        located += [(f"{where}, weights, bounds or feedback", e, -1) for e in constraint.following.expressions()]
        if constraint.law is not None:
            located += [(f"{where}, law, {name}", e, highest) for name, (e, highest) in constraint.law.parts().items()]
    return located


def check_motion(where: str, expression: Expression, highest: int, statement: Statement, faults: Faults) -> None:
    """Report functions of time that are neither coordinates nor inputs, and derivatives above the order `highest`.

    Inputs may have derivatives of any order. With highest = -1 only numbers and parameters are allowed.
    """
    coordinates = statement.functions_of_time
    if highest < 0 and (find_cached(expression, AppliedUndef) or expression.has(t)):
        faults.add(where, f"only numbers and parameters are allowed here, not {short_text(expression)}")
        return
    for function in sorted(find_cached(expression, AppliedUndef).difference(coordinates), key=str):
        if not is_coordinate_like(function):
            faults.add(where, f"{short_text(function)} is an unspecified function", "Write it out, or use a parameter.")
            continue
        label = name_of(function)
        names = [name_of(x) for x in coordinates]
        if label in names:
            what = f"{label}(t) was created twice with different assumptions, and the coordinate is the other one"
            faults.add(where, what, "Create each coordinate once.")
            continue
        advice = f"Add it to the coordinates or to inputs=[...], or make it a constant: lk.parameters('{label}')."
        faults.add(where, f"{label}(t) is not among the coordinates{did_you_mean(label, names)}", advice)
    inputs = {F for F, _ in statement.inputs}
    orders = Counter({d: d.derivative_count for d in find(expression, sp.Derivative) if d.expr not in inputs})
    for derivative, order in orders.items():
        # A constraint above the acceleration level has been reported already.
        if order > highest and highest < 2:
            faults.add(where, f"it contains {name_of(derivative)}, but {_ORDER_WORDS[highest]} is allowed here")


def _check_parameters(statement: Statement, located: list[tuple[str, Expression, int]], faults: Faults) -> None:
    """Report parameters whose names are invalid or ambiguous."""
    taken = {name_of(F): "an input" for F, _ in statement.inputs} | dict.fromkeys(statement.names, "a coordinate")
    first_location: dict[Symbol, str] = {}
    for where, expression, _ in located:
        for symbol in symbols_in(expression) - {t}:
            first_location.setdefault(symbol, where)
    for where, table in (("values", statement.values), ("units", statement.units)):
        for symbol, _ in table:
            if is_coordinate_like(symbol) and symbol not in statement.functions_of_time:
                faults.add(where, f"{name_of(symbol)} is not among the coordinates")
            elif symbol == t:
                faults.add(where, "time is not a parameter")
            elif not is_coordinate_like(symbol):
                first_location.setdefault(symbol, where)
    seen: dict[str, Symbol] = {}
    for symbol, where in sorted(first_location.items(), key=lambda item: str(item[0])):
        if not getattr(symbol, "is_Symbol", False):
            faults.add(where, f"{short_text(symbol)} is neither a parameter nor a coordinate")
            continue
        label = symbol.name
        if label == "t":
            faults.add(where, "it contains a symbol t with assumptions, which is not time", "Use lk.t for time.")
        elif label in taken:
            advice = f"Rename the parameter, or use {taken[label]} itself, which is a function of time."
            faults.add(where, f"a parameter is named {label} like {taken[label]}", advice)
        elif label in seen:
            faults.add(where, f"two different symbols are both named {label}", "Create each parameter once.")
        elif name_problem(label):
            faults.add(where, name_problem(label))
        seen[label] = symbol


def _check_drives(statement: Statement, faults: Faults) -> None:
    """Report drives that belong to two programs."""
    owners: dict[str, str] = {}
    for constraint in statement.constraints:
        for drive, _ in constraint.drives:
            first = owners.setdefault(drive, constraint.name)
            if first != constraint.name:
                where = f"constraint {constraint.name!r}"
                faults.add(where, f"drive {drive!r} already belongs to the program {first!r}", "Give it another name.")


def _check_constraints(statement: Statement, faults: Faults) -> None:
    """Report constraints with equal names and rows without a coordinate."""
    names = Counter(constraint.name for constraint in statement.constraints)
    for name, count in names.items():
        if count > 1:
            faults.add(f"constraint {name!r}", f"there are {count} constraints with this name")
    for constraint in statement.constraints:
        where = f"constraint {constraint.name!r}"
        for i, expression in enumerate(constraint.expressions, 1):
            row = f"{where}, row {i}" if len(constraint.expressions) > 1 else where
            # An unreadable expression is zero and has been reported already.
            inputs = {F for F, _ in statement.inputs}
            if find_cached(expression, AppliedUndef) <= inputs and (expression != 0 or not len(faults)):
                what = f"{short_text(expression)} = 0 contains no coordinate, so it constrains nothing"
                faults.add(row, what)


def _differ(one: Expression, other: Expression, engine: Engine) -> bool:
    """Return whether two entries differ by more than the rounding errors of computed numbers."""
    if one == other:
        return False
    if one.is_number and other.is_number:
        a, b = real_number(one), real_number(other)
        return not abs(a - b) <= SYMMETRY_TOLERANCE * max(abs(a), abs(b))
    return not vanishes(engine.inward(one - other))


def _check_symmetry(matrix: sp.ImmutableMatrix, coordinates: Sequence[Coordinate], faults: Faults) -> None:
    """Report entries a_ij of the inertia matrix that differ from a_ji."""
    engine = Engine(coordinates)
    for i in range(matrix.rows):
        for j in range(i):
            if _differ(matrix[i, j], matrix[j, i], engine):
                lower, upper = short_text(matrix[i, j]), short_text(matrix[j, i])
                faults.add("inertia", f"it is not symmetric: [{i}, {j}] is {lower}, [{j}, {i}] is {upper}")
