"""Numbers as a user gives them, by name, by symbol or in order, become arrays; what is wrong becomes faults."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import sympy as sp

from ...errors import did_you_mean, nearest_name
from ...language.faults import Faults, short_text
from ...language.symbols import name_of
from ..checks.law_numbers import check_laws
from ..statement import Statement, velocity

Array = Any


def positions(given: Any, coordinates: Sequence[Any], faults: Faults) -> Array:
    """The positions q, n numbers, from a mapping or a sequence in the order of the coordinates."""
    return _numbers(given, {name_of(x): (x,) for x in coordinates}, "q", "coordinate", faults)


def velocities(given: Any, coordinates: Sequence[Any], faults: Faults) -> Array:
    """The velocities v, n numbers; a key may be x, "x", der(x) or "x'"."""
    return _numbers(given, _velocity_keys(tuple(coordinates)), "v", "velocity", faults)


def many_positions(given: Any, coordinates: Sequence[Any], faults: Faults) -> Array:
    """The positions of one state or many, ... x n, from an array or a mapping to numbers or arrays."""
    return _many(given, {name_of(x): (x,) for x in coordinates}, "q", "coordinate", faults)


def many_velocities(given: Any, coordinates: Sequence[Any], faults: Faults) -> Array:
    """The velocities of one state or many, ... x n."""
    return _many(given, _velocity_keys(tuple(coordinates)), "v", "velocity", faults)


def times(given: Any, faults: Faults) -> Array:
    """One time or many."""
    return _array(given, "t", "it", faults)


def parameter_values(given: Any, parameters: Sequence[Any], defaults: Mapping[Any, Any], faults: Faults) -> Array:
    """A number for each parameter: the given one, or else the default of the system."""
    if given is None:
        given = {}
    if not isinstance(given, Mapping):
        return _numbers(given, {p.name: (p,) for p in parameters}, "values", "parameter", faults)
    return _numbers(
        {**defaults, **_by_symbol(given, parameters, faults)},
        {p.name: (p,) for p in parameters},
        "values",
        "parameter",
        faults,
    )


def parameter_numbers(statement: Statement, values: Any, faults: Faults) -> Array:
    """A number for each parameter of a system, from what is given or else the system's own.

    Signs of contacts have their own unless an array for all is given; nobody else knows of them.
    """
    if values is None or (isinstance(values, Mapping) and not values):
        own = _own_numbers(statement)
        if own is not None:
            return own.copy()
    signs = [p for p in statement.parameters if "(" in p.name]
    if signs and not (isinstance(values, np.ndarray) and len(values) == len(statement.parameters)):
        numbers = dict(statement.values)
        seen = [p for p in statement.parameters if p not in signs]
        known = {p: x for p, x in numbers.items() if p not in signs}
        told = {p: x for p, x in values.items() if p not in signs} if isinstance(values, Mapping) else values
        found = dict(zip(seen, parameter_values(told, seen, known, faults), strict=True))
        given = values if isinstance(values, Mapping) else {}
        signed = {p: float(given.get(p, numbers.get(p, 0))) for p in signs}
        array: Array = np.array([(found | signed)[p] for p in statement.parameters])
        if not faults:
            check_laws(statement, array, faults)
        return array
    found = parameter_values(values, statement.parameters, dict(statement.values), faults)
    if not faults:
        check_laws(statement, found, faults)
    return found


@lru_cache(maxsize=128)
def _own_numbers(statement: Statement) -> Array | None:
    """The system's own numbers, if there is one for each parameter; conversion from SymPy takes time."""
    faults = Faults()
    found = parameter_values(None, statement.parameters, dict(statement.values), faults)
    if not faults:
        check_laws(statement, found, faults)
    return None if faults else found


def time(given: Any, faults: Faults) -> float:
    """The time as a number."""
    return finite_number(given, "t", "the time", faults)


def fraction(given: Any, where: str, faults: Faults) -> float:
    """A number between 0 and 1."""
    found = finite_number(given, where, "it", faults)
    if not 0 < found < 1 and not any(fault.where == where for fault in faults):
        faults.add(where, f"it must lie between 0 and 1, not be {found:g}")
    return found


def finite_number(value: Any, where: str, name: str, faults: Faults) -> float:
    """A finite real number; 0 and a fault if it is none."""
    if type(value) is float and math.isfinite(value):  # nearly always
        return value
    try:
        if isinstance(value, (str, bool, np.bool_)) or (isinstance(value, sp.Basic) and value.free_symbols):
            raise TypeError
        found = float(value)
    except (TypeError, ValueError, OverflowError):
        faults.add(where, f"{name} must be a real number, not {_shown(value)}")
        return 0.0
    if not np.isfinite(found):
        faults.add(where, f"{name} is {found}, which is no finite number")
        return 0.0
    return found


