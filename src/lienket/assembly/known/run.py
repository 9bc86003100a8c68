"""Runs of systems known from an earlier process: from numbers and machine code alone, without formulas.

`KnownSystem` has everything that a simulation needs of a statement with ideal constraints and without events and
inputs: names, default numbers, levels of the rows, and the digest of its machine code. `known.run` simulates it if all
arguments are numbers by name; for anything else, and for all that could go wrong, it returns None, and the run is made
from the statement, with the messages that belong to it.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

import numpy as np

from ...compiled.model import CompiledModel
from ...errors import LienketError
from ...foundation.frozen_dataclass import dataclass, replace
from ...language.faults import Faults
from ...model.input.run import read_run
from ...model.input.stated_start import StatedStart
from ...simulation.methods import CHOOSE_THEIR_STEP, NAMES
from ...simulation.problem import Problem
from ...simulation.run.loop import integrate
from ...simulation.run.progress import progress_bar
from ...simulation.run.result import Run
from ...simulation.settings import Settings
from ...simulation.start.start import Start, consistent_start

Array = Any


@dataclass(frozen=True)
class _Unfollowed:
    """Control of a constraint that is no program."""

    may_deviate: bool = False


@dataclass(frozen=True)
class KnownConstraint:
    """Ideal constraint in numbers: its name, kind, level and number of rows; its expressions are not known."""

    name: str
    kind: str
    level: int
    rows: int
    law = None
    drives = ()
    following = _Unfollowed()

    @property
    def expressions(self) -> tuple[None, ...]:
        """As many as there are rows."""
        return (None,) * self.rows


@dataclass(frozen=True)
class KnownSystem:
    """What a run needs of a system: names, default numbers (None: there is none), constraints, tables over time.

    `digest` is that of its machine code, `longest_step` and `corners` as in Settings and Problem.
    """

    name: str
    coordinates: tuple[str, ...]
    parameters: tuple[str, ...]
    numbers: tuple[float | None, ...]
    constraints: tuple[KnownConstraint, ...]
    digest: str
    longest_step: float | None
    corners: tuple[float, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the fields as data that JSON can hold."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> KnownSystem:
        """Return the system of such data; raises KeyError, TypeError or ValueError for any other."""
        constraints = tuple(KnownConstraint(**entry) for entry in data["constraints"])
        tuples = {key: tuple(data[key]) for key in ("coordinates", "parameters", "numbers", "corners")}
        return cls(**{**data, **tuples, "constraints": constraints})

    def model(self, define: Callable[[], tuple[Any, Any, Any, Any]]) -> CompiledModel:
        """Return the machine code; `define` returns the arguments of CompiledModel, if code is missing."""
        return CompiledModel.known(len(self.coordinates), len(self.parameters), self.constraints, self.digest, define)


def known_run(
    known: KnownSystem, model: CompiledModel, values: Any, start: Any, guess: Any, t: Any, run: dict[str, Any],
    progress: Any, explain: Callable[[float, Array, Array, Array], str],
) -> Run | None:  # fmt: skip
    """Simulate a known system; None unless all arguments are numbers by name and a start is found.

    `explain(t, q, v, parameters)` returns why the run stopped at a state.
    """
    parameters, stated = _parameters(known, values), _start(known, start, guess)
    if parameters is None or stated is None or not _is_number(t):
        return None
    if not (progress is None or isinstance(progress, bool) or callable(progress)):
        return None
    faults = Faults()
    request = read_run(len(known.coordinates), float(t), **run, methods=NAMES, faults=faults)
    if len(faults) or (request.step and request.method in CHOOSE_THEIR_STEP):
        return None
    try:
        begun: Start = consistent_start(model, known.coordinates, stated, request.begin, parameters, False)
    except LienketError:
        return None
    longest = math.inf if known.longest_step is None else known.longest_step
    settings = Settings(request.method, request.rtol, request.atol, request.step, longest, request.most_rows)
    problem = Problem(model, parameters, known.coordinates, np.array(known.corners, dtype=float))
    with progress_bar(progress, request.begin, request.end, known.name) as report:
        result = integrate(
            problem, (request.begin, *begun), request.end, settings, request.times, report,
            lambda t, q, v: explain(t, q, v, parameters),
        )  # fmt: skip
    return replace(result, start=begun)


def with_other_assemblies(start: Start, model: CompiledModel, parameters: Array) -> Start:
    """Return the start of a run of a known system with the other assemblies for the same stated numbers."""
    if start.stated is None:
        return start
    solution = consistent_start(model, start.names, start.stated, start.t, parameters, True)
    return replace(start, others=solution.others, other_velocities=solution.other_velocities)


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and abs(value) <= sys.float_info.max  # integers may be larger


def _parameters(known: KnownSystem, values: Any) -> Array | None:
    """Return the numbers of all parameters, or None."""
    numbers = dict(zip(known.parameters, known.numbers, strict=True))
    if values is not None:
        if not isinstance(values, Mapping) or not all(k in numbers and _is_number(x) for k, x in values.items()):
            return None
        numbers |= values
    return None if None in numbers.values() else np.array(list(numbers.values()), dtype=float)


def _start(known: KnownSystem, start: Any, guess: Any) -> StatedStart | None:
    """Return the start of mappings by names such as "x" and "x'", or None."""
    names = [*known.coordinates, *(name + "'" for name in known.coordinates)]
    numbers, fixed, guessed = np.zeros(len(names)), np.zeros(len(names), dtype=bool), np.zeros(len(names), dtype=bool)
    for entries, marks in ((start, fixed), (guess, guessed)):
        if entries is None:
            continue
        if not isinstance(entries, Mapping) or not all(k in names and _is_number(x) for k, x in entries.items()):
            return None
        for name, x in entries.items():
            numbers[names.index(name)], marks[names.index(name)] = x, True
    if np.any(fixed & guessed):
        return None
    return StatedStart(*(half for part in (numbers, fixed, guessed) for half in np.split(part, 2)))
