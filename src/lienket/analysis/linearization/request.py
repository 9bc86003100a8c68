"""Inputs and states of a linear system as a user names them: parameters, positions and velocities."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...errors import did_you_mean
from ...language.faults import Faults
from ...language.names import key_name
from ...model.statement import Statement


def read_inputs(given: Any, statement: Statement, faults: Faults) -> tuple[int, ...]:
    """The places of the named parameters, by name or symbol."""
    known = [p.name for p in statement.parameters]
    found = []
    for name in _names(given, "inputs", faults):
        if name in known:
            found.append(known.index(name))
        else:
            faults.add("inputs", f"{name} is no parameter of this system{did_you_mean(name, known)}")
    _once(given, found, "inputs", faults)
    return tuple(found)


def read_states(given: Any, statement: Statement, faults: Faults) -> tuple[int, ...] | None:
    """The places of named positions "x" (or x) and velocities "x'" (or der(x)), those after all positions; or None."""
    if given is None:
        return None
    known = [*statement.names, *(f"{x}'" for x in statement.names)]
    found = []
    for name in _names(given, "independent", faults):
        if name in known:
            found.append(known.index(name))
        else:
            what = f"{name} is neither a coordinate nor a velocity of this system{did_you_mean(name, known)}"
            faults.add("independent", what)
    _once(given, found, "independent", faults)
    return tuple(found)


def _names(given: Any, where: str, faults: Faults) -> list[str]:
    if given is None:
        return []
    if isinstance(given, str) or not isinstance(given, Iterable):
        faults.add(where, f"a list of names is needed, not {given!r}")
        return []
    return [_name(key) for key in given]


def _name(key: Any) -> str:
    """The name meant: der(x) is x'."""
    if getattr(key, "is_Derivative", False):
        return key_name(key.expr) + "'" * int(key.derivative_count)
    return key_name(key)


def _once(given: Any, found: list[int], where: str, faults: Faults) -> None:
    if len(set(found)) < len(found):
        faults.add(where, f"a name is given twice: {', '.join(map(str, given))}")
