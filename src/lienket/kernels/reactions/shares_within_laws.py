"""Shares of contacts in the reaction at one state, within the laws of the contacts where they share a load."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ...compiled.state_numbers import RowNumbers
from ...foundation.arrays import Array
from .load_distribution import LoadedContact, within_laws
from .shares import Shares


def shares_within_laws(found: Shares, every: Sequence[RowNumbers], modes: Sequence[tuple[str, str]]) -> Shares:
    """Return the shares with the least forces that obey the laws of the closed contacts; `found` if none do.

    `every` are the constraints at the state, `modes` (name, mode) of the contacts.
    """
    closed = [name for name, mode in modes if mode != "open"]
    if not found.not_unique or not closed:
        return found
    rows = [row for row in every if not row.program]
    first, starts = 0, {}
    for row in rows:
        starts[row.name] = first
        first += len(row.g0)
    sticking = {row.holds: starts[row.name] for row in rows if row.holds is not None}
    by_name = {row.name: row for row in rows}
    contacts = [
        LoadedContact(starts[name], sticking.get(name, -1), by_name[name].law.limit, by_name[name].law.pushes)
        for name in closed
    ]
    G = np.vstack([row.G + row.law.share * row.law.direction if row.law.share else row.G for row in rows])
    least = np.concatenate([found.multipliers[row.name] for row in rows])
    values = within_laws(G, least, contacts)
    if values is least:
        return found
    multipliers = {row.name: values[starts[row.name] : starts[row.name] + len(row.g0)] for row in rows}
    return replace(
        found, multipliers=multipliers, reactions={row.name: row.G.T @ multipliers[row.name] for row in rows}
    )


def law_forces(forces: dict[str, Array], found: Shares, rows: Sequence[RowNumbers]) -> dict[str, Array]:
    """Return the forces of laws by constraint (n each), with the friction of the multipliers that were found."""
    if not forces or not found.not_unique:
        return forces
    changed = dict(forces)
    for row in rows:
        if row.law.share and row.name in found.multipliers:
            changed[row.name] = row.law.push + row.law.share * found.multipliers[row.name][0] * row.law.direction
    return changed
