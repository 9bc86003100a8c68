"""Readers of numbers, by name, by symbol or in order; each returns an array and collects faults.

Systems are known here by names alone, so that numbers can be read where no formula is; a symbol is read by its name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, cast

import numpy as np

from ...errors import Faults, did_you_mean, nearest_name
from ...foundation.arrays import Array, ArrayLike
from ...language.expression import Key
from ...language.names import key_name
from ...language.written_names import full_name
from .finite_number import finite_number, in_message
from .symbol_table import SymbolTable


def positions(source: object, names: Sequence[str], faults: Faults) -> Array:
    """Return the positions q, n numbers, from a mapping or a sequence in the order of the coordinates `names`."""
    return _read_numbers(source, _position_keys(tuple(names)), "q", "coordinate", faults)


def velocities(source: object, names: Sequence[str], faults: Faults) -> Array:
    """Return the velocities v, n numbers; a key may be x, "x", der(x) or "x'"."""
    return _read_numbers(source, _velocity_keys(tuple(names)), "v", "velocity", faults)


def positions_of_many(source: object, names: Sequence[str], faults: Faults) -> Array:
    """Return the positions of one state or many, ... x n, from an array or a mapping to numbers or arrays."""
    if type(source) is np.ndarray and source.dtype == np.float64 and source.shape[-1:] == (len(names),):
        return source  # the usual case
    return _read_many(source, _position_keys(tuple(names)), "q", "coordinate", faults)


def velocities_of_many(source: object, names: Sequence[str], faults: Faults) -> Array:
    """Return the velocities of one state or many, ... x n."""
    if type(source) is np.ndarray and source.dtype == np.float64 and source.shape[-1:] == (len(names),):
        return source  # the usual case
    return _read_many(source, _velocity_keys(tuple(names)), "v", "velocity", faults)


def times(source: object, faults: Faults) -> Array:
    """Return one time or an array of times, possibly the source itself."""
    if type(source) is float:  # the usual case
        return np.array(source)
    return _as_array(source, "t", "it", faults)


POSITIONS_GIVEN_BY = ("start", "guess", "q and v")


def parameter_values(
    values: object,
    names: Sequence[str],
    defaults: Mapping[str, Any],
    faults: Faults,
    others: Sequence[str] = (),
    given_by: Sequence[str] = POSITIONS_GIVEN_BY,
) -> Array:
    """Return a number for each parameter: the stated one, otherwise the default of the system.

    `others` are the names of the coordinates, from which aliases of parameters differ. `given_by` are the arguments of
    the call that take positions, for the advice about a coordinate among the parameters.
    """
    keys = {name: name for name in names}
    if values is not None and not isinstance(values, Mapping):
        return _read_numbers(values, keys, "values", "parameter", faults)
    stated: dict[str, Any] = {}
    for key, value in (values or {}).items():
        name = full_name(key_name(key), names, others)
        if name not in names and full_name(name, others).rstrip("'") in others:
            what = f"{name} is a coordinate or velocity, not a parameter"
            entry = f"{{{name!r}: {in_message(value)}}}"
            *first, last = (f"{word}={entry}" if word.isidentifier() else word for word in given_by)
            advice = f"Positions and velocities are given by {', '.join(first)} or {last}."
            faults.add("values", what, f"{advice} `values` are the numbers of parameters.")
            continue
        if name in stated:
            faults.add("values", f"{name} is given twice")
        stated[name] = value
    return _from_mapping({**defaults, **stated}, keys, "values", "parameter", faults)


def read_parameters(
    table: SymbolTable, values: object, faults: Faults, given_by: Sequence[str] = POSITIONS_GIVEN_BY
) -> Array:
    """Return a number for each parameter of a system, from `values` or else from the defaults of the system.

    The signs of contacts are internal parameters: they have defaults, which a mapping or an array for all parameters
    may replace. `given_by` as in `parameter_values`.
    """
    table.report_unused(faults)
    if (values is None or (isinstance(values, Mapping) and not values)) and table.numbers is not None:
        return table.numbers.copy()
    visible = table.visible
    if isinstance(values, Mapping) or values is None or len(visible) == len(table.parameters):
        return parameter_values(values, table.parameters, table.defaults_by_name, faults, table.coordinates, given_by)
    if isinstance(values, np.ndarray) and len(values) == len(table.parameters):
        return parameter_values(values, table.parameters, {}, faults)
    stated = parameter_values(values, visible, {}, faults)
    numbers = table.defaults_by_name | dict(zip(visible, stated, strict=True))
    return np.array([numbers[name] for name in table.parameters], dtype=float)


def without_inputs(table: SymbolTable, values: object) -> object:
    """Return the values that a user states for parameters, by name; raises ModelError if an input is among them.

    Values in the order of the parameters do not count inputs.
    """
    if not table.inputs or values is None:
        return values
    if not isinstance(values, Mapping):
        if isinstance(values, Sequence | np.ndarray) and len(values) == len(table.visible):
            return dict(zip(table.visible, values, strict=True))
        return values
    faults = Faults()
    for label in (full_name(key_name(key), table.inputs) for key in values):
        if label in table.inputs:
            faults.add(f"values[{label}]", "it is an input", f"State it in inputs={{{label!r}: ...}}.")
    faults.raise_any("The mapping of values")
    return values


def whole_state(q: Any, v: object, t: object, n: int) -> tuple[Any, Any, Any]:
    """Return q, v and t, where `q` may be a state object with its own `.v` and `.t`; v and t are 0 by default."""
    if v is None and hasattr(q, "q"):
        q, v, t = q.q, getattr(q, "v", None), (getattr(q, "t", t) if t is None else t)
    return q, np.zeros(n) if v is None else v, 0.0 if t is None else t


def time(value: object, faults: Faults) -> float:
    """Return the time as a number."""
    return finite_number(value, "t", "the time", faults)


def fraction(value: object, where: str, faults: Faults) -> float:
    """Return a number between 0 and 1."""
    number = finite_number(value, where, "it", faults)
    if not 0 < number < 1 and not any(fault.where == where for fault in faults):
        faults.add(where, f"it must lie between 0 and 1, but is {number:g}")
    return number


@lru_cache(maxsize=32)
def _position_keys(names: tuple[str, ...]) -> dict[str, str]:
    """Return the coordinate of each text that names a position: "x"."""
    return {name: name for name in names}


@lru_cache(maxsize=32)
def _velocity_keys(names: tuple[str, ...]) -> dict[str, str]:
    """Return the coordinate of each text that names a velocity: "x" and "x'"."""
    return {text: name for name in names for text in (name, name + "'")}


def _name_of(key: Key, keys: Mapping[str, str]) -> str | None:
    """Return the name that a key, a text, an alias or a symbol, denotes among `keys`; None if there is none."""
    text = key_name(key)
    return keys.get(text) or keys.get(full_name(text, list(keys)))


def _read_numbers(source: object, keys: Mapping[str, str], where: str, what: str, faults: Faults) -> Array:
    """Return one number for each name in `keys`, from a mapping or a sequence."""
    names = list(dict.fromkeys(keys.values()))
    if type(source) is np.ndarray and source.dtype == np.float64 and source.shape == (len(names),):  # the usual case
        if np.isfinite(source).all():
            return source.copy()
    if isinstance(source, Mapping):
        return _from_mapping(source, keys, where, what, faults)
    if getattr(source, "is_Matrix", False):  # of SymPy
        source = list(cast("Iterable[object]", source))
    if isinstance(source, np.ndarray) and source.ndim > 1 and max(source.shape, default=0) < source.size:
        faults.add(where, f"a sequence of {len(names)} numbers is expected, not an array of shape {source.shape}")
        return np.zeros(len(names))
    if isinstance(source, (str, set, frozenset)) or not isinstance(source, Iterable):
        expected = f"a mapping by name or a sequence of {len(names)} numbers is expected"
        faults.add(where, f"{expected}, not {in_message(source)}")
        return np.zeros(len(names))
    numbers = list(np.ravel(source) if isinstance(source, np.ndarray) else source)
    if len(numbers) != len(names):
        order = f"Their order is {', '.join(names)}." if names else f"The system has no {_plural(what)}."
        faults.add(where, f"{len(numbers)} numbers are given for {len(names)} {_plural(what)}", order)
        return np.zeros(len(names))
    return np.array([finite_number(x, where, name, faults) for name, x in zip(names, numbers, strict=True)])


def _from_mapping(
    source: Mapping[Key, object], keys: Mapping[str, str], where: str, what: str, faults: Faults
) -> Array:
    """Return one number for each name in `keys`; report unknown, repeated and missing keys."""
    names = dict.fromkeys(keys.values())
    numbers: dict[str, float] = {}
    meant: set[str | None] = set()  # names that misspelt keys probably mean
    for key, value in source.items():
        name = _name_of(key, keys)
        if name is None:
            text = key_name(key)
            faults.add(where, f"{text} is not a {what} of this system{did_you_mean(text, names)}")
            meant.add(nearest_name(text, names))
        elif name in numbers:
            faults.add(where, f"{name} is given twice")
        else:
            numbers[name] = finite_number(value, where, name, faults)
    missing = [name for name in names if name not in numbers and name not in meant]
    if missing:
        verb = "has no number" if len(missing) == 1 else "have no number"
        faults.add(where, f"{', '.join(missing)} {verb}", f"Give a number for every {what}.")
    return np.array([numbers.get(name, 0.0) for name in names])


def _read_many(source: object, keys: Mapping[str, str], where: str, what: str, faults: Faults) -> Array:
    """Return an array ... x n, possibly the source itself, from an array or from a mapping to numbers or arrays."""
    names = list(dict.fromkeys(keys.values()))
    if isinstance(source, Mapping):
        return _columns(source, keys, where, what, faults)
    array = _as_array(source, where, "it", faults)
    if not any(fault.where == where for fault in faults) and array.shape[-1:] != (len(names),):
        what = f"the last axis must have {len(names)} numbers ({', '.join(names)}), but the shape is {array.shape}"
        faults.add(where, what)
        return np.zeros(len(names))
    return array


def _columns(source: Mapping[Key, ArrayLike], keys: Mapping[str, str], where: str, what: str, faults: Faults) -> Array:
    """Return an array ... x n from a mapping to numbers or arrays."""
    names = list(dict.fromkeys(keys.values()))
    arrays, unknown = {}, False
    for key, value in source.items():
        name = _name_of(key, keys)
        if name is None:
            unknown = True
            faults.add(where, f"{key} is not a {what} of this system{did_you_mean(str(key), names)}")
        else:
            arrays[name] = _as_array(value, where, name, faults)
    missing = [name for name in names if name not in arrays]
    if missing and not unknown:
        faults.add(where, f"{', '.join(missing)}: no numbers are given")
    if missing or unknown:
        return np.zeros(len(names))
    try:
        return np.stack(np.broadcast_arrays(*(arrays[name] for name in names)), axis=-1)
    except ValueError:
        shapes = ", ".join(f"{name} {arrays[name].shape}" for name in names)
        faults.add(where, f"the arrays have incompatible shapes: {shapes}")
        return np.zeros(len(names))


def _as_array(value: object, where: str, name: str, faults: Faults) -> Array:
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
