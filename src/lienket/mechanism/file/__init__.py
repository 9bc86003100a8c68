"""Model files of any kind: `read_text` and the writers pass files of formulas to `model.file`.

    building   entries of [[bodies]], [[joints]] and [[elements]] given to a builder
    damaged    what is left of a file whose structure has faults
    reading    a whole file of bodies and joints as a Statement
    entries    a description as entries of a file
    writing    a Statement of bodies and joints as the text of a file

The keys are listed in `model.file.mechanism_schema`. Files of formulas do not wait for the import of this folder.
"""

from __future__ import annotations

from os import PathLike

from ...model.file.reading import read_formulas, shallow, toml_data
from ...model.file.schema import states_bodies
from ...model.laws import LAWS, Law
from ...model.statement import Statement

__all__ = ["checked_text", "read_text", "write_file", "write_text"]


def read_text(text: str, path: str | PathLike[str] = "(text)", laws: tuple[type[Law], ...] = ()) -> Statement:
    """Return the statement in the text of a model file of any kind; `path` appears only in messages.

    `laws` are laws that the file may have besides those of the package.
    """
    every = (*LAWS, *laws)
    with shallow(path):
        data = toml_data(text, path)
        if not states_bodies(data):
            return read_formulas(data, path, every)
        from .reading import read_mechanism

        return read_mechanism(data, path, every)


def write_file(statement: Statement, path: str | PathLike[str]) -> None:
    """Write a statement to `path`; the file there is replaced only when the new one is complete."""
    if statement.free.mechanism is None:
        from ...model.file import writing

        return writing.write_file(statement, path)
    from .writing import write_mechanism

    return write_mechanism(statement, path)


def checked_text(statement: Statement, path: str | PathLike[str] = "(text)") -> str:
    """Return a statement as the text of a model file; raises ModelFileError for `path` if a file cannot hold it."""
    from ...model.file import writing

    if statement.free.mechanism is None:
        return writing.checked_text(statement, path)
    from .writing import BODIES

    return writing.checked_text(statement, path, BODIES)


def write_text(statement: Statement) -> str:
    """Return a statement as the text of a model file; reading it returns an equal statement."""
    from ...model.file import writing

    if statement.free.mechanism is None:
        return writing.write_text(statement)
    from .writing import BODIES

    return writing.write_text(statement, BODIES)
