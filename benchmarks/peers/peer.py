"""What every peer gives: one evaluation from Python, and one inside a compiled loop."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

Pair = tuple[np.ndarray, np.ndarray]


def same_state(q: np.ndarray, v: np.ndarray) -> Pair:
    """Return the arguments unchanged: this peer uses the coordinates of the case."""
    return q, v


def same_answer(q: np.ndarray, v: np.ndarray, accelerations: np.ndarray, multipliers: np.ndarray) -> Pair:
    """Nor is its answer converted."""
    return accelerations, multipliers


@dataclass(frozen=True)
class Peer:
    """One rival, ready to evaluate the constrained accelerations of one case.

    `solve(t, q, v)` gives accelerations and multipliers in the peer's own coordinates; `state(q, v)` turns a state of
    the case into them, and `answer(q, v, accelerations, multipliers)` turns the result at the peer's q, v back, so that
    no conversion is timed. `loop(count)` gives the seconds per evaluation inside a compiled loop, None where
    there is no such loop.
    """

    name: str
    preparation: float
    solve: Callable[[float, np.ndarray, np.ndarray], Pair]
    loop: Callable[[int], float] | None = None
    state: Callable[[np.ndarray, np.ndarray], Pair] = same_state
    answer: Callable[[np.ndarray, np.ndarray, np.ndarray, np.ndarray], Pair] = same_answer

    def at(self, q: np.ndarray, v: np.ndarray) -> Pair:
        """Accelerations and multipliers of the case at a state of the case, for comparison."""
        own = self.state(q, v)
        return self.answer(*own, *self.solve(0.0, *own))
