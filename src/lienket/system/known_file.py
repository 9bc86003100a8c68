"""ModelText: a model file whose formulas are read when they are first needed.

What a run needs of a system (`assembly.known`) is kept in the cache directory under a key made from the text of
the file, and from what turns it into machine code: the version of the package, the sources of the formula language,
of the model and of the compiler. A later process that only runs the file imports neither SymPy nor SymEngine. A record
begins with the digest of its key and the rest, so that a damaged or exchanged one is not read.
"""

from __future__ import annotations

import hashlib
import json
import os
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..compiled.machine.cache import cache_directory, compiler_digest
from ..errors import LienketError
from ..foundation.atomic_file import write_whole
from ..foundation.lazy_import import lazy_module, without_gc
from ..version import __version__

if TYPE_CHECKING:
    from ..assembly.known.run import KnownSystem
    from ..compiled.model import CompiledModel
    from ..model.statement import Statement

ROOMS = ("foundation", "language", "model", "assembly", "system")
"""Rooms whose sources decide, besides the compiler, what a file means."""
LIBRARIES = ("sympy", "symengine", "scipy")
"""Libraries of which another version may derive other code."""


class ModelText:
    """Text of a model file; `known` is what an earlier process has kept of it, or None."""

    def __init__(self, text: str, path: str) -> None:
        self.text, self.path = text, path
        self._record = cache_directory() / "files" / _key(text)
        self.known: KnownSystem | None = self._read()
        self._model: CompiledModel | None = None
        self._remembered = False
        self._statement: Statement | None = None

    def statement(self) -> Statement:
        """Return the statement of the file, read once."""
        if self._statement is None:
            with without_gc():  # the first symbolic sum triggers further imports of SymPy
                self._statement = lazy_module("lienket.model.file").read_text(self.text, self.path)
        return self._statement

    def model(self, statement: Any) -> CompiledModel:
        """Return the machine code of a known file; `statement` returns its statement, if code is missing."""
        if self._model is None:
            assert self.known is not None  # noqa: S101  # for the type checker

            def define() -> tuple[Any, Any, Any, Any]:
                stated = statement()
                self._check_shape(stated)
                return stated.free, stated.constraints, stated.parameters, {}

            self._model = self.known.model(define)
        return self._model

    def remember(self) -> None:
        """Keep what later processes need to run the file without formulas; without effect if it cannot be written."""
        if self.known is not None or self._remembered:
            return
        self._remembered = True
        self.known = lazy_module("lienket.assembly.known.system").known_system(self.statement())
        if self.known is not None:
            try:
                self._record.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                text = json.dumps(self.known.to_json())
                write_whole(self._record, f"{self._checksum(text)}\n{text}")
            except OSError:  # full disk or missing rights: the formulas are read again
                pass

    def _read(self) -> KnownSystem | None:
        try:
            checksum, _, text = self._record.read_text("utf-8").partition("\n")
            if checksum != self._checksum(text):
                return None
            known: KnownSystem = lazy_module("lienket.assembly.known.run").KnownSystem.from_json(json.loads(text))
            return known
        except (OSError, ValueError, TypeError, KeyError):  # not there, or damaged
            return None

    def _check_shape(self, stated: Statement) -> None:
        """Raise LienketError if the record is not that of the statement, whose code would take other arguments."""
        assert self.known is not None  # noqa: S101  # for the type checker
        rows = [(c.name, c.level, len(c.expressions)) for c in stated.constraints]
        recorded = [(c.name, c.level, c.rows) for c in self.known.constraints]
        if (stated.names, len(stated.parameters), rows) != (
            self.known.coordinates,
            len(self.known.parameters),
            recorded,
        ):
            raise LienketError(f"The record {self._record} does not fit the model file {self.path}. Delete the record.")

    def _checksum(self, text: str) -> str:
        """Return the digest of the content of the record, and of its name."""
        return hashlib.sha256(f"{self._record.name}\n{text}".encode()).hexdigest()


def _key(text: str) -> str:
    digest = hashlib.sha256()
    for part in (text, __version__, compiler_digest(), _sources(), _libraries()):
        digest.update(part.encode())
        digest.update(b"\0")
    return digest.hexdigest()


@cache
def _sources() -> str:
    """Return the sizes and times of change of the sources in ROOMS, as text; reading them would take longer."""
    package = Path(__file__).parents[1]
    files = sorted(
        (path, status.st_size, status.st_mtime_ns)
        for room in ROOMS
        for folder, _, names in os.walk(package / room)
        for name in names
        if name.endswith(".py")
        for path in [os.path.join(folder, name)]
        for status in [os.stat(path)]
    )
    return repr(files)


@cache
def _libraries() -> str:
    """Return the files of the libraries that derive formulas and splines, with their sizes and times of change."""
    origins = [spec.origin for spec in map(find_spec, LIBRARIES) if spec is not None and spec.origin]
    return repr([(path, os.stat(path).st_size, os.stat(path).st_mtime_ns) for path in origins])
