"""ModelText: a model file whose formulas are read when they are first needed.

What numbers need of a system (`assembly.record`) is kept in the cache directory under a key made from the text of
the file, and from what turns it into machine code: the version of the package, the sources of the formula language,
of the model and of the compiler. A later process that only runs the file imports neither SymPy nor SymEngine. Files of
bodies and joints are not recorded. A record begins with the digest of its key and the rest, so that a damaged or
exchanged one is not read.
"""

from __future__ import annotations

import hashlib
import json
import os
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from ..compiled.machine.cache import cache_directory, compiler_digest
from ..foundation.atomic_file import write_whole
from ..foundation.lazy_import import lazy_module, without_gc
from ..version import __version__

if TYPE_CHECKING:
    from ..assembly.numeric_system import Codes, NumericSystem
    from ..model.statement import Statement

ROOMS = (
    "foundation",
    "language",
    "model",
    "free_system",
    "constraints",
    "elimination",
    "reactions",
    "assembly",
    "system",
)
"""Rooms whose sources decide, besides the compiler, what a file means."""
LIBRARIES = ("sympy", "symengine", "scipy")
"""Libraries of which another version may derive other code."""


class ModelText:
    """Text of a model file; `known` is what an earlier process has recorded of it in numbers, or None."""

    def __init__(self, text: str, path: str) -> None:
        self.text, self.path = text, path
        self._record = cache_directory() / "files" / _key(text)
        self._codes: Codes = {}
        self._count = 0  # of the models at the last look
        self.known: NumericSystem | None = self._read()
        self._statement: Statement | None = None

    def statement(self) -> Statement:
        """Return the statement of the file, read once."""
        if self._statement is None:
            with without_gc():  # the first symbolic sum triggers further imports of SymPy
                self._statement = lazy_module("lienket.mechanism.file").read_text(self.text, self.path)
        return self._statement

    @property
    def is_read(self) -> bool:
        """Whether the statement has been read."""
        return self._statement is not None

    def remember(self) -> None:
        """Record what later processes need to compute without formulas; without effect if it cannot be written.

        The record grows with the machine code that is asked for: each mode of the contacts has its own.
        """
        if self._statement is None:
            return  # nothing was asked for that is not in the record
        if self._statement.free.mechanism is not None:
            return  # results of joints and bodies are not part of a record
        record, system = lazy_module("lienket.assembly.record"), self._described()
        if system.code.count() == self._count:
            return
        self._count = system.code.count()
        codes = {**self._codes, **system.code.records()} if record.recordable(system) else {}
        if len(codes) <= len(self._codes):
            return
        self._codes = codes
        try:
            self._record.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            text = json.dumps(record.to_json(system, codes))
            write_whole(self._record, f"{self._checksum(text)}\n{text}")
        except OSError:  # full disk or missing rights: the formulas are read again
            pass

    def _described(self) -> NumericSystem:
        """Return the system in numbers, from its statement."""
        system: NumericSystem = lazy_module("lienket.assembly.description").numeric_system(self.statement())
        return system

    def _read(self) -> NumericSystem | None:
        try:
            checksum, _, text = self._record.read_text("utf-8").partition("\n")
            if checksum != self._checksum(text):
                return None
            record = lazy_module("lienket.assembly.record")
            system, self._codes = record.from_json(json.loads(text), self._described)
        except (OSError, ValueError, TypeError, KeyError):  # not there, or damaged
            return None
        known: NumericSystem = system
        return known

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
