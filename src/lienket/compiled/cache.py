r"""Compiled functions on disk, so that a second process starts without compiling.

A file is named by what it follows from: the statement on the graph, the function, the sources of this room, the
versions of the package and of LLVM, the processor. It holds

    lienket code 1 \n   digest of the rest (32 bytes)   length of the facts (8 bytes)   facts (JSON)   object code

What is damaged, or not written by us, is as good as not there and will be replaced. Files are renamed into place
whole, so that processes do not meet half-written ones.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

from ..version import __version__
from .directory import cache_directory, digest_of
from .machine import processor, version

MAGIC = b"lienket code 1\n"
LARGEST = 512 * 2**20  # bytes in all; the files not used for longest are removed
SWEEP = 64  # one write in so many looks at the size of the directory


def key(parts: Iterable[str]) -> str:
    """The name of what follows from the parts, on this machine with these versions."""
    digest = hashlib.sha256()
    for part in (_surroundings(), *parts):
        digest.update(part.encode())
        digest.update(b"\0")
    return digest.hexdigest()


@lru_cache(maxsize=1)
def _surroundings() -> str:
    return "\n".join((__version__, digest_of("compiled"), version(), processor()))


def read(name: str) -> tuple[dict[str, Any], bytes] | None:
    """The facts and the object code kept under the name, or None."""
    path = _path(name)
    try:
        content = path.read_bytes()
        start = len(MAGIC) + 32
        if content[: len(MAGIC)] != MAGIC or hashlib.sha256(content[start:]).digest() != content[len(MAGIC) : start]:
            return None
        length = int.from_bytes(content[start : start + 8], "little")
        facts = json.loads(content[start + 8 : start + 8 + length])
        with suppress(OSError):
            os.utime(path)  # used just now
        return facts, content[start + 8 + length :]
    except (OSError, ValueError):
        return None


def write(name: str, facts: dict[str, Any], code: bytes) -> None:
    """Keep facts and object code under the name; where that cannot be done, nothing is kept."""
    text = json.dumps(facts).encode()
    rest = len(text).to_bytes(8, "little") + text + code
    path = _path(name)
    temporary = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".new-")
        with os.fdopen(handle, "wb") as file:
            file.write(MAGIC + hashlib.sha256(rest).digest() + rest)
        os.replace(temporary, path)
        if int(name[:8], 16) % SWEEP == 0:
            _sweep(path.parent)
    except OSError:  # a full disk, another user's directory: the code runs all the same
        if temporary is not None:
            Path(temporary).unlink(missing_ok=True)


def _path(name: str) -> Path:
    return Path(cache_directory(), "code", name)


def _sweep(directory: Path) -> None:
    """Remove the files not used for longest until the rest is small enough."""
    found = sorted((entry.stat().st_mtime, entry.stat().st_size, entry.path) for entry in os.scandir(directory))
    total = sum(size for _, size, _ in found)
    for _, size, path in found:
        if total <= LARGEST:
            return
        Path(path).unlink(missing_ok=True)
        total -= size
