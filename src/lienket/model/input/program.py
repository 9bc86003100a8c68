"""Reader of programs: the drives, and their weights, bounds and feedback."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import sympy as sp

from ...errors import Faults, did_you_mean
from ...language.as_expression import as_expression
from ...language.expression import Coordinate, Expression
from ...language.names import name_among
from ...language.real_number import real_number
from ...language.short_text import short_text
from ...language.symbols import name_of
from ..constraint import Constraint, Program, ProgramControl


def program_of(constraint: Constraint) -> Program:
    """Return the user's Program of a checked constraint."""
    names, control = [name for name, _ in constraint.drives], constraint.following
    return Program(
        list(constraint.expressions),
        {name: dict(factors) for name, factors in constraint.drives},
        dict(zip(names, control.weights, strict=True)) if control.weights else {},
        dict(zip(names, control.bounds, strict=True)) if control.bounds else {},
        control.gains,
    )


def read_program_drives(
    program: Program, coordinates: tuple[Coordinate, ...], where: str, faults: Faults
) -> tuple[tuple[str, tuple[tuple[Coordinate, Expression], ...]], ...]:
    """Return the columns of E by drive: (name, ((coordinate, factor), ...))."""
    if not isinstance(program.drives, Mapping) or not program.drives:
        faults.add(where, "a program needs drives: a mapping from drive name to {coordinate: factor}")
        return ()
    by_name = {name_of(x): x for x in coordinates}
    drives = []
    for drive, stated in program.drives.items():
        if not isinstance(stated, Mapping) or not stated:
            faults.add(where, f"drive {drive!r} needs a mapping from coordinate to factor, not {short_text(stated)}")
            continue
        factors: dict[Coordinate, Expression] = {}
        for key, factor in stated.items():
            name = name_among(key, list(by_name)) if isinstance(key, str) or key in coordinates else str(key)
            if name not in by_name:
                nearest = did_you_mean(name, by_name)
                faults.add(where, f"drive {drive!r} acts on {name}, which is not a coordinate{nearest}")
            elif by_name[name] in factors:
                faults.add(where, f"drive {drive!r} has two factors for {name}")
            else:
                factors[by_name[name]] = as_expression(factor, f"{where}, drive {drive!r}", faults)
        ordered = tuple((x, factors[x]) for x in coordinates if factors.get(x, 0) != 0)
        if factors and not ordered:
            faults.add(where, f"drive {drive!r} has only zero factors")
        drives.append((str(drive), ordered))
    if len({name for name, _ in drives}) < len(drives):
        faults.add(where, "two drives have the same name")
    return tuple(drives)


def read_program_control(program: Program, drives: list[str], level: int, where: str, faults: Faults) -> ProgramControl:
    """Return the weights, bounds and gains of a program with these drives."""
    weights = _by_drive(program.weights, drives, "weights", where, faults)
    bounds = _by_drive(program.bounds, drives, "bounds", where, faults)
    costs = {name: as_expression(w, f"{where}, weights.{name}", faults) for name, w in weights.items()}
    for name, w in costs.items():
        if w.is_number and not real_number(w) > 0:
            faults.add(where, f"the weight of drive {name!r} must be positive, but is {w}")
    limits = {name: _bounds(pair, f"{where}, bounds.{name}", faults) for name, pair in bounds.items()}
    gains = None if program.feedback is None else _gains(program.feedback, level, f"{where}, feedback", faults)
    return ProgramControl(
        tuple(costs.get(name, sp.S.One) for name in drives) if costs else (),
        tuple(limits.get(name, (None, None)) for name in drives) if limits else (),
        gains,
    )


def _by_drive(entries: object, drives: list[str], what: str, where: str, faults: Faults) -> dict[str, Any]:
    """Return the entries of a mapping by drive; report unknown drives."""
    if not isinstance(entries, Mapping):
        faults.add(where, f"{what} must be a mapping by drive, not {short_text(entries)}")
        return {}
    for name in entries:
        if name not in drives:
            faults.add(where, f"{what}: there is no drive {name!r}{did_you_mean(str(name), drives)}")
    return {name: value for name, value in entries.items() if name in drives}


def _bounds(pair: object, where: str, faults: Faults) -> tuple[Expression | None, ...]:
    """Return (least, most), with None for an infinite bound."""
    if isinstance(pair, str | sp.Basic) or not isinstance(pair, Iterable) or len(entries := list(pair)) != 2:
        faults.add(where, f"a pair (least, most) is expected, not {short_text(pair)}", "Use None for no bound.")
        return (None, None)
    for e, infinite, name in zip(entries, (-float("inf"), float("inf")), ("least", "most"), strict=True):
        if _no_bound(e) and e is not None and float(e) != infinite:
            faults.add(where, f"the {name} cannot be {e}")
    bounds = tuple(None if _no_bound(e) else as_expression(e, where, faults) for e in entries)
    least, most = bounds
    numbers = [real_number(e) for e in bounds if e is not None and e.is_number]
    if len(numbers) == 2 and numbers[0] > numbers[1]:
        faults.add(where, f"the lower bound, {least}, exceeds the upper bound, {most}")
    return bounds


def _no_bound(e: Any) -> bool:
    """Return whether an entry is None or infinite."""
    return e is None or e in (sp.oo, -sp.oo) or (isinstance(e, float) and abs(e) == float("inf"))


def _gains(feedback: object, level: int, where: str, faults: Faults) -> tuple[Expression, Expression]:
    """Return (k_p, k_d) of a program on positions, (0, k) of one on velocities."""
    if level == 2:
        faults.add(
            where, "a program on accelerations has no error to feed back", "State it on positions or velocities."
        )
    if isinstance(feedback, Iterable) and not isinstance(feedback, str | sp.Basic):
        gains = [as_expression(k, where, faults) for k in feedback]
        if len(gains) != 2:
            faults.add(where, f"a rate or the two gains (k_p, k_d) are expected, not {len(gains)} numbers")
            return sp.S.Zero, sp.S.Zero
        return gains[0], gains[1]
    rate = as_expression(feedback, where, faults)
    if rate.is_number and not real_number(rate) > 0:
        faults.add(where, f"the rate must be positive, but is {rate}")
    return (rate**2, 2 * rate) if level == 0 else (sp.S.Zero, rate)
