"""The type of a reference problem: a system, a complete start, and numbers that its motion must reach."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import lienket as lk

DATA = Path(__file__).parents[1] / "data" / "benchmarks.json"
LEAST = 1e-9
"""No error is asked to be smaller, as a share of the scale: runs in double precision end there."""


@dataclass(frozen=True)
class Row:
    """One row of a trajectory, or a state: t, q (n), v (n), accelerations (n), multipliers (s), reactions by name."""

    t: float
    q: Any
    v: Any
    accelerations: Any
    multipliers: Any
    reactions: Mapping[str, Any]

    @classmethod
    def of(cls, motion: Any, k: int) -> "Row":
        """Return row k of a trajectory."""
        reactions = {name: values[k] for name, values in motion.reactions.items()}
        return cls(motion.t[k], motion.q[k], motion.v[k], motion.accelerations[k], motion.multipliers[k], reactions)


@dataclass(frozen=True)
class Expected:
    """The condition that at `time` `quantity(row)` is `numbers` within `tolerance`, an absolute error."""

    time: float
    label: str
    quantity: Callable[[Row], Any]
    numbers: Any
    tolerance: float

    def error(self, row: Row) -> float:
        """Return the largest error, in tolerances."""
        return float(np.max(np.abs(np.asarray(self.quantity(row)) - self.numbers)) / self.tolerance)


@dataclass(frozen=True)
class Problem:
    """A system with numbers for all its parameters, a start (q, v) at t0, and the known values of its motion.

    A system with another t0 than 0 does not depend on time: a run may as well begin at t = 0 and end t0 earlier.
    """

    name: str
    system: lk.System
    start: tuple[Any, Any]
    expected: tuple[Expected, ...]
    t0: float = 0.0
    rtol: float = 1e-12
    """What a run that is to reach the expected numbers is asked for."""

    @property
    def times(self) -> list[float]:
        """Times of the expected values, from the beginning of the run."""
        return sorted({e.time - self.t0 for e in self.expected})


def expect(
    time: float,
    label: str,
    quantity: Callable[[Row], Any],
    numbers: Any,
    digits: float,
    *,
    scale: float | None = None,
    least: float = LEAST,
) -> Expected:
    """Return numbers known to `digits` digits; their error is relative to `scale`, by default their largest."""
    numbers = np.array(numbers, dtype=float)
    scale = float(np.max(np.abs(numbers))) if scale is None else scale
    return Expected(time, label, quantity, numbers, scale * max(least, 10.0**-digits))


@cache
def published() -> dict[str, Any]:
    """Return the published problems by name; see tests/data/README.md."""
    return {entry["id"]: entry for entry in json.loads(DATA.read_text())}


def from_file(
    name: str, quantities: Mapping[str, Callable[[Row], Any]], scale: float | None = None, least: float = LEAST
) -> tuple[Expected, ...]:
    """Return the expected values of a problem in the file; `quantities` maps the file's names to functions of a row."""
    entries = published()[name]["expected"]
    return tuple(
        expect(
            e["t"], e["quantity"], quantities[e["quantity"]], e["value"], e["trusted_digits"], scale=scale, least=least
        )
        for e in entries
        if e["quantity"] in quantities
    )
