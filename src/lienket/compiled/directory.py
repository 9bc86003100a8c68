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
import os
import shutil
import sys
import tempfile
from functools import lru_cache
from pathlib import Path

VARIABLE = "LIENKET_CACHE_DIR"


def cache_directory() -> Path:
    """The directory, made if need be."""
    return _usable(os.environ.get(VARIABLE) or str(_conventional()))


def _conventional() -> Path:
    home = Path(os.path.expanduser("~"))
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "lienket" / "Cache"
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "lienket"
    return Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache") / "lienket"


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
