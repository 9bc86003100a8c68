"""Files of trajectories: written completely or not at all, and read back bit for bit.

    .npz      arrays t, q, v, accelerations, multipliers, work, steps, kinetic, potential, reactions/<constraint>,
              drives/<name>, outputs/<name>, and `facts`, the metadata as JSON
    .csv      "# lienket trajectory 1 {metadata}", then a header and rows
    .parquet  columns, the metadata in the schema

Only t, q, v, work, steps and part are read; everything else is computed from them and from the model in the metadata.
"""

from __future__ import annotations

from collections.abc import Callable
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ...errors import LienketError
from ...foundation.arrays import Array
from ...foundation.atomic_file import write_whole
from ...foundation.frozen_dataclass import dataclass
from ...simulation.problem import Problem
from ...simulation.run.result import Run
from ...simulation.settings import Settings
from ..columns import columns, unused
from ..row_values import RowValues
from .formats import csv_bytes, from_csv, from_npz, from_parquet, npz_bytes, parquet_bytes
from .history_metadata import history_of
from .metadata import FORMAT, TrajectoryMetadata, metadata_of, metadata_text, outcome_of, read_metadata
from .start_metadata import start_of

if TYPE_CHECKING:
    from ...results.run_columns import RunColumns


ARRAYS_READ = ("t", "q", "v", "work", "steps", "part")
READERS = {".npz": from_npz, ".csv": from_csv, ".parquet": from_parquet}
BY_HAND = {  # expressions that read the numbers of a file without its model
    ".npz": 'numpy.load(path)["q"]',
    ".csv": "pandas.read_csv(path, skiprows=1)",
    ".parquet": "pandas.read_parquet(path)",
}


@dataclass(frozen=True, eq=False)
class StoredTrajectory:
    """Content of a trajectory file: metadata, t, work, steps and part (N), q and v (N x n)."""

    path: Path
    metadata: TrajectoryMetadata
    t: Array
    q: Array
    v: Array
    work: Array
    steps: Array
    part: Array

    def run(self, problem: Problem, structure: Callable[[tuple[int, ...]], Problem]) -> Run:
        """Rebuild the run for the problem of its system; `structure` builds the problem of some of its constraints."""
        f = self.metadata
        largest = float("inf") if f.largest is None else f.largest
        settings = Settings(f.method, f.rtol, np.array(f.atol), f.step, largest, f.most_rows)
        rows = (self.t, self.q, self.v, self.work, self.steps)
        history = None if f.history is None else history_of(f.history, self.part, structure)
        how = {"phases": f.phases, "rank_events": f.rank_events, "statistics": f.statistics, "outcome": outcome_of(f)}
        start = start_of(f.start, problem.names)
        return Run(problem, settings, *rows, **how, worst=f.worst, usual=f.usual, history=history, start=start)  # type: ignore[arg-type]


def write(trajectory: RunColumns, path: str | PathLike[str]) -> None:
    """Write a trajectory to a .npz, .csv or .parquet file; an existing file stays until the new one is complete."""
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix not in READERS:
        raise LienketError(f"A trajectory is written to {', '.join(READERS)}, not to {path.name!r}.")
    numbers = trajectory._numbers
    table = columns(numbers)
    work = next(name for name, values in table.items() if values is numbers.energy.work)
    steps = unused("steps", "length of", table)
    table[steps] = numbers.run.steps
    part = None
    if numbers.run.history is not None:
        part = unused("part", "number of", table)
        table[part] = numbers.run.history.part.astype(float)
    metadata = metadata_text(metadata_of(trajectory.system.statement, numbers.run, work, steps, part))
    if suffix == ".npz":
        data = npz_bytes(metadata, _arrays(numbers))
    elif suffix == ".csv":
        data = csv_bytes(metadata, FORMAT, table)
    else:
        data = parquet_bytes(metadata, table)
    try:
        write_whole(path, data)
    except OSError as error:
        raise LienketError(f"The file {path} cannot be written: {error.strerror or error}.") from None


def _arrays(numbers: RowValues) -> dict[str, Array]:
    """Return the arrays of an archive by name."""
    run, energy = numbers.run, numbers.energy
    arrays = {
        "t": run.t,
        "q": run.q,
        "v": run.v,
        "accelerations": numbers.solved[0],
        "multipliers": numbers.multipliers,
    }
    arrays |= {"work": run.work, "steps": run.steps, "kinetic": energy.kinetic, "potential": energy.potential}
    if run.history is not None:
        arrays["part"] = run.history.part.astype(float)
    arrays |= {f"reactions/{name}": values for name, values in numbers.reactions.items()}
    arrays |= {f"drives/{name}": values for name, values in numbers.drives.items()}
    return arrays | {f"outputs/{name}": values for name, values in numbers.outputs.items()}


def read(path: str | PathLike[str]) -> StoredTrajectory:
    """Read a file and check its consistency; raise LienketError with the reason if it is invalid."""
    path = Path(path)
    try:
        text, arrays = READERS[path.suffix.lower()](path.read_bytes())
        metadata = read_metadata(text)
        parts = arrays if path.suffix.lower() == ".npz" else _from_columns(arrays, metadata)
        parts.setdefault("part", np.zeros(metadata.rows))
        _check(parts, metadata)
    except OSError as error:
        raise LienketError(f"The file {path} cannot be read: {error.strerror or error}.") from None
    except ValueError as error:
        raise LienketError(f"The file {path} cannot be read as a trajectory: {error}.") from None
    return StoredTrajectory(path, metadata, *(np.ascontiguousarray(parts[name]) for name in ARRAYS_READ))


def _from_columns(table: dict[str, Array], metadata: TrajectoryMetadata) -> dict[str, Array]:
    """Return the arrays from the columns of a table."""
    names = metadata.coordinates
    part = [] if metadata.part is None else [metadata.part]
    needed = ["t", *names, *(name + "'" for name in names), metadata.work, metadata.steps, *part]
    missing = [name for name in needed if name not in table]
    if missing:
        raise ValueError(f"it has no column {missing[0]!r}")
    q, v = (np.column_stack([table[name + mark] for name in names]) for mark in ("", "'"))
    arrays = {"t": table["t"], "q": q, "v": v, "work": table[metadata.work], "steps": table[metadata.steps]}
    return arrays if metadata.part is None else arrays | {"part": table[metadata.part]}


def _check(parts: dict[str, Array], metadata: TrajectoryMetadata) -> None:
    """Raise ValueError for arrays of inconsistent shapes, with entries that are not finite or times that decrease."""
    rows, n = metadata.rows, len(metadata.coordinates)
    if rows < 1:
        raise ValueError("it has no rows")
    for name, values in parts.items():
        shape = (rows, n) if name in ("q", "v") else (rows,)
        if values.shape != shape:
            raise ValueError(f"{name} has the shape {values.shape} instead of {shape}: the file is incomplete")
        if not np.all(np.isfinite(values)):
            raise ValueError(f"{name} has entries that are not finite")
    intervals = np.diff(parts["t"])
    if not np.all(intervals >= 0 if metadata.history is not None else intervals > 0):
        raise ValueError("its times do not increase")
