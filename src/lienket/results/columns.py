"""Columns of a run by name, for tables and data frames."""

from __future__ import annotations

from typing import Any

from ..foundation.arrays import Array
from .row_values import RowValues


def columns(numbers: RowValues) -> dict[str, Array]:
    """Return all columns (N each) by name.

    t; x, x', x''; multipliers rod[0]; "reaction of rod on x"; "drive F"; energies and work; outputs.

    A name that is in use already gets a prefix: an output named x is "output x" if there is a coordinate x.
    """
    run, names = numbers.run, numbers.run.problem.names
    table = {"t": run.t}
    for order, values in enumerate((run.q, run.v, numbers.solved[0])):
        table |= {name + "'" * order: values[:, k] for k, name in enumerate(names)}
    for name, rows_of_constraint in numbers.stated_rows.items():
        rows = numbers.solved[1][:, rows_of_constraint]
        table |= {f"{name}[{k}]": rows[:, k] for k in range(rows.shape[1])}
    for name, reaction in numbers.reactions.items():
        table |= {f"reaction of {name} on {x}": reaction[:, k] for k, x in enumerate(names)}
    table |= {f"drive {name}": values for name, values in numbers.drives.items()}
    energy = numbers.energy
    for name, values in {"kinetic": energy.kinetic, "potential": energy.potential, "work": energy.work}.items():
        table[unused(name, "energy", table)] = values
    for name, values in numbers.outputs.items():
        table[unused(name, "output", table)] = values
    return table


def unused(name: str, kind: str, taken: dict[str, Any]) -> str:
    """Return the name, with the prefix `kind` as often as needed to be unused."""
    while name in taken:
        name = f"{kind} {name}"
    return name
