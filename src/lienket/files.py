"""Files: systems as model files (TOML), trajectories as .npz, .csv or .parquet."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from .assembly.models import problem
from .errors import LienketError
from .foundation.lazy_import import without_gc
from .language.symbols import name_of
from .model.file import read_file, read_outputs, read_text
from .system import System

TRAJECTORIES = (".npz", ".csv", ".parquet")


def load(path: str | PathLike[str]) -> Any:
    """The system stated in a model file (TOML), or the trajectory in a .npz, .csv or .parquet file.

    A model file raises one ModelFileError with all its faults, a trajectory one LienketError.
    """
    if Path(path).suffix.lower() in TRAJECTORIES:
        return _trajectory(path)
    with without_gc():  # the first sum makes SymPy import more of itself
        return System.from_statement(read_file(path))


def save(what: Any, path: str | PathLike[str]) -> None:
    """Write `what`, a system to a model file (TOML) or a trajectory to .npz, .csv or .parquet, whole or not at all.

    `load` gives an equal one back.
    """
    if isinstance(what, System):
        from .model.file.writing import write_file

        write_file(what.statement, path)
        return
    from .trajectory import Trajectory

    if not isinstance(what, Trajectory):
        raise TypeError(f"save takes a system or a trajectory, then a path; the first is {type(what).__name__}")
    what.save(path)


def _trajectory(path: str | PathLike[str]) -> Any:
    """The trajectory in a file: its system from the text of the model, its rows from the arrays."""
    from .assembly.programs import with_hidden_programs
    from .results.files.metadata import tables_of
    from .results.files.store import BY_HAND, read
    from .trajectory import trajectory

    stored = read(path)
    facts, refused = stored.metadata, f"The file {path} cannot be read as a trajectory:"
    if facts.model is None:
        numbers = BY_HAND[stored.path.suffix.lower()]
        raise LienketError(
            f"The file {path} has no model, which could not be written: {facts.without_model}. "
            f"Its numbers can still be had: {numbers}."
        )
    try:
        statement = read_text(facts.model, path)
        formulas = {name: text for name, text in facts.outputs.items() if text is not None}
        outputs = read_outputs(formulas, tables_of(facts), statement)
    except LienketError as error:
        raise LienketError(f"{refused} its model or its outputs are wrong. {error}") from None
    names = [name_of(x) for x in statement.coordinates]
    machine = with_hidden_programs(statement)
    parameters = [p.name for p in machine.parameters]
    if names != facts.coordinates or sorted(parameters) != sorted(facts.parameters):
        raise LienketError(f"{refused} its model has other coordinates or parameters than its numbers.")
    values = np.array([facts.parameters[name] for name in parameters], dtype=float)
    if not np.all(np.isfinite(values)):
        raise LienketError(f"{refused} a parameter is no finite number.")
    whole = None if facts.history is None else tuple(range(len(machine.every_constraint)))
    try:
        run = stored.run(
            problem(machine, values, outputs, whole), lambda active: problem(machine, values, outputs, active)
        )
    except (ValueError, IndexError) as error:
        why = error if isinstance(error, ValueError) else "the history of its events does not fit its model"
        raise LienketError(f"{refused} {why}.") from None
    return trajectory(System.from_statement(statement), run)
