"""Run: what an integration gives, in numbers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ...foundation.frozen_dataclass import dataclass
from ..events.history import History
from ..outcome import Outcome
from ..problem import Problem
from ..settings import UNKNOWN, Settings

Array = Any


@dataclass(frozen=True)
class Phase:
    """A part of a run made by one method."""

    method: str
    begin: float
    end: float
    steps: int


@dataclass(frozen=True)
class Statistics:
    """What a run took: steps accepted and rejected, evaluations of the accelerations, matrices factored, steps over
    singular positions, seconds. `every` is 1 if every step became a row (or the times were given).
    """

    steps: int
    rejected: int
    evaluations: int
    factorizations: int
    bridges: int
    seconds: float
    every: int = 1


@dataclass(frozen=True)
class RankEvent:
    """Constraints that became dependent, or nearly so, between two times."""

    begin: float
    end: float
    bridged: bool  # whether the position was stepped over

    @property
    def t(self) -> float:
        """The middle."""
        return 0.5 * (self.begin + self.end)

    def __str__(self) -> str:
        how = "stepped over" if self.bridged else "passed with ordinary steps"
        return f"The constraints were nearly dependent between t = {self.begin:.9g} and {self.end:.9g}; {how}."


@dataclass(frozen=True, eq=False)
class Run:
    """The rows of a run (N): times t, positions q and velocities v (N x n), work W done on the energy since the start.

    `steps` (N) is how far the step that led to a row began before it. `worst` are the largest share of the tolerances
    by which projection moved a state, and the largest share of the allowed error of the energy in a step; `usual`
    tells how accelerations are found far from singular positions, counts[USUAL] and control[GROWTH]. With `history` the
    structure of the system changed on the way, and `problem` has all constraints that ever acted.
    """

    problem: Problem
    settings: Settings
    t: Array
    q: Array
    v: Array
    work: Array
    steps: Array
    phases: tuple[Phase, ...]
    rank_events: tuple[RankEvent, ...]
    statistics: Statistics
    outcome: Outcome
    worst: tuple[float, float] = (0.0, 0.0)
    usual: tuple[int, float] = UNKNOWN
    history: History | None = None

    def __post_init__(self) -> None:
        for part in (self.t, self.q, self.v, self.work, self.steps):
            part.setflags(write=False)

    def same(self, other: Run) -> bool:
        """Whether both have the same rows, bit for bit, made in the same way with the same numbers."""
        arrays = ("t", "q", "v", "work", "steps")
        pairs = [(getattr(self, name), getattr(other, name)) for name in arrays]
        pairs += [(self.problem.parameters, other.problem.parameters), (self.settings.atol, other.settings.atol)]
        if self.history is not None and other.history is not None:
            if self.history.facts() != other.history.facts():
                return False
            pairs += zip(self.history.arrays(), other.history.arrays(), strict=True)
        elif self.history is not other.history:
            return False
        return self._facts() == other._facts() and all(x.tobytes() == y.tobytes() for x, y in pairs)

    def _facts(self) -> tuple[Any, ...]:
        """All but the arrays and the time it took."""
        settings, outputs = self.settings, self.problem.model.stated_outputs
        how = (settings.method, settings.rtol, settings.step, settings.largest, settings.most_rows)
        taken = replace(self.statistics, seconds=0.0)
        return self.problem.names, outputs, how, taken, self.phases, self.rank_events, self.outcome, self.worst
