"""Equilibria: a branch of positions of rest over one parameter."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import UnknownName
from ..records import dataclass
from ..simulation.stability import STABLE

Array = Any


@dataclass(frozen=True, eq=False)
class Equilibria:
    """N points of a branch in the order in which it was followed; it may turn, and pass a value more than once.

    parameter        the name of the parameter, `values` (N) its numbers
    q (N x n)        positions, in the order of `names`
    multipliers      lambda of each row, N x s; those of least norm where rows are redundant
    stability        "stable", "unstable" or "neutral" for each point; `stable` (N booleans) tells the first
    asked            N booleans: whether the value is one that was asked for, met exactly
    turning_points   the places of the points at which the branch turns back, in q and `values`
    outcome          a sentence on how the branch ended; `complete` if it passed all values
    """

    t: float
    names: tuple[str, ...]
    parameter: str
    values: Array
    q: Array
    multipliers: Array
    stability: tuple[str, ...]
    asked: Array
    turning_points: tuple[int, ...]
    outcome: str
    complete: bool

    def __post_init__(self) -> None:
        for array in (self.values, self.q, self.multipliers, self.asked):
            array.setflags(write=False)

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, name: str) -> Array:
        """The column (N) of a coordinate, or of the parameter."""
        if name == self.parameter:
            return self.values
        if name not in self.names:
            raise UnknownName("coordinate", str(name), [*self.names, self.parameter])
        return self.q[:, self.names.index(name)]

    @property
    def stable(self) -> Array:
        """Whether each point is stable, N booleans."""
        return np.array([word == STABLE for word in self.stability], dtype=bool)

    def text(self) -> str:
        """A line for each value asked for and each turning point."""
        head = f"{self.parameter:>14}  {'  '.join(f'{name:>14}' for name in self.names)}"
        lines = [self.outcome, head]
        for k in range(len(self)):
            turns = k in self.turning_points
            if turns or self.asked[k]:
                numbers = "  ".join(f"{x:14.7g}" for x in (self.values[k], *self.q[k]))
                lines.append(f"{numbers}  {self.stability[k]}{', turns' if turns else ''}")
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return self.text()
