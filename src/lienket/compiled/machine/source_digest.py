"""Digests of the sources of a compiled function: the syntax of all definitions that it reaches, and nothing else.

    digest(name in module) = sha256(syntax tree of its definition, and for every global name in it: digest(that name))

Names are followed through relative imports. Docstrings and comments are removed, and file names do not matter: an
edited comment, a moved file or a change that a function does not reach keeps its digest; a changed constant that it
reaches changes it. Imports inside functions and under TYPE_CHECKING are ignored.

Parsing a file takes milliseconds. The result is kept in the cache directory, by the digest of the bytes of the file.
"""

from __future__ import annotations

import ast
import hashlib
import json
import os
import tempfile
from contextlib import suppress
from functools import cache
from typing import Any, NamedTuple

INDEX = "sources.json"
INDEX_LIMIT = 2000  # [1] files in the index beyond which it starts again from empty
LOOSE = ""  # name for the statements of a module that define no name


class Syntax(NamedTuple):
    """Top level of a source file.

    `definitions` maps each name to the digest of its definition and the global names used there ("a", or "a.b" for an
    attribute); `imports` maps each name bound by a relative import to its dots, module and original name.
    """

    definitions: dict[str, tuple[str, tuple[str, ...]]]
    imports: dict[str, tuple[int, str, str]]


class SourceDigests:
    """Digests of definitions and folders, with an index of parsed files in the cache directory `folder`."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self._path = os.path.join(folder, INDEX)
        self._index = _read_index(self._path)
        self._parsed = False
        self._files: dict[str, Syntax] = {}
        self._digests: dict[tuple[str, str], str] = {}

    def reached(self, path: str, name: str) -> str:
        """Return the digest of a name in a file and of all definitions that it reaches."""
        digest = self._digest_of(path, name)
        self._write_index()
        return digest

    def folder(self, folder: str) -> str:
        """Return the digest of all Python files below a folder."""
        paths = sorted(os.path.join(where, name) for where, _, names in os.walk(folder) for name in names)
        files = [self._syntax(path) for path in paths if path.endswith(".py")]
        self._write_index()
        return _sha(json.dumps(files))

    def _digest_of(self, path: str, name: str) -> str:
        """Return the digest of a name in a file, computed once."""
        digest = self._digests.get((path, name))
        if digest is not None:
            return digest
        self._digests[path, name] = f"recursive {name}"  # stands for a definition inside itself
        syntax = self._syntax(path)
        parts = []
        if name in syntax.imports:
            target, original = _origin(path, *syntax.imports[name])
            parts.append(f"from outside {original}" if target is None else self._digest_of(target, original))
        for key in (name, LOOSE):
            digest, uses = syntax.definitions.get(key, ("", ()))
            parts.append(digest)
            parts += [f"{used} {self._digest_of_use(path, syntax, used)}" for used in uses]
        self._digests[path, name] = _sha("\n".join(parts))
        return self._digests[path, name]

    def _digest_of_use(self, path: str, syntax: Syntax, used: str) -> str:
        """Return the digest of a global name used in a file, or of an attribute of a module imported there."""
        name, _, attribute = used.partition(".")
        if attribute and name in syntax.imports:
            target, original = _origin(path, *syntax.imports[name])
            if target is not None and original == LOOSE:
                return self._digest_of(target, attribute)
        return self._digest_of(path, name)

    def _syntax(self, path: str) -> Syntax:
        """Return the syntax of a file, from the index or parsed."""
        if path not in self._files:
            with open(path, "rb", buffering=0) as file:
                text = file.read()
            key = hashlib.sha256(text).hexdigest()
            if key not in self._index:
                self._index[key] = syntax_of(text.decode())
                self._parsed = True
            self._files[path] = Syntax(*self._index[key])
        return self._files[path]

    def _write_index(self) -> None:
        """Write the index if files were parsed, completely or not at all; without it files are parsed again."""
        if not self._parsed:
            return
        self._parsed = False
        entries = self._index if len(self._index) <= INDEX_LIMIT else {}
        temporary = None
        try:
            handle, temporary = tempfile.mkstemp(dir=os.path.dirname(self._path), prefix=".new-")
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump({**_read_index(self._path), **entries}, file)
            os.replace(temporary, self._path)
        except OSError:
            if temporary is not None:
                with suppress(OSError):
                    os.unlink(temporary)


def syntax_of(text: str) -> Syntax:
    """Return the definitions and relative imports at the top level of a source text."""
    trees: dict[str, list[str]] = {}
    uses: dict[str, dict[str, None]] = {}
    imports: dict[str, tuple[int, str, str]] = {}
    for node in ast.parse(text).body:
        if isinstance(node, ast.ImportFrom) and node.level:
            imports |= {a.asname or a.name: (node.level, node.module or "", a.name) for a in node.names}
            continue
        bare = _Bare().visit(node)
        if bare is not None:
            for name in _defined(bare) or (LOOSE,):
                trees.setdefault(name, []).append(ast.dump(bare))
                uses.setdefault(name, {}).update(dict.fromkeys(_used_names(bare)))
    every = {*trees, *imports}
    definitions = {
        name: (_sha("\n".join(dumps)), tuple(use for use in uses[name] if use.partition(".")[0] in every - {name}))
        for name, dumps in trees.items()
    }
    return Syntax(definitions, imports)


def _defined(node: ast.stmt) -> list[str]:
    """Return the names that a statement binds."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return [node.name]
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return [(alias.asname or alias.name).partition(".")[0] for alias in node.names]
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    names = [n for target in targets if target is not None for n in ast.walk(target)]
    return [n.id for n in names if isinstance(n, ast.Name)] if isinstance(node, _ASSIGNMENTS) else []


_ASSIGNMENTS = (ast.Assign, ast.AnnAssign, ast.AugAssign)


def _used_names(node: ast.AST) -> list[str]:
    """Return the names used in a tree, attributes of names as "name.attribute"."""
    names, bases = [], set()
    for part in ast.walk(node):
        if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name):
            names.append(f"{part.value.id}.{part.attr}")
            bases.add(id(part.value))
        elif isinstance(part, ast.Name) and id(part) not in bases:
            names.append(part.id)
    return names


@cache
def _origin(path: str, dots: int, module: str, name: str) -> tuple[str | None, str]:
    """Return the file and the name to which a relative import refers; the name is empty for a module."""
    base = path
    for _ in range(dots):
        base = os.path.dirname(base)
    base = os.path.join(base, *module.split(".")) if module else base
    for stem, original in ((os.path.join(base, name), LOOSE), (base, name)):
        for file in (stem + ".py", os.path.join(stem, "__init__.py")):
            if os.path.isfile(file):
                return file, original
    return None, name


class _Bare(ast.NodeTransformer):
    """Remover of docstrings and of code for type checkers only."""

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        """Remove a string used as a statement."""
        is_text = isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        return None if is_text else self.generic_visit(node)

    def visit_If(self, node: ast.If) -> ast.AST | None:
        """Remove `if TYPE_CHECKING`."""
        typing_only = isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        return None if typing_only else self.generic_visit(node)


def _read_index(path: str) -> dict[str, Any]:
    """Return the index in a file, empty if that is missing or damaged."""
    try:
        with open(path, encoding="utf-8") as file:
            index = json.load(file)
        return index if isinstance(index, dict) else {}
    except (OSError, ValueError):  # missing or damaged: files are parsed again
        return {}


def _sha(text: str) -> str:
    """Return the SHA-256 digest of a text."""
    return hashlib.sha256(text.encode()).hexdigest()
