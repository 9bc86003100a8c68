"""Modes of the contacts along a prescribed motion: open, sticking or sliding, at each of its rows.

A simulated run has stored its modes. For any other motion they follow from gaps and relative velocities: a contact is
open where its gap is positive, sticks where its relative velocity and acceleration vanish, and otherwise slides in the
direction of the relative velocity.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...assembly.contacts.modes import contact_events
from ...assembly.description import numeric_system
from ...foundation.arrays import Array, BoolArray
from ...foundation.frozen_dataclass import dataclass
from ...model.contact import Contact, contacts
from ...model.contacts import with_contact_modes
from ...model.laws.contact_signs import direction_of, sense_of
from ...model.statement import Statement

if TYPE_CHECKING:
    from ...compiled.model import CompiledModel
    from ...results.run_columns import RunColumns
    from .inverse_dynamics import RowGroup

Motion = tuple[Array, Array, Array, Array]  # t (N), q, v, a (N x n)
CONTACT_MODE_TOLERANCE = 1e-7  # [1] gap or relative velocity, relative to those of the motion, that counts as zero


@dataclass(frozen=True, eq=False)
class ContactModesAtRows:
    """Modes of F contacts at N rows (N x F each): whether open, direction of sliding (0: stick), sign of lambda."""

    open: BoolArray
    direction: Array
    sense: Array


def only_contacts_switch(trajectory: RunColumns) -> bool:
    """Return whether all changes of structure in a run are events of its contacts."""
    names = {event.name for event in contact_events(numeric_system(trajectory.system.statement))}
    return all(switch.event in names for switch in trajectory.switches)


def parameters_of_run(trajectory: RunColumns) -> dict[str, float]:
    """Return the values of the parameters of a run by name."""
    names = trajectory.system.numeric_system.symbols.parameters
    return dict(zip(names, trajectory._run.problem.parameters.tolist(), strict=True))


def contact_modes(
    statement: Statement, model: CompiledModel, motion: Motion, parameters: Array, run: RunColumns | None
) -> ContactModesAtRows:
    """Return the modes of the contacts of a statement along a motion; `run` is a trajectory or None.

    `statement` comes from `with_contact_modes`. `model` holds its constraints without the programs, `parameters` the
    values of the model's parameters.
    """
    listed = contacts(statement.constraints)
    modes = _modes_from_motion(listed, model, motion, parameters)
    if run is None or run._run.history is None:
        return modes
    history = run._run.history
    symbols = list(with_contact_modes(run.system.statement).parameters)
    for k, c in enumerate(listed):
        if c.name not in history.constraints:
            continue
        for part in np.unique(history.part):
            rows, names = history.part == part, history.names(int(part))
            modes.open[rows, k] = c.name not in names
            modes.sense[rows, k] = history.parameters[part][symbols.index(sense_of(c.name))]
            if c.sticks:
                modes.direction[rows, k] = history.parameters[part][symbols.index(direction_of(c.name))]
    return modes


def _modes_from_motion(
    listed: tuple[Contact, ...], model: CompiledModel, motion: Motion, parameters: Array
) -> ContactModesAtRows:
    """Return the modes that follow from the residuals of the contacts: gaps, relative velocities and their rates."""
    t, q, v, a = motion
    shape = (len(t), len(listed))
    modes = ContactModesAtRows(np.zeros(shape, dtype=bool), np.zeros(shape), np.ones(shape))
    residuals = model.function("residuals")
    inputs = np.hstack([a, np.zeros((len(t), model.inputs - model.n))])
    values = residuals.named(residuals.many(t, q, v, parameters, inputs)[1])
    first = {name: rows.start for name, rows in model.rows.items()}
    for k, c in enumerate(listed):
        gap = values["position"][:, first[c.name]]
        modes.open[:, k] = c.unilateral & (gap > CONTACT_MODE_TOLERANCE * (1 + np.abs(q).max(initial=0.0)))
        if c.sticks:
            slip, rate = (values[level][:, first[c.sticking]] for level in ("velocity", "acceleration"))
            sliding = np.abs(slip) > CONTACT_MODE_TOLERANCE * np.abs(v).max(initial=0.0)
            leaving = np.abs(rate) > CONTACT_MODE_TOLERANCE * np.abs(a).max(initial=0.0)
            modes.direction[:, k] = np.where(sliding, np.sign(slip), np.where(leaving, np.sign(rate), 0.0))
    return modes


def rows_by_mode(
    statement: Statement, model: CompiledModel, modes: ContactModesAtRows, symbols: tuple[Any, ...], parameters: Array
) -> list[RowGroup]:
    """Group the rows of a motion by the modes of their contacts; `parameters` are the values of `symbols`."""
    from .inverse_dynamics import RowGroup

    listed, names = contacts(statement.constraints), [c.name for c in model.constraints]
    keys = np.hstack([modes.open, modes.direction])
    unique, which = np.unique(keys, axis=0, return_inverse=True)
    groups = []
    for k, key in enumerate(unique):
        closed, values = np.ones(len(names), dtype=bool), parameters.copy()
        for j, c in enumerate(listed):
            is_open, direction = bool(key[j]), key[len(listed) + j]
            closed[names.index(c.name)] = not is_open
            if c.frictional:
                closed[names.index(c.sticking)] = not is_open and c.sticks and direction == 0
            if c.sticks:
                values[symbols.index(direction_of(c.name))] = direction
            values[symbols.index(sense_of(c.name))] = 1.0
        acts = np.repeat(closed, [c.rows for c in model.constraints])
        groups.append(RowGroup(np.flatnonzero(which.reshape(-1) == k), values, acts, closed))
    return groups


def multiplier_signs(statement: Statement, model: CompiledModel, modes: ContactModesAtRows) -> tuple[Array, BoolArray]:
    """Return the signs of the multipliers to try first (N x s), and the rows (s) where both signs are possible."""
    signs, either = np.ones((len(modes.sense), model.s)), np.zeros(model.s, dtype=bool)
    first = {name: rows.start for name, rows in model.rows.items()}
    for k, c in enumerate(contacts(statement.constraints)):
        row = first[c.name]
        signs[:, row], either[row] = modes.sense[:, k], not c.unilateral
    return signs, either
