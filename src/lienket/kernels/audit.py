"""Audit of the results at a state: residuals of all equations that they must satisfy."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..elimination.verdict import CONTRADICTORY, REDUNDANT, Verdict
from ..foundation.arrays import Array
from ..foundation.assessment import Assessment, table
from ..foundation.frozen_dataclass import dataclass
from .audit_limits import EQUATION_RESIDUAL_LIMIT, RESIDUAL_ROUNDING, STATE_RESIDUAL_LIMIT
from .elimination.residual_scales import effects_of_motion
from .elimination.verdicts import undetermined
from .normal_force_note import normal_force_notes
from .reactions.methods import METHODS
from .rounding_residuals import LEVELS

if TYPE_CHECKING:
    from .state import State


@dataclass(frozen=True)
class Audit(Assessment):
    """Residuals at one state, each relative to the terms it consists of: 1e-16 is rounding, 1 is an error.

    What is judged does not depend on how a constraint is written: a factor of its expression changes `residuals` only.

    Attributes
    ----------
    position, velocity, acceleration : Mapping of str to float
        Least relative change of positions, velocities or accelerations that each constraint needs. A constraint that
        does not restrict positions or velocities has no entry there.
    equations : float
        Residual A q'' - h - r, with r summed over the constraints.
    ideality : float
        Residual D^T (r - c), with c the forces of laws and drives.
    power : float
        Rate of the energy stored in the motion less the power v^T (Q + r) (theory 15).
    methods : float or None
        Largest difference between the four methods for r; None if A is singular or laws or drives exert forces.
    residuals : Mapping of str to Mapping of str to float
        Residuals of the constraints themselves, g, g' or phi, and G q'' + g0, by level and name of the constraint.
    verdicts : Mapping of str to Verdict
        Verdict on each constraint.
    warnings : tuple of str
        Sentences on constraints that the state violates, on equations that do not hold, and on missing accelerations.
    notes : tuple of str
        Sentences on what was assumed: |lambda| as the normal force of a contact with friction.

    Examples
    --------
    >>> disc = lk.load("examples/models/rolling_disc.toml")
    >>> audit = disc.at(q={"x": 0, "y": 0.5, "phi": 0}, v=[0, 0, 0]).audit
    >>> audit.consistent, audit.accurate, audit.ok
    (False, True, False)
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
    warnings: tuple[str, ...]
    notes: tuple[str, ...] = ()

    @property
    def consistent(self) -> bool:
        """Whether positions and velocities satisfy the constraints."""
        return all(x <= STATE_RESIDUAL_LIMIT for x in (*self.position.values(), *self.velocity.values()))

    @property
    def accurate(self) -> bool:
        """Whether there are accelerations and reactions that satisfy their equations."""
        return self.worst <= EQUATION_RESIDUAL_LIMIT

    @property
    def worst(self) -> float:
        """Largest relative residual of equations, accelerations, ideality, power and methods; NaN without motion."""
        numbers = [self.equations, *self.acceleration.values(), self.ideality, self.power, self.methods or 0.0]
        return float(np.max(numbers))

    def facts(self) -> list[str]:
        """Return a line on each constraint, the equations, and the verdicts on redundant constraints.

        Returns
        -------
        list of str
            The lines.
        """
        shares = {level: getattr(self, level) for level in LEVELS}
        rows = [[name, *(_shown(shares[level].get(name)) for level in LEVELS)] for name in self.acceleration]
        lines = table([["needed change, relative", *LEVELS], *rows]) if rows else ["There are no constraints."]
        if not math.isnan(self.worst):
            lines.append(f"Equations, accelerations, ideality and power: worst relative residual {self.worst:.1e}.")
        return [*lines, *(v.sentence for v in self.verdicts.values() if v.status == REDUNDANT), *self.notes]


def audit(state: State) -> Audit:
    """Return the audit of a state: residuals relative to their terms."""
    chain, verdicts = state._chain, state.verdicts
    moving = not chain.massless and all(v.status != CONTRADICTORY for v in verdicts.values())
    shares, residuals = needed_changes(state, LEVELS if moving else LEVELS[:2])
    warnings = _violations(shares, residuals)
    if not moving:
        warnings += [undetermined(chain, state.names)] if chain.massless else []
        warnings += [v.sentence for v in verdicts.values() if v.status == CONTRADICTORY]
        accelerations, nothing = dict.fromkeys(verdicts, np.nan), (np.nan, np.nan, np.nan, None)
        return Audit(
            shares["position"], shares["velocity"], accelerations, *nothing, residuals, verdicts, tuple(warnings)
        )
    numbers, methods = (_equations(state), _ideality(state), _power(state)), _methods(state)
    warnings += _inaccuracies(shares["acceleration"], numbers, methods)
    notes = normal_force_notes(row.name for row in state._numbers.rows if row.law.assumes_normal)
    by_level = shares["position"], shares["velocity"], shares["acceleration"]
    return Audit(*by_level, *numbers, methods, residuals, verdicts, tuple(warnings), notes)


Levels = dict[str, dict[str, float]]  # numbers by level and name of the constraint


