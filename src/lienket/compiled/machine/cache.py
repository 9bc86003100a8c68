r"""Compiled functions on disk, so that a second process starts without compiling.

The name of a file is a digest of everything that determines its code: the statement on the graph and the function, or
the kernel; the sources of the compiler (`source_digest`); the version of LLVM; the processor. It holds

    lienket code 1 \n   digest of the rest (32 bytes)   length of the info (8 bytes)   info (JSON)   object code

A damaged or foreign file is ignored and replaced. Files are renamed into place when they are complete, so that no
process reads a half-written one.

The directory belongs to the user, at the platform's conventional place for caches:

    LIENKET_CACHE_DIR          if it is set
    Linux and others           $XDG_CACHE_HOME/lienket or ~/.cache/lienket
    macOS                      ~/Library/Caches/lienket
    Windows                    %LOCALAPPDATA%/lienket/Cache

Machine code is loaded from it, so it must belong to the user and must not be writable by others. Otherwise, or if it
cannot be created or written, this process uses a temporary directory.
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

from .object_code import version
from .processor import processor
from .source_digest import SourceDigests

VARIABLE = "LIENKET_CACHE_DIR"
MAGIC = b"lienket code 1\n"
CACHE_SIZE_LIMIT = 512 * 2**20  # [bytes] size of the cache beyond which the least recently used files are removed
WRITES_PER_SWEEP = 64  # [1] average number of writes between two checks of the size of the cache


def cache_directory() -> Path:
    """Return the cache directory, created if necessary."""
    return _usable(os.environ.get(VARIABLE) or _platform_directory())


def _platform_directory() -> str:
    """Return the platform's directory for caches; without pathlib, since every access to the cache calls this."""
    home, join = os.path.expanduser("~"), os.path.join
    if sys.platform == "win32":
        return join(os.environ.get("LOCALAPPDATA") or join(home, "AppData", "Local"), "lienket", "Cache")
    if sys.platform == "darwin":
        return join(home, "Library", "Caches", "lienket")
    return join(os.environ.get("XDG_CACHE_HOME") or join(home, ".cache"), "lienket")


@lru_cache(maxsize=8)
def _usable(directory: str) -> Path:
    """Return the directory if it is private and can be written, otherwise a temporary one."""
    path = Path(directory).absolute()
    try:
        path.mkdir(parents=True, exist_ok=True, mode=0o700)
        if _is_private(path):
            handle, trial = tempfile.mkstemp(dir=path, prefix=".trial-")
            os.close(handle)
            os.unlink(trial)
            return path
    except OSError:
        pass
    print(
        f"lienket: the cache directory {path} cannot be written, or others can write to it; "
        f"compiled code is not kept. Set {VARIABLE} to a private directory.",
        file=sys.stderr,
    )
    temporary = Path(tempfile.mkdtemp(prefix="lienket-"))
    atexit.register(shutil.rmtree, temporary, ignore_errors=True)
    return temporary


def _is_private(path: Path) -> bool:
    """Return whether the directory belongs to the user and is not writable by others."""
    if not hasattr(os, "getuid"):
        return True
    status = path.stat()
    return status.st_uid == os.getuid() and not status.st_mode & 0o022


def key(sources: str, parts: Iterable[str]) -> str:
    """Return the file name of code made from the parts by sources of this digest, for this processor and LLVM."""
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
    """Return the digest of the room `compiled`, which turns a statement into machine code, and of tables.

    The polynomials of a table are computed in another room, and code contains them.
    """
    room, digests = os.path.dirname(os.path.dirname(os.path.abspath(__file__))), source_digests(cache_directory())
    table = os.path.join(os.path.dirname(room), "language", "data_functions", "table.py")
    return f"{digests.folder(room)} {digests.reached(table, 'Table')}"


def read(name: str) -> tuple[dict[str, Any], bytes] | None:
    """Return the info and the object code kept under a name, or None."""
    path = _path(name)
    try:
        content = path.read_bytes()
        start = len(MAGIC) + 32
        if content[: len(MAGIC)] != MAGIC or hashlib.sha256(content[start:]).digest() != content[len(MAGIC) : start]:
            return None
        length = int.from_bytes(content[start : start + 8], "little")
        info = json.loads(content[start + 8 : start + 8 + length])
        with suppress(OSError):
            os.utime(path)  # marks it as recently used
        return info, content[start + 8 + length :]
    except (OSError, ValueError):
        return None


def write(name: str, info: dict[str, Any], code: bytes) -> None:
    """Keep info and object code under a name; without effect if the file cannot be written."""
    text = json.dumps(info).encode()
    rest = len(text).to_bytes(8, "little") + text + code
    path = _path(name)
    temporary = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".new-")
        with os.fdopen(handle, "wb") as file:
            file.write(MAGIC + hashlib.sha256(rest).digest() + rest)
        os.replace(temporary, path)
        if int(name[:8], 16) % WRITES_PER_SWEEP == 0:
            _sweep(path.parent)
    except OSError:  # full disk or missing rights: the code is used without being kept
        if temporary is not None:
            Path(temporary).unlink(missing_ok=True)


def _path(name: str) -> Path:
    """Return the file of a name."""
    return Path(cache_directory(), "code", name)


def _sweep(directory: Path) -> None:
    """Remove the least recently used files until the rest is within CACHE_SIZE_LIMIT."""
    files = []
    with os.scandir(directory) as entries:
        for entry in entries:
            with suppress(OSError):  # another process has just renamed or removed it
                status = entry.stat()
                files.append((status.st_mtime, status.st_size, entry.path))
    total = sum(size for _, size, _ in files)
    for _, size, path in sorted(files):
        if total <= CACHE_SIZE_LIMIT:
            return
        Path(path).unlink(missing_ok=True)
        total -= size
