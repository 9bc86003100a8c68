"""The drives of a program as the user says them, and how they follow it, checked; what is wrong becomes faults."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import sympy as sp

from ...errors import did_you_mean
from ...language.as_expression import as_expression
from ...language.faults import Faults, short_text
from ...language.symbols import name_of
from ..constraint import Constraint, Program, ProgramControl


def said_program(known: Constraint) -> Program:
    """The user's words for a program that has been checked before."""
    names, following = [name for name, _ in known.drives], known.following
    return Program(
        list(known.expressions),
        {name: dict(factors) for name, factors in known.drives},
        dict(zip(names, following.weights, strict=True)) if following.weights else {},
        dict(zip(names, following.bounds, strict=True)) if following.bounds else {},
        following.gains,
    )


def read_program_drives(
    said: Program, coordinates: tuple[Any, ...], where: str, faults: Faults
) -> tuple[tuple[str, tuple[tuple[Any, Any], ...]], ...]:
    """The columns of E by drive."""
    if not isinstance(said.drives, Mapping) or not said.drives:
        faults.add(where, "a program needs drives: a mapping from drive name to {coordinate: factor}")
        return ()
    by_name = {name_of(x): x for x in coordinates}
    drives = []
    for drive, given in said.drives.items():
        if not isinstance(given, Mapping) or not given:
            faults.add(where, f"drive {drive!r} needs a mapping from coordinate to factor, not {short_text(given)}")
            continue
        factors: dict[Any, Any] = {}
        for key, factor in given.items():
            name = key if isinstance(key, str) else name_of(key) if key in coordinates else str(key)
            if name not in by_name:
                nearest = did_you_mean(name, by_name)
                faults.add(where, f"drive {drive!r} acts on {name}, which is no coordinate{nearest}")
            elif by_name[name] in factors:
                faults.add(where, f"drive {drive!r} has two factors for {name}")
            else:
                factors[by_name[name]] = as_expression(factor, f"{where}, drive {drive!r}", faults)
        ordered = tuple((x, factors[x]) for x in coordinates if factors.get(x, 0) != 0)
        if factors and not ordered:
            faults.add(where, f"drive {drive!r} has no factor that is not zero")
        drives.append((str(drive), ordered))
    if len({name for name, _ in drives}) < len(drives):
        faults.add(where, "two drives have the same name")
    return tuple(drives)


def state_following(said: Program, drives: list[str], level: int, where: str, faults: Faults) -> ProgramControl:
    """Weights, bounds and gains of a program with these drives."""
    weights = _by_drive(said.weights, drives, "weights", where, faults)
    bounds = _by_drive(said.bounds, drives, "bounds", where, faults)
    found = {name: as_expression(w, f"{where}, weights.{name}", faults) for name, w in weights.items()}
    for name, w in found.items():
        if w.is_number and not float(w) > 0:
            faults.add(where, f"the weight of drive {name!r} must be positive, but is {w}")
    limits = {name: _bounds(pair, f"{where}, bounds.{name}", faults) for name, pair in bounds.items()}
    gains = None if said.feedback is None else _gains(said.feedback, level, f"{where}, feedback", faults)
    return ProgramControl(
        tuple(found.get(name, sp.S.One) for name in drives) if found else (),
        tuple(limits.get(name, (None, None)) for name in drives) if limits else (),
        gains,
    )


def _by_drive(said: Any, drives: list[str], what: str, where: str, faults: Faults) -> dict[str, Any]:
    if not isinstance(said, Mapping):
        faults.add(where, f"{what} must be a mapping by drive, not {short_text(said)}")
        return {}
    for name in said:
        if name not in drives:
            faults.add(where, f"{what}: there is no drive {name!r}{did_you_mean(str(name), drives)}")
    return {name: value for name, value in said.items() if name in drives}


def _bounds(pair: Any, where: str, faults: Faults) -> tuple[Any, ...]:
    if isinstance(pair, str | sp.Basic) or not isinstance(pair, Iterable) or len(listed := list(pair)) != 2:
        faults.add(where, f"a pair (least, most) is needed, not {short_text(pair)}", "None stands for no bound.")
        return (None, None)
    for e, none, word in zip(listed, (-float("inf"), float("inf")), ("least", "most"), strict=True):
        if _no_bound(e) and e is not None and float(e) != none:
            faults.add(where, f"the {word} cannot be {e}")
    found = tuple(None if _no_bound(e) else as_expression(e, where, faults) for e in listed)
    least, most = found
    if least is not None and most is not None and least.is_number and most.is_number and float(least) > float(most):
        faults.add(where, f"the least, {least}, is more than the most, {most}")
    return found


def _no_bound(e: Any) -> bool:
    return e is None or e in (sp.oo, -sp.oo) or (isinstance(e, float) and abs(e) == float("inf"))


def _gains(said: Any, level: int, where: str, faults: Faults) -> tuple[Any, Any]:
    """(k_p, k_d) of a program on positions, (0, k) of one on velocities."""
    if level == 2:
        faults.add(
            where, "a program on accelerations has no error to feed back", "State it on positions or velocities."
        )
    if isinstance(said, Iterable) and not isinstance(said, str | sp.Basic):
        gains = [as_expression(k, where, faults) for k in said]
        if len(gains) != 2:
            faults.add(where, f"a rate or the two gains (k_p, k_d) are needed, not {len(gains)} numbers")
            return sp.S.Zero, sp.S.Zero
        return gains[0], gains[1]
    rate = as_expression(said, where, faults)
    if rate.is_number and not float(rate) > 0:
        faults.add(where, f"the rate must be positive, but is {rate}")
    return (rate**2, 2 * rate) if level == 0 else (sp.S.Zero, rate)
