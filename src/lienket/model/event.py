"""Event: a condition that passes through zero, and the changes of the system it causes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any

from ..foundation.cached_hash import CachedHash, cached_hash
from ..foundation.frozen_dataclass import dataclass
from .constraint import Constraint

# Sign of the rate of change of the condition at the event.
DIRECTIONS = {"falling": -1, "any": 0, "rising": 1}


@dataclass(frozen=True)
class Event:
    """Says what happens during a run.

    name        any text
    when        an expression of q, q', q'', t, parameters and reactions (`lk.reaction`): the event happens when it
                passes through zero; or an inequality such as lk.reaction("rod") > 500: when that becomes true
    direction   "rising", "falling" or "any" of the expression; an inequality needs none
    terminal    whether the run ends there
    release     names of constraints that go
    set         {parameter: number or expression at that moment}
    velocities  {"x'": number or expression}: new velocities, before constraints are added
    add         {name: statement} or {name: (statement, law)} of constraints that come in, or names of ones known
                already; velocities jump by the A-orthogonal projection
    do          a Python function of the state (t, q, v, values, constraints) that returns a mapping with any of
                "release", "set", "velocities", "add" (names), or None; what the event itself releases and adds
                are then no more than the constraints it is looked for by

    An event that releases or adds constraints is looked for only while they act, or do not.
    """

    name: str
    when: Any
    direction: str | None = None
    terminal: bool = False
    release: Any = ()
    set: Mapping[Any, Any] = field(default_factory=dict)
    velocities: Mapping[Any, Any] = field(default_factory=dict)
    add: Any = ()
    do: Callable[[Any], Any] | None = None


@dataclass(frozen=True)
class StatedEvent(CachedHash):
    """A checked event: `condition` passes through zero in a `direction` (-1, 0, 1).

    `sets` are (parameter, expression), `jumps` (coordinate, expression of its new velocity), `add` names of
    constraints; `constraints` are those that the event itself states.
    """

    name: str
    condition: Any
    direction: int = 0
    terminal: bool = False
    release: tuple[str, ...] = ()
    sets: tuple[tuple[Any, Any], ...] = ()
    jumps: tuple[tuple[Any, Any], ...] = ()
    add: tuple[str, ...] = ()
    constraints: tuple[Constraint, ...] = ()
    do: Callable[[Any], Any] | None = None

    __hash__ = cached_hash

    @property
    def expressions(self) -> list[Any]:
        """Every expression of the event except those of its constraints."""
        return [self.condition, *(e for _, e in self.sets), *(e for _, e in self.jumps)]

    def mapped(self, rewrite: Callable[[Any], Any]) -> StatedEvent:
        """Return a copy in which `rewrite` has been applied to every expression."""
        return StatedEvent(
            self.name,
            rewrite(self.condition),
            self.direction,
            self.terminal,
            self.release,
            tuple((x, rewrite(e)) for x, e in self.sets),
            tuple((x, rewrite(e)) for x, e in self.jumps),
            self.add,
            tuple(c.mapped(rewrite) for c in self.constraints),
            self.do,
        )
