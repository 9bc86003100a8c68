"""Model files: a Statement as TOML text and back, without loss."""

from .reading import read_file, read_text
from .schema import ModelFile, json_schema
from .writing import write_file, write_text

__all__ = ["ModelFile", "json_schema", "read_file", "read_text", "write_file", "write_text"]
