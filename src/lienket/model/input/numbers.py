"""Readers of numbers, by name, by symbol or in order; each returns an array and collects faults."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import sympy as sp

from ...errors import did_you_mean, nearest_name
from ...language.faults import Faults
from ...language.names import name_among
from ...language.symbols import name_of, velocity
from ...language.written_names import full_name
from ..checks.law_numbers import check_laws
from ..statement import Statement
from .finite_number import finite_number, in_message
from .later_values import report_unused

Array = Any


def positions(source: Any, coordinates: Sequence[Any], faults: Faults) -> Array:
    """Return the positions q, n numbers, from a mapping or a sequence in the order of the coordinates."""
    return _read_numbers(source, _position_keys(tuple(coordinates)), "q", "coordinate", faults)


def velocities(source: Any, coordinates: Sequence[Any], faults: Faults) -> Array:
    """Return the velocities v, n numbers; a key may be x, "x", der(x) or "x'"."""
    return _read_numbers(source, _velocity_keys(tuple(coordinates)), "v", "velocity", faults)


def positions_of_many(source: Any, coordinates: Sequence[Any], faults: Faults) -> Array:
    """Return the positions of one state or many, ... x n, from an array or a mapping to numbers or arrays."""
    return _read_many(source, _position_keys(tuple(coordinates)), "q", "coordinate", faults)


def velocities_of_many(source: Any, coordinates: Sequence[Any], faults: Faults) -> Array:
    """Return the velocities of one state or many, ... x n."""
    return _read_many(source, _velocity_keys(tuple(coordinates)), "v", "velocity", faults)


def times(source: Any, faults: Faults) -> Array:
    """Return one time or an array of times, possibly the source itself."""
    if type(source) is float:  # the usual case
        return np.array(source)
    return _as_array(source, "t", "it", faults)


def parameter_values(
    values: Any, parameters: Sequence[Any], defaults: Mapping[Any, Any], faults: Faults, others: Sequence[str] = ()
) -> Array:
    """Return a number for each parameter: the stated one, otherwise the default of the system.

    `others` are the names of the coordinates, from which aliases of parameters differ.
    """
    if values is None:
        values = {}
    if not isinstance(values, Mapping):
        return _read_numbers(values, {p.name: (p,) for p in parameters}, "values", "parameter", faults)
    return _read_numbers(
        {**defaults, **_by_symbol(values, parameters, others, faults)},
        {p.name: (p,) for p in parameters},
        "values",
        "parameter",
        faults,
    )


def parameter_numbers(statement: Statement, values: Any, faults: Faults) -> Array:
    """Return a number for each parameter of a system, from `values` or else from the defaults of the system.

    The signs of contacts are internal parameters: they have defaults unless an array for all parameters is passed.
    """
    report_unused(statement, faults)
    if values is None or (isinstance(values, Mapping) and not values):
        defaults = _default_numbers(statement)
        if defaults is not None:
            return defaults.copy()
    signs = statement.signs
    if signs and not (isinstance(values, np.ndarray) and len(values) == len(statement.parameters)):
        all_defaults = dict(statement.values)
        visible = [p for p in statement.parameters if p not in signs]
        visible_defaults = {p: x for p, x in all_defaults.items() if p not in signs}
        visible_values = {p: x for p, x in values.items() if p not in signs} if isinstance(values, Mapping) else values
        visible_numbers = parameter_values(visible_values, visible, visible_defaults, faults, statement.names)
        by_parameter = dict(zip(visible, visible_numbers, strict=True))
        stated = values if isinstance(values, Mapping) else {}
        signed = {p: float(stated.get(p, all_defaults.get(p, 0))) for p in signs}
        array: Array = np.array([(by_parameter | signed)[p] for p in statement.parameters])
        if not faults:
            check_laws(statement, array, faults)
        return array
    array = parameter_values(values, statement.parameters, dict(statement.values), faults, statement.names)
    if not faults:
        check_laws(statement, array, faults)
    return array


@lru_cache(maxsize=128)
def _default_numbers(statement: Statement) -> Array | None:
    """Return the default numbers if every parameter has one; cached, since conversion from SymPy is slow."""
    faults = Faults()
    numbers = parameter_values(None, statement.parameters, dict(statement.values), faults)
    if not faults:
        check_laws(statement, numbers, faults)
    return None if faults else numbers


def time(value: Any, faults: Faults) -> float:
    """Return the time as a number."""
    return finite_number(value, "t", "the time", faults)


def fraction(value: Any, where: str, faults: Faults) -> float:
    """Return a number between 0 and 1."""
    number = finite_number(value, where, "it", faults)
    if not 0 < number < 1 and not any(fault.where == where for fault in faults):
        faults.add(where, f"it must lie between 0 and 1, but is {number:g}")
    return number


@lru_cache(maxsize=32)
def _position_keys(coordinates: tuple[Any, ...]) -> dict[str, tuple[Any, ...]]:
    """Return the keys by which each position may be named: x and "x"."""
    return {name_of(x): (x,) for x in coordinates}


@lru_cache(maxsize=32)  # creating SymPy derivatives is slow
def _velocity_keys(coordinates: tuple[Any, ...]) -> dict[str, tuple[Any, ...]]:
    """Return the keys by which each velocity may be named: x, der(x) and "x'"."""
    return {name_of(x): (x, velocity(x), name_of(x) + "'") for x in coordinates}


def _by_symbol(
    values: Mapping[Any, Any], parameters: Sequence[Any], others: Sequence[str], faults: Faults
) -> dict[Any, Any]:
    """Return the mapping with names replaced by parameter symbols."""
    names = {p.name: p for p in parameters}
    by_symbol: dict[Any, Any] = {}
    for key, value in values.items():
        symbol = _by_text(key, names, others) if isinstance(key, str) else key
        if symbol in by_symbol:
            faults.add("values", f"{symbol} is given twice")
        by_symbol[symbol] = value
    return by_symbol


def _by_text(text: str, keys: Mapping[str, Any], others: Sequence[str]) -> Any:
    """Return the entry of a name or its alias; the text itself if there is none."""
    if text not in keys:
        text = full_name(text, list(keys), others)
    return keys.get(text, text)


def _read_numbers(source: Any, keys: Mapping[str, tuple[Any, ...]], where: str, what: str, faults: Faults) -> Array:
    """Return one number for each key of `keys`, from a mapping or a sequence."""
    if type(source) is np.ndarray and source.dtype == np.float64 and source.shape == (len(keys),):  # the usual case
        if np.isfinite(source).all():
            return source.copy()
    if isinstance(source, Mapping):
        return _from_mapping(source, keys, where, what, faults)
    if isinstance(source, sp.MatrixBase):
        source = list(source)
    if isinstance(source, np.ndarray) and source.ndim > 1 and max(source.shape, default=0) < source.size:
        faults.add(where, f"a sequence of {len(keys)} numbers is expected, not an array of shape {source.shape}")
        return np.zeros(len(keys))
    if isinstance(source, (str, set, frozenset)) or not isinstance(source, Iterable):
        expected = f"a mapping by name or a sequence of {len(keys)} numbers is expected"
        faults.add(where, f"{expected}, not {in_message(source)}")
        return np.zeros(len(keys))
    numbers = list(np.ravel(source) if isinstance(source, np.ndarray) else source)
    if len(numbers) != len(keys):
        order = ", ".join(keys)
        faults.add(
            where, f"{len(numbers)} numbers are given for {len(keys)} {_plural(what)}", f"Their order is {order}."
        )
        return np.zeros(len(keys))
    return np.array([finite_number(x, where, name, faults) for name, x in zip(keys, numbers, strict=True)])


def _from_mapping(
    source: Mapping[Any, Any], keys: Mapping[str, tuple[Any, ...]], where: str, what: str, faults: Faults
) -> Array:
    """Return one number for each key; report unknown, repeated and missing keys."""
    names = {key: name for name, aliases in keys.items() for key in (name, *aliases)}
    numbers: dict[str, float] = {}
    meant: set[str | None] = set()  # names that misspelt keys probably mean
    for key, value in source.items():
        name = names.get(key) or names.get(name_among(key, list(keys)))
        if name is None:
            faults.add(where, f"{key} is not a {what} of this system{did_you_mean(str(key), keys)}")
            meant.add(nearest_name(str(key), keys))
        elif name in numbers:
            faults.add(where, f"{name} is given twice")
        else:
            numbers[name] = finite_number(value, where, name, faults)
    missing = [name for name in keys if name not in numbers and name not in meant]
    if missing:
        verb = "has no number" if len(missing) == 1 else "have no number"
        faults.add(where, f"{', '.join(missing)} {verb}", f"Give a number for every {what}.")
    return np.array([numbers.get(name, 0.0) for name in keys])


def _read_many(source: Any, keys: Mapping[str, tuple[Any, ...]], where: str, what: str, faults: Faults) -> Array:
    """Return an array ... x n, possibly the source itself, from an array or from a mapping to numbers or arrays."""
    if type(source) is np.ndarray and source.dtype == np.float64 and source.shape[-1:] == (len(keys),):
        return source  # the usual case
    if isinstance(source, Mapping):
        names = {key: name for name, aliases in keys.items() for key in (name, *aliases)}
        source = {key if key in names else name_among(key, list(keys)): value for key, value in source.items()}
        unknown = [key for key in source if key not in names]
        for key in unknown:
            faults.add(where, f"{key} is not a {what} of this system{did_you_mean(str(key), keys)}")
        arrays = {
            names[key]: _as_array(value, where, names[key], faults) for key, value in source.items() if key in names
        }
        missing = [name for name in keys if name not in arrays]
        if missing and not unknown:
            faults.add(where, f"{', '.join(missing)}: no numbers are given")
        if missing or unknown:
            return np.zeros(len(keys))
        try:
            return np.stack(np.broadcast_arrays(*(arrays[name] for name in keys)), axis=-1)
        except ValueError:
            shapes = ", ".join(f"{name} {arrays[name].shape}" for name in keys)
            faults.add(where, f"the arrays have incompatible shapes: {shapes}")
            return np.zeros(len(keys))
    array = _as_array(source, where, "it", faults)
    if not any(fault.where == where for fault in faults) and array.shape[-1:] != (len(keys),):
        what = f"the last axis must have {len(keys)} numbers ({', '.join(keys)}), but the shape is {array.shape}"
        faults.add(where, what)
        return np.zeros(len(keys))
    return array


def _as_array(value: Any, where: str, name: str, faults: Faults) -> Array:
    """Return an array of floats, possibly the value itself, NaN where it is masked; 0 and a fault if not numeric."""
    if isinstance(value, np.ma.MaskedArray):
        value = np.ma.filled(value.astype(float), np.nan)
    try:
        array = np.asarray(value)
        if array.size and (
            array.dtype.kind not in "fiuO" or (array.dtype.kind == "O" and None in array.ravel().tolist())
        ):
            raise TypeError
        return array.astype(float, copy=False)
    except (TypeError, ValueError):
        faults.add(where, f"{name} must be a real number or an array of them, not {in_message(value)}")
        return np.zeros(())


def _plural(noun: str) -> str:
    """Return the plural of a noun."""
    return noun[:-1] + "ies" if noun.endswith("y") else noun + "s"
