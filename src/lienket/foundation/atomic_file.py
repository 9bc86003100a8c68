"""Atomic file writing: into a temporary file in the target folder, which is then renamed."""

from __future__ import annotations

import errno
import os
import tempfile
from pathlib import Path

TEMPORARY_PREFIX = ".lienket-"  # independent of the name of the file, which may have the longest permitted length


def write_whole(path: Path, content: str | bytes) -> None:
    """Write text or bytes to `path`; an existing file is replaced only once the new content is on disk.

    An OSError names `path`, never the temporary file.
    """
    try:
        _replace(path.resolve(), content)  # follows a symbolic link, so that the link itself is not replaced
    except OSError as error:
        raise OSError(error.errno or errno.EIO, error.strerror or str(error), str(path)) from None


def check_writable(path: Path) -> None:
    """Raise OSError if `path` cannot be written now; creates and removes a temporary file in the nearest folder."""
    path = path.resolve()
    nearest = next(p for p in (path, *path.parents) if p.exists() or p.is_symlink())
    if nearest == path:
        _check_replaceable(path)
        nearest = path.parent
    elif not nearest.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, "it is a file, not a folder", str(nearest))
    try:
        with tempfile.TemporaryFile(dir=nearest, prefix=TEMPORARY_PREFIX):
            pass
    except OSError as error:
        raise OSError(error.errno or errno.EIO, error.strerror or str(error), str(nearest)) from None


def _replace(path: Path, content: str | bytes) -> None:
    """Write the content to a temporary file beside `path` and rename it."""
    if path.exists():
        _check_replaceable(path)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=TEMPORARY_PREFIX, suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content.encode("utf-8") if isinstance(content, str) else content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, _permissions(path))
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _check_replaceable(path: Path) -> None:
    """Raise OSError if an existing path is not a file that may be replaced."""
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, "it is a folder, not a file", str(path))
    if not path.is_file():
        raise OSError(errno.EINVAL, "it is not a regular file", str(path))
    if not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, "the existing file is read-only", str(path))


def _permissions(path: Path) -> int:
    """Return the permissions of the replaced file, or the default permissions of a new file."""
    if path.exists():
        return path.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
