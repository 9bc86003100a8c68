"""Contacts along a motion that is given: which act at each of its rows, and which way they slide.

A run that has been simulated knows. Of other motions gaps and slips tell: a contact is open where its gap is, sticks
where it does not slip, and slides as its slip says.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..model.contacts import Contact, contacts, direction_of, sense_of, spelled
from ..model.statement import Statement
from .contacts import contact_events, contacts_of

if TYPE_CHECKING:
    from ..compiled.model import CompiledModel
    from ..kernels.inverse import Alike

Array = Any
SLIGHT = 1e-7
"""A gap or a slip that is none, as a share of the positions or velocities in the motion."""


@dataclass(frozen=True, eq=False)
class Ways:
    """What F contacts do at N rows: whether they are open, the direction of sliding (0: stick), the sense of lambda."""

    open: Array
    direction: Array
    sense: Array


def only_contacts_switch(trajectory: Any) -> bool:
    """Whether nothing but its contacts changed the structure of a run."""
    known = {event.stated.name for event in contact_events(spelled(trajectory.system.statement))}
    return all(switch.event in known for switch in trajectory.switches)


def numbers_of_run(trajectory: Any) -> dict[Any, float]:
    """The parameters of a run by symbol."""
    symbols = spelled(trajectory.system.statement).parameters
    return dict(zip(symbols, map(float, trajectory.run.problem.parameters), strict=True))


def ways(statement: Statement, motion: tuple[Array, Array, Array], numbers: dict[Any, float], run: Any) -> Ways:
    """What the contacts of a statement that is spelled out do along t (N), q, v (N x n); `run` may be a trajectory."""
    listed = contacts(statement.constraints)
    found = _seen(statement, listed, motion, numbers)
    history = None if run is None else run.run.history
    if history is None:
        return found
    symbols = list(spelled(run.system.statement).parameters)
    for k, c in enumerate(listed):
        if c.name not in history.constraints:
            continue
        for part in np.unique(history.part):
            rows, names = history.part == part, history.names(int(part))
            found.open[rows, k] = c.name not in names
            found.sense[rows, k] = history.parameters[part][symbols.index(sense_of(c.name))]
            if c.sticks:
                found.direction[rows, k] = history.parameters[part][symbols.index(direction_of(c.name))]
    return found


def _seen(
    statement: Statement, listed: tuple[Contact, ...], motion: tuple[Array, Array, Array], numbers: dict[Any, float]
) -> Ways:
    """The same from gaps and slips."""
    t, q, v = motion
    shape = (len(t), len(listed))
    found = Ways(np.zeros(shape, dtype=bool), np.zeros(shape), np.ones(shape))
    if not listed:
        return found
    said = contacts_of(statement).system.said
    parameters = np.array([numbers[p] for p in statement.parameters])
    out = said.many(t, q, v, parameters, np.zeros((len(t), said.facts.lengths[2])))[1]
    gaps, slips = out[:, 0::6][:, : shape[1]], out[:, 2::6][:, : shape[1]]
    for k, c in enumerate(listed):
        found.open[:, k] = c.unilateral & (gaps[:, k] > SLIGHT * (1 + np.abs(q).max(initial=0.0)))
        sliding = np.abs(slips[:, k]) > SLIGHT * np.abs(v).max(initial=0.0)
        found.direction[:, k] = np.where(sliding, np.sign(slips[:, k]), 0.0) if c.sticks else 1.0
    return found


def alike(
    statement: Statement, model: CompiledModel, found: Ways, parameters: tuple[Any, ...], numbers: Array
) -> list[Alike]:
    """The rows of a motion in groups in which contacts do the same."""
    from ..kernels.inverse import Alike

    listed, names = contacts(statement.constraints), [c.name for c in model.constraints]
    keys = np.hstack([found.open, found.direction])
    unique, which = np.unique(keys, axis=0, return_inverse=True)
    groups = []
    for k, key in enumerate(unique):
        closed, signed = np.ones(len(names), dtype=bool), numbers.copy()
        for j, c in enumerate(listed):
            gone, direction = bool(key[j]), key[len(listed) + j]
            closed[names.index(c.name)] = not gone
            if c.frictional:
                closed[names.index(c.sticking)] = not gone and c.sticks and direction == 0
            if c.sticks:
                signed[parameters.index(direction_of(c.name))] = direction
            signed[parameters.index(sense_of(c.name))] = 1.0
        acts = np.repeat(closed, [len(c.expressions) for c in model.constraints])
        groups.append(Alike(np.flatnonzero(which.reshape(-1) == k), signed, acts, closed))
    return groups


def senses(statement: Statement, model: CompiledModel, found: Ways) -> tuple[Array, Array]:
    """The signs of multipliers (N x s) to begin with, and the rows (s) where both may be."""
    signs, either = np.ones((len(found.sense), model.s)), np.zeros(model.s, dtype=bool)
    first = np.cumsum([0, *(len(c.expressions) for c in model.constraints)])
    names = [c.name for c in model.constraints]
    for k, c in enumerate(contacts(statement.constraints)):
        row = first[names.index(c.name)]
        signs[:, row], either[row] = found.sense[:, k], not c.unilateral
    return signs, either
