"""Audit of the results at a state: residuals of all equations that they must satisfy."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from ..elimination.verdict import CONTRADICTORY, INDEPENDENT, Verdict
from ..foundation.frozen_dataclass import dataclass
from .elimination.metric import Array
from .elimination.residual_scales import residual_scales
from .elimination.verdicts import undetermined
from .reactions.methods import METHODS

if TYPE_CHECKING:
    from .state import State

POSITION_LIMIT = 1e-8  # [1] relative residual of position or velocity above which a state violates its constraints
ACCURACY_LIMIT = 1e-9  # [1] relative residual of the equations above which accelerations or reactions are inaccurate


@dataclass(frozen=True)
class Audit:
    """Residuals at one state, each relative to the terms it consists of: 1e-16 is rounding, 1 is an error.

    Attributes
    ----------
    position, velocity, acceleration : Mapping of str to float
        Relative residual of each constraint: g, g' or phi, and G q'' + g0. A constraint that does not restrict
        positions or velocities has no entry there.
    equations : float
        Residual A q'' - h - r, with r summed over the constraints.
    ideality : float
        Residual D^T (r - c), with c the forces of laws and drives.
    power : float
        Rate of the energy stored in the motion less the power v^T (Q + r) (theory 15).
    methods : float or None
        Largest difference between the four methods for r; None if A is singular or laws or drives exert forces.
    residuals : Mapping of str to Mapping of str to float
        Residuals of the constraints themselves, in their units, by level and name of the constraint.
    verdicts : Mapping of str to Verdict
        Verdict on each constraint.
    remark : str
        Reason why there are no accelerations; empty if there are.

    Examples
    --------
    >>> disc = lk.load("examples/models/rolling_disc.toml")
    >>> audit = disc.at(q={"x": 0, "y": 0.5, "phi": 0}, v=[0, 0, 0]).audit
    >>> audit.consistent, audit.accurate
    (False, True)
    >>> round(audit.residuals["position"]["contact"], 3)
    0.13
    """

    position: Mapping[str, float]
    velocity: Mapping[str, float]
    acceleration: Mapping[str, float]
    equations: float
    ideality: float
    power: float
    methods: float | None
    residuals: Mapping[str, Mapping[str, float]]
    verdicts: Mapping[str, Verdict]
    remark: str = ""  # why there are no accelerations to audit

    @property
    def consistent(self) -> bool:
        """Whether positions and velocities satisfy the constraints."""
        return all(x <= POSITION_LIMIT for x in (*self.position.values(), *self.velocity.values()))

    @property
    def accurate(self) -> bool:
        """Whether accelerations and reactions satisfy their equations."""
        numbers = [*self.acceleration.values(), self.equations, self.ideality, self.power, self.methods or 0.0]
        return all(x <= ACCURACY_LIMIT for x in numbers)

    @property
    def ok(self) -> bool:
        """Whether the state is both consistent and accurate."""
        return self.consistent and self.accurate

    def __str__(self) -> str:
        lines = []
        for level, shares in (("position", self.position), ("velocity", self.velocity)):
            for name, share in shares.items():
                if share > POSITION_LIMIT:
                    value = self.residuals[level][name]
                    lines.append(f"The state violates {name!r}: its {level} residual is {value:.3g}.")
        if math.isnan(self.equations):
            lines += [self.remark] if self.remark else []
            return "\n".join([*lines, *(v.sentence for v in self.verdicts.values() if v.status != INDEPENDENT)])
        worst = max([*self.acceleration.values(), self.equations, self.ideality, self.power, self.methods or 0.0])
        word = "hold" if self.accurate else "do NOT hold well"
        lines.append(
            f"Equations, constraints on accelerations, ideality and power {word}: worst relative residual {worst:.1e}."
        )
        lines += [v.sentence for v in self.verdicts.values() if v.status != INDEPENDENT]
        return "\n".join(lines)


def audit(state: State) -> Audit:
    """Return the audit of a state: residuals relative to their terms."""
    position: dict[str, float] = {}
    velocity: dict[str, float] = {}
    residuals: dict[str, dict[str, float]] = {"position": {}, "velocity": {}, "acceleration": {}}
    scales = {row.name: residual_scales(state.chain, state.numbers, row) for row in state.numbers.rows}
    for row in state.numbers.rows:
        for level, (name, shares) in enumerate((("position", position), ("velocity", velocity))):
            values = getattr(row, name)
            if len(values):
                residuals[name][row.name] = float(np.max(np.abs(values)))
                shares[row.name] = float(np.max(_share(values, scales[row.name][level])))
    verdicts = state.verdicts
    if state.chain.massless or any(v.status == CONTRADICTORY for v in verdicts.values()):
        nothing = dict.fromkeys(verdicts, np.nan)
        remark = undetermined(state.chain, state.names) if state.chain.massless else ""
        return Audit(position, velocity, nothing, np.nan, np.nan, np.nan, None, residuals, verdicts, remark)
    a = state.accelerations
    acceleration = {}
    for row in state.numbers.rows:
        values = row.G @ a + row.g0
        residuals["acceleration"][row.name] = float(np.max(np.abs(values)))
        acceleration[row.name] = float(np.max(_share(values, scales[row.name][2])))
    return Audit(
        position, velocity, acceleration, _equations(state), _ideality(state), _power(state), _methods(state),
        residuals, verdicts,
    )  # fmt: skip


def _share(values: Array, sizes: Array) -> Array:
    """Return |values| relative to the sizes of their terms."""
    return np.abs(values) / np.where(sizes > 0, sizes, 1.0)


def _largest(values: Array, sizes: Array, scale: Array) -> float:
    """Return the largest value relative to the largest size, both scaled so that forces and torques compare."""
    return float(_share(np.max(np.abs(values) * scale, initial=0.0), np.max(sizes * scale, initial=0.0)))


def _equations(state: State) -> float:
    """Return the relative residual A q'' - h - r, with r the sum of the shares of the constraints."""
    total = sum(state.reactions.values(), np.zeros(len(state.h)))
    values = state.A @ state.accelerations - state.h - total
    sizes = np.abs(state.A) @ np.abs(state.accelerations) + np.abs(state.h) + np.abs(total)
    return _largest(values, sizes, state.chain.metric.scale)


def _ideality(state: State) -> float:
    """Return the relative residual D^T (r - c), c the forces of laws and drives, in the basis of the chain."""
    chain = state.chain
    D = chain.D * chain.metric.scale[:, None]
    r = state.reaction - sum(state.exerted.values(), np.zeros(len(state.h)))
    pushes = np.abs(chain.metric.massive).T @ (chain.metric.scale * (np.abs(r) + np.abs(state.h)))
    return float(_share(np.max(np.abs(D.T @ r), initial=0.0), np.max(pushes, initial=0.0)))


def _power(state: State) -> float:
    """Return the relative residual of the power balance, d(T2 - T0)/dt + dT/dt|_explicit - v^T (Q + r) (theory 15)."""
    numbers = state.numbers
    factors = np.concatenate([state.v, [1.0]])
    force = numbers.Q + state.reaction
    driven = state.A @ state.accelerations
    value = numbers.storing @ factors + state.v @ driven - state.v @ force
    sizes = np.abs(driven) + np.abs(numbers.Q) + np.abs(state.reaction)
    size = np.abs(numbers.storing) @ np.abs(factors) + np.abs(state.v) @ sizes
    return float(_share(value, size))


def _methods(state: State) -> float | None:
    """Return the largest relative difference between the four methods for r; None unless A is regular, all ideal."""
    chain = state.chain
    if chain.metric.massless.size or state.exerted:
        return None
    scale = chain.metric.scale
    reactions = [method(chain.metric.A, chain.metric.h, chain.G, chain.g0) / scale for method in METHODS.values()]
    sizes = np.max(np.abs(np.array(reactions)), axis=0) + np.abs(state.h)
    return max(_largest(r - state.reaction, sizes, scale) for r in reactions)
