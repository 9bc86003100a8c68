"""Evaluation: what compiled functions give at one state or many, each computed when it is asked for."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from ..compiled.machine.python_callbacks import raise_faults
from ..compiled.model import CompiledModel
from ..errors import LienketError
from ..foundation.frozen_dataclass import dataclass

Array = Any


@dataclass(frozen=True, eq=False)
class Evaluation:
    """Numbers at N states; every array has the axes `shape` of the states first.

    t (N), q and v (N x n) are the states one after another, `parameters` hold for all.
    """

    model: CompiledModel
    shape: tuple[int, ...]
    t: Array
    q: Array
    v: Array
    parameters: Array

    # A q'' = h + G^T lambda, G q'' + g0 = 0

    @property
    def accelerations(self) -> Array:
        """The accelerations q'', ... x n; NaN where there are none (see `status`)."""
        return self._shaped(self._solved[0])

    @property
    def multipliers(self) -> Array:
        """Lambda of every row, ... x s; those of least norm where rows are redundant, 0 in the rows of programs."""
        return self._shaped(np.ascontiguousarray(self._solved[1][:, : self.model.s]))

    @property
    def drives(self) -> dict[str, Array]:
        """The drives of programs by name."""
        found = self._solved[1][:, self.model.s :]
        return {name: self._shaped(found[:, k].copy()) for k, name in enumerate(self.model.drives)}

    @property
    def status(self) -> Array:
        """How each state was solved: 0 emitted code, 1 Schur's complement, 2 elimination, 3 with redundant rows;
        -1 the constraints contradict each other, -2 something massless is free, -3 A is negative, -4 not finite,
        -5 friction allows no or no single motion, -6 drives do not reach what programs ask.

        What contradicts is judged by accelerations alone; `system.at` also looks at positions and velocities.
        """
        return self._shaped(self._solved[2])

    @property
    def A(self) -> Array:
        """The inertia matrix, ... x n x n."""
        return self._terms["A"]

    @property
    def h(self) -> Array:
        """The right side of A q'' = h, ... x n."""
        return self._terms["h"]

    @property
    def G(self) -> Array:
        """The rows of all constraints, ... x s x n."""
        return self._terms["G"]

    @property
    def g0(self) -> Array:
        """G q'' + g0 = 0, ... x s."""
        return self._terms["g0"]

    # Residuals, energy, outputs

    @property
    def position(self) -> Array:
        """The residual of each holonomic row, ... x s; 0 for the others."""
        return self._surface["position"]

    @property
    def velocity(self) -> Array:
        """The residual of each row on velocities, ... x s; 0 for rows on accelerations."""
        return self._surface["velocity"]

    @property
    def acceleration_residuals(self) -> Array:
        """G q'' + g0 of each row, ... x s."""
        return self._residuals["acceleration"]

    @property
    def residuals(self) -> dict[str, Array]:
        """All residuals, ... x s each, by "position", "velocity" and "acceleration"."""
        return self._residuals

    @property
    def reactions(self) -> Array:
        """The generalized reaction G^T lambda of each constraint, ... x constraints x n."""
        return self._blocks("reactions", solved=True)["reactions"]

    @property
    def exerted(self) -> Array:
        """What each constraint exerts that is not G^T lambda, ... x constraints x n: c of its law, E u of drives."""
        return self._blocks("exerted", solved=True)["exerted"]

    @cached_property
    def friction(self) -> dict[str, Array]:
        """The friction share lambda of each contact along its slip, by name; without its viscous part."""
        if not self.model.non_ideal or not len(self.t):
            return {}
        function = self.model.function("loads")
        _, out = function.many(self.t, self.q, self.v, self.parameters, self._nothing)
        found = function.named(out)
        rows = found["rows"][0].astype(int)
        forces = found["shares"] * self._solved[1][:, rows]
        return {self.model.owners[row]: self._shaped(forces[:, k].copy()) for k, row in enumerate(rows)}

    @cached_property
    def errors(self) -> dict[str, Array]:
        """How far programs that are followed are missed, by name, ... x rows: in positions, velocities, accelerations.

        The first of these that the program has.
        """
        found, first = {}, 0
        if not self.model.followed:
            return {}
        levels = list(self._blocks("errors", solved=True).values())
        for c in self.model.followed:
            found[c.name] = levels[c.level][..., first : first + len(c.expressions)]
            first += len(c.expressions)
        return found

    @property
    def kinetic(self) -> Array:
        """The kinetic energy T."""
        return self._energy["kinetic"]

    @property
    def potential(self) -> Array:
        """The potential energy V."""
        return self._energy["potential"]

    @property
    def stored(self) -> Array:
        """T2 - T0, the part of the kinetic energy that is stored in motion: T if nothing carries coordinates along."""
        return self._energy["stored"]

    @property
    def energy(self) -> Array:
        """T + V."""
        return self.kinetic + self.potential

    @cached_property
    def outputs(self) -> dict[str, Array]:
        """The user's outputs by name."""
        if not self.model.outputs:
            return {}
        found = self._blocks("outputs", solved=self.model.outputs_need_accelerations)["outputs"]
        return {name: found[..., k] for k, name in enumerate(self.model.outputs)}

    # Derivatives at the solution

    @property
    def by_q(self) -> Array:
        """The derivatives of A q'' - h - G^T lambda and G q'' + g0 by q, q'' and lambda held, ... x (n + s) x n."""
        return self._derivatives["by_q"]

    @property
    def by_v(self) -> Array:
        """The same by v."""
        return self._derivatives["by_v"]

    @property
    def by_t(self) -> Array:
        """The same by t, ... x (n + s)."""
        return self._derivatives["by_t"]

    @cached_property
    def by_parameters(self) -> Array:
        """The same by the parameters, ... x (n + s) x p."""
        return self._blocks("parameter_derivatives", solved=True)["by_parameters"]

    # Inside

    @cached_property
    def _solved(self) -> tuple[Array, Array, Array]:
        model = self.model
        if model.nonlinear:
            raise LienketError(
                f"Many states at once are not solved with {model.nonlinear[0]!r}, which is nonlinear in the "
                "accelerations; ask system.at(q, v, t) for each."
            )
        motion = model.motion
        count = len(self.t)
        a, multipliers = np.zeros((count, model.n)), np.zeros((count, model.inputs - model.n))
        status = np.ones(count, dtype=np.int64)
        if motion is not None:
            status, out = motion.many(self.t, self.q, self.v, self.parameters, self._nothing)
            raise_faults(model.callbacks)
            a[:], multipliers[:] = out[:, : model.n], out[:, model.n :]
        left = (status != 0) | ~np.all(np.isfinite(a), axis=1) | ~np.all(np.isfinite(multipliers), axis=1)
        if np.any(left):
            from .native.calls import accelerations_many, loads_of

            states = (self.t[left], self.q[left], self.v[left], self.parameters)
            given = (model.s, self._nothing[0], loads_of(model))
            found = accelerations_many(0, model.function("terms").address, *states, *given)
            a[left], multipliers[left], status[left] = found
            raise_faults(model.callbacks)
        return a, multipliers, status

    @cached_property
    def _nothing(self) -> Array:
        return np.zeros((len(self.t), self.model.inputs))

    @cached_property
    def _terms(self) -> dict[str, Array]:
        return self._blocks("terms")

    @cached_property
    def _surface(self) -> dict[str, Array]:
        """Residuals without accelerations: they need none, and nothing has to be solved for them."""
        return self._blocks("residuals")

    @cached_property
    def _residuals(self) -> dict[str, Array]:
        return self._blocks("residuals", solved=True)

    @cached_property
    def _energy(self) -> dict[str, Array]:
        return self._blocks("energy")

    @cached_property
    def _derivatives(self) -> dict[str, Array]:
        return self._blocks("derivatives", solved=True)

    def _blocks(self, name: str, solved: bool = False) -> dict[str, Array]:
        """The blocks of a function by name, with accelerations and multipliers among its inputs if `solved`."""
        function = self.model.function(name)
        inputs = np.ascontiguousarray(np.hstack(self._solved[:2])) if solved else self._nothing
        _, out = function.many(self.t, self.q, self.v, self.parameters, inputs)
        raise_faults(self.model.callbacks)
        return {key: self._shaped(part) for key, part in function.named(out).items()}

    def _shaped(self, values: Array) -> Array:
        values.setflags(write=False)
        return values.reshape((*self.shape, *values.shape[1:]))
