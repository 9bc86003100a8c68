"""Reader of laws of constraints that are not ideal: law=lk.Coulomb(...) and the others, and a user's own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING, replace
from functools import partial
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from ...errors import Faults, did_you_mean
from ...language.as_expression import as_expression
from ...language.data_functions import sources_in
from ...language.expression import Coordinate, Expression
from ...language.names import name_among
from ...language.real_number import real_number
from ...language.short_text import short_text
from ...language.symbols import name_of, t
from ...language.traversal import find, find_cached, symbols_in
from ..constraint import Constraint
from ..force import Force
from ..laws import LAWS, Law
from ..laws.contact_signs import direction_of, sense_of
from ..laws.fields import COLUMN, EXPRESSION, VECTOR, law_fields
from ..laws.law import Number
from ..laws.law_force import Column, law_force

MOST_COMPONENTS = 3  # [1] of a position
_EXPECTED = "lk.Coulomb(...), lk.laws.Viscous(...), lk.laws.Exerted(...) or lk.laws.Unilateral(...)"


def read_law(law: object, constraint: Constraint, coordinates: tuple[Coordinate, ...], faults: Faults) -> Law | None:
    """Return the law of a constraint, checked except for its symbols; None and faults if it is not a law."""
    where = f"constraint {constraint.name!r}, law"
    if law is None:
        return None
    if not isinstance(law, Law):
        faults.add(where, f"it must be {_EXPECTED}, not {short_text(law)}")
        return None
    if constraint.kind == "program":
        faults.add(where, "a program is realised by drives and has no reaction", "Leave the law out.")
        return None
    before = len(faults)
    read = _with_read_fields(law, coordinates, where, faults)
    if read is None:
        return None
    report = partial(faults.add, where)
    read.check(constraint, coordinates, report)
    read.check_numbers(_stated_number, report)
    if len(faults) == before and type(law) not in LAWS:  # the laws of the package are known to be right
        _check_force(read, constraint, coordinates, where, faults)
    return read


def _with_read_fields(law: Law, coordinates: tuple[Coordinate, ...], where: str, faults: Faults) -> Law | None:
    """Return the law with its fields as expressions and columns; None if a column cannot be read."""
    fields: dict[str, Any] = {}
    for name, mark in law_fields(type(law)).items():
        value = getattr(law, name)
        if mark.role == COLUMN:
            fields[name] = _column(value, name, type(law).__name__, coordinates, where, faults)
        elif mark.role == VECTOR and value is not None:
            fields[name] = _vector(value, f"{where}, {name}", faults)
        elif mark.role == EXPRESSION and (value is not None or mark.default is MISSING):
            fields[name] = as_expression(value, f"{where}, {name}", faults)
    columns = [name for name, mark in law_fields(type(law)).items() if mark.role == COLUMN]
    return None if any(fields[name] is None for name in columns) else replace(law, **fields)


def _stated_number(e: Expression | None) -> Number | None:
    """Return the number of an expression that is one."""
    return Number(real_number(e), e) if e is not None and e.is_number else None


def _check_force(
    law: Law, constraint: Constraint, coordinates: tuple[Coordinate, ...], where: str, faults: Faults
) -> None:
    """Report a force that contains more than the fields of the law, or accelerations, or acts on no coordinate."""
    name, force = constraint.name, law_force(replace(constraint, law=law), coordinates)
    if force.share != 0 and not law.depends_on_reaction:
        what = "its force has a share of the reaction, but depends_on_reaction is False"
        faults.add(where, what, f"Write depends_on_reaction = True in the class {type(law).__name__}.")
    for x in dict.fromkeys(x for x, _ in (*force.push, *force.direction) if x not in coordinates):
        faults.add(where, f"its force acts on {x}, which is not a coordinate")
    parts, exerted = [e for e, _ in law.parts().values()], force.expressions()
    for d in sorted({d for e in exerted for d in find(e, sp.Derivative) if d.expr in coordinates}, key=str):
        if d.derivative_count > 1:
            faults.add(
                where, f"its force contains {name_of(d)}, but velocities are the highest derivative allowed here"
            )
    if law.has_friction:
        exerted += [sp.S.One * law.static_coefficient]  # type: ignore[attr-defined]
        if exerted[-1].has(sp.zoo, sp.nan, sp.oo):
            faults.add(where, "its coefficient at the speed 0 is not finite", "Define static_coefficient.")
    advice = f"Make it a field of the class {type(law).__name__}."
    signs = {direction_of(name), sense_of(name), t}
    foreign = {s for e in exerted for s in symbols_in(e)} - {s for e in parts for s in symbols_in(e)} - signs
    functions = {f for e in exerted for f in find_cached(e, AppliedUndef)} - set(coordinates)
    foreign |= functions - {f for e in parts for f in find_cached(e, AppliedUndef)}
    for symbol in sorted(foreign, key=str):
        faults.add(where, f"its force contains {name_of(symbol)}, which none of its fields contains", advice)
    data = {source.data.name for source in sources_in(exerted)} - {source.data.name for source in sources_in(parts)}
    for function in sorted(data):
        faults.add(where, f"its force calls {function}, which none of its fields calls", advice)


def _column(
    stated: object, field: str, law: str, coordinates: tuple[Coordinate, ...], where: str, faults: Faults
) -> Column | None:
    """Return a generalized force in the order of the coordinates; None and a fault if it is none."""
    forces: Any = [stated] if isinstance(stated, Force) else stated
    if isinstance(forces, list | tuple) and forces and all(isinstance(x, Force) for x in forces):
        forces = _virtual_work(forces, coordinates, where, faults)
    by_coordinate = forces if isinstance(forces, Mapping) else dict(forces) if _are_pairs(forces) else None
    if not by_coordinate:
        expected = f"{law} expects a mapping from coordinate to force, or an lk.Force"
        faults.add(where, f"{expected}, not {short_text(stated)}")
        return None
    by_name, entries = {name_of(x): x for x in coordinates}, {}
    for key, force in by_coordinate.items():
        name = name_among(key, list(by_name)) if isinstance(key, str) or key in coordinates else str(key)
        if name not in by_name:
            faults.add(where, f"it acts on {name}, which is not a coordinate{did_you_mean(name, by_name)}")
        else:
            entries[by_name[name]] = as_expression(force, f"{where}, {field}[{name}]", faults)
    return tuple((x, entries[x]) for x in coordinates if x in entries)


def _vector(stated: object, where: str, faults: Faults) -> tuple[Expression, ...] | None:
    """Return the position of a point, 1 to 3 formulas; None and a fault if it is none."""
    entries = list(stated) if isinstance(stated, Iterable) and not isinstance(stated, str | Mapping) else [stated]
    if not 1 <= len(entries) <= MOST_COMPONENTS:
        faults.add(where, f"a position has 1 to 3 components, not {len(entries)}")
        return None
    return tuple(as_expression(e, f"{where}[{i}]", faults) for i, e in enumerate(entries))


def _virtual_work(
    loads: Sequence[Force], coordinates: tuple[Coordinate, ...], where: str, faults: Faults
) -> dict[Coordinate, Expression]:
    """Return the generalized forces (dr/dq)^T F of forces at points, by coordinate."""
    generalized = dict.fromkeys(coordinates, sp.S.Zero)
    for load in loads:
        if len(load.at) != len(load.components):
            faults.add(where, f"a force with {len(load.components)} components acts at {len(load.at)} coordinates")
            continue
        for r, F in zip(load.at, load.components, strict=True):
            position, force = (
                as_expression(r, f"{where}, position", faults),
                as_expression(F, f"{where}, force", faults),
            )
            for x in coordinates:
                generalized[x] += sp.diff(position, x) * force
    return {x: e for x, e in generalized.items() if e != 0}


def _are_pairs(value: object) -> bool:
    """Return whether the value is a sequence of pairs."""
    return isinstance(value, tuple | list) and all(isinstance(x, tuple) and len(x) == 2 for x in value)
