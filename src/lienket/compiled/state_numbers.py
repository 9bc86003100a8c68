"""The numbers of a system at one state, and the function that gives them by machine code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..foundation.frozen_dataclass import dataclass
from .machine.python_callbacks import raise_faults
from .model import CompiledModel, contiguous

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
class StateNumbers:
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


def with_rows(numbers: StateNumbers, rows: Sequence[RowNumbers]) -> StateNumbers:
    """The same state under other constraints."""
    return replace(numbers, rows=tuple(rows))


class Evaluator:
    """(t, q, v, parameters, a) -> Numbers; a matters only to constraints that are nonlinear in q''."""

    def __init__(self, model: CompiledModel) -> None:
        self._function, self._n = model.function("numbers"), model.n
        self._constraints = (*model.constraints, *model.followed)
        self._inputs = np.zeros(model.inputs)
        self.nonlinear = tuple(model.constraints[k].name for k in self._function.facts.nonlinear)
        self._callbacks = model.callbacks

    def __call__(self, t: float, q: Array, v: Array, parameters: Array, a: Array | None = None) -> StateNumbers:
        """All numbers at the state; entries may come out infinite or NaN where the formulas do."""
        n = self._n
        inputs = self._inputs
        if a is not None:
            inputs = self._inputs.copy()
            inputs[:n] = a
        arrays = (contiguous(q), contiguous(v), contiguous(parameters), inputs)
        _, out = self._function(float(t), *arrays)
        raise_faults(self._callbacks)
        out.setflags(write=False)  # and with it every part
        parts = iter(self._function.parts(out))
        A, h, Q, storing, inertias = (next(parts) for _ in range(5))
        own = [[next(parts) for _ in range(6)] for _ in self._constraints]
        rows = []
        for c, (G, g0, position, velocity, sizes, drives) in zip(self._constraints, own, strict=True):
            push, share, direction, following, gains = (next(parts) for _ in range(5))
            law = LawNumbers(
                push if push.size else 0.0, float(share[0]), direction if direction.size else 0.0, following, gains
            )
            names = tuple(name for name, _ in c.drives)
            rows.append(RowNumbers(c.name, c.kind, G, g0, position, velocity, sizes, drives.T, names, law))
        return StateNumbers(float(t), arrays[0], arrays[1], A, h, Q, storing, tuple(rows), inertias)
