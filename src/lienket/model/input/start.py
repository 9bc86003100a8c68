"""Reader of the start of a motion: some positions and velocities fixed, others guessed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

import numpy as np

from ...errors import Faults, did_you_mean
from ...foundation.arrays import Array, BoolArray
from ...language.expression import Key
from ...language.names import key_name
from ...language.written_names import aliases
from .finite_number import finite_number
from .numbers import positions, velocities
from .stated_start import StatedStart
from .symbol_table import SymbolTable


def read_start(start: object, guess: object, table: SymbolTable, faults: Faults) -> StatedStart:
    """Return the start from None, a mapping of "x" and "x'" (or x and der(x)), or a pair (q, v).

    `guess` is such a mapping, or None.
    """
    n = len(table.coordinates)
    values, fixed = np.zeros((2, n)), np.zeros((2, n), dtype=bool)
    if isinstance(start, Mapping):
        _read(start, "start", table, values, fixed, faults)
    elif start is not None:
        _read_pair(start, table.coordinates, values, fixed, faults)
    guessed = np.zeros((2, n), dtype=bool)
    if isinstance(guess, Mapping):
        guesses = np.zeros((2, n))
        _read(guess, "guess", table, guesses, guessed, faults)
        for level, i in np.argwhere(guessed & fixed):
            name = table.coordinates[i] + "'" * level
            faults.add(
                "guess", f"{name} is also given in start", "Numbers in start are kept; remove it from one of them."
            )
        values = np.where(guessed & ~fixed, guesses, values)
    elif guess is not None:
        faults.add("guess", f"a mapping such as {{'x': 1.0, \"x'\": 0.5}} is expected, not {type(guess).__name__}")
    return StatedStart(*values, *fixed, *guessed)


def _read(
    entries: Mapping[Key, object], where: str, table: SymbolTable, values: Array, is_set: BoolArray, faults: Faults
) -> None:
    """Write the numbers of a mapping into `values`: positions in row 0, velocities in row 1."""
    indices, names = _indices(table.coordinates, table.parameters)
    for key, value in entries.items():
        text = key if isinstance(key, str) else key_name(key)
        index = indices.get(text)
        if index is None:
            advice = f"{text} is a parameter; give its number in values." if text in table.parameters else ""
            nearest = "" if advice else did_you_mean(text, names)
            faults.add(where, f"{text} is neither a coordinate nor a velocity of this system{nearest}", advice)
            continue
        name = names[index[0] * len(table.coordinates) + index[1]]
        if is_set[index]:
            faults.add(where, f"{name} is given twice")
        else:
            is_set[index] = True
            values[index] = finite_number(value, where, name, faults)


def _read_pair(start: object, names: Sequence[str], values: Array, fixed: BoolArray, faults: Faults) -> None:
    """Read the whole state from (q, v), each a mapping or a sequence, or None for an unstated one."""
    parts = list(start) if isinstance(start, Iterable) and not isinstance(start, (str, set, frozenset)) else []
    if len(parts) != 2 or not all(part is None or isinstance(part, Iterable) for part in parts):
        expected = "a mapping such as {'x': 1.0, \"x'\": 0.5} or a pair (q, v) is expected"
        faults.add("start", f"{expected}, not {type(start).__name__ if not parts else f'{len(parts)} numbers'}")
        return
    for level, (part, read) in enumerate(zip(parts, (positions, velocities), strict=True)):
        if part is not None:
            values[level], fixed[level] = read(part, names, faults), True


@lru_cache(maxsize=32)
def _indices(names: tuple[str, ...], others: tuple[str, ...]) -> tuple[dict[str, tuple[int, int]], list[str]]:
    """Return the index of each text, (0, i) for a position and (1, i) for a velocity, and the names in order.

    The aliases of names in LaTeX are those among the coordinates, and those among these and the `others`, as in files.
    """
    indices: dict[str, tuple[int, int]] = {}
    for i, name in enumerate(names):
        indices |= {name: (0, i), name + "'": (1, i), f"der({name})": (1, i)}
    for name, alias in [*aliases([*names, *others]).items(), *aliases(names).items()]:
        if name in names:
            i = names.index(name)
            indices |= {alias: (0, i), alias + "'": (1, i), f"der({alias})": (1, i)}
    return indices, [*names, *(name + "'" for name in names)]
