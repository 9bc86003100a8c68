"""The columns of a run by name, as tables and frames have them."""

from __future__ import annotations

from typing import Any

from .row_values import RowValues

Array = Any


def columns(numbers: RowValues) -> dict[str, Array]:
    """Every column (N each).

    t; x, x', x''; multipliers rod[0]; "reaction of rod on x"; "drive F"; energies and work; outputs.

    A name that is taken already says what it is: an output named x, beside a coordinate x, is "output x".
    """
    run, names = numbers.run, numbers.run.problem.names
    found = {"t": run.t}
    for order, values in enumerate((run.q, run.v, numbers.solved[0])):
        found |= {name + "'" * order: values[:, k] for k, name in enumerate(names)}
    for name, place in numbers.shown.items():
        rows = numbers.solved[1][:, place]
        found |= {f"{name}[{k}]": rows[:, k] for k in range(rows.shape[1])}
    for name, reaction in numbers.reactions.items():
        found |= {f"reaction of {name} on {x}": reaction[:, k] for k, x in enumerate(names)}
    found |= {f"drive {name}": values for name, values in numbers.drives.items()}
    energy = numbers.energy
    for name, values in {"kinetic": energy.kinetic, "potential": energy.potential, "work": energy.work}.items():
        found[unused(name, "energy", found)] = values
    for name, values in numbers.outputs.items():
        found[unused(name, "output", found)] = values
    return found


def unused(name: str, what: str, taken: dict[str, Any]) -> str:
    """The name, or one that says what it is if it is taken."""
    while name in taken:
        name = f"{what} {name}"
    return name
