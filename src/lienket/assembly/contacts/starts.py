"""Starts of systems with unilateral contacts: positions left open are chosen so that no gap is negative.

The solution of the other constraints nearest to the guess is taken if no gap is negative there. Otherwise the
candidates are the other solutions without a negative gap and the solutions with the violated contacts closed; the
nearest to the guess is taken.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property

import numpy as np

from ...compiled.model import CompiledModel
from ...errors import StartError
from ...foundation.arrays import Array
from ...foundation.frozen_dataclass import dataclass
from ...model.input.stated_start import StatedStart
from ...simulation.start.assembly import assemble
from ...simulation.start.level_constraints import POSITIONS, LevelConstraints
from ...simulation.start.nearest_point import length
from ...simulation.start.start import Start, consistent_start
from ..numeric_system import NumericSystem
from .modes import contacts_of

GAP_TOLERANCE = 1e-9  # [1] way into a contact, relative to the positions, that a start may have by rounding
CLOSED_SETS_LIMIT = 16  # [sets] of closed contacts that are tried


@dataclass(frozen=True, eq=False)
class ContactStart:
    """Problem of a start: the system, the stated numbers, the time and the parameters."""

    system: NumericSystem
    stated: StatedStart
    t: float
    parameters: Array

    def solve(self, others: bool) -> Start:
        """Return the start nearest to the stated numbers at which no gap is negative; StartError if there is none."""
        start = self._consistent(self.stated, others)
        penetrated = self.penetrated(start.q)
        if not penetrated:
            return self._without_penetration(start)
        candidates = [] if self.stated.fixed_q.all() else list(self._candidates(penetrated))
        if not candidates:
            raise self._error(start.q, penetrated)
        q = min(candidates, key=self._distance)
        moved = replace(self.stated, q=np.where(self.stated.fixed_q, self.stated.q, q))
        solution = self._without_penetration(self._consistent(moved, others))
        return replace(solution, stated=self.stated, avoided=tuple(penetrated))

    def penetrated(self, q: Array) -> dict[str, float]:
        """Return the gaps of the unilateral contacts that are negative at q, by name."""
        contacts = contacts_of(self.system)
        quantities = contacts.system.quantities(self.t, q, np.zeros(len(q)), self.parameters)
        state = (self.t, q, np.zeros(len(q)), self.parameters)
        limit = -GAP_TOLERANCE * (1 + float(np.max(np.abs(q), initial=0.0)))
        return {
            c.name: x.gap
            for k, (c, x) in enumerate(zip(contacts.contacts, quantities, strict=True))
            if c.unilateral and x.gap < 0 and x.gap < limit * contacts.gap_size(k, state)
        }

    def _consistent(self, stated: StatedStart, others: bool) -> Start:
        """Return the start that satisfies the constraints other than the unilateral contacts."""
        return consistent_start(self._model, self.system.names, stated, self.t, self.parameters, others)

    def _without_penetration(self, start: Start) -> Start:
        """Return the start without other assemblies that penetrate a contact."""
        others = tuple(q for q in start.others if not self.penetrated(q))
        return start if len(others) == len(start.others) else replace(start, others=others)

    def _candidates(self, penetrated: Iterable[str]) -> Iterator[Array]:
        """Yield positions at which no gap is negative: other assemblies, then states with contacts closed.

        Contacts are closed one at a time and together; those that are penetrated then are closed in turn.
        """
        yield from (q for q in self._consistent(self.stated, others=True).others if not self.penetrated(q))
        waiting = [frozenset(penetrated), *(frozenset({name}) for name in penetrated)]
        tried: set[frozenset[str]] = set()
        while waiting and len(tried) < CLOSED_SETS_LIMIT:
            closed = waiting.pop(0)
            if closed in tried:
                continue
            tried.add(closed)
            for q in self._closed(closed):
                further = self.penetrated(q)
                if not further:
                    yield q
                waiting += [frozenset({name}) for name in further] + [closed | {name} for name in further]

    def _closed(self, closed: frozenset[str]) -> tuple[Array, ...]:
        """Return the positions with these contacts closed, nearest first; none if there are none."""
        model = self._model_with(closed)
        rows = LevelConstraints(model, self.t, self.parameters, POSITIONS, self.system.names, self.stated.q)
        try:
            solution = assemble(rows, self.stated.q, self.stated.fixed_q, others=True)
        except StartError:
            return ()
        return solution.x, *solution.others

    def _model_with(self, closed: Iterable[str]) -> CompiledModel:
        """Return the machine code of the constraints of a start with some contacts closed."""
        added = [c.normal for c in self.system.contacts if c.name in set(closed)]
        return self.system.model(tuple(sorted((*self.system.of_a_start, *added))))

    @cached_property
    def _model(self) -> CompiledModel:
        return self._model_with(())

    def _distance(self, q: Array) -> float:
        """Return the distance of positions to the stated ones, in the metric of A there."""
        stated = self.stated.q
        rows = LevelConstraints(self._model, self.t, self.parameters, POSITIONS, self.system.names, stated)
        return length(rows.surface(stated).A, q - stated)

    def _error(self, q: Array, penetrated: dict[str, float]) -> StartError:
        """Return the error of a start that cannot avoid a penetration."""
        name, gap = min(penetrated.items(), key=lambda item: item[1])
        statement = self.system.code.statement()
        constraint = next(c for c in statement.constraints if c.name == name)
        involved = [constraint.expressions[0].has(x) for x in statement.coordinates]
        names = np.array(self.system.names)
        given = names[np.array(involved) & self.stated.fixed_q].tolist()
        values = " and ".join(f"{x} = {q[list(names).index(x)]:.6g}" for x in given)
        of_given = f" with {values} given" if given else ""
        message = f"The start is on the wrong side of the contact {name!r}: its gap is {gap:.6g}{of_given}"
        if np.any(np.array(involved) & ~self.stated.fixed_q):
            message += ", and no positions were found at which it is not negative"
        else:
            message += "; it must not be negative"
        advice = "Begin where it is open or closed"
        if given:
            one = "this value" if len(given) == 1 else "one of these values"
            advice += f": change {one}, leave it out, or make it a guess: guess={{{given[0]!r}: ...}}"
        return StartError(f"{message}.", penetrated, given, f"{advice}.")
