"""Files: systems as model files (TOML), trajectories as .npz, .csv or .parquet."""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .errors import LienketError, ModelError
from .model.model_text import text_of_file
from .system import System
from .system.known_file import ModelText

if TYPE_CHECKING:
    from .model.laws import Law
    from .trajectory import Trajectory

TRAJECTORY_SUFFIXES = (".npz", ".csv", ".parquet")
URDF_SUFFIX = ".urdf"


def load(path: str | PathLike[str], laws: Iterable[type[Law]] = ()) -> Any:
    """Read a system from a model file or a trajectory from a data file.

    Parameters
    ----------
    path : path-like
        Model file (TOML), robot (.urdf, see docs/urdf.md), or trajectory with the extension .npz, .csv or .parquet.
    laws : iterable of classes
        Laws of one's own that the file may contain, subclasses of `lk.laws.Law` with a `kind`; see docs/own-laws.md.

    Returns
    -------
    System or Trajectory
        Object equal to the one that was saved.

    Raises
    ------
    ModelFileError
        With all faults of a model file.
    LienketError
        If a trajectory cannot be read.
    TypeError
        If `laws` has something other than classes of laws, each with a `kind` of its own.

    Examples
    --------
    >>> lk.load("examples/models/rolling_disc.toml").name
    'rolling disc'
    """
    own = checked_laws(laws) if laws else ()
    if Path(path).suffix.lower() in TRAJECTORY_SUFFIXES:
        return _load_trajectory(path, own)
    if Path(path).suffix.lower() == URDF_SUFFIX:
        from .mechanism.urdf import read_statement

        return System.from_statement(read_statement(path))
    if own:  # a file known from an earlier process has laws of the package only
        from .mechanism.file import read_text

        return System.from_statement(read_text(text_of_file(path), path, own))
    text = ModelText(text_of_file(path), str(path))
    return System._of(None if text.known is not None else text.statement(), text)


def save(what: System | Trajectory, path: str | PathLike[str]) -> None:
    """Write a system to a model file or a trajectory to a data file, completely or not at all.

    Parameters
    ----------
    what : System or Trajectory
        Object to write; `load` returns an equal one.
    path : path-like
        Model file (TOML) for a system; .npz, .csv or .parquet for a trajectory.

    Raises
    ------
    TypeError
        If `what` is neither a System nor a Trajectory.
    ModelFileError
        If a system cannot be written, for example because it contains a Python function.

    Examples
    --------
    >>> import tempfile
    >>> disc = lk.load("examples/models/rolling_disc.toml")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     lk.save(disc, f"{folder}/disc.toml")
    ...     lk.load(f"{folder}/disc.toml") == disc
    True
    """
    if isinstance(what, System):
        from .mechanism.file import write_file

        write_file(what.statement, path)
        return
    from .trajectory import Trajectory

    if not isinstance(what, Trajectory):
        raise TypeError(f"the first argument of save must be a System or a Trajectory, not {type(what).__name__}")
    what.save(path)


def checked_laws(laws: object) -> tuple[type[Law], ...]:
    """Return classes of laws as a tuple; raise TypeError unless each has a `kind` that no other law has."""
    from .model.laws import LAWS, Law

    own = tuple(laws) if isinstance(laws, Iterable) else (laws,)
    kinds = {law.kind: law for law in LAWS}
    for law in own:
        if not (isinstance(law, type) and issubclass(law, Law)):
            raise TypeError(f"laws must be a list of subclasses of lk.laws.Law, not of {law!r}")
        if not law.kind:
            raise TypeError(f"the law {law.__name__} has no word in files: write kind = ... in its class")
        if kinds.setdefault(law.kind, law) is not law:
            raise TypeError(f"the laws {kinds[law.kind].__name__} and {law.__name__} have the same kind {law.kind!r}")
    return tuple(law for law in dict.fromkeys(own) if law not in LAWS)


def _load_trajectory(path: str | PathLike[str], laws: tuple[type[Law], ...]) -> Any:
    """Return the trajectory stored in a file: the system from the model text, the rows from the arrays."""
    from .assembly.inputs import closed_outputs
    from .mechanism.file import read_text
    from .model.file import read_outputs
    from .results.files.metadata import tables_of
    from .results.files.store import BY_HAND, read
    from .trajectory import trajectory

    stored = read(path)
    facts, failure = stored.metadata, f"The file {path} cannot be read as a trajectory:"
    if facts.model is None:
        by_hand = BY_HAND[stored.path.suffix.lower()]
        raise LienketError(
            f"The file {path} contains no model, because the model could not be written: {facts.without_model}. "
            f"Its numbers can still be read: {by_hand}."
        )
    try:
        statement = read_text(facts.model, path, laws)
        formulas = {name: text for name, text in facts.outputs.items() if text is not None}
        outputs = closed_outputs(read_outputs(formulas, tables_of(facts), statement), statement)
    except ModelError as error:
        raise ModelError(f"{failure} its model or its outputs have faults. The model in it", error.faults) from None
    except LienketError as error:
        raise LienketError(f"{failure} its model or its outputs have faults. {error}") from None
    system = System.from_statement(statement)
    numeric = system.numeric_system
    parameters = numeric.symbols.parameters
    if list(numeric.names) != facts.coordinates or sorted(parameters) != sorted(facts.parameters):
        raise LienketError(f"{failure} the coordinates or parameters of its model differ from those of its numbers.")
    values = np.array([facts.parameters[name] for name in parameters], dtype=float)
    if not np.all(np.isfinite(values)):
        raise LienketError(f"{failure} a parameter is not a finite number.")
    every = None if facts.history is None else tuple(range(len(numeric.constraints)))
    try:
        run = stored.run(
            numeric.problem(values, every, outputs), lambda active: numeric.problem(values, active, outputs)
        )
    except (ValueError, IndexError) as error:
        reason = error if isinstance(error, ValueError) else "its event history does not match its model"
        raise LienketError(f"{failure} {reason}.") from None
    return trajectory(system, run)
