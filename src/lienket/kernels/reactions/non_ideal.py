"""Non-ideal forces at a state: laws of constraints and drives of programs (theory 9 and 10), the plain version.

    A q'' = h + G^T lambda + c + E u,      c = push + share lambda direction,      u = -(G2 W1 E)^-1 (G2 a1 + g2)

a1 and W1 belong to the system under its other constraints. Friction gives a small linear system for its forces. With
more drives than programs, u has the least weighted norm; with bounds, the least error of the programs.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np

from ...compiled.state_numbers import RowNumbers
from ...errors import LienketError
from ...foundation.arrays import Array
from ...foundation.frozen_dataclass import dataclass
from ..elimination.chain import NumericChain
from .drive_allocation import allocate_drives
from .shares import shares


@dataclass(frozen=True)
class NonIdealForces:
    """Forces besides h and G^T lambda: the drives by name, and the feedback part of each, caused by program errors.

    `forces` by constraint (n each): c of its law, or E u of its drives; `accelerations` (n) under all forces.
    """

    drives: dict[str, float]
    feedback: dict[str, float]
    forces: dict[str, Array]
    accelerations: Array


def non_ideal_forces(
    chain: NumericChain, rows: Sequence[RowNumbers], kept: Collection[tuple[str, int]] = ()
) -> NonIdealForces:
    """Return the forces at a state; `kept` are rows of programs, (name, number), that the constraints imply already."""
    passive = [row for row in rows if not row.program]
    programs = [row for row in rows if row.program]
    forces = dict.fromkeys((row.name for row in passive if row.law.share or _any(row.law.push)), 0.0)
    if not forces and not programs:
        return NonIdealForces({}, {}, {}, chain.a * chain.metric.scale)
    system = _FrictionSystem(chain, passive)
    drives, feedback = _drives(system, programs, kept, chain)
    driving: dict[str, Array] = {}
    for p in programs:
        driving[p.name] = p.E @ np.array([drives[name] for name in p.drives])
    a, c = system.at(sum(driving.values(), np.zeros(len(chain.a))))
    return NonIdealForces(drives, feedback, {**{name: c[name] for name in forces}, **driving}, a)


def _any(force: Array | float) -> bool:
    """Return whether a force, 0.0 or an array (n), has an entry that is not zero."""
    return bool(force.any()) if isinstance(force, np.ndarray) else force != 0.0


class _FrictionSystem:
    """System with the laws of its constraints, under any additional force."""

    def __init__(self, chain: NumericChain, rows: Sequence[RowNumbers]) -> None:
        self.chain, self.rows = chain, rows
        self.names = tuple(row.name for row in rows)
        self.D = chain.D[:, : chain.D.shape[1] - chain.massless]
        self.pushes = {row.name: row.law.push + np.zeros(len(chain.a)) for row in rows}
        self.contacts = [row for row in rows if row.law.share]
        self.share = np.array([row.law.share for row in self.contacts])
        moved = [self._response_to(row.law.direction)[1] for row in self.contacts]
        self.response = np.array([[m[i] for m in moved] for i in range(len(self.contacts))])
        self._check()

    def _ideal(self, force: Array) -> tuple[Array, Array]:
        """Return accelerations (n) and multipliers of the contacts under a force, without friction."""
        more = (sum(self.pushes.values(), np.zeros(len(force))) + force) * self.chain.metric.scale
        return self._multipliers_at(self.chain.a + self.D @ (self.D.T @ more), self.chain.metric.h + more)

    def _response_to(self, force: Array | float) -> tuple[Array, Array]:
        """Return the change of both by a force, computed without a difference, which would lose digits."""
        h = (force + np.zeros(len(self.chain.a))) * self.chain.metric.scale
        return self._multipliers_at(self.D @ (self.D.T @ h), h)

    def _multipliers_at(self, a: Array, h: Array) -> tuple[Array, Array]:
        """Return unscaled accelerations, and the multipliers of the contacts for r = A a - h."""
        metric = self.chain.metric
        if not self.contacts:
            return a * metric.scale, np.zeros(0)
        multipliers = shares(replace(self.chain, a=a, metric=replace(metric, h=h)), self.names).multipliers
        return a * metric.scale, np.array([multipliers[row.name][0] for row in self.contacts])

    def _friction_forces(self, multipliers: Array) -> dict[str, Array]:
        """Return the friction force of each contact from the multipliers without friction."""
        if not self.contacts:
            return {}
        c = np.linalg.solve(np.eye(len(self.share)) - self.share[:, None] * self.response, self.share * multipliers)
        return {row.name: x * row.law.direction for x, row in zip(c, self.contacts, strict=True)}

    def at(self, force: Array) -> tuple[Array, dict[str, Array]]:
        """Return the accelerations under an additional force (n), and the force of each law (n each)."""
        a, multipliers = self._ideal(force)
        friction, exerted = self._friction_forces(multipliers), dict(self.pushes)
        if friction:
            a = self._ideal(force + sum(friction.values()))[0]
            exerted |= {name: exerted[name] + x for name, x in friction.items()}
        return a, exerted

    def effect(self, force: Array) -> Array:
        """Return the accelerations (n) caused by a force alone, including the friction that it causes."""
        a, multipliers = self._response_to(force)
        friction = self._friction_forces(multipliers)
        return self._response_to(force + sum(friction.values()))[0] if friction else a

    def _check(self) -> None:
        """Raise an error unless the motion with friction exists and is unique near the one without it."""
        share = self.share
        if len(share) and not np.linalg.det(np.eye(len(share)) - share[:, None] * self.response) > 1e-9:
            worst = int(np.argmax(np.abs(share * np.diag(self.response))))
            ratio = abs(share[worst] * self.response[worst, worst])
            raise LienketError(
                f"With friction at {self.contacts[worst].name!r} there is no motion or no unique one at this state "
                f"(Painleve's paradox): mu |G A^-1 tau| is {ratio:.6g} times S = G A^-1 G^T and must be less than S. "
                "Reduce the coefficient, or make the contact elastic."
            )


def _drives(
    system: _FrictionSystem, programs: Sequence[RowNumbers], kept: Collection[tuple[str, int]], chain: NumericChain
) -> tuple[dict[str, float], dict[str, float]]:
    """Return the drives, and the part of each that is feedback of program errors."""
    if not programs:
        return {}, {}
    open_rows = [(p.name, k) not in kept for p in programs for k in range(len(p.g0))]
    G = np.concatenate([p.G for p in programs])[open_rows]
    E = np.concatenate([p.E for p in programs], axis=1)
    free = system.at(np.zeros(len(chain.a)))[0]
    effects = np.array([system.effect(column) for column in E.T]).T
    prescribed = -(G @ free + np.concatenate([p.g0 for p in programs])[open_rows])
    errors = np.concatenate([_feedback(p) for p in programs])[open_rows]
    limits = np.concatenate([_limits(p) for p in programs])
    names = [name for p in programs for name in p.drives]
    allocate = allocate_drives(G, effects, E, limits, chain, [p.name for p in programs], names)
    without, u = allocate(prescribed), allocate(prescribed - errors)
    return dict(zip(names, map(float, u), strict=True)), dict(zip(names, map(float, u - without), strict=True))


def _limits(program: RowNumbers) -> Array:
    """Return weight, lower and upper bound of each drive (p x 3)."""
    limits = np.asarray(program.law.drive_limits)
    return limits if limits.size else np.tile([1.0, -np.inf, np.inf], (len(program.drives), 1))


def _feedback(program: RowNumbers) -> Array:
    """Return the feedback k_d e' + k_p e of the rows of a program."""
    if not len(program.law.gains):
        return np.zeros(len(program.g0))
    position = program.position if len(program.position) else 0.0
    return program.law.gains[1] * program.velocity + program.law.gains[0] * position
