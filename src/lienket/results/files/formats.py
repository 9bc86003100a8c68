"""The bytes of files of trajectories, and back: .npz, .csv and .parquet. ValueError says what is wrong with them."""

from __future__ import annotations

import csv
import io
import zipfile
import zlib
from typing import Any

import numpy as np

from ...errors import LienketError

Array = Any
Arrays = dict[str, Array]

MARK = "# lienket trajectory"
META = b"lienket trajectory"
FACTS = "facts"
MISSING = 'A .parquet file needs pyarrow, which is not installed: pip install "lienket[sweep]", or choose .npz or .csv.'


def npz_bytes(facts: str, arrays: Arrays) -> bytes:
    """A NumPy archive of the arrays, with the facts as a text."""
    file = io.BytesIO()
    entries: dict[str, Any] = {FACTS: np.array(facts), **arrays}
    np.savez(file, **entries)
    return file.getvalue()


def from_npz(data: bytes) -> tuple[str, Arrays]:
    """The facts and t, q, v, work, steps, and parts if there are some. Nothing is unpickled."""
    if not zipfile.is_zipfile(io.BytesIO(data)):
        raise ValueError("it is no NumPy archive, or not whole")
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as saved:
            missing = [name for name in (FACTS, "t", "q", "v", "work", "steps") if name not in saved.files]
            if missing:
                raise ValueError(f"it has no array {missing[0]!r}")
            found = {name: saved[name] for name in ("t", "q", "v", "work", "steps", "part") if name in saved.files}
            facts = saved[FACTS]
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, KeyError, MemoryError) as error:
        raise ValueError(f"it is damaged ({error or type(error).__name__})") from None
    wrong = [name for name, values in found.items() if not isinstance(values, np.ndarray) or values.dtype != float]
    if wrong or not isinstance(facts, np.ndarray) or facts.dtype.kind != "U" or facts.ndim:
        raise ValueError(f"its {wrong[0] if wrong else FACTS} are not what they should be")
    return str(facts), found


def csv_bytes(facts: str, version: int, columns: Arrays) -> bytes:
    """A line with the facts, a line with the names, then the rows with 17 significant digits."""
    text = io.StringIO()
    text.write(f"{MARK} {version} {facts}\n")
    csv.writer(text, lineterminator="\n").writerow(columns)
    np.savetxt(text, np.column_stack(list(columns.values())), fmt="%.17g", delimiter=",")
    return text.getvalue().encode("utf-8")


def from_csv(data: bytes) -> tuple[str, Arrays]:
    """The facts and the columns by name."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"it is not UTF-8 text (byte {error.start})") from None
    first, _, rest = text.partition("\n")
    if not first.startswith(f"{MARK} "):
        raise ValueError(f"its first line does not begin with {MARK!r}")
    header, _, body = rest.partition("\n")
    if not body.strip() or not body.endswith("\n"):
        raise ValueError("it ends within a line: it is not whole")
    names = next(csv.reader([header.rstrip("\r")]), [])
    try:
        rows = np.loadtxt(io.StringIO(body), delimiter=",", comments=None, ndmin=2)
    except ValueError as error:
        raise ValueError(f"its rows cannot be read: {str(error).rstrip('.')}") from None
    if rows.shape[1] != len(names) or len(set(names)) != len(names):
        raise ValueError(f"its rows have {rows.shape[1]} numbers, and it names {len(set(names))} columns")
    facts = first[len(MARK) + 1 :].partition(" ")[2]
    return facts, dict(zip(names, rows.T, strict=True))


def parquet_bytes(facts: str, columns: Arrays) -> bytes:
    """Columns by name, with the facts in the metadata of the schema; no dictionaries, which could merge 0 and -0."""
    pyarrow, parquet = _pyarrow()
    table = pyarrow.table({name: np.ascontiguousarray(values) for name, values in columns.items()})
    file = io.BytesIO()
    parquet.write_table(table.replace_schema_metadata({META: facts.encode()}), file, use_dictionary=False)
    return file.getvalue()


def from_parquet(data: bytes) -> tuple[str, Arrays]:
    """The facts and the columns by name; a value that is absent is NaN."""
    pyarrow, parquet = _pyarrow()
    try:
        table = parquet.ParquetFile(io.BytesIO(data)).read()
        facts = (table.schema.metadata or {}).get(META)
        if facts is None:
            raise ValueError("it is no trajectory of lienket: its schema has no facts")
        names = [f.name for f in table.schema if f.type == pyarrow.float64()]
        return facts.decode(), {name: table.column(name).to_numpy() for name in names}
    except (pyarrow.ArrowException, OSError, KeyError) as error:
        raise ValueError(f"it is no Parquet file, or damaged ({error})") from None


def _pyarrow() -> Any:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise LienketError(MISSING) from None
    return pyarrow, parquet
