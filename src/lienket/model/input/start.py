"""The start of a motion as a user gives it: some positions and velocities fixed, others guessed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from ...errors import did_you_mean
from ...foundation.frozen_dataclass import dataclass
from ...language.faults import Faults
from ...language.names import key_name
from ...language.symbols import name_of
from ..statement import velocity
from .numbers import finite_number, positions, velocities

Array = Any


@dataclass(frozen=True)
class StatedStart:
    """q and v (n each) as given, guessed, or 0; `fixed_q` and `fixed_v` (n booleans) tell what must be kept."""

    q: Array
    v: Array
    fixed_q: Array
    fixed_v: Array


def read_start(
    start: Any, guess: Any, coordinates: Sequence[Any], parameters: Sequence[Any], faults: Faults
) -> StatedStart:
    """The start from None, a mapping of "x" and "x'" (or x and der(x)), or a pair (q, v); `guess` is such a mapping."""
    n = len(coordinates)
    values, fixed = np.zeros((2, n)), np.zeros((2, n), dtype=bool)
    if isinstance(start, Mapping):
        _read(start, "start", coordinates, parameters, values, fixed, faults)
    elif start is not None:
        _read_pair(start, coordinates, values, fixed, faults)
    guessed = np.zeros((2, n), dtype=bool)
    if isinstance(guess, Mapping):
        guesses = np.zeros((2, n))
        _read(guess, "guess", coordinates, parameters, guesses, guessed, faults)
        for level, i in np.argwhere(guessed & fixed):
            name = name_of(coordinates[i]) + "'" * level
            faults.add("guess", f"{name} is given in start too", "What is in start is kept; leave it in one of them.")
        values = np.where(guessed & ~fixed, guesses, values)
    elif guess is not None:
        faults.add("guess", f"a mapping such as {{'x': 1.0, \"x'\": 0.5}} is needed, not {type(guess).__name__}")
    return StatedStart(values[0], values[1], fixed[0], fixed[1])


def _read(
    given: Mapping[Any, Any],
    where: str,
    coordinates: Sequence[Any],
    parameters: Sequence[Any],
    values: Array,
    told: Array,
    faults: Faults,
) -> None:
    """Put the numbers of a mapping in their places: positions in row 0, velocities in row 1."""
    places, names = _places(tuple(coordinates))
    constants = {p.name for p in parameters}
    for key, value in given.items():
        place = places.get(key)
        if place is None:
            name = key_name(key)
            advice = f"{name} is a parameter; give its number in values." if name in constants else ""
            nearest = "" if advice else did_you_mean(name, names)
            faults.add(where, f"{name} is neither a coordinate nor a velocity of this system{nearest}", advice)
        elif told[place]:
            faults.add(where, f"{names[place[0] * len(coordinates) + place[1]]} is given twice")
        else:
            told[place] = True
            values[place] = finite_number(value, where, names[place[0] * len(coordinates) + place[1]], faults)


def _read_pair(start: Any, coordinates: Sequence[Any], values: Array, fixed: Array, faults: Faults) -> None:
    """The whole state from (q, v), each a mapping or a sequence; None stands for nothing given."""
    parts = list(start) if isinstance(start, Iterable) and not isinstance(start, (str, set, frozenset)) else []
    if len(parts) != 2 or not all(part is None or isinstance(part, Iterable) for part in parts):
        told = "a mapping such as {'x': 1.0, \"x'\": 0.5} or a pair (q, v) is needed"
        faults.add("start", f"{told}, not {type(start).__name__ if not parts else f'{len(parts)} numbers'}")
        return
    for level, (part, read) in enumerate(zip(parts, (positions, velocities), strict=True)):
        if part is not None:
            values[level], fixed[level] = read(part, coordinates, faults), True


@lru_cache(maxsize=32)
def _places(coordinates: tuple[Any, ...]) -> tuple[dict[Any, tuple[int, int]], list[str]]:
    """Where each key belongs, (0, i) for a position and (1, i) for a velocity; and the names in order."""
    names = [name_of(x) for x in coordinates]
    places: dict[Any, tuple[int, int]] = {}
    for i, (x, name) in enumerate(zip(coordinates, names, strict=True)):
        places |= {x: (0, i), name: (0, i), velocity(x): (1, i), name + "'": (1, i), f"der({name})": (1, i)}
    return places, [*names, *(name + "'" for name in names)]
