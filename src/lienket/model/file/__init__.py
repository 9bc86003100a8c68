"""Model files: a Statement as TOML text and back, without loss; the writer is in `writing`."""

from .outputs import read_outputs, write_outputs
from .reading import read_file, read_text

__all__ = [
    "read_file",
    "read_outputs",
    "read_text",
    "write_outputs",
]
