"""Events in numbers: structures (sets of active constraints), actions of events and the changes they cause."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from functools import cached_property
from typing import Any

from ...foundation.arrays import Array
from ...foundation.frozen_dataclass import dataclass
from ..contacts.contact_kinds import STOPS, TOUCHES
from ..problem import Problem


@dataclass(frozen=True)
class Change:
    """Change by an event, in this order: constraints released, parameters set, velocities set, constraints added.

    Constraints, parameters and coordinates are given by their indices. `struck` are (constraint, impulse) of the
    contacts that have made the velocities jump, `law` is the law of this impact, and `loses`: it loses energy.
    `moves` are positions without the gaps, within the tolerances, of contacts that have closed together.
    """

    release: tuple[int, ...] = ()
    sets: tuple[tuple[int, float], ...] = ()
    jumps: tuple[tuple[int, float], ...] = ()
    add: tuple[int, ...] = ()
    struck: tuple[tuple[int, float], ...] = ()
    law: str = ""
    moves: tuple[tuple[int, float], ...] = ()
    loses: bool = False


@dataclass(frozen=True)
class Action:
    """Action of an event; `sets` and `jumps` refer to the values of the compiled conditions by index.

    `do` is a function (t, q, v, parameters, active) -> Change that replaces them; that of a contact has two more
    arguments (largest, final), see `contacts.actions`. `kind` is the kind of a contact event (STOPS, TOUCHES, ...), -1
    for other events; `number` is that of the contact, `direction` the index of its parameter, -1 without one, `normal`
    and `tangential` those of its constraints; the latter holds it at rest. `flips` is the index of the parameter whose
    sign is all that changes, or -1. `grip` is the index of the ratio of static to sliding friction among the values,
    where the sign changes only if a contact slides back at once; 0: always.
    `of_time`: the condition depends on time alone, so that its roots are known times.
    """

    release: tuple[int, ...] = ()
    sets: tuple[tuple[int, int], ...] = ()
    jumps: tuple[tuple[int, int], ...] = ()
    add: tuple[int, ...] = ()
    terminal: bool = False
    do: Callable[..., Change] | None = None
    kind: int = -1
    number: int = -1
    direction: int = -1
    flips: int = -1
    grip: int = 0
    of_time: bool = False
    normal: int = -1
    tangential: int = -1

    @property
    def contact(self) -> bool:
        """Whether the event is one of a contact."""
        return self.kind >= 0

    @property
    def gap(self) -> bool:
        """Whether the condition is the distance of a contact."""
        return self.kind == TOUCHES

    @property
    def slip(self) -> bool:
        """Whether the condition is the sliding velocity of a contact."""
        return self.kind == STOPS and self.tangential >= 0

    @property
    def as_smooth_as_the_motion(self) -> bool:
        """Whether the condition is a force or a velocity of a contact, which the steps of the motion resolve."""
        return self.contact and not self.gap

    @cached_property
    def changes(self) -> bool:
        """Whether the action changes structure, parameters or velocities."""
        return bool(self.release or self.sets or self.jumps or self.add or self.do)

    @cached_property
    def _structural(self) -> Change | None:
        """The change of an action that only releases and adds constraints, the same every time."""
        return None if self.sets or self.jumps or self.do else Change(self.release, add=self.add)

    def change(self, values: Array, state: Callable[[], tuple[Any, ...]], largest: float, final: bool) -> Change:
        """Return the change; `state` returns (t, q, v, parameters, active).

        `values` are those of the compiled conditions; `largest` is the largest absolute value of the event's condition
        so far; `final`: the events accumulate, so that the change must end them.
        """
        if self._structural is not None:
            return self._structural
        if self.contact and self.do is not None:
            return self.do(*state(), largest, final)
        if self.do is not None:
            return self.do(*state())
        sets = tuple((i, float(values[k])) for i, k in self.sets)
        jumps = tuple((i, float(values[k])) for i, k in self.jumps)
        return Change(self.release, sets, jumps, self.add)


@dataclass(frozen=True, eq=False)
class Structure:
    """System under its active constraints: their indices, the problem, the compiled conditions, the armed events.

    `conditions` is the function of all conditions (K) and of the values that actions need; `needs_accelerations`: its
    arguments include accelerations and multipliers; `armed` (K) are the monitored events; `all_sliding`: no contact
    sticks; `holonomic` are the active constraints that have rows on positions.
    """

    active: tuple[int, ...]
    problem: Problem
    conditions: Any
    needs_accelerations: bool
    armed: Array
    all_sliding: bool = False
    holonomic: frozenset[int] = frozenset()


@dataclass(frozen=True, eq=False)
class EventPlan:
    """Events of a run (K): names, directions (-1, 0, 1), actions; and the structures that they lead to.

    `constraints` are the names of all constraints; `structure` builds the Structure of active ones, by their indices;
    `verdict(structure, t, q, v, parameters)` returns a sentence on dependent constraints at a state, or "", and
    whether the run can continue. `whole` is the problem with all constraints, for its names. More than `chattering`
    events within 1e-6 of the run end it; impacts that lose energy are not counted, since contacts come to rest by them.
    `explain_paradox(t, q, v, parameters, active)` returns why the motion ends at a contact, or "".
    `shares_load(t, q, v, parameters, active)` returns whether the forces of the closed contacts are not unique; None:
    they always are. `quantities` is the compiled function of the contact quantities, None without contacts.
    """

    names: tuple[str, ...]
    directions: tuple[int, ...]
    actions: tuple[Action, ...]
    constraints: tuple[str, ...]
    begin: tuple[int, ...]
    structure: Callable[[tuple[int, ...]], Structure]
    verdict: Callable[..., tuple[str, bool]]
    whole: Problem
    chattering: int = 100
    explain_paradox: Callable[..., str] = lambda *state: ""
    shares_load: Callable[..., bool] | None = None
    quantities: Any = None
    cache: dict[tuple[int, ...], Structure] = field(default_factory=dict)

    def of(self, active: tuple[int, ...]) -> Structure:
        """Return the structure of active constraints; it is built once."""
        if active not in self.cache:
            self.cache[active] = self.structure(active)
        return self.cache[active]
