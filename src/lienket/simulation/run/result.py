"""Run: the result of an integration, in numbers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ...foundation.arrays import Array
from ...foundation.frozen_dataclass import dataclass
from ..events.history import History
from ..outcome import Outcome
from ..problem import Problem
from ..settings import UNKNOWN_STATUS, Settings
from ..start.start import Start


@dataclass(frozen=True)
class Phase:
    """Part of a run integrated by one method."""

    method: str
    begin: float
    end: float
    steps: int


@dataclass(frozen=True)
class Statistics:
    """Counts of a run: steps, evaluations, factorizations, and its duration.

    Steps accepted and rejected, evaluations of the accelerations, matrices factored, steps over singular positions
    (`bridges`), seconds. `every` is 1 if every step became a row (or the times were given).
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
        """Midpoint of the interval."""
        return 0.5 * (self.begin + self.end)

    def __str__(self) -> str:
        how = "stepped over" if self.bridged else "passed with ordinary steps"
        return f"The constraints were nearly dependent between t = {self.begin:.9g} and {self.end:.9g}; {how}."


@dataclass(frozen=True, eq=False)
class Run:
    """Rows of a run (N): times t, positions q and velocities v (N x n), work W that has changed the energy since start.

    `steps` (N) are the lengths of the steps that led to the rows. `worst` are the largest displacement by projection in
    units of the tolerances, and the largest energy error of a step relative to the allowed one; `usual` are the usual
    status of accelerations far from singular positions and the bound of Schur's complement, counts[STATUS_USUAL] and
    control[GROWTH]. With a `history` the structure changed during the run, and `problem` has all constraints. `start`
    is the state at which the run began, with the origin of its numbers.
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
    usual: tuple[int, float] = UNKNOWN_STATUS
    history: History | None = None
    start: Start | None = None

    def __post_init__(self) -> None:
        for part in (self.t, self.q, self.v, self.work, self.steps):
            part.setflags(write=False)

    def same(self, other: Run) -> bool:
        """Return whether both runs have bitwise equal rows and equal settings, statistics and outcome."""
        arrays = ("t", "q", "v", "work", "steps")
        pairs = [(getattr(self, name), getattr(other, name)) for name in arrays]
        pairs += [(self.problem.parameters, other.problem.parameters), (self.settings.atol, other.settings.atol)]
        if self.history is not None and other.history is not None:
            if self.history.metadata() != other.history.metadata():
                return False
            pairs += zip(self.history.arrays(), other.history.arrays(), strict=True)
        elif self.history is not other.history:
            return False
        return self._metadata() == other._metadata() and all(x.tobytes() == y.tobytes() for x, y in pairs)

    def _metadata(self) -> tuple[Any, ...]:
        """Return everything except arrays and the duration."""
        settings, outputs = self.settings, self.problem.model.stated_outputs
        options = (settings.method, settings.rtol, settings.step, settings.largest, settings.most_rows)
        statistics = replace(self.statistics, seconds=0.0)
        return self.problem.names, outputs, options, statistics, self.phases, self.rank_events, self.outcome, self.worst


def rank_events(log: Array) -> tuple[RankEvent, ...]:
    """Return the passages through singular positions; consecutive steps near one are one passage."""
    passages: list[RankEvent] = []
    for begin, end, bridged in log.tolist():
        if passages and begin <= passages[-1].end:
            passages[-1] = RankEvent(passages[-1].begin, end, passages[-1].bridged or bool(bridged))
        else:
            passages.append(RankEvent(begin, end, bool(bridged)))
    return tuple(passages)
