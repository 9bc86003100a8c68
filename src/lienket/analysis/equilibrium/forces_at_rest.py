"""Forces at rest, as functions of the position: what remains of them, and how it changes.

    h(q, 0, t) + G^T lambda = remaining force,     D^T h = 0 in equilibrium,     K = -d(h + G^T lambda)/dq

lambda is the least-squares balance, of least norm where rows are redundant, so that the remaining force is the part of
h along the free directions D, and -D^T K its exact derivative. Rows on velocities act with their G as well. What they
and rows on accelerations ask of a state at rest (phi(q, 0, t) = 0, psi(q, 0, 0, t) = 0, and g_t = g_tt = 0 of moving
constraints) is `asked`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from ...compiled.machine.python_callbacks import raise_faults
from ...compiled.model import CompiledModel
from ...foundation.frozen_dataclass import dataclass
from ...kernels.elimination.metric import Array, metric
from ...simulation.start.level_constraints import POSITIONS, LevelConstraints
from ..row_space import RowSpace, directions


@dataclass(frozen=True, eq=False)
class Statics:
    """A system at the time t with numbers for its parameters; `scale` (n) has a unit for each coordinate."""

    model: CompiledModel
    t: float
    parameters: Array
    names: tuple[str, ...]
    scale: Array

    def with_parameter(self, place: int, value: float) -> Statics:
        """The same with another number for a parameter."""
        parameters = self.parameters.copy()
        parameters[place] = value
        return replace(self, parameters=parameters)

    def conditions(self) -> LevelConstraints:
        """The holonomic constraints on the position."""
        n = len(self.names)
        return LevelConstraints(self.model, self.t, self.parameters, POSITIONS, self.names, np.zeros(n))

    def at(self, q: Array) -> ForcesAtRest:
        """The forces at a position."""
        return ForcesAtRest(self, np.ascontiguousarray(q, dtype=float))

    @cached_property
    def levels(self) -> Array:
        """0 for a holonomic row, 1 for one on velocities, 2 on accelerations; s."""
        return self.model.levels

    @cached_property
    def owners(self) -> list[str]:
        """The name of the constraint of each row."""
        return list(self.model.owners)


@dataclass(frozen=True, eq=False)
class ForcesAtRest:
    """The system at rest at the position q (n); see the module."""

    of: Statics
    q: Array

    def numbers(self, name: str, multipliers: Array | None = None) -> dict[str, Array]:
        """The blocks of a compiled function, with a = 0."""
        of, function = self.of, self.of.model.function(name)
        n, s = of.model.n, of.model.s
        inputs = np.concatenate([np.zeros(n), np.zeros(s) if multipliers is None else multipliers])
        _, out = function(of.t, self.q, np.zeros(n), of.parameters, inputs)
        raise_faults(of.model.callbacks)
        return function.named(out)

    @cached_property
    def terms(self) -> dict[str, Array]:
        """A, h, G, g0."""
        return self.numbers("terms")

    @cached_property
    def finite(self) -> bool:
        """Whether all forces have a number here."""
        return all(bool(np.isfinite(x).all()) for x in self.terms.values())

    @cached_property
    def bound(self) -> RowSpace:
        """The directions of all rows, which carry reactions."""
        return directions(self.terms["G"], self.of.scale)

    @cached_property
    def movable(self) -> Array:
        """The directions T (n x m) in which the position may be changed, orthonormal in units of the coordinates."""
        return directions(self.terms["G"][self.of.levels == 0], self.of.scale).D

    @cached_property
    def multipliers(self) -> Array:
        """The lambda (s) that balance h as well as they can."""
        return self.bound.weights(-self.terms["h"][:, None])[:, 0]

    @cached_property
    def force(self) -> Array:
        """What remains of the force on each coordinate, h + G^T lambda, n."""
        return self.terms["h"] + self.terms["G"].T @ self.multipliers

    @cached_property
    def stiffness(self) -> Array:
        """K = -d(h + G^T lambda)/dq with lambda held, n x n."""
        return self.derivatives["by_q"][: len(self.q)]

    @cached_property
    def derivatives(self) -> dict[str, Array]:
        """Of the equations A a - h - G^T lambda and G a + g0 by q, v and t, at rest."""
        return self.numbers("derivatives", self.multipliers)

    @cached_property
    def asked(self) -> Array:
        """What constraints ask of a state at rest beside its position, 2 s, in units of the rows; 0 if it may rest."""
        velocity = self.numbers("surface")["velocity"]
        return np.concatenate([velocity, self.terms["g0"]]) / np.tile(self.bound.unit, 2)

    @cached_property
    def residual(self) -> Array:
        """D^T h in units of the coordinates, and what is asked: all must vanish."""
        return np.concatenate([self.bound.D.T @ self.terms["h"], self.asked])

    @cached_property
    def slope(self) -> Array:
        """The derivative of the residual along the movable directions."""
        return np.vstack([-self.bound.D.T @ self.stiffness @ self.movable, self.asked_by_q @ self.movable])

    @cached_property
    def asked_by_q(self) -> Array:
        """The derivative of `asked` by the position, 2 s x n."""
        velocity = self.numbers("surface_derivatives")["velocity_by_q"]
        return np.vstack([velocity, self.derivatives["by_q"][len(self.q) :]]) / np.tile(self.bound.unit, 2)[:, None]

    @property
    def misfit(self) -> float:
        """The length of the residual; infinite where there is none."""
        return float(np.linalg.norm(self.residual)) if self.finite else float("inf")

    @property
    def size(self) -> float:
        """The size of the forces of which the residual is what remains, in units of the coordinates."""
        forces = np.abs(self.terms["h"]) + np.abs(self.terms["G"]).T @ np.abs(self.multipliers)
        return float(np.linalg.norm(self.of.scale * forces))


def statics(model: CompiledModel, t: float, parameters: Array, names: Sequence[str], q: Array) -> Statics:
    """The statics of a system, with the units of its coordinates from the inertia at q."""
    function = model.function("terms")
    nothing = np.zeros(model.inputs)
    A, h, G, _ = function.parts(function(t, q, np.zeros(model.n), parameters, nothing)[1])
    raise_faults(model.callbacks)
    scale = metric(A, h, G).scale if np.isfinite(A).all() and np.isfinite(G).all() else np.ones(model.n)
    return Statics(model, t, parameters, tuple(names), scale)
