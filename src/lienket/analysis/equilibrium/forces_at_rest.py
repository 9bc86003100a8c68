"""Unbalanced forces of a system at rest as functions of the position, with exact derivatives.

    h(q, 0, t) + G^T lambda = remaining force,     D^T h = 0 in equilibrium,     K = -d(h + G^T lambda)/dq

lambda is the least-squares balance, of least norm where rows are redundant, so that the remaining force is the part of
h along the free directions D, and -D^T K its exact derivative. Rows on velocities act with their G as well. A state at
rest must also satisfy rows on velocities and accelerations: phi(q, 0, t) = 0, psi(q, 0, 0, t) = 0, and g_t = g_tt = 0
of moving constraints. Their residuals are `rate_residuals`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from ...compiled.machine.python_callbacks import raise_faults
from ...compiled.model import CompiledModel
from ...foundation.arrays import Array
from ...foundation.frozen_dataclass import dataclass
from ...kernels.elimination.metric import metric
from ...simulation.start.level_constraints import POSITIONS, LevelConstraints
from ..row_space import RowSpace, row_space


@dataclass(frozen=True, eq=False)
class Statics:
    """System at the time t with values of its parameters; `scale` (n) has a unit for each coordinate."""

    model: CompiledModel
    t: float
    parameters: Array
    names: tuple[str, ...]
    scale: Array

    def with_parameter(self, index: int, value: float) -> Statics:
        """Return a copy with another value of one parameter."""
        parameters = self.parameters.copy()
        parameters[index] = value
        return replace(self, parameters=parameters)

    def conditions(self) -> LevelConstraints:
        """Return the holonomic constraints on the position."""
        n = len(self.names)
        return LevelConstraints(self.model, self.t, self.parameters, POSITIONS, self.names, np.zeros(n))

    def at(self, q: Array) -> ForcesAtRest:
        """Return the forces at a position."""
        return ForcesAtRest(self, np.ascontiguousarray(q, dtype=float))


@dataclass(frozen=True, eq=False)
class ForcesAtRest:
    """System at rest at the position q (n); see the module."""

    of: Statics
    q: Array

    def numbers(self, name: str, multipliers: Array | None = None) -> dict[str, Array]:
        """Return the blocks of a compiled function, with a = 0."""
        of, function = self.of, self.of.model.function(name)
        n, s = of.model.n, of.model.s
        inputs = np.concatenate([np.zeros(n), np.zeros(s) if multipliers is None else multipliers])
        _, out = function(of.t, self.q, np.zeros(n), of.parameters, inputs)
        raise_faults(of.model.callbacks)
        return function.named(out)

    @cached_property
    def terms(self) -> dict[str, Array]:
        """Matrices A, h, G, g0."""
        return self.numbers("terms")

    @cached_property
    def finite(self) -> bool:
        """Whether all terms are finite."""
        return all(bool(np.isfinite(x).all()) for x in self.terms.values())

    @cached_property
    def bound(self) -> RowSpace:
        """Row space of all rows; all carry reactions."""
        return row_space(self.terms["G"], self.of.scale)

    @cached_property
    def movable(self) -> Array:
        """Directions T (n x m) that holonomic rows leave free, orthonormal in units of the coordinates."""
        return row_space(self.terms["G"][self.of.model.levels == 0], self.of.scale).D

    @cached_property
    def multipliers(self) -> Array:
        """Multipliers lambda (s) of the least-squares balance h + G^T lambda = 0."""
        return self.bound.multipliers(-self.terms["h"][:, None])[:, 0]

    @cached_property
    def force(self) -> Array:
        """Unbalanced force h + G^T lambda (n)."""
        return self.terms["h"] + self.terms["G"].T @ self.multipliers

    @cached_property
    def stiffness(self) -> Array:
        """Stiffness K = -d(h + G^T lambda)/dq with lambda held, n x n."""
        return self.derivatives["by_q"][: len(self.q)]

    @cached_property
    def derivatives(self) -> dict[str, Array]:
        """Derivatives of A a - h - G^T lambda and G a + g0 by q, v and t, at rest."""
        return self.numbers("derivatives", self.multipliers)

    @cached_property
    def rate_residuals(self) -> Array:
        """Residuals (2 s) of all rows in velocities, then accelerations, at v = a = 0, in units of the rows."""
        velocity = self.numbers("surface")["velocity"]
        return np.concatenate([velocity, self.terms["g0"]]) / np.tile(self.bound.unit, 2)

    @cached_property
    def residual(self) -> Array:
        """Vector that vanishes in equilibrium: D^T h in units of the coordinates, then the rate residuals."""
        return np.concatenate([self.bound.D.T @ self.terms["h"], self.rate_residuals])

    @cached_property
    def slope(self) -> Array:
        """Derivative of the residual along the movable directions T."""
        return np.vstack([-self.bound.D.T @ self.stiffness @ self.movable, self.rate_residuals_by_q @ self.movable])

    @cached_property
    def rate_residuals_by_q(self) -> Array:
        """Derivative of the rate residuals by the position, 2 s x n."""
        velocity = self.numbers("surface_derivatives")["velocity_by_q"]
        return np.vstack([velocity, self.derivatives["by_q"][len(self.q) :]]) / np.tile(self.bound.unit, 2)[:, None]

    @property
    def misfit(self) -> float:
        """Length of the residual; infinite where a term is not finite."""
        return float(np.linalg.norm(self.residual)) if self.finite else float("inf")

    @property
    def size(self) -> float:
        """Size of the forces h and G^T lambda whose sum is the unbalanced force, in units of the coordinates."""
        forces = np.abs(self.terms["h"]) + np.abs(self.terms["G"]).T @ np.abs(self.multipliers)
        return float(np.linalg.norm(self.of.scale * forces))


def statics(model: CompiledModel, t: float, parameters: Array, names: Sequence[str], q: Array) -> Statics:
    """Return the statics of a system, with the units of its coordinates from the inertia at q."""
    function = model.function("terms")
    inputs = np.zeros(model.inputs)
    A, h, G, _ = function.parts(function(t, q, np.zeros(model.n), parameters, inputs)[1])
    raise_faults(model.callbacks)
    scale = metric(A, h, G).scale if np.isfinite(A).all() and np.isfinite(G).all() else np.ones(model.n)
    return Statics(model, t, parameters, tuple(names), scale)
