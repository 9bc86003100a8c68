"""Where compiled code is kept: a directory of the user's own, by the platform's convention.

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
import os
import shutil
import sys
import tempfile
from functools import lru_cache
from pathlib import Path

VARIABLE = "LIENKET_CACHE_DIR"


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
def digest_of(room: str) -> str:
    """A digest of the sources of a room of the package; what is compiled follows from them."""
    package, digest = os.path.dirname(os.path.dirname(os.path.abspath(__file__))), hashlib.sha256()
    files = (os.path.join(folder, name) for folder, _, names in os.walk(os.path.join(package, room)) for name in names)
    for path in sorted(path for path in files if path.endswith(".py")):
        with open(path, "rb", buffering=0) as file:
            digest.update(path.removeprefix(package).encode() + b"\0" + file.read() + b"\0")
    return digest.hexdigest()


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
