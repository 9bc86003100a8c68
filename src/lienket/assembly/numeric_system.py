"""NumericSystem: what numbers need of a system, without formulas.

    Statement  --description-->  NumericSystem  --pipeline-->  states, starts, runs
    record of a model file that was run before  --record-->  NumericSystem

Everything that computes numbers takes a NumericSystem and needs neither SymPy nor SymEngine. Where formulas are needed
(machine code that was never made, the reason of a verdict), its `code` reads the statement.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from ..compiled.constraint_facts import ConstraintFacts
from ..compiled.model import CodeRecord
from ..foundation.arrays import Array
from ..foundation.frozen_dataclass import dataclass
from ..model.input.symbol_table import SymbolTable
from ..simulation.contacts.contact_kinds import ContactIndices
from ..simulation.known_times.time_function import TimeFunction
from ..simulation.problem import NO_CORNERS, Problem

if TYPE_CHECKING:
    from ..compiled.model import CompiledModel
    from ..model.statement import Statement
    from ..results.mechanism import Outline
    from ..simulation.run.sampling import SampledCall

Outputs = tuple[tuple[str, Any], ...]
Key = tuple[tuple[int, ...], str]
Codes = Mapping[Key, CodeRecord]
"""What finds machine code again, by active constraints and purpose."""

PLAIN, COLUMNS, QUANTITIES, CONDITIONS = "plain", "columns", "quantities", "conditions"
"""Purposes of machine code, by its outputs: none, columns of a run (its inputs), quantities of contacts, conditions."""


class Code(Protocol):
    """Machine code of a system by active constraints and purpose, and the statement behind it."""

    def model(self, active: tuple[int, ...], purpose: str | Outputs) -> CompiledModel:
        """Return the machine code under active constraints, with outputs for a purpose or with these expressions."""

    def statement(self) -> Statement:
        """Return the statement without inputs, with contact modes and hidden programs."""

    def records(self) -> Codes:
        """Return what finds the code again that has been asked for."""

    def count(self) -> int:
        """Return the number of models that have been asked for."""

    def stated(self) -> Statement:
        """Return the statement as the user made it."""


@dataclass(frozen=True)
class NumericEvent:
    """Event by indices: constraints released and added, (parameter, value) set, (coordinate, value) of new velocities.

    Values are indices among those of the function of conditions. `do` is the function of the user that replaces them.
    `of_time`: the condition depends on time and parameters alone.
    """

    name: str
    direction: int
    terminal: bool = False
    release: tuple[int, ...] = ()
    sets: tuple[tuple[int, int], ...] = ()
    jumps: tuple[tuple[int, int], ...] = ()
    add: tuple[int, ...] = ()
    do: Callable[[Any], Any] | None = None
    of_time: bool = False


@dataclass(frozen=True, eq=False)
class NumericSystem:
    """System in numbers: names, constraints, contacts and events by indices, and its machine code.

    `constraints` are all of them, those that events add last; the first `stated` belong to the statement. `values` is
    the number of values of the function of conditions. `columns` are the names of outputs that every run has: inputs
    and their power; `left_open` is a sentence on inputs for which nothing was stated. `longest_step` and `corners`
    follow from tables over time, known times from `time_functions`; `momenta` are those of a kinetic energy with known
    times; `tables_end`: events read a table that has no value beyond its points. `data_functions` are the names of
    tables and Python functions. `mechanism` has the names of joints, bodies and elements.
    """

    name: str
    symbols: SymbolTable
    constraints: tuple[ConstraintFacts, ...]
    stated: int
    contacts: tuple[ContactIndices, ...]
    events: tuple[NumericEvent, ...]
    values: int
    columns: tuple[str, ...]
    left_open: str
    longest_step: float
    corners: tuple[float, ...]
    time_functions: tuple[TimeFunction, ...]
    momenta: tuple[TimeFunction, ...]
    tables_end: bool
    data_functions: tuple[str, ...]
    sampled: tuple[SampledCall, ...]
    code: Code
    mechanism: Outline | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the coordinates (n)."""
        return self.symbols.coordinates

    @cached_property
    def all_stated(self) -> tuple[int, ...]:
        """Indices of the constraints of the statement."""
        return tuple(range(self.stated))

    @cached_property
    def has_programs(self) -> bool:
        """Whether drives realise some of the constraints."""
        return any(c.kind == "program" for c in self.constraints[: self.stated])

    @cached_property
    def has_modes(self) -> bool:
        """Whether contacts or programs decide at a state which constraints act, and whether a motion exists."""
        return bool(self.contacts) or self.has_programs

    @cached_property
    def of_a_start(self) -> tuple[int, ...]:
        """Indices of the constraints that a start must satisfy: no sticking ones, no unilateral contacts."""
        excluded = {c.tangential for c in self.contacts} | {c.normal for c in self.contacts if c.unilateral}
        return tuple(k for k in self.all_stated if k not in excluded)

    def model(self, active: tuple[int, ...] | None = None, purpose: str | Outputs = PLAIN) -> CompiledModel:
        """Return the machine code under active constraints, by default those of the statement."""
        return self.code.model(self.all_stated if active is None else active, purpose)

    def modes(self, active: tuple[int, ...]) -> tuple[tuple[str, str], ...]:
        """Return the mode of each contact under active constraints, by name: "open", "sticks" or "slides"."""
        return tuple(
            (c.name, "open" if c.normal not in active else "sticks" if c.tangential in active else "slides")
            for c in self.contacts
        )

    def problem(
        self, parameters: Array, active: tuple[int, ...] | None = None, outputs: Outputs | None = None
    ) -> Problem:
        """Return the system as integrated: with numbers for its parameters, and outputs, by default its columns."""
        purpose: str | Outputs = (COLUMNS if self.columns else PLAIN) if outputs is None else outputs
        return Problem(self.model(active, purpose or PLAIN), parameters, self.names, self._corners, self.time_functions)

    @cached_property
    def _corners(self) -> Array:
        return np.array(self.corners, dtype=float) if self.corners else NO_CORNERS
