"""History of a run: the parts between its switches, and the switches."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field, replace
from functools import cached_property
from typing import Any

import numpy as np

from ...foundation.arrays import Array, BoolArray, IntArray
from ...foundation.frozen_dataclass import dataclass
from ..problem import Problem

NO_EVENT = -1  # index of the event of a part that starts without one: the first, and those after samples
INSTEAD = "poisson instead of newton"  # law of an impact: no impulses obey Newton's without raising the energy
LESS_RESTITUTION = "poisson with less restitution"  # law of an impact: Poisson's with the coefficients given raises it
JUMP_ROUNDING = 1e-12  # [1] jump of velocities, relative to these, below which no lost energy is shown

# Sentences on laws of impacts other than those stated.
WHY = {
    INSTEAD: "Poisson's law, since no impulses obey Newton's without raising the energy",
    LESS_RESTITUTION: "Poisson's law with less restitution, since the coefficients stated would raise the energy",
}


@dataclass(frozen=True)
class Switch:
    """Change of the system by an event during a run, an entry of `Trajectory.switches`.

    Attributes
    ----------
    t : float
        Time.
    event : str
        Name of the event.
    before, after : tuple of str
        Names of the constraints that act before and after it.
    q : ndarray
        Positions (n).
    v_before, v : ndarray
        Velocities before and after it (n).
    multipliers : ndarray
        Impulses Lambda of all rows that act afterwards.
    energy_lost : float
        Energy lost in the impact: dv^T A dv/2 if the constraints do not move.
    parameters : ndarray
        Numbers of the parameters afterwards.
    struck : dict of str to float
        Impulse, the time integral of lambda, of each contact that opened or closed with an impact.
    law : str
        Law of an impact at contacts: "newton", "poisson", "poisson instead of newton" where no impulses obey
        Newton's law without raising the energy, or "poisson with less restitution" where Poisson's law would raise it
        with the coefficients stated; "" for other events.

    Examples
    --------
    >>> y = lk.coordinates("y")
    >>> ball = lk.System("ball", [y], kinetic=der(y)**2/2, potential=10*y)
    >>> ball = ball.constrain("floor", y, law=lk.laws.Unilateral(restitution=0.5))
    >>> switch = ball.simulate(start={"y": 5, "y'": 0}, until=1.5).switches[0]
    >>> switch.event, round(switch.t, 6), switch.v.round(6).tolist()
    ('floor touches', 1.0, [5.0])
    """

    t: float
    event: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    q: Array
    v_before: Array
    v: Array
    multipliers: Array
    energy_lost: float
    parameters: Array
    problem: Problem = field(compare=False)
    struck: dict[str, float] = field(default_factory=dict)
    law: str = ""

    @cached_property
    def impulses(self) -> dict[str, Array]:
        """Generalized impulse G^T Lambda of each constraint that acts afterwards, by name (n each)."""
        n, function = self.problem.n, self.problem.model.function("reactions")
        inputs = np.concatenate([np.zeros(n), self.multipliers, np.zeros(len(self.problem.model.drives))])
        (forces,) = function.parts(function(self.t, self.q, self.v, self.parameters, inputs)[1])
        return dict(zip(self.after, forces, strict=True))

    @property
    def added(self) -> tuple[str, ...]:
        """Names of the constraints that act only afterwards."""
        return tuple(name for name in self.after if name not in self.before)

    @property
    def released(self) -> tuple[str, ...]:
        """Names of the constraints that act only before."""
        return tuple(name for name in self.before if name not in self.after)

    def __str__(self) -> str:
        parts = ((self.released, "released"), (self.added, "added"))
        changes = [f"{', '.join(names)} {verb}" for names, verb in parts if names]
        jump, speed = np.max(np.abs(self.v - self.v_before)), np.max(np.abs(self.v_before))
        lost = f", {self.energy_lost:.6g} of energy lost" if self.energy_lost and jump > JUMP_ROUNDING * speed else ""
        law = f", by {WHY[self.law]}" if self.law in WHY else ""
        return f"t = {self.t:.9g}: {self.event}{': ' if changes else ''}{'; '.join(changes)}{lost}{law}"


@dataclass(frozen=True, eq=False)
class History:
    """Parts of a run between its switches (P): start times t, states y (P x (2 n + 1)), structures, parameters.

    `part` (N) is the part of each row; `structures` are the problems and `active` the indices of their active
    constraints; `structure` (P) is the structure of each part, `parameters` (P x p) the values of its parameters. Of
    the switch with which a part starts (the first has none): `event` (P), `v_before` (P x n), energy `lost` (P),
    `impulses` (P x most rows). `happened` are (event, time) of all events, `struck` (P) the impulses of contacts,
    (constraint, impulse) of each, `laws` (P) the laws of their impacts. `unseen` are (event, parts of steps in which
    its condition may have passed through zero and back unseen), see `native.dips`.
    """

    constraints: tuple[str, ...]
    events: tuple[str, ...]
    part: IntArray
    t: Array
    y: Array
    structures: tuple[Problem, ...]
    active: tuple[tuple[int, ...], ...]
    structure: IntArray
    parameters: Array
    event: IntArray
    v_before: Array
    lost: Array
    impulses: Array
    happened: tuple[tuple[str, float], ...]
    struck: tuple[tuple[tuple[int, float], ...], ...] = ()
    laws: tuple[str, ...] = ()
    unseen: tuple[tuple[str, int], ...] = ()

    def arrays(self) -> list[Array | IntArray]:
        """Return all arrays of the history."""
        of_parts = (self.part, self.t, self.y, self.structure, self.parameters)
        return [*of_parts, self.event, self.v_before, self.lost, self.impulses]

    def metadata(self) -> tuple[Any, ...]:
        """Return everything except arrays and problems."""
        return self.constraints, self.events, self.active, self.happened, self.struck, self.laws, self.unseen

    @cached_property
    def switches(self) -> tuple[Switch, ...]:
        """Switches at the start of each part that starts with an event."""
        return tuple(self._switch(int(k)) for k in np.flatnonzero(self.event != NO_EVENT))

    def _switch(self, k: int) -> Switch:
        """Return the switch at the start of part k."""
        problem, n = self.structures[int(self.structure[k])], self.v_before.shape[1]
        return Switch(
            float(self.t[k]),
            self.events[int(self.event[k])],
            self.names(k - 1),
            self.names(k),
            self.y[k, :n],
            self.v_before[k],
            self.y[k, n : 2 * n],
            self.impulses[k, : problem.s],
            float(self.lost[k]),
            self.parameters[k],
            problem,
            {self.constraints[i]: x for i, x in (self.struck[k] if self.struck else ())},
            self.laws[k] if self.laws else "",
        )

    @cached_property
    def lasting(self) -> BoolArray:
        """Whether each part (P) has a duration; an event may cause another one at once."""
        return np.append(np.diff(self.t) > 0, True)

    def at(self, time: float) -> int:
        """Return the part at a time; at the time of a switch the part after it."""
        return max(0, int(np.searchsorted(self.t, time, side="right")) - 1)

    def problem(self, part: int) -> Problem:
        """Return the problem of a part with the values of its parameters."""
        problem = self.structures[int(self.structure[part])]
        return replace(problem, parameters=self.parameters[part].copy())

    def groups(self) -> Iterator[tuple[tuple[int, ...], Problem, IntArray]]:
        """Yield (active constraints, problem, rows) of rows with equal structure and equal parameters."""
        _, parameter_set = np.unique(self.parameters, axis=0, return_inverse=True)
        kinds = np.stack([self.structure, parameter_set.reshape(-1)], axis=1)[self.part]
        unique, which = np.unique(kinds, axis=0, return_inverse=True)
        order = np.argsort(which.reshape(-1), kind="stable")
        firsts = np.searchsorted(which.reshape(-1)[order], np.arange(len(unique) + 1))
        for k, (structure, _) in enumerate(unique):
            rows = order[firsts[k] : firsts[k + 1]]
            yield self.active[int(structure)], self.problem(int(self.part[rows[0]])), rows

    def names(self, part: int) -> tuple[str, ...]:
        """Return the names of the constraints active in a part."""
        return tuple(self.constraints[k] for k in self.active[int(self.structure[part])])