def needed_changes(state: State, levels: Sequence[str]) -> tuple[Levels, Levels]:
    """Return the relative change that each constraint needs, and its residual, by level and name.

    A change x of the motion removes a residual g if G x = -g. The least relative change, min max |x_i|/m_i with the
    motion m (n), is |g|/(|G| m): a factor of the row cancels. m is |q|, |v| or |a| and a share of the largest motion.
    The terms of the residual are added to |G| m: those of the formula for positions, |G| |v| + |g' - G v| for
    velocities, |g0| for accelerations. On the constraint they too are multiplied by a factor of the row.
    """
    shares: Levels = {level: {} for level in LEVELS}
    residuals: Levels = {level: {} for level in LEVELS}
    rows, numbers = state._numbers.rows, state._numbers
    if not rows:
        return shares, residuals
    G, g0, absolute = state.G, state.g0, np.abs(state.G)
    nothing = {len(row.g0): np.zeros(len(row.g0)) for row in rows}
    position, velocity = (
        np.concatenate([x if len(x) else nothing[len(row.g0)] for row in rows for x in (getattr(row, level),)])
        for level in LEVELS[:2]
    )
    effects = effects_of_motion(state._chain, numbers, absolute)
    sizes = np.concatenate([row.sizes for row in rows], axis=1)
    rounding = RESIDUAL_ROUNDING * (sizes + effects)
    acceleration = np.zeros(len(g0))
    if LEVELS[2] in levels:
        acceleration = G @ state.accelerations + g0
        effects[2] += absolute @ np.abs(state.accelerations)
    terms = (sizes[0], absolute @ np.abs(numbers.v) + np.abs(velocity - G @ numbers.v), np.abs(g0))
    values = np.abs(np.array([position, velocity, acceleration]))
    judged = np.where(values <= rounding, 0.0, values)
    # Where the scale vanishes, no change removes the residual: 1.
    change = judged / np.where(judged > 0, np.maximum(effects + np.array(terms), judged), 1.0)
    first = 0
    for row in rows:
        part = slice(first, first + len(row.g0))
        first = part.stop
        for k, level in enumerate(levels):
            if k == 2 or len(getattr(row, level)):
                residuals[level][row.name] = float(values[k, part].max())
                shares[level][row.name] = float(change[k, part].max())
    return shares, residuals


def _violations(shares: Mapping[str, Mapping[str, float]], residuals: Mapping[str, Mapping[str, float]]) -> list[str]:
    """Return a sentence on each constraint that positions or velocities violate."""
    return [
        f"The state violates {name!r}: its {level} residual is {residuals[level][name]:.3g}."
        for level in LEVELS[:2]
        for name, share in shares[level].items()
        if not share <= STATE_RESIDUAL_LIMIT
    ]


def _inaccuracies(
    acceleration: Mapping[str, float], numbers: tuple[float, ...], methods: float | None
) -> list[str]:  # fmt: skip
    """Return a sentence on each equation that accelerations and reactions do not satisfy."""
    named = {f"the acceleration residual of {name!r}": share for name, share in acceleration.items()}
    words = ("the residual A q'' - h - r", "the residual D^T (r - c)", "the residual of the power balance")
    named |= dict(zip(words, numbers, strict=True))
    named["the difference between the methods for r"] = methods or 0.0
    return [
        f"Accelerations or reactions are inaccurate: {what} is {share:.1e} of its terms."
        for what, share in named.items()
        if not share <= EQUATION_RESIDUAL_LIMIT
    ]


def _shown(share: float | None) -> str:
    """Return a number of the table; empty for a level that the constraint does not restrict."""
    return "" if share is None else "-" if math.isnan(share) else f"{share:.1e}"


def _share(value: float, size: float) -> float:
    """Return |value| relative to the size of its terms."""
    return abs(value) / (size if size > 0 else 1.0)


def _largest(values: Array, sizes: Array, scale: Array) -> float:
    """Return the largest value relative to the largest size, both scaled so that forces and torques compare."""
    return float(_share(np.max(np.abs(values) * scale, initial=0.0), np.max(sizes * scale, initial=0.0)))


def _equations(state: State) -> float:
    """Return the relative residual A q'' - h - r, with r the sum of the shares of the constraints."""
    total = sum(state.reactions.values(), np.zeros(len(state.h)))
    values = state.A @ state.accelerations - state.h - total
    sizes = np.abs(state.A) @ np.abs(state.accelerations) + np.abs(state.h) + np.abs(total)
    return _largest(values, sizes, state._chain.metric.scale)


def _ideality(state: State) -> float:
    """Return the relative residual D^T (r - c), c the forces of laws and drives, in the basis of the chain."""
    chain = state._chain
    D = chain.D * chain.metric.scale[:, None]
    r = state.reaction - sum(state.exerted.values(), np.zeros(len(state.h)))
    pushes = np.abs(chain.metric.massive).T @ (chain.metric.scale * (np.abs(r) + np.abs(state.h)))
    return float(_share(np.max(np.abs(D.T @ r), initial=0.0), np.max(pushes, initial=0.0)))


def _power(state: State) -> float:
    """Return the relative residual of the power balance, d(T2 - T0)/dt + dT/dt|_explicit - v^T (Q + r) (theory 15)."""
    numbers = state._numbers
    factors = np.concatenate([state.v, [1.0]])
    force = numbers.Q + state.reaction
    driven = state.A @ state.accelerations
    value = numbers.storing @ factors + state.v @ driven - state.v @ force
    sizes = np.abs(driven) + np.abs(numbers.Q) + np.abs(state.reaction)
    size = np.abs(numbers.storing) @ np.abs(factors) + np.abs(state.v) @ sizes
    return float(_share(value, size))


def _methods(state: State) -> float | None:
    """Return the largest relative difference between the four methods for r; None unless A is regular, all ideal."""
    chain = state._chain
    if chain.metric.massless.size or state.exerted:
        return None
    scale = chain.metric.scale
    reactions = [method(chain.metric.A, chain.metric.h, chain.G, chain.g0) / scale for method in METHODS.values()]
    sizes = np.max(np.abs(np.array(reactions)), axis=0) + np.abs(state.h)
    return max(_largest(r - state.reaction, sizes, scale) for r in reactions)
