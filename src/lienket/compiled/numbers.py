"""The numbers of a system at one state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..records import dataclass

Array = Any


@dataclass(frozen=True)
class LawNumbers:
    """What is not ideal in a constraint: it exerts push (n) + share lambda direction (n), each 0 or a number if none.

    Of a program: `following` (p x 3) are the weights and bounds of its drives, `gains` (2 or none) those of its error
    and of its rate.
    """

    push: Array = 0.0
    share: float = 0.0
    direction: Array = 0.0
    following: Array = ()
    gains: Array = ()


@dataclass(frozen=True)
class RowNumbers:
    """One constraint at a state: G (s x n), g0 (s) and its residuals, empty where the kind has none.

    `sizes` has a row for position, velocity and g0: the sum of the absolute terms of each entry, the scale
    against which it is zero or not; 3 x s. `E` (n x p) are the columns of a program's drives, by name in `drives`.
    """

    name: str
    kind: str
    G: Array
    g0: Array
    position: Array
    velocity: Array
    sizes: Array
    E: Array
    drives: tuple[str, ...]
    law: LawNumbers = LawNumbers()

    @property
    def program(self) -> bool:
        """Whether drives keep it; hidden programs have none of their own."""
        return self.kind == "program" or bool(self.drives)


@dataclass(frozen=True)
class Numbers:
    """The free system A (n x n), h (n), Q (n) and its constraints at t, q, v.

    `storing` (n + 1) are the coefficients with which v and 1, beside v^T A a, give d(T2 - T0)/dt + dT/dt|_explicit,
    the rate at which energy is stored in motion; it equals v^T (Q + r). `inertias` (n) are the sums of the
    absolute terms of the diagonal of A.
    """

    t: float
    q: Array
    v: Array
    A: Array
    h: Array
    Q: Array
    storing: Array
    rows: tuple[RowNumbers, ...]
    inertias: Array | None = None

    @property
    def G(self) -> Array:
        """All rows, s x n."""
        return np.concatenate([row.G for row in self.rows]) if self.rows else np.zeros((0, len(self.h)))

    @property
    def g0(self) -> Array:
        """All of g0, s."""
        return np.concatenate([row.g0 for row in self.rows]) if self.rows else np.zeros(0)


def with_rows(numbers: Numbers, rows: Sequence[RowNumbers]) -> Numbers:
    """The same state under other constraints."""
    return replace(numbers, rows=tuple(rows))
