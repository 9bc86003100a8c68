"""Motion determined by constraints and prescribed outputs alone, without equations of motion.

    g(q, t) = 0,    G v + g_t = 0,    G a + g0 = 0        with as many independent rows as coordinates

Positions are advanced from time to time: predicted by v and a, corrected by Newton's method. If its steps do not
contract at once, the interval is halved, so that the mechanism does not jump to another assembly.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from ...compiled.machine.python_callbacks import raise_faults
from ...compiled.model import CompiledModel
from ...errors import LienketError, StartError
from ...foundation.arrays import Array
from ...foundation.frozen_dataclass import dataclass
from ...kernels.projection import PROJECTION_STEPS, RepeatedSteps, Surface, project, rows_chain
from ...simulation.start.assembly import assemble
from ...simulation.start.level_constraints import POSITIONS, VELOCITIES, LevelConstraints
from ...simulation.start.nearest_point import length

INTERVAL_HALVINGS = 12  # [halvings] of the interval between two times before the motion counts as blocked
VELOCITY_ITERATION_LIMIT = 20  # [iterations] of Newton's method for the velocities
# Large, because near the end of a law both sides of its velocity equation are almost zero.
VELOCITY_RESIDUAL_TOLERANCE = 1e-6  # [1] residual of a dependent row on velocities, relative to its terms
INTERVAL_END_TOLERANCE = 1e-9  # [1] part of the interval below which the remainder is joined to the last step


@dataclass(frozen=True, eq=False)
class Path:
    """Rows of all constraints and outputs as machine code, with values for the parameters."""

    model: CompiledModel
    names: tuple[str, ...]
    parameters: Array

    def first(self, t: float, guess: Array) -> Array:
        """Return the positions (n) at a time, near a guess; StartError if there are none."""
        fixed = np.zeros(len(guess), dtype=bool)
        try:
            return assemble(self.positions(t, guess), guess, fixed, others=False).x
        except StartError as error:
            advice = error.advice.replace("guess={...}", "start={...}")  # the argument of `drive` for the guess
            raise StartError(error.message, error.residuals, error.given, advice) from None

    def positions(self, t: float, q: Array) -> LevelConstraints:
        """Return the constraints on positions at a time."""
        return LevelConstraints(self.model, t, self.parameters, POSITIONS, self.names, q)

    def freedom(self, t: float, q: Array) -> int:
        """Return the number of freedoms that the rows on positions leave."""
        return len(q) - len(rows_chain(self.positions(t, q).surface(q)).accepted)

    def rates(self, t: float, q: Array, v: Array) -> tuple[Array, Array]:
        """Return velocities, near a guess v, and accelerations (n each) at a position."""
        names = tuple(f"{x}'" for x in self.names)
        steps = RepeatedSteps()
        velocities = _velocities(LevelConstraints(self.model, t, self.parameters, VELOCITIES, names, q), v, steps)
        if velocities is None:
            raise LienketError(
                f"At t = {t:.9g} no velocities satisfy the constraints and the laws: the mechanism is at a dead point, "
                "and the law continues beyond it. Change the law, or leave such times out."
            )
        terms = self.model.function("terms")
        _, out = terms(t, q, velocities, self.parameters, np.zeros(self.model.n + self.model.s))
        raise_faults(self.model.callbacks)
        A, _, G, g0 = terms.parts(out)
        return velocities, steps.shortest(Surface(A, G, g0, np.abs(g0)))[1]


def follow(path: Path, times: Sequence[float] | Array, first: Array) -> tuple[Array, Array, Array]:
    """Return q, v, a (N x n each) at the times, from the positions `first` (n) at the first of them."""
    q, v = first, np.zeros(len(first))
    v, a = path.rates(float(times[0]), q, v)
    rows = [(q, v, a)]
    for begin, end in pairwise(times):
        q, v, a = _advance(path, float(begin), float(end), q, v, a)
        rows.append((q, v, a))
    stacked = [np.ascontiguousarray(part) for part in map(np.array, zip(*rows, strict=True))]
    return stacked[0], stacked[1], stacked[2]


def _velocities(conditions: LevelConstraints, v: Array, steps: RepeatedSteps) -> Array | None:
    """Return velocities near v by Newton's method, or None if dependent rows contradict; most rows are linear in v."""
    last = np.inf
    for _ in range(VELOCITY_ITERATION_LIMIT):
        surface = conditions.surface(v)
        accepted, step = steps.shortest(surface)
        size = length(surface.A, step)
        if not size < last / 2:
            break
        v, last = v + step, size
    else:
        surface = conditions.surface(v)
        accepted = steps.shortest(surface)[0]
    if len(accepted) == len(surface.G):
        return v  # all rows are independent and satisfied; only dependent rows can contradict
    at_rest = np.abs(conditions.surface(np.zeros(len(v))).residual)
    limit = VELOCITY_RESIDUAL_TOLERANCE * (at_rest + np.abs(surface.G) @ np.abs(v))
    return v if np.all(np.abs(surface.residual) <= limit) else None


def _advance(path: Path, begin: float, end: float, q: Array, v: Array, a: Array) -> tuple[Array, Array, Array]:
    """Return q, v, a at the end of an interval, divided into as many parts as the correction needs."""
    t, part = begin, end - begin
    while t < end:
        later = end if t + part >= end - INTERVAL_END_TOLERANCE * (end - begin) else t + part
        dt = later - t
        corrected = _correct(path, later, q + dt * v + dt**2 / 2 * a)
        if corrected is None:
            part /= 2
            if part < (end - begin) * 0.5**INTERVAL_HALVINGS:
                where = ", ".join(f"{name} = {x:.6g}" for name, x in zip(path.names, q, strict=True))
                raise LienketError(
                    f"The prescribed motion cannot be followed beyond t = {t:.9g}, {where}: it leads out of reach, or "
                    "through a dead point. Change the law, or begin with another assembly: start={...}."
                )
            continue
        t, q = later, corrected
        v, a = path.rates(t, q, v + dt * a)
    return q, v, a


def _correct(motion: Path, t: float, guess: Array) -> Array | None:
    """Return the position near a guess; None unless the later Newton steps together are at most half the first."""
    conditions = motion.positions(t, guess)
    with np.errstate(all="ignore"):
        surface = conditions.surface(guess)
        if not np.isfinite(surface.residual).all():
            return None
        path: list[Array] = []
        corrected, code = project(conditions.surface, guess, steps=1 + PROJECTION_STEPS, at=surface, path=path)
        if code >= 0 and not path:
            return corrected
        first = path[0] if path else guess
    near = length(surface.A, corrected - first) <= length(surface.A, first - guess) / 2
    return corrected if code >= 0 and near else None
