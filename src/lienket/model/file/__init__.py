"""Model files: a Statement as TOML text and back, without loss."""

from .outputs import read_outputs, write_outputs
from .reading import LARGEST, read_file, read_text
from .schema import ModelFile, json_schema
from .writing import checked_text, write_file, write_text

__all__ = [
    "LARGEST",
    "ModelFile",
    "checked_text",
    "json_schema",
    "read_file",
    "read_outputs",
    "read_text",
    "write_file",
    "write_outputs",
    "write_text",
]
