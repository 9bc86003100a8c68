"""Model files: a Statement as TOML text and back, without loss; what writes them is in `writing`."""

from .outputs import read_outputs, write_outputs
from .reading import LARGEST, read_file, read_text

__all__ = [
    "LARGEST",
    "read_file",
    "read_outputs",
    "read_text",
    "write_outputs",
]
