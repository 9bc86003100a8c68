"""Constraints in model files: entries become statements with their laws, and constraints entries."""

from __future__ import annotations

from typing import Any

import sympy as sp

from ...language.symbols import name_of
from ...language.text import write_expression
from ..constraint import Acceleration, Constraint, Holonomic, Program, Velocity
from ..laws import Coulomb, Exerted, Law, Unilateral, Viscous
from .schema import ConstraintEntry, ExertedEntry, LawEntry

_SAID: dict[str, Any] = {"holonomic": Holonomic, "velocity": Velocity, "acceleration": Acceleration}
LAWS: dict[str, Any] = {"coulomb": Coulomb, "viscous": Viscous, "exerted": Exerted, "unilateral": Unilateral}
_KINDS = {law: kind for kind, law in LAWS.items()}
_WORDS = ("unilateral", "impact")  # keys of laws that hold no formula
_FREE = (-float("inf"), float("inf"))


def read_constraint(entry: ConstraintEntry, read: Any) -> Any:
    """The statement of an entry, with its law (statement, law) if it has one; `read(formula, where)` reads formulas."""
    where = f"[[constraints]] {entry.name!r}"
    said = _statement(entry, where, read)
    return said if entry.law is None else (said, _law(entry.law, f"{where}, law", read))


def _statement(entry: ConstraintEntry, where: str, read: Any) -> Any:
    many = isinstance(entry.equation, list)
    rows = [read(e, f"{where}, equation") for e in (entry.equation if many else [entry.equation])]  # type: ignore[union-attr]
    expression = rows if many else rows[0]
    if entry.kind == "program":
        return _program(expression, entry, where, read)
    given = {"drives": entry.drives, "weights": entry.weights, "bounds": entry.bounds}
    found = [key for key, said in given.items() if said] + ["feedback"] * (entry.feedback is not None)
    if found:
        advice = f'Add kind = "program", or take the {found[0] if len(found) == 1 else "keys"} out.'
        read.faults.add(where, f"only a program has {' and '.join(found)}", advice)
    return _SAID[entry.kind](expression) if entry.kind else expression


def _program(expression: Any, entry: ConstraintEntry, where: str, read: Any) -> Program:
    drives = {
        drive: {name: read(e, f"{where}, drives.{drive}.{name}") for name, e in factors.items()}
        for drive, factors in entry.drives.items()
    }
    weights = {drive: read(e, f"{where}, weights.{drive}") for drive, e in entry.weights.items()}
    bounds = {drive: tuple(read(e, f"{where}, bounds.{drive}") for e in pair) for drive, pair in entry.bounds.items()}
    said = entry.feedback
    feedback = [read(e, f"{where}, feedback") for e in (said if isinstance(said, tuple) else (said,))]
    return Program(expression, drives, weights, bounds, feedback if isinstance(said, tuple) else feedback[0])


def _law(entry: LawEntry, where: str, read: Any) -> Law:
    """The law of an entry, with its formulas read."""
    if isinstance(entry, ExertedEntry):
        return Exerted({name: read(e, f"{where}, forces.{name}") for name, e in entry.forces.items()})
    said = {key: value for key, value in vars(entry).items() if key != "kind" and value is not None}
    read_ = {key: value if key in _WORDS else read(value, f"{where}, {key}") for key, value in said.items()}
    found: Law = LAWS[entry.kind](**read_)
    return found


def write_constraint(constraint: Constraint) -> dict[str, Any]:
    """The entry of a constraint."""
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
    entry |= _written_following(constraint)
    if constraint.law is not None:
        entry["law"] = inline(_written_law(constraint.law))
    return entry


def _written_following(constraint: Constraint) -> dict[str, Any]:
    """The weights, bounds and feedback of a program, those that it has."""
    following, drives = constraint.following, [drive for drive, _ in constraint.drives]
    found: dict[str, Any] = {}
    if following.weights:
        found["weights"] = inline({drive: number(w) for drive, w in zip(drives, following.weights, strict=True)})
    if following.bounds:
        pairs = {
            drive: [free if e is None else number(e) for e, free in zip(pair, _FREE, strict=True)]
            for drive, pair in zip(drives, following.bounds, strict=True)
        }
        told = {drive: pair for drive, pair in pairs.items() if pair != [*_FREE]}
        found["bounds"] = inline(told or pairs)
    if following.gains is not None:
        rate = _rate(*following.gains, constraint.level)
        found["feedback"] = [number(k) for k in following.gains] if rate is None else number(rate)
    return found


def _rate(position: Any, velocity: Any, level: int) -> Any:
    """The rate from which gains come, None if they come from none."""
    rate = velocity / 2 if level == 0 else velocity
    if rate.is_number and not rate > 0:
        return None
    return rate if ((rate**2, 2 * rate) if level == 0 else (sp.S.Zero, rate)) == (position, velocity) else None


def _written_law(law: Law) -> dict[str, Any]:
    """What differs from the defaults of a law."""
    entry: dict[str, Any] = {"kind": _KINDS[type(law)]}
    if isinstance(law, Exerted):
        return entry | {"forces": inline({name_of(x): number(e) for x, e in law.forces})}
    defaults = {"viscous": 0, "restitution": 0, "unilateral": False, "impact": "newton"}
    for key, value in vars(law).items():
        if value is not None and value != defaults.get(key):
            entry[key] = value if key in _WORDS else number(value)
    return entry


def inline(entry: dict[str, Any]) -> Any:
    """A table in one line."""
    import tomlkit  # only writing needs it

    table = tomlkit.inline_table()
    table.update(entry)
    return table


def number(value: Any) -> Any:
    """TOML integers (64 bit) and floats where they say the same, text otherwise."""
    if value.is_Integer and abs(int(value)) < 2**63:
        return int(value)
    return float(value) if value.is_Float else write_expression(value)