@lru_cache(maxsize=32)  # SymPy takes its time to write a derivative
def _velocity_keys(coordinates: tuple[Any, ...]) -> dict[str, tuple[Any, ...]]:
    return {name_of(x): (x, velocity(x), name_of(x) + "'") for x in coordinates}


def _by_symbol(given: Mapping[Any, Any], parameters: Sequence[Any], faults: Faults) -> dict[Any, Any]:
    names = {p.name: p for p in parameters}
    found: dict[Any, Any] = {}
    for key, value in given.items():
        symbol = names.get(key, key) if isinstance(key, str) else key
        if symbol in found:
            faults.add("values", f"{symbol} is given twice")
        found[symbol] = value
    return found


def _numbers(given: Any, known: Mapping[str, tuple[Any, ...]], where: str, what: str, faults: Faults) -> Array:
    if isinstance(given, Mapping):
        return _from_mapping(given, known, where, what, faults)
    if isinstance(given, sp.MatrixBase):
        given = list(given)
    if isinstance(given, np.ndarray) and given.ndim > 1 and max(given.shape, default=0) < given.size:
        faults.add(where, f"a row of {len(known)} numbers is needed, not an array of shape {given.shape}")
        return np.zeros(len(known))
    if isinstance(given, (str, set, frozenset)) or not isinstance(given, Iterable):
        faults.add(where, f"a mapping by name or a sequence of {len(known)} numbers is needed, not {_shown(given)}")
        return np.zeros(len(known))
    values = list(np.ravel(given) if isinstance(given, np.ndarray) else given)
    if len(values) != len(known):
        order = ", ".join(known)
        faults.add(
            where, f"{len(values)} numbers are given for {len(known)} {_plural(what)}", f"Their order is {order}."
        )
        return np.zeros(len(known))
    return np.array([finite_number(x, where, name, faults) for name, x in zip(known, values, strict=True)])


def _from_mapping(
    given: Mapping[Any, Any], known: Mapping[str, tuple[Any, ...]], where: str, what: str, faults: Faults
) -> Array:
    names = {key: name for name, keys in known.items() for key in (name, *keys)}
    found: dict[str, float] = {}
    meant: set[str | None] = set()  # names that a misspelt key probably stands for
    for key, value in given.items():
        name = names.get(key)
        if name is None:
            faults.add(where, f"{key} is no {what} of this system{did_you_mean(str(key), known)}")
            meant.add(nearest_name(str(key), known))
        elif name in found:
            faults.add(where, f"{name} is given twice")
        else:
            found[name] = finite_number(value, where, name, faults)
    missing = [name for name in known if name not in found and name not in meant]
    if missing:
        verb = "has no number" if len(missing) == 1 else "have no number"
        faults.add(where, f"{', '.join(missing)} {verb}", f"Give a number for every {what}.")
    return np.array([found.get(name, 0.0) for name in known])


def _many(given: Any, known: Mapping[str, tuple[Any, ...]], where: str, what: str, faults: Faults) -> Array:
    if isinstance(given, Mapping):
        names = {key: name for name, keys in known.items() for key in (name, *keys)}
        unknown = [key for key in given if key not in names]
        for key in unknown:
            faults.add(where, f"{key} is no {what} of this system{did_you_mean(str(key), known)}")
        found = {names[key]: _array(value, where, names[key], faults) for key, value in given.items() if key in names}
        missing = [name for name in known if name not in found]
        if missing and not unknown:
            faults.add(where, f"{', '.join(missing)}: no numbers are given")
        if missing or unknown:
            return np.zeros(len(known))
        try:
            return np.stack(np.broadcast_arrays(*(found[name] for name in known)), axis=-1)
        except ValueError:
            shapes = ", ".join(f"{name} {found[name].shape}" for name in known)
            faults.add(where, f"the arrays have shapes that do not belong together: {shapes}")
            return np.zeros(len(known))
    found_array = _array(given, where, "it", faults)
    if not any(fault.where == where for fault in faults) and found_array.shape[-1:] != (len(known),):
        what = f"the last axis must have {len(known)} numbers ({', '.join(known)}), the shape is {found_array.shape}"
        faults.add(where, what)
        return np.zeros(len(known))
    return found_array


def _array(value: Any, where: str, name: str, faults: Faults) -> Array:
    if isinstance(value, np.ma.MaskedArray):
        value = np.ma.filled(value.astype(float), np.nan)
    try:
        found = np.asarray(value)
        if found.size and (
            found.dtype.kind not in "fiuO" or (found.dtype.kind == "O" and None in found.ravel().tolist())
        ):
            raise TypeError
        return found.astype(float)
    except (TypeError, ValueError):
        faults.add(where, f"{name} must be a real number or an array of them, not {_shown(value)}")
        return np.zeros(())


def _shown(value: Any) -> str:
    return repr(value) if isinstance(value, str) else short_text(value)


def _plural(what: str) -> str:
    return what[:-1] + "ies" if what.endswith("y") else what + "s"
