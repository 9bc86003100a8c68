"""Atomic file writing: into a temporary file in the target folder, which is then renamed."""

from __future__ import annotations

import errno
import os
import tempfile
from pathlib import Path


def write_whole(path: Path, content: str | bytes) -> None:
    """Write text or bytes to `path`; an existing file is replaced only once the new content is on disk."""
    path = path.resolve()  # follows a symbolic link, so that the link itself is not replaced
    if path.exists():
        if not path.is_file():
            raise OSError(f"{path} is not a regular file")
        if not os.access(path, os.W_OK):
            raise PermissionError(errno.EACCES, "the existing file is read-only")
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp")
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


def _permissions(path: Path) -> int:
    """Return the permissions of the replaced file, or the default permissions of a new file."""
    if path.exists():
        return path.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
