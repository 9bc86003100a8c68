"""Text of a model file, read without the formula language: a file that was run before may not need its formulas."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

from ..errors import Fault, ModelFileError

FILE_SIZE_LIMIT = 4 * 2**20  # [bytes] largest model file that is read or written


def text_of_file(path: str | PathLike[str]) -> str:
    """Return the text of a model file; raises ModelFileError if it cannot be read."""
    path = Path(path)
    try:
        if path.exists() and not path.is_file() and not path.is_dir():
            raise ModelFileError(path, [Fault("", "it is not a regular file")])
        if path.stat().st_size > FILE_SIZE_LIMIT:
            raise ModelFileError(
                path, [Fault("", f"it is larger than {FILE_SIZE_LIMIT // 2**20} MiB, too large for a model")]
            )
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ModelFileError(path, [Fault("", f"it is not UTF-8 text (byte {error.start})")]) from None
    except (OSError, ValueError, RuntimeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ModelFileError(path, [Fault("", f"it cannot be read: {reason}")]) from None
