r"""Compiled functions on disk, so that a second process starts without compiling.

A file is named by what it follows from: the statement on the graph and the function, or the kernel; the sources of the
code that made it (`source_digest`); the version of LLVM; the processor. It holds

    lienket code 1 \n   digest of the rest (32 bytes)   length of the facts (8 bytes)   facts (JSON)   object code

What is damaged, or not written by us, is as good as not there and will be replaced. Files are renamed into place
whole, so that processes do not meet half-written ones.

Where compiled code is kept: a directory of the user's own, by the platform's convention.

    LIENKET_CACHE_DIR          if it is set
    Linux and others           $XDG_CACHE_HOME/lienket or ~/.cache/lienket
    macOS                      ~/Library/Caches/lienket
    Windows                    %LOCALAPPDATA%/lienket/Cache

Machine code is loaded from it, so it must belong to the user and nobody else may write there. Where it does not, or
cannot be made or written, a temporary directory serves for this process.
"""

from __future__ import annotations

import atexit
import hashlib
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

from .object_code import processor, version
from .source_digest import SourceDigests

VARIABLE = "LIENKET_CACHE_DIR"
MAGIC = b"lienket code 1\n"
LARGEST = 512 * 2**20  # bytes in all; the files not used for longest are removed
SWEEP = 64  # one write in so many looks at the size of the directory


def cache_directory() -> Path:
    """The directory, made if need be."""
    return _usable(os.environ.get(VARIABLE) or _conventional())


def _conventional() -> str:
    """It is asked for at every look into the cache: pathlib would take its time."""
    home, join = os.path.expanduser("~"), os.path.join
    if sys.platform == "win32":
        return join(os.environ.get("LOCALAPPDATA") or join(home, "AppData", "Local"), "lienket", "Cache")
    if sys.platform == "darwin":
        return join(home, "Library", "Caches", "lienket")
    return join(os.environ.get("XDG_CACHE_HOME") or join(home, ".cache"), "lienket")


@lru_cache(maxsize=8)
def _usable(wanted: str) -> Path:
    path = Path(wanted).absolute()
    try:
        path.mkdir(parents=True, exist_ok=True, mode=0o700)
        if _own(path):
            handle, trial = tempfile.mkstemp(dir=path, prefix=".trial-")
            os.close(handle)
            os.unlink(trial)
            return path
    except OSError:
        pass
    print(f"lienket: {path} cannot be used or is open to others; compiled code is not kept", file=sys.stderr)
    temporary = Path(tempfile.mkdtemp(prefix="lienket-"))
    atexit.register(shutil.rmtree, temporary, ignore_errors=True)
    return temporary


def _own(path: Path) -> bool:
    """Whether the directory is the user's and closed to others."""
    if not hasattr(os, "getuid"):
        return True
    status = path.stat()
    return status.st_uid == os.getuid() and not status.st_mode & 0o022


def key(sources: str, parts: Iterable[str]) -> str:
    """Return the name of what follows from the parts by code of these sources, on this machine with this LLVM."""
    digest = hashlib.sha256()
    for part in (version(), processor(), sources, *parts):
        digest.update(part.encode())
        digest.update(b"\0")
    return digest.hexdigest()


@lru_cache(maxsize=8)
def source_digests(folder: Path) -> SourceDigests:
    """Return the digests of source files, with their index in a cache directory."""
    return SourceDigests(folder)


@lru_cache(maxsize=1)
def compiler_digest() -> str:
    """Return the digest of the room `compiled`, which turns a statement into machine code."""
    return source_digests(cache_directory()).folder(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


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
