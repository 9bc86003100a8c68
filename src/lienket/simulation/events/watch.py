"""Structures: which constraints a system is under, and what happens that changes them; in numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import Any

from ...foundation.frozen_dataclass import dataclass
from ..problem import Problem

Array = Any


@dataclass(frozen=True)
class Change:
    """What an event does, in this order: constraints released, parameters set, velocities given, constraints added.

    Constraints by their places among all that ever act, parameters and coordinates by theirs. `struck` are impulses
    of the multipliers of constraints that have made the velocities jump.
    """

    release: tuple[int, ...] = ()
    sets: tuple[tuple[int, float], ...] = ()
    jumps: tuple[tuple[int, float], ...] = ()
    add: tuple[int, ...] = ()
    struck: tuple[tuple[int, float], ...] = ()


@dataclass(frozen=True)
class Action:
    """What an event is to do; `sets` and `jumps` have places among the numbers that the conditions' function gives.

    `do` is a function of (t, q, v, parameters, active) that gives a Change instead, of a `contact` one of (..., most,
    for_good): it knows what to do for good when the event comes ever sooner, without end. `gap` says that its condition
    is a distance. `flips` is the place of a parameter whose sign is all that turns; -1: there is none. `looks`: only
    where a contact turns back at once, and where among those numbers stands how much more friction holds at rest than
    in motion; 0: always.
    """

    release: tuple[int, ...] = ()
    sets: tuple[tuple[int, int], ...] = ()
    jumps: tuple[tuple[int, int], ...] = ()
    add: tuple[int, ...] = ()
    terminal: bool = False
    do: Callable[..., Change] | None = None
    contact: bool = False
    gap: bool = False
    flips: int = -1
    looks: int = 0

    @property
    def changes(self) -> bool:
        """Whether anything is done."""
        return bool(self.release or self.sets or self.jumps or self.add or self.do)

    def change(self, values: Array, state: tuple[Any, ...], most: float, for_good: bool) -> Change:
        """What it does at a state (t, q, v, parameters, active); `most` is the largest its condition has been."""
        if self.contact and self.do is not None:
            return self.do(*state, most, for_good)
        if self.do is not None:
            return self.do(*state)
        sets = tuple((i, float(values[place])) for i, place in self.sets)
        jumps = tuple((i, float(values[place])) for i, place in self.jumps)
        return Change(self.release, sets, jumps, self.add)


@dataclass(frozen=True, eq=False)
class Structure:
    """The system under some of its constraints: places of these, the problem, the conditions' function, what is armed.

    `conditions` is the function that gives all conditions (K) and what actions want to know; `needs` says whether it
    needs accelerations and multipliers; `armed` (K) which events are looked at; `slides`, whether no contact sticks.
    """

    active: tuple[int, ...]
    problem: Problem
    conditions: Any
    needs: bool
    armed: Array
    slides: bool = False


@dataclass(frozen=True, eq=False)
class EventPlan:
    """The events of a run (K): names, directions (-1, 0, 1), actions; and the structures that they lead to.

    `constraints` are the names of all constraints that ever act; `structure` makes the one of some of them, by their
    places; `verdict(structure, t, q, v, parameters)` says in words what is wrong with it at a state, or "", and
    whether a run can go on. `whole` is the problem of all, for its names. So many events as `chattering` in a short
    time end a run. `limits(t, q, v, parameters, active)` says in words why contacts let a motion end, or "".
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
    limits: Callable[..., str] = lambda *state: ""
    kept: dict[tuple[int, ...], Structure] = field(default_factory=dict)

    def of(self, active: tuple[int, ...]) -> Structure:
        """The structure of some constraints, made once."""
        if active not in self.kept:
            self.kept[active] = self.structure(active)
        return self.kept[active]
