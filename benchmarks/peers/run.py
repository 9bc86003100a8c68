"""What every peer gives for a problem: a function that integrates it, and the settings to try."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np


class Cannot(Exception):
    """A peer cannot do a problem, or gave up in a run; the text says why."""


class Late(Cannot):
    """A run takes longer than its limit."""


@dataclass
class Deadline:
    """A run that takes too long (processor time) is stopped where the peer calls back to Python."""

    seconds: float

    def __post_init__(self) -> None:
        self.end = time.process_time() + self.seconds

    def check(self) -> None:
        """Stop the run if it is late."""
        if time.process_time() > self.end:
            raise Late(f"more than {self.seconds:.1f} s")


@dataclass(frozen=True)
class Runner:
    """One way to integrate one problem, everything prepared.

    `run(setting, deadline)` gives the end positions in the coordinates of the problem. `settings` are tolerances or
    step sizes, from coarse to fine; `growth` is how much longer a run may take than the one before.
    """

    name: str
    run: Callable[[float, Deadline], np.ndarray]
    settings: tuple[float, ...]
    growth: float = 2.0


def tolerances(last: int) -> tuple[float, ...]:
    """From 1e-3 to 10^-last, a decade apart."""
    return tuple(10.0**-k for k in range(3, last + 1))


def steps(until: float, counts: tuple[int, ...]) -> tuple[float, ...]:
    """Step sizes that divide the time into these numbers of steps."""
    return tuple(until / count for count in counts)


def stabilisation(until: float) -> float:
    """Baumgarte's rate for codes that integrate an index-1 form: a hundred time constants in the whole motion."""
    return 100.0 / until
