"""Evaluation: quantities of compiled functions at one state or many, each computed on first access."""

from __future__ import annotations

from functools import cached_property
from typing import TypeVar

import numpy as np

from ..compiled.constraint_facts import SCALED
from ..compiled.machine.function import CompiledFunction
from ..compiled.machine.python_callbacks import raise_faults
from ..compiled.model import CompiledModel
from ..errors import LienketError
from ..foundation.arrays import Array, BoolArray, IntArray
from ..foundation.equality import same
from ..foundation.frozen_dataclass import dataclass
from ..language.by_name import ByName
from .shared_loads import not_unique, with_shared_loads

Numbers = TypeVar("Numbers", Array, IntArray)

STATES_AT_ONCE = 1024  # [states] whose accelerations emitted code computes in one call: they stay in the cache


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

    def __eq__(self, other: object) -> bool:
        """Return whether both are evaluations of one model at the same states with the same parameters."""
        if not isinstance(other, Evaluation):
            return NotImplemented
        states = (self.shape, self.t, self.q, self.v, self.parameters)
        others = (other.shape, other.t, other.q, other.v, other.parameters)
        return same(states, others) and (self.model is other.model or self.model.digest == other.model.digest)

    def __hash__(self) -> int:
        return hash(self.shape)

    @property
    def modes(self) -> dict[str, Array]:
        """Mode of each contact by name, "open", "sticks" or "slides"; empty for a system without contacts."""
        return {}

    # A q'' = h + G^T lambda, G q'' + g0 = 0

    @property
    def accelerations(self) -> Array:
        """Accelerations q'', ... x n; NaN where there are none (see `status`)."""
        return self._shaped(self._solved[0])

    @property
    def multipliers(self) -> Array:
        """Multipliers lambda of all rows, ... x s, 0 in the rows of programs.

        If rows are redundant, those of least norm; if contacts share a load, the least that obey their laws.
        """
        return self._shaped(np.ascontiguousarray(self._solved[1][:, : self.model.s]))

    @cached_property
    def not_unique(self) -> BoolArray:
        """Whether each multiplier is not unique since rows are redundant, ... x s."""
        return not_unique(self, self._solved[2]).reshape((*self.shape, self.model.s))

    @property
    def drives(self) -> dict[str, Array]:
        """Drives of programs by name."""
        drives = self._solved[1][:, self.model.s :]
        named = {name: self._shaped(drives[:, k].copy()) for k, name in enumerate(self.model.drives)}
        return ByName(named, "drive")

    @property
    def status(self) -> IntArray:
        """Status of each state: the method that solved it, or the reason of its failure.

        0 emitted code, 1 Schur complement, 2 elimination, 3 elimination with redundant rows; -1 the constraints
        contradict each other, -2 a massless direction is free, -3 A is not positive semidefinite, -4 a term is not
        finite, -5 friction leaves no motion or several, -6 drives do not reach the accelerations of programs.
        Contradictions are detected in accelerations alone; `system.at` also compares positions and velocities.
        """
        return self._shaped(self._solved[2])

    @property
    def A(self) -> Array:
        """Inertia matrix, ... x n x n."""
        return self._terms["A"]

    @property
    def h(self) -> Array:
        """Right side of A q'' = h, ... x n."""
        return self._terms["h"]

    @property
    def G(self) -> Array:
        """Rows of all constraints, ... x s x n."""
        return self._terms["G"]

    @property
    def g0(self) -> Array:
        """Terms g0 of G q'' + g0 = 0, ... x s."""
        return self._terms["g0"]

    # Residuals, energy, outputs

    @property
    def position(self) -> Array:
        """Position residual of each row, ... x s; 0 for rows that are not holonomic."""
        return self._surface["position"]

    @property
    def velocity(self) -> Array:
        """Velocity residual of each row, ... x s; 0 for rows on accelerations."""
        return self._surface["velocity"]

    @property
    def acceleration_residuals(self) -> Array:
        """Acceleration residual G q'' + g0 of each row, ... x s."""
        return self._residuals["acceleration"]

    @property
    def residuals(self) -> dict[str, Array]:
        """All residuals, ... x s each, by "position", "velocity" and "acceleration"."""
        return self._residuals

    @property
    def reactions(self) -> Array:
        """Generalized reaction G^T lambda of each constraint, ... x constraints x n."""
        return self._blocks("reactions", solved=True)["reactions"]

    @property
    def exerted(self) -> Array:
        """Non-ideal force of each constraint, ... x constraints x n: c of its law, E u of drives."""
        return self._blocks("exerted", solved=True)["exerted"]

    @cached_property
    def friction(self) -> dict[str, Array]:
        """Friction force share lambda of each contact along its slip, by name; without its viscous part."""
        if not self.model.non_ideal or not len(self.t):
            return {}
        function = self.model.function("loads")
        _, out = function.many(self.t, self.q, self.v, self.parameters, self._zero_inputs)
        loads = function.named(out)
        rows = loads["rows"][0].astype(int)
        forces = loads["shares"] * self._solved[1][:, rows]
        return {self.model.owners[row]: self._shaped(forces[:, k].copy()) for k, row in enumerate(rows)}

    @cached_property
    def normal_factors(self) -> dict[str, Array]:
        """Normal force per multiplier of each contact by name, where it is not 1."""
        scaled = {k: c.name for k, c in enumerate(self.model.constraints) if c.contact and c.contact.normal == SCALED}
        if not scaled or not len(self.t):
            return {}
        factors = self._blocks("normal_factors")["normal_factors"]
        return {name: factors[..., k] for k, name in scaled.items()}

    @cached_property
    def errors(self) -> dict[str, Array]:
        """Errors of programs that are followed, by name, ... x rows.

        Errors are in positions, else in velocities, else in accelerations: the first level that the program has.
        """
        errors, first = {}, 0
        if not self.model.followed:
            return {}
        levels = list(self._blocks("errors", solved=True).values())
        for c in self.model.followed:
            errors[c.name] = levels[c.level][..., first : first + c.rows]
            first += c.rows
        return errors

    @property
    def kinetic(self) -> Array:
        """Kinetic energy T."""
        return self._energy["kinetic"]

    @property
    def potential(self) -> Array:
        """Potential energy V."""
        return self._energy["potential"]

    @property
    def stored(self) -> Array:
        """Energy T2 - T0 stored in motion; equal to T unless the reference of the coordinates moves."""
        return self._energy["stored"]

    @property
    def energy(self) -> Array:
        """Energy T + V."""
        return self.kinetic + self.potential

    @cached_property
    def outputs(self) -> dict[str, Array]:
        """Outputs of the system by name."""
        if not self.model.outputs:
            return {}
        values = self._blocks("outputs", solved=self.model.outputs_need_accelerations)["outputs"]
        return {name: values[..., k] for k, name in enumerate(self.model.outputs)}

    # Derivatives at the solution

    @property
    def by_q(self) -> Array:
        """Derivatives of A q'' - h - G^T lambda and G q'' + g0 by q at fixed q'' and lambda, ... x (n + s) x n."""
        return self._derivatives["by_q"]

    @property
    def by_v(self) -> Array:
        """Derivatives of A q'' - h - G^T lambda and G q'' + g0 by v at fixed q'' and lambda, ... x (n + s) x n."""
        return self._derivatives["by_v"]

    @property
    def by_t(self) -> Array:
        """Derivatives of A q'' - h - G^T lambda and G q'' + g0 by t at fixed q'' and lambda, ... x (n + s)."""
        return self._derivatives["by_t"]

    @cached_property
    def by_parameters(self) -> Array:
        """Derivatives of A q'' - h - G^T lambda and G q'' + g0 by the parameters, ... x (n + s) x p."""
        return self._blocks("parameter_derivatives", solved=True)["by_parameters"]

    # Private

    @cached_property
    def _solved(self) -> tuple[Array, Array, IntArray]:
        """Accelerations (N x n), multipliers and drives (N x (s + p)) and status (N)."""
        model, motion = self.model, self.model.motion
        if model.nonlinear:
            raise LienketError(
                f"Many states cannot be solved at once with the constraint {model.nonlinear[0]!r}, which is nonlinear "
                "in the accelerations. Call system.at(q, v, t) for each state."
            )
        count, n = len(self.t), model.n
        if motion is not None:
            if count > STATES_AT_ONCE:
                a, multipliers, status, finite = self._in_parts(motion)
            else:
                status, out = motion.many(self.t, self.q, self.v, self.parameters, self._zero_inputs)
                a, multipliers = np.ascontiguousarray(out[:, :n]), np.ascontiguousarray(out[:, n:])
                finite = np.isfinite(out)
            raise_faults(model.callbacks)
            if not status.any() and finite.all():
                return a, multipliers, status
            unsolved = (status != 0) | ~finite.reshape(count, -1).all(axis=1)
        else:
            a, multipliers = np.zeros((count, n)), np.zeros((count, model.inputs - n))
            status, unsolved = np.ones(count, dtype=np.int64), np.ones(count, dtype=bool)
        if unsolved.any():
            from .native.calls import accelerations_many, loads_of

            states = (self.t[unsolved], self.q[unsolved], self.v[unsolved], self.parameters)
            terms = model.function("terms").address
            solution = accelerations_many(0, terms, *states, model.s, self._zero_inputs[0], loads_of(model))
            a[unsolved], multipliers[unsolved], status[unsolved] = solution
            raise_faults(model.callbacks)
        return a, with_shared_loads(self, multipliers, status), status

    def _in_parts(self, motion: CompiledFunction) -> tuple[Array, Array, IntArray, BoolArray]:
        """Return accelerations (N x n), multipliers (N x s), status (N) of emitted code, and which are finite (N)."""
        n, s, count = self.model.n, self.model.s, len(self.t)
        a, multipliers, status = np.empty((count, n)), np.empty((count, s)), np.empty(count, dtype=np.int64)
        inputs, finite = np.zeros((STATES_AT_ONCE, self.model.inputs)), np.empty(count, dtype=bool)
        for first in range(0, count, STATES_AT_ONCE):
            k = slice(first, first + STATES_AT_ONCE)
            t = self.t[k]
            status[k], out = motion.many(t, self.q[k], self.v[k], self.parameters, inputs[: len(t)])
            a[k], multipliers[k], finite[k] = out[:, :n], out[:, n:], np.isfinite(out).all(axis=1)
        return a, multipliers, status, finite

    @cached_property
    def _zero_inputs(self) -> Array:
        """Inputs of functions that need neither accelerations nor multipliers."""
        return np.zeros((len(self.t), self.model.inputs))

    @cached_property
    def mechanism(self) -> dict[str, Array]:
        """Results of joints, bodies and elements by name, see the function `mechanism`."""
        return self._blocks("mechanism", solved=True)

    @cached_property
    def geometry(self) -> dict[str, Array]:
        """Results of joints and bodies that need no accelerations: places, axes, coordinates and their rates."""
        return self._blocks("mechanism")

    @property
    def solution(self) -> tuple[Array, Array]:
        """Accelerations (N x n), and multipliers with the drives behind them (N x (s + p))."""
        return self._solved[0], self._solved[1]

    @cached_property
    def _terms(self) -> dict[str, Array]:
        return self._blocks("terms")

    @cached_property
    def _surface(self) -> dict[str, Array]:
        """Residuals of positions and velocities, which need no accelerations."""
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
        """Return the blocks of a function by name; accelerations and multipliers are its inputs if `solved`."""
        function = self.model.function(name)
        inputs = np.ascontiguousarray(np.hstack(self._solved[:2])) if solved else self._zero_inputs
        _, out = function.many(self.t, self.q, self.v, self.parameters, inputs)
        raise_faults(self.model.callbacks)
        return {key: self._shaped(part) for key, part in function.named(out).items()}

    def _shaped(self, values: Numbers) -> Numbers:
        """Return the values, read-only, with the axes of the states first."""
        values.setflags(write=False)
        return values.reshape((*self.shape, *values.shape[1:]))
