"""Contacts along the rows of a run: mode, normal force, friction."""

from __future__ import annotations

import numpy as np

from ..compiled.constraint_facts import contacts_among
from ..foundation.arrays import Array, BoolArray, TextArray
from ..foundation.frozen_dataclass import dataclass
from .row_values import RowValues


@dataclass(frozen=True)
class ContactRows:
    """A contact along a run (N each): mode "open", "sticks" or "slides"; the normal and friction force.

    `unique` is False at rows where the contact shares a load with others that statics does not determine: the forces
    are then the least that obey the laws of all contacts.
    """

    mode: TextArray
    normal: Array
    friction: Array
    unique: BoolArray


def contact_rows(numbers: RowValues) -> dict[str, ContactRows]:
    """Return the contacts of a run by name."""
    run, by_name = numbers.run, {}
    multipliers, rows = numbers.solved[1], numbers.rows
    friction, factors = numbers.friction, numbers.normal_factors
    for contact in contacts_among(run.problem.model.constraints):
        normal = multipliers[:, rows[contact.name]][:, 0] * factors.get(contact.name, 1.0)
        sticking = np.full(len(run.t), np.nan)
        if contact.sticking:
            sticking = multipliers[:, rows[contact.sticking]][:, 0]
        sliding = "slides" if contact.frictional else "closed"
        mode = np.where(np.isnan(normal), "open", np.where(np.isnan(sticking), sliding, "sticks"))
        force = np.where(np.isnan(sticking), friction.get(contact.name, np.zeros(len(run.t))), sticking)
        unique = ~numbers.not_unique.get(contact.name, np.zeros(len(run.t), dtype=bool))
        by_name[contact.name] = ContactRows(mode, np.nan_to_num(normal), np.nan_to_num(force), unique)
    return by_name
