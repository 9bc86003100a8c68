"""Numbers of a system at one state, and the function that computes them by machine code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from ..foundation.arrays import Array
from ..foundation.frozen_dataclass import dataclass
from .constraint_facts import ConstraintFacts
from .machine.python_callbacks import raise_faults
from .model import CompiledModel, contiguous

EVALUATORS_CACHED = 128  # [models] with a function that evaluates them at a state


@dataclass(frozen=True)
class LawNumbers:
    """Non-ideal force of a constraint, push (n) + share lambda direction (n); push and direction are 0.0 without a law.

    For a program: `drive_limits` (p x 3) are weight, lower and upper bound of each drive, `gains` (2 or empty) those of
    its error and of the rate of its error. For a contact: `normal` is its normal force per multiplier, and
    `assumes_normal` says that 1 was taken there since nothing tells it; `limit` is the force per multiplier that holds
    it at rest, and `pushes` says that it is unilateral.
    """

    push: Array | float = 0.0
    share: float = 0.0
    direction: Array | float = 0.0
    drive_limits: Array | Sequence[float] = ()
    gains: Array | Sequence[float] = ()
    normal: float = 1.0
    assumes_normal: bool = False
    limit: float = 0.0
    pushes: bool = False


IDEAL = LawNumbers()  # of constraints without a law


@dataclass(frozen=True)
class RowNumbers:
    """Constraint at a state: G (s x n), g0 (s) and its residuals, empty where the kind has none.

    `sizes` (3 x s) has a row for position, velocity and g0: the sum of the absolute terms of each entry, the scale for
    its rounding error. `E` (n x p) are the columns of the drives of a program, whose names are `drives`. `holds` is the
    name of the contact whose slip the row keeps at zero, or None.
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
    law: LawNumbers = IDEAL
    holds: str | None = None

    @property
    def program(self) -> bool:
        """Whether drives enforce the constraint; hidden programs have no drives of their own names."""
        return self.kind == "program" or bool(self.drives)


@dataclass(frozen=True)
class StateNumbers:
    """Free system A (n x n), h (n), Q (n) and its constraints at t, q, v.

    `storing` (n + 1) are the coefficients of v and 1 in d(T2 - T0)/dt + dT/dt|_explicit - v^T A a; the first two terms
    are the rate of the energy stored in motion and equal v^T (Q + r). `inertias` (n) are the sums of the absolute terms
    of the diagonal of A. `finite`: all numbers have been checked to be finite.
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
    finite: bool = False

    @property
    def G(self) -> Array:
        """Matrix G of all rows (s x n)."""
        return np.concatenate([row.G for row in self.rows]) if self.rows else np.zeros((0, len(self.h)))

    @property
    def g0(self) -> Array:
        """Vector g0 of all rows (s)."""
        return np.concatenate([row.g0 for row in self.rows]) if self.rows else np.zeros(0)


def with_rows(numbers: StateNumbers, rows: Sequence[RowNumbers]) -> StateNumbers:
    """Return the numbers of the state with other constraints."""
    return replace(numbers, rows=tuple(rows))


def _ideal(facts: ConstraintFacts) -> bool:
    """Return whether a constraint exerts G^T lambda alone."""
    return not facts.has_law and facts.kind != "program" and facts.contact is None and facts.holds is None


class Evaluator:
    """Function (t, q, v, parameters, a) -> StateNumbers; a is used by constraints nonlinear in q'' only."""

    def __init__(self, model: CompiledModel) -> None:
        self._function, self._n = model.function("numbers"), model.n
        constraints = (*model.constraints, *model.followed)
        self._constraints = [
            (
                c.name, c.kind, c.drives, c.holds,
                None if _ideal(c) else (c.assumes_normal_force, c.contact is not None and c.contact.unilateral),
            )
            for c in constraints
        ]  # fmt: skip
        self._inputs = np.zeros(model.inputs)
        self.nonlinear = tuple(model.constraints[k].name for k in self._function.info.nonlinear)
        self._model = model

    def __call__(self, t: float, q: Array, v: Array, parameters: Array, a: Array | None = None) -> StateNumbers:
        """Return all numbers at a state; entries may be infinite or NaN where the formulas are."""
        inputs = self._inputs
        if a is not None:
            inputs = self._inputs.copy()
            inputs[: self._n] = a
        t, q, v = float(t), contiguous(q), contiguous(v)
        _, out = self._function(t, q, v, contiguous(parameters), inputs)
        raise_faults(self._model.callbacks)
        out.setflags(write=False)  # also for all views of it
        A, h, Q, storing, inertias, *parts = self._function.parts(out)
        rows, laws = [], 6 * len(self._constraints)
        for k, (name, kind, drives, holds, contact) in enumerate(self._constraints):
            G, g0, position, velocity, sizes, E = parts[6 * k : 6 * k + 6]
            law = IDEAL
            if contact is not None:
                assumed, pushes = contact
                push, share, direction, limits, gains, normal = parts[laws + 6 * k : laws + 6 * k + 6]
                law = LawNumbers(
                    push if push.size else 0.0, float(share[0]), direction if direction.size else 0.0, limits, gains,
                    float(normal[0]), assumed, float(normal[1]), pushes,
                )  # fmt: skip
            rows.append(RowNumbers(name, kind, G, g0, position, velocity, sizes, E.T, drives, law, holds))
        finite = bool(np.isfinite(out).all())
        return StateNumbers(t, q, v, A, h, Q, storing, tuple(rows), inertias, finite)


@lru_cache(maxsize=EVALUATORS_CACHED)
def evaluator(model: CompiledModel) -> Evaluator:
    """Return the function that evaluates the matrices of a model at a state."""
    return Evaluator(model)
