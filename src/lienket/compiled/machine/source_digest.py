"""Digests of what a compiled function follows from: the syntax of the definitions that it reaches, and nothing else.

    digest(name in module) = sha256(syntax tree of its definition, and for every global name in it: digest(that name))

Names are followed through relative imports. Trees are taken without docstrings and comments, and files are identified
by what they say: a mended sentence, a moved file or a change that a function does not reach keeps its digest, a changed
constant that it reaches changes it. Imports inside functions and under TYPE_CHECKING do not count.

Parsing a file takes milliseconds. The cache directory keeps the parsed form of each file by the digest of its bytes,
and each answer with the files that it depends on: while their bytes are unchanged, the answer is taken from there.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import Any, NamedTuple

SYNTAX_INDEX = "sources"
ANSWER_INDEX = "reached"
INDEX_SIZE_LIMIT = 2000  # [entries] beyond which an index begins anew
LOOSE = ""  # stands for the statements of a module that define no name


class Syntax(NamedTuple):
    """The top level of a source file.

    `definitions` has for each name the digest of what defines it and the global names used there ("a", or "a.b" for an
    attribute); `imports` has for each name that a relative import binds its dots, module and original name.
    """

    definitions: dict[str, tuple[str, tuple[str, ...]]]
    imports: dict[str, tuple[int, str, str]]


class SourceDigests:
    """Digests of definitions and folders, with indices of earlier answers and parsed files kept in a folder."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self._folder = str(folder)
        self._answers = _read_index(folder, ANSWER_INDEX)
        self._bytes: dict[str, str] = {}  # digests of files read so far

    def reached(self, path: str, name: str) -> str:
        """Return the digest of a name in a file and of all definitions that it reaches."""
        key = f"{path} {name}"
        return self._known(key) or self._keep(key, *_Reach(self._folder, self._bytes_of).of(path, name))

    def folder(self, folder: str) -> str:
        """Return the digest of all Python files below a folder."""
        paths = sorted(os.path.join(where, name) for where, _, names in os.walk(folder) for name in names)
        paths = [path for path in paths if path.endswith(".py")]
        key = f"{folder} {len(paths)}"
        return self._known(key, paths) or self._keep(key, *_Reach(self._folder, self._bytes_of).whole(paths))

    def _known(self, key: str, paths: list[str] | None = None) -> str | None:
        """Return an earlier answer if the files that it was found from are unchanged (and are these paths)."""
        with suppress(OSError, TypeError, ValueError, AttributeError):  # a file is gone, or the index is damaged
            digest, files = self._answers.get(key, (None, {}))
            unchanged = bool(files) and all(self._bytes_of(path) == content for path, content in files.items())
            if isinstance(digest, str) and unchanged and (paths is None or list(files) == paths):
                return digest
        return None

    def _bytes_of(self, path: str) -> str:
        if path not in self._bytes:
            with open(path, "rb", buffering=0) as file:
                self._bytes[path] = hashlib.sha256(file.read()).hexdigest()
        return self._bytes[path]

    def _keep(self, key: str, digest: str, paths: list[str]) -> str:
        self._answers[key] = [digest, {path: self._bytes_of(path) for path in paths}]
        _write_index(self._folder, ANSWER_INDEX, {key: self._answers[key]})
        return digest


class _Reach:
    """One search through the definitions that a name reaches; `bytes_of` gives the digest of a file's bytes."""

    def __init__(self, folder: str, bytes_of: Callable[[str], str]) -> None:
        self._folder, self._bytes_of = folder, bytes_of
        self._index = _read_index(folder, SYNTAX_INDEX)
        self._parsed: dict[str, Syntax] = {}
        self._files: dict[str, Syntax] = {}
        self._digests: dict[tuple[str, str], str] = {}

    def of(self, path: str, name: str) -> tuple[str, list[str]]:
        """Return the digest of a name in a file, and the files in which definitions were found."""
        return self._reached(path, name), self._finish()

    def whole(self, paths: list[str]) -> tuple[str, list[str]]:
        """Return the digest of whole files."""
        return _sha(json.dumps([self._syntax(path) for path in paths])), self._finish()

    def _finish(self) -> list[str]:
        if self._parsed:
            _write_index(self._folder, SYNTAX_INDEX, self._parsed)
        return list(self._files)

    def _reached(self, path: str, name: str) -> str:
        known = self._digests.get((path, name))
        if known is not None:
            return known
        self._digests[path, name] = f"recursive {name}"  # what a definition finds that refers to itself
        syntax = self._syntax(path)
        parts = []
        if name in syntax.imports:
            target, original = _origin(path, *syntax.imports[name])
            parts.append(f"from outside {original}" if target is None else self._reached(target, original))
        for key in (name, LOOSE):
            digest, uses = syntax.definitions.get(key, ("", ()))
            parts.append(digest)
            parts += [f"{used} {self._used(path, syntax, used)}" for used in uses]
        self._digests[path, name] = _sha("\n".join(parts))
        return self._digests[path, name]

    def _used(self, path: str, syntax: Syntax, used: str) -> str:
        """Return the digest of a global name used in a file, or of an attribute of a module imported there."""
        name, _, attribute = used.partition(".")
        if attribute and name in syntax.imports:
            target, original = _origin(path, *syntax.imports[name])
            if target is not None and original == LOOSE:
                return self._reached(target, attribute)
        return self._reached(path, name)

    def _syntax(self, path: str) -> Syntax:
        if path not in self._files:
            content = self._bytes_of(path)
            if content not in self._index:
                from .source_syntax import syntax_of

                with open(path, encoding="utf-8") as file:
                    self._index[content] = self._parsed[content] = Syntax(*syntax_of(file.read(), LOOSE))
            self._files[path] = Syntax(*self._index[content])
        return self._files[path]


@cache
def _origin(path: str, dots: int, module: str, name: str) -> tuple[str | None, str]:
    """Return the file and the name that a relative import means; the name is empty for a module."""
    base = path
    for _ in range(dots):
        base = os.path.dirname(base)
    base = os.path.join(base, *module.split(".")) if module else base
    for stem, original in ((os.path.join(base, name), LOOSE), (base, name)):
        for file in (stem + ".py", os.path.join(stem, "__init__.py")):
            if os.path.isfile(file):
                return file, original
    return None, name


@cache
def _version() -> str:
    """Return the digest of what makes digests: indices of other versions are not read."""
    digest = hashlib.sha256()
    for name in ("source_digest.py", "source_syntax.py"):
        with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), name), "rb") as file:
            digest.update(file.read())
    return digest.hexdigest()[:12]


def _index_path(folder: str | os.PathLike[str], name: str) -> str:
    return os.path.join(folder, f"{name}-{_version()}.json")


def _read_index(folder: str | os.PathLike[str], name: str) -> dict[str, Any]:
    try:
        with open(_index_path(folder, name), encoding="utf-8") as file:
            index = json.load(file)
        return index if isinstance(index, dict) else {}
    except (OSError, ValueError):  # not there, or damaged: found again
        return {}


def _write_index(folder: str, name: str, entries: dict[str, Any]) -> None:
    """Add entries to an index, which is written whole or not at all."""
    index = _read_index(folder, name) | entries
    temporary = None
    try:
        handle, temporary = tempfile.mkstemp(dir=folder, prefix=".new-")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(index if len(index) <= INDEX_SIZE_LIMIT else entries, file)
        os.replace(temporary, _index_path(folder, name))
    except OSError:
        if temporary is not None:
            with suppress(OSError):
                os.unlink(temporary)


def _sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
