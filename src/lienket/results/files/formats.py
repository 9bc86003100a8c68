"""Conversion of trajectories to and from the bytes of .npz, .csv and .parquet files; ValueError for invalid files."""

from __future__ import annotations

import csv
import io
import zipfile
import zlib
from typing import Any

import numpy as np

from ...errors import LienketError
from ...foundation.arrays import Array

Arrays = dict[str, Array]

MARK = "# lienket trajectory"
SCHEMA_KEY = b"lienket trajectory"
METADATA = "facts"  # name of the array in an archive
MISSING = 'A .parquet file needs pyarrow, which is not installed: pip install "lienket[sweep]", or choose .npz or .csv.'


def npz_bytes(metadata: str, arrays: Arrays) -> bytes:
    """Return a NumPy archive of the arrays, with the metadata as a text."""
    file = io.BytesIO()
    entries: dict[str, Any] = {METADATA: np.array(metadata), **arrays}
    np.savez(file, **entries)
    return file.getvalue()


def from_npz(data: bytes) -> tuple[str, Arrays]:
    """Return the metadata and the arrays t, q, v, work, steps, and part if present; nothing is unpickled."""
    if not zipfile.is_zipfile(io.BytesIO(data)):
        raise ValueError("it is not a complete NumPy archive")
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as saved:
            missing = [name for name in (METADATA, "t", "q", "v", "work", "steps") if name not in saved.files]
            if missing:
                raise ValueError(f"it has no array {missing[0]!r}")
            arrays = {name: saved[name] for name in ("t", "q", "v", "work", "steps", "part") if name in saved.files}
            metadata = saved[METADATA]
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, KeyError, MemoryError) as error:
        raise ValueError(f"it is damaged ({error or type(error).__name__})") from None
    wrong = [name for name, values in arrays.items() if not isinstance(values, np.ndarray) or values.dtype != float]
    if wrong or not isinstance(metadata, np.ndarray) or metadata.dtype.kind != "U" or metadata.ndim:
        name, kind = (wrong[0], "float64 numbers") if wrong else (METADATA, "a text")
        raise ValueError(f"its array {name!r} does not hold {kind}")
    return str(metadata), arrays


def csv_bytes(metadata: str, version: int, columns: Arrays) -> bytes:
    """Return a line with the metadata, a line with the names, then the rows with 17 significant digits."""
    text = io.StringIO()
    text.write(f"{MARK} {version} {metadata}\n")
    csv.writer(text, lineterminator="\n").writerow(columns)
    np.savetxt(text, np.column_stack(list(columns.values())), fmt="%.17g", delimiter=",")
    return text.getvalue().encode("utf-8")


def from_csv(data: bytes) -> tuple[str, Arrays]:
    """Return the metadata and the columns by name."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"it is not UTF-8 text (byte {error.start})") from None
    first, _, rest = text.partition("\n")
    if not first.startswith(f"{MARK} "):
        raise ValueError(f"its first line does not begin with {MARK!r}")
    header, _, body = rest.partition("\n")
    if not body.strip() or not body.endswith("\n"):
        raise ValueError("its last line is incomplete: the file is truncated")
    names = next(csv.reader([header.rstrip("\r")]), [])
    try:
        rows = np.loadtxt(io.StringIO(body), delimiter=",", comments=None, ndmin=2)
    except ValueError as error:
        raise ValueError(f"its rows cannot be read: {str(error).rstrip('.')}") from None
    if rows.shape[1] != len(names) or len(set(names)) != len(names):
        raise ValueError(
            f"its rows have {rows.shape[1]} numbers, but its header names {len(set(names))} different columns"
        )
    metadata = first[len(MARK) + 1 :].partition(" ")[2]
    return metadata, dict(zip(names, rows.T, strict=True))


def parquet_bytes(metadata: str, columns: Arrays) -> bytes:
    """Return the columns with the metadata in the schema; without dictionary encoding, which could merge 0 and -0."""
    pyarrow, parquet = _pyarrow()
    table = pyarrow.table({name: np.ascontiguousarray(values) for name, values in columns.items()})
    file = io.BytesIO()
    parquet.write_table(table.replace_schema_metadata({SCHEMA_KEY: metadata.encode()}), file, use_dictionary=False)
    return file.getvalue()


def from_parquet(data: bytes) -> tuple[str, Arrays]:
    """Return the metadata and the columns by name; a missing value is NaN."""
    pyarrow, parquet = _pyarrow()
    try:
        table = parquet.ParquetFile(io.BytesIO(data)).read()
        metadata = (table.schema.metadata or {}).get(SCHEMA_KEY)
        if metadata is None:
            raise ValueError(f"it is not a trajectory of lienket: its schema has no metadata {SCHEMA_KEY.decode()!r}")
        names = [f.name for f in table.schema if f.type == pyarrow.float64()]
        return metadata.decode(), {name: table.column(name).to_numpy() for name in names}
    except (pyarrow.ArrowException, OSError, KeyError) as error:
        raise ValueError(f"it is not a Parquet file, or it is damaged ({error})") from None


def _pyarrow() -> Any:
    """Import pyarrow and pyarrow.parquet; raise LienketError if they are not installed."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise LienketError(MISSING) from None
    return pyarrow, parquet
