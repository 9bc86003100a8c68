"""A motion that constraints and prescribed outputs determine alone, without any equation of motion.

    g(q, t) = 0,    G v + g_t = 0,    G a + g0 = 0        with as many independent rows as coordinates

Positions are followed from time to time: predicted by v and a, corrected by Newton's steps. If these do not contract at
once, the interval is halved, so that no other assembly of the mechanism is jumped to.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from ...compiled.machine.python_callbacks import raise_faults
from ...compiled.model import CompiledModel
from ...errors import LienketError, StartError
from ...foundation.frozen_dataclass import dataclass
from ...kernels.elimination.metric import Array
from ...kernels.projection import Surface, project, rows_chain, shortest
from ...simulation.start.assembly import assemble
from ...simulation.start.level_constraints import POSITIONS, VELOCITIES, LevelConstraints
from ...simulation.start.nearest_point import length

HALVINGS = 12
STEPS = 20
ROUNDED = 1e-6
"""What may be left of a residual on velocities, as a share of its terms: a law that has all but ended is rounded."""


@dataclass(frozen=True, eq=False)
class Path:
    """The rows of all constraints and outputs as machine code, with numbers for the parameters."""

    model: CompiledModel
    names: tuple[str, ...]
    parameters: Array

    def first(self, t: float, guess: Array) -> Array:
        """Positions (n) at a time, near a guess; StartError if there are none."""
        fixed = np.zeros(len(guess), dtype=bool)
        try:
            return assemble(self.positions(t, guess), guess, fixed, others=False).x
        except StartError as error:
            told = error.message.replace("guess={...}", "start={...}")  # which is what the guess is called here
            raise StartError(told, error.residuals, error.given) from None

    def positions(self, t: float, q: Array) -> LevelConstraints:
        """What is asked of the positions."""
        return LevelConstraints(self.model, t, self.parameters, POSITIONS, self.names, q)

    def freedom(self, t: float, q: Array) -> int:
        """How many freedoms the rows on positions leave."""
        return len(q) - len(rows_chain(self.positions(t, q).surface(q)).accepted)

    def rates(self, t: float, q: Array, v: Array) -> tuple[Array, Array]:
        """Velocities, near some v, and accelerations (n each) at a position."""
        names = tuple(f"{x}'" for x in self.names)
        found = _velocities(LevelConstraints(self.model, t, self.parameters, VELOCITIES, names, q), v)
        if found is None:
            raise LienketError(
                f"At t = {t:.9g} no velocities satisfy the constraints and the laws: there is a dead point, and the "
                "law goes on beyond it. Change the law, or leave such times out."
            )
        terms = self.model.function("terms")
        _, out = terms(t, q, found, self.parameters, np.zeros(self.model.n + self.model.s))
        raise_faults(self.model.callbacks)
        A, _, G, g0 = terms.parts(out)
        return found, shortest(Surface(A, G, g0), None)[1]


def follow(path: Path, times: Sequence[float] | Array, first: Array) -> tuple[Array, Array, Array]:
    """q, v, a (N x n each) at the times, from the positions `first` (n) at the first of them."""
    q, v = first, np.zeros(len(first))
    v, a = path.rates(float(times[0]), q, v)
    rows = [(q, v, a)]
    for begin, end in pairwise(times):
        q, v, a = _advanced(path, float(begin), float(end), q, v, a)
        rows.append((q, v, a))
    stacked = [np.ascontiguousarray(part) for part in map(np.array, zip(*rows, strict=True))]
    return stacked[0], stacked[1], stacked[2]


def _velocities(conditions: LevelConstraints, v: Array) -> Array | None:
    """Velocities next to v, by Newton's steps as long as they shrink; rows are nearly always linear in them."""
    at_rest = np.abs(conditions.surface(np.zeros(len(v))).residual)
    last = np.inf
    for _ in range(STEPS):
        here = conditions.surface(v)
        step = shortest(here, None)[1]
        size = length(here.A, step)
        if not size < last / 2:
            break
        v, last = v + step, size
    here = conditions.surface(v)
    if len(shortest(here, None)[0]) == len(here.G):
        return v  # independent rows are satisfied; only those that depend on others could be against them
    limit = ROUNDED * (at_rest + np.abs(here.G) @ np.abs(v))
    return v if np.all(np.abs(here.residual) <= limit) else None


def _advanced(path: Path, begin: float, end: float, q: Array, v: Array, a: Array) -> tuple[Array, Array, Array]:
    """The state at the end of an interval, in as many parts as it takes."""
    t, part = begin, end - begin
    while t < end:
        later = end if t + part >= end - 1e-9 * (end - begin) else t + part
        dt = later - t
        found = _corrected(path, later, q + dt * v + dt**2 / 2 * a)
        if found is None:
            part /= 2
            if part < (end - begin) * 0.5**HALVINGS:
                place = ", ".join(f"{name} = {x:.6g}" for name, x in zip(path.names, q, strict=True))
                raise LienketError(
                    f"The prescribed motion cannot be followed beyond t = {t:.9g}, {place}: it leads out of reach, or "
                    "through a dead point. Change the law, or begin with another assembly: start={...}."
                )
            continue
        t, q = later, found
        v, a = path.rates(t, q, v + dt * a)
    return q, v, a


def _corrected(path: Path, t: float, guess: Array) -> Array | None:
    """The position next to a guess, if Newton's steps contract: after the first at most half of it is left to go."""
    conditions = path.positions(t, guess)
    with np.errstate(all="ignore"):
        here = conditions.surface(guess)
        if not np.isfinite(here.residual).all():
            return None
        first, code = project(conditions.surface, guess, steps=1)
        if code >= 0:
            return first
        found, code = project(conditions.surface, first)
    near = length(here.A, found - first) <= length(here.A, first - guess) / 2
    return found if code >= 0 and near else None
