"""Constraints in model files: conversion of entries to constraints with their laws, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sympy as sp

from ...language.expression import Expression
from ...language.symbols import name_of
from ...language.text import write_expression
from ..constraint import Acceleration, Constraint, Holonomic, Program, Velocity
from ..laws import Law
from ..laws.fields import COLUMN, EXPRESSION, FLAG, VECTOR, WORD, law_fields
from .schema import ConstraintEntry, LawEntry

if TYPE_CHECKING:
    from tomlkit.items import InlineTable

    from .reading import Formulas


_KIND_CLASSES: dict[str, Any] = {"holonomic": Holonomic, "velocity": Velocity, "acceleration": Acceleration}
_UNBOUNDED = (-float("inf"), float("inf"))


def read_constraint(entry: ConstraintEntry, read: Formulas) -> Any:
    """Return the statement of an entry, or (statement, law) if it has a law; `read(formula, where)` reads formulas."""
    where = f"[[constraints]] {entry.name!r}"
    statement = _read_statement(entry, where, read)
    return statement if entry.law is None else (statement, _read_law(entry.law, f"{where}, law", read))


def _read_statement(entry: ConstraintEntry, where: str, read: Formulas) -> Any:
    """Return the expression or rows of an entry, in the class of its kind if it states one."""
    stated = entry.equation
    rows = [read(e, f"{where}, equation") for e in (stated if isinstance(stated, list) else [stated])]
    expression = rows if isinstance(stated, list) else rows[0]
    if entry.kind == "program":
        return _read_program(expression, entry, where, read)
    program_keys = {"drives": entry.drives, "weights": entry.weights, "bounds": entry.bounds}
    present = [key for key, value in program_keys.items() if value] + ["feedback"] * (entry.feedback is not None)
    if present:
        advice = f'Add kind = "program", or remove the {present[0] if len(present) == 1 else "keys"}.'
        read.faults.add(where, f"only a program has {' and '.join(present)}", advice)
    return _KIND_CLASSES[entry.kind](expression) if entry.kind else expression


def _read_program(
    expression: Expression | list[Expression], entry: ConstraintEntry, where: str, read: Formulas
) -> Program:
    """Return the Program of an entry with its formulas read."""
    drives = {
        drive: {read.names.get(name, name): read(e, f"{where}, drives.{drive}.{name}") for name, e in factors.items()}
        for drive, factors in entry.drives.items()
    }
    weights = {drive: read(e, f"{where}, weights.{drive}") for drive, e in entry.weights.items()}
    bounds = {drive: tuple(read(e, f"{where}, bounds.{drive}") for e in pair) for drive, pair in entry.bounds.items()}
    stated = entry.feedback
    feedback = [read(e, f"{where}, feedback") for e in (stated if isinstance(stated, tuple) else (stated,))]
    return Program(expression, drives, weights, bounds, feedback if isinstance(stated, tuple) else feedback[0])


def _read_law(entry: LawEntry, where: str, read: Formulas) -> Law:
    """Return the law of an entry with its formulas read."""
    law: type[Law] = read.laws[entry.kind]
    arguments: dict[str, Any] = {}
    for key, mark in law_fields(law).items():
        value = getattr(entry, key)
        if mark.role == COLUMN:
            arguments[key] = {
                read.names.get(name, name): read(e, f"{where}, {key}.{name}") for name, e in value.items()
            }
        elif mark.role == VECTOR and value is not None:
            arguments[key] = tuple(read(e, f"{where}, {key}") for e in value)
        elif value is not None:
            arguments[key] = read(value, f"{where}, {key}") if mark.role == EXPRESSION else value
    return law(**arguments)


def write_constraint(constraint: Constraint) -> dict[str, Any]:
    """Return the entry of a constraint."""
    rows = [write_expression(e) for e in constraint.expressions]
    entry: dict[str, Any] = {"name": constraint.name, "kind": constraint.kind}
    entry["equation"] = rows if len(rows) > 1 else rows[0]
    if constraint.drives:
        entry["drives"] = inline(
            {
                drive: inline({name_of(x): write_expression(e) for x, e in factors})
                for drive, factors in constraint.drives
            }
        )
    entry |= _write_control(constraint)
    if constraint.law is not None:
        entry["law"] = inline(_write_law(constraint.law))
    return entry


def _write_control(constraint: Constraint) -> dict[str, Any]:
    """Return those of weights, bounds and feedback that a program has."""
    control, drives = constraint.following, [drive for drive, _ in constraint.drives]
    entry: dict[str, Any] = {}
    if control.weights:
        entry["weights"] = inline({drive: number(w) for drive, w in zip(drives, control.weights, strict=True)})
    if control.bounds:
        pairs = {
            drive: [infinite if e is None else number(e) for e, infinite in zip(pair, _UNBOUNDED, strict=True)]
            for drive, pair in zip(drives, control.bounds, strict=True)
        }
        bounded = {drive: pair for drive, pair in pairs.items() if pair != [*_UNBOUNDED]}
        entry["bounds"] = inline(bounded or pairs)
    if control.gains is not None:
        rate = _rate(*control.gains, constraint.level)
        entry["feedback"] = [number(k) for k in control.gains] if rate is None else number(rate)
    return entry


def _rate(position: Expression, velocity: Expression, level: int) -> Expression | None:
    """Return the rate w of critically damped feedback that these gains correspond to; None if there is none."""
    rate = velocity / 2 if level == 0 else velocity
    if rate.is_number and not rate > 0:
        return None
    return rate if ((rate**2, 2 * rate) if level == 0 else (sp.S.Zero, rate)) == (position, velocity) else None


def _write_law(law: Law) -> dict[str, Any]:
    """Return the entry of a law: its kind and the values that differ from the defaults, formulas first."""
    entry: dict[str, Any] = {"kind": law.kind}
    for key, mark in sorted(law_fields(type(law)).items(), key=lambda item: item[1].role in (FLAG, WORD)):
        value = getattr(law, key)
        if mark.role == COLUMN:
            entry[key] = inline({name_of(x): number(e) for x, e in value})
        elif mark.role == VECTOR:
            entry |= {} if value is None else {key: [number(e) for e in value]}
        elif value is not None and value != mark.default:
            entry[key] = number(value) if mark.role == EXPRESSION else value
    return entry


def inline(entry: dict[str, Any]) -> InlineTable:
    """Return a TOML table written in one line."""
    import tomlkit  # imported only for writing

    table = tomlkit.inline_table()
    table.update(entry)
    return table


def number(value: Expression) -> int | float | str:
    """Return a TOML integer (64 bit) or float if it represents the value exactly, otherwise text."""
    if value.is_Integer and abs(int(value)) < 2**63:
        return int(value)
    return float(value) if value.is_Float else write_expression(value)
