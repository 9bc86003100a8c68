"""Event: a condition that passes through zero, and the changes of the system it causes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any

from ..foundation.cached_hash import CachedHash, cached_hash
from ..foundation.frozen_dataclass import dataclass
from ..language.expression import Coordinate, Expression, ExpressionLike, Key, Symbol
from .constraint import Constraint

# Sign of the rate of change of the condition at the event.
DIRECTIONS = {"falling": -1, "any": 0, "rising": 1}


@dataclass(frozen=True)
class Event:
    """Condition that passes through zero during a run, and the changes of the system at that time.

    The changes are made in the order release, set, velocities, add. An event that releases constraints is detected
    only while they are active, one that adds constraints only while some of them are not; see docs/events.md.

    Parameters
    ----------
    name : str
        Any printable text.
    when : expression or inequality
        Expression of q, q', q'', t, parameters and reactions (`lk.reaction`) whose root is the event, or an inequality
        such as lk.reaction("rod") > 500, which is the event when it becomes true.
    direction : {"rising", "falling", "any"}, optional
        Sign of the change of the expression at the root; "any" by default. An inequality needs none.
    terminal : bool
        Whether the run ends at the event.
    release : str or iterable of str
        Names of constraints to release.
    set : mapping
        New value of each parameter, a number or an expression evaluated at the event.
    velocities : mapping
        New velocities by "x'", numbers or expressions, given before constraints are added.
    add : mapping, str or iterable of str
        Constraints to add, {name: statement} or {name: (statement, law)}, or names of constraints stated elsewhere.
        Velocities jump by the A-orthogonal projection.
    do : callable, optional
        Function of the state (t, q, v, values, constraints) that returns None or a mapping with any of "release",
        "set", "velocities" and "add" (names), which replaces these arguments; `release` and `add` then only determine
        while which constraints are active the event is detected.

    Examples
    --------
    >>> x = lk.coordinates("x")
    >>> ball = lk.System("ball", [x], kinetic=der(x)**2/2, potential=2*x)
    >>> floor = lk.Event("floor", when=x, direction="falling", terminal=True)
    >>> ball.simulate(start={"x": 1.0}, until=5.0, events=[floor]).events["floor"].round(9)
    array([1.])
    """

    name: str
    when: Any
    direction: str | None = None
    terminal: bool = False
    release: Any = ()
    set: Mapping[Key, ExpressionLike] = field(default_factory=dict)
    velocities: Mapping[Key, ExpressionLike] = field(default_factory=dict)
    add: Any = ()
    do: Callable[[Any], Any] | None = None


@dataclass(frozen=True)
class StatedEvent(CachedHash):
    """A checked event: `condition` passes through zero in a `direction` (-1, 0, 1).

    `sets` are (parameter, expression), `jumps` (coordinate, expression of its new velocity), `add` names of
    constraints; `constraints` are those that the event itself states.
    """

    name: str
    condition: Expression
    direction: int = 0
    terminal: bool = False
    release: tuple[str, ...] = ()
    sets: tuple[tuple[Symbol, Expression], ...] = ()
    jumps: tuple[tuple[Coordinate, Expression], ...] = ()
    add: tuple[str, ...] = ()
    constraints: tuple[Constraint, ...] = ()
    do: Callable[[Any], Any] | None = None

    __hash__ = cached_hash

    @property
    def expressions(self) -> list[Expression]:
        """Every expression of the event except those of its constraints."""
        return [self.condition, *(e for _, e in self.sets), *(e for _, e in self.jumps)]

    def mapped(self, rewrite: Callable[[Expression], Expression]) -> StatedEvent:
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
