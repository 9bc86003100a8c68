"""Trajectories in files: written whole or not at all, and read back bit for bit.

    .npz      arrays t, q, v, accelerations, multipliers, work, steps, kinetic, potential, reactions/<constraint>,
              drives/<name>, outputs/<name>, and `facts`, a JSON text
    .csv      "# lienket trajectory 1 {facts}", then a header and rows
    .parquet  columns, the facts in the metadata of the schema

Reading takes t, q, v, work and steps; everything else follows from them and from the model among the facts.
"""

from __future__ import annotations

from collections.abc import Callable
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import LienketError
from ...foundation.atomic_file import write_whole
from ...foundation.frozen_dataclass import dataclass
from ...simulation.problem import Problem
from ...simulation.run.result import Run
from ...simulation.settings import Settings
from ..columns import columns, unused
from ..row_values import RowValues
from .formats import csv_bytes, from_csv, from_npz, from_parquet, npz_bytes, parquet_bytes
from .history_metadata import history_of
from .metadata import FORMAT, TrajectoryMetadata, facts_of, facts_text, outcome_of, read_facts

Array = Any

WANTED = ("t", "q", "v", "work", "steps", "part")
READERS = {".npz": from_npz, ".csv": from_csv, ".parquet": from_parquet}
BY_HAND = {
    ".npz": 'numpy.load(path)["q"]',
    ".csv": "pandas.read_csv(path, skiprows=1)",
    ".parquet": "pandas.read_parquet(path)",
}
"""How the numbers of a file are had without its model."""


@dataclass(frozen=True, eq=False)
class Stored:
    """What a file has: the facts, times t, work and steps (N), positions q and velocities v (N x n)."""

    path: Path
    facts: TrajectoryMetadata
    t: Array
    q: Array
    v: Array
    work: Array
    steps: Array
    part: Array

    def run(self, problem: Problem, structure: Callable[[tuple[int, ...]], Problem]) -> Run:
        """The run again, of the system with its numbers; `structure` makes the problem of some of its constraints."""
        f = self.facts
        largest = float("inf") if f.largest is None else f.largest
        settings = Settings(f.method, f.rtol, np.array(f.atol), f.step, largest, f.most_rows)
        rows = (self.t, self.q, self.v, self.work, self.steps)
        history = None if f.history is None else history_of(f.history, self.part, structure)
        how = {"phases": f.phases, "rank_events": f.rank_events, "statistics": f.statistics, "outcome": outcome_of(f)}
        return Run(problem, settings, *rows, **how, worst=f.worst, usual=f.usual, history=history)  # type: ignore[arg-type]


def write(trajectory: Any, path: str | PathLike[str]) -> None:
    """Write a trajectory to a .npz, .csv or .parquet file; one that is there stays until the new one is complete."""
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix not in READERS:
        raise LienketError(f"A trajectory is written to {', '.join(READERS)}, not to {path.name!r}.")
    numbers = trajectory.numbers
    table = columns(numbers)
    work = next(name for name, values in table.items() if values is numbers.energy.work)
    steps = unused("steps", "length of", table)
    table[steps] = numbers.run.steps
    part = None
    if numbers.run.history is not None:
        part = unused("part", "number of", table)
        table[part] = numbers.run.history.part.astype(float)
    facts = facts_text(facts_of(trajectory.system.statement, numbers.run, work, steps, part))
    if suffix == ".npz":
        data = npz_bytes(facts, _arrays(numbers))
    elif suffix == ".csv":
        data = csv_bytes(facts, FORMAT, table)
    else:
        data = parquet_bytes(facts, table)
    try:
        write_whole(path, data)
    except OSError as error:
        raise LienketError(f"The file {path} cannot be written: {error.strerror or error}.") from None


def _arrays(numbers: RowValues) -> dict[str, Array]:
    """The arrays of an archive by name."""
    run, energy = numbers.run, numbers.energy
    found = {"t": run.t, "q": run.q, "v": run.v, "accelerations": numbers.solved[0], "multipliers": numbers.multipliers}
    found |= {"work": run.work, "steps": run.steps, "kinetic": energy.kinetic, "potential": energy.potential}
    if run.history is not None:
        found["part"] = run.history.part.astype(float)
    found |= {f"reactions/{name}": values for name, values in numbers.reactions.items()}
    found |= {f"drives/{name}": values for name, values in numbers.drives.items()}
    return found | {f"outputs/{name}": values for name, values in numbers.outputs.items()}


def read(path: str | PathLike[str]) -> Stored:
    """What is in a file, checked in itself; raises one LienketError that says what is wrong."""
    path = Path(path)
    try:
        text, found = READERS[path.suffix.lower()](path.read_bytes())
        facts = read_facts(text)
        parts = found if path.suffix.lower() == ".npz" else _parts(found, facts)
        parts.setdefault("part", np.zeros(facts.rows))
        _check(parts, facts)
    except OSError as error:
        raise LienketError(f"The file {path} cannot be read: {error.strerror or error}.") from None
    except ValueError as error:
        raise LienketError(f"The file {path} cannot be read as a trajectory: {error}.") from None
    return Stored(path, facts, *(np.ascontiguousarray(parts[name]) for name in WANTED))


def _parts(table: dict[str, Array], facts: TrajectoryMetadata) -> dict[str, Array]:
    """The arrays in the columns of a table."""
    names = facts.coordinates
    part = [] if facts.part is None else [facts.part]
    wanted = ["t", *names, *(name + "'" for name in names), facts.work, facts.steps, *part]
    missing = [name for name in wanted if name not in table]
    if missing:
        raise ValueError(f"it has no column {missing[0]!r}")
    q, v = (np.column_stack([table[name + mark] for name in names]) for mark in ("", "'"))
    found = {"t": table["t"], "q": q, "v": v, "work": table[facts.work], "steps": table[facts.steps]}
    return found if facts.part is None else found | {"part": table[facts.part]}


def _check(parts: dict[str, Array], facts: TrajectoryMetadata) -> None:
    """Refuse arrays that do not belong together, or that no run has."""
    rows, n = facts.rows, len(facts.coordinates)
    if rows < 1:
        raise ValueError("it has no rows")
    for name, values in parts.items():
        shape = (rows, n) if name in ("q", "v") else (rows,)
        if values.shape != shape:
            raise ValueError(f"{name} has the shape {values.shape}, and {shape} is needed: it is not whole")
        if not np.all(np.isfinite(values)):
            raise ValueError(f"{name} has entries that are no finite numbers")
    rising = np.diff(parts["t"])
    if not np.all(rising >= 0 if facts.history is not None else rising > 0):
        raise ValueError("its times do not increase")
