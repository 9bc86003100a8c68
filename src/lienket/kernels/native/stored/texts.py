"""Stored texts of kernels: which there are, whether they are current, and their content.

`index.json` lists for every kernel the symbol of its function, the digest of the sources that it was made from and the
SHA-256 of its text; `MODULE.NAME.ll.xz` beside it is the text. A text is current if the definitions that the kernel
reaches, and those that make the text, have the syntax that they had then (`source_digest`).
"""

from __future__ import annotations

import hashlib
import json
import lzma
import os
from functools import cache
from importlib.util import find_spec
from typing import Any, NamedTuple

from ....compiled.machine.cache import cache_directory, source_digests
from ....errors import LienketError

FOLDER = os.path.dirname(os.path.abspath(__file__))
INDEX = os.path.join(FOLDER, "index.json")
_MAKERS = (("llvm_text.py", "stored_form"), ("numba_text.py", "unoptimised"))
"""Functions that turn a kernel into its text, besides numba and LLVM."""


class StoredKernel(NamedTuple):
    """Entry of the index: symbol of the function, digest of the sources, SHA-256 of the text."""

    symbol: str
    sources: str
    text: str


def kernel_name(module: str, name: str) -> str:
    """Return the name of a kernel in the index, which is that of its file."""
    return f"{module.removeprefix('lienket.')}.{name}"


def symbol_of(module: str, name: str) -> str:
    """Return the symbol of a kernel in its machine code."""
    return f"lienket_{kernel_name(module, name)}".replace(".", "_")


@cache
def index() -> dict[str, StoredKernel]:
    """Return all stored kernels by name; none if the index is missing or damaged."""
    try:
        with open(INDEX, encoding="utf-8") as file:
            return {name: StoredKernel(**entry) for name, entry in json.load(file)["kernels"].items()}
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return {}


def current(module: str, name: str) -> StoredKernel | None:
    """Return the stored kernel made from the sources as they are, or None."""
    stored = index().get(kernel_name(module, name))
    return stored if stored is not None and stored.sources == sources(module, name) else None


def text_of(name: str, stored: StoredKernel) -> str | None:
    """Return the text of a stored kernel, or None if it is missing or damaged."""
    try:
        with lzma.open(path_of(name)) as file:
            content = file.read()
    except (OSError, EOFError, lzma.LZMAError):
        return None
    return content.decode("ascii") if hashlib.sha256(content).hexdigest() == stored.text else None


def path_of(name: str) -> str:
    """Return the file of a stored text."""
    return os.path.join(FOLDER, f"{name}.ll.xz")


@cache
def sources(module: str, name: str) -> str:
    """Return the digest of all definitions that a kernel reaches, and of those that make its text."""
    digests = source_digests(cache_directory())
    makers = [(os.path.join(FOLDER, file), function) for file, function in _MAKERS]
    parts = [digests.reached(path, function) for path, function in ((source_of(module), name), *makers)]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def source_of(module: str) -> str:
    """Return the file of a module."""
    spec: Any = find_spec(module)
    if spec is None or spec.origin is None:
        raise LienketError(f"There is no module {module}.")
    return str(spec.origin)
