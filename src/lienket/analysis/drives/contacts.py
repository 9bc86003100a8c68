"""Contacts along a motion that is given: which act at each of its rows, and which way they slide.

A run that has been simulated knows. Of other motions gaps and slips tell: a contact is open where its gap is, sticks
where it does not slip and is not about to, and slides as its slip says.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...assembly.contacts import contact_events
from ...foundation.frozen_dataclass import dataclass
from ...model.contacts import Contact, contacts, direction_of, sense_of, with_contact_modes
from ...model.statement import Statement

if TYPE_CHECKING:
    from ...compiled.model import CompiledModel
    from .inverse_dynamics import RowGroup

Array = Any
Motion = tuple[Array, Array, Array, Array]  # t (N), q, v, a (N x n)
SLIGHT = 1e-7
"""A gap or a slip that is none, as a share of the positions or velocities in the motion."""


@dataclass(frozen=True, eq=False)
class ContactModesAtRows:
    """What F contacts do at N rows: whether they are open, the direction of sliding (0: stick), the sense of lambda."""

    open: Array
    direction: Array
    sense: Array


def only_contacts_switch(trajectory: Any) -> bool:
    """Whether nothing but its contacts changed the structure of a run."""
    known = {event.stated.name for event in contact_events(with_contact_modes(trajectory.system.statement))}
    return all(switch.event in known for switch in trajectory.switches)


def numbers_of_run(trajectory: Any) -> dict[Any, float]:
    """The parameters of a run by symbol."""
    symbols = with_contact_modes(trajectory.system.statement).parameters
    return dict(zip(symbols, map(float, trajectory.run.problem.parameters), strict=True))


def ways(statement: Statement, model: CompiledModel, motion: Motion, numbers: Array, run: Any) -> ContactModesAtRows:
    """What the contacts of a statement that is spelled out do along a motion; `run` may be a trajectory.

    `model` has its constraints that are no programs, `numbers` are those of the parameters of the model.
    """
    listed = contacts(statement.constraints)
    found = _seen(listed, model, motion, numbers)
    history = None if run is None else run.run.history
    if history is None:
        return found
    symbols = list(with_contact_modes(run.system.statement).parameters)
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


def _seen(listed: tuple[Contact, ...], model: CompiledModel, motion: Motion, numbers: Array) -> ContactModesAtRows:
    """The same from gaps, slips and their rates: the residuals of constraints as if all of them acted."""
    t, q, v, a = motion
    shape = (len(t), len(listed))
    found = ContactModesAtRows(np.zeros(shape, dtype=bool), np.zeros(shape), np.ones(shape))
    residuals = model.function("residuals")
    inputs = np.hstack([a, np.zeros((len(t), model.inputs - model.n))])
    values = residuals.named(residuals.many(t, q, v, numbers, inputs)[1])
    first = dict(zip((c.name for c in model.constraints), _firsts(model), strict=True))
    for k, c in enumerate(listed):
        gap = values["position"][:, first[c.name]]
        found.open[:, k] = c.unilateral & (gap > SLIGHT * (1 + np.abs(q).max(initial=0.0)))
        if c.sticks:
            slip, rate = (values[level][:, first[c.sticking]] for level in ("velocity", "acceleration"))
            sliding = np.abs(slip) > SLIGHT * np.abs(v).max(initial=0.0)
            leaving = np.abs(rate) > SLIGHT * np.abs(a).max(initial=0.0)
            found.direction[:, k] = np.where(sliding, np.sign(slip), np.where(leaving, np.sign(rate), 0.0))
    return found


def _firsts(model: CompiledModel) -> list[int]:
    """The first row of each constraint."""
    return [int(x) for x in np.cumsum([0, *(len(c.expressions) for c in model.constraints)])[:-1]]


def rows_by_mode(
    statement: Statement, model: CompiledModel, found: ContactModesAtRows, parameters: tuple[Any, ...], numbers: Array
) -> list[RowGroup]:
    """The rows of a motion in groups in which contacts do the same."""
    from .inverse_dynamics import RowGroup

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
        groups.append(RowGroup(np.flatnonzero(which.reshape(-1) == k), signed, acts, closed))
    return groups


def multiplier_signs(statement: Statement, model: CompiledModel, found: ContactModesAtRows) -> tuple[Array, Array]:
    """The signs of multipliers (N x s) to begin with, and the rows (s) where both may be."""
    signs, either = np.ones((len(found.sense), model.s)), np.zeros(model.s, dtype=bool)
    first = dict(zip((c.name for c in model.constraints), _firsts(model), strict=True))
    for k, c in enumerate(contacts(statement.constraints)):
        row = first[c.name]
        signs[:, row], either[row] = found.sense[:, k], not c.unilateral
    return signs, either
