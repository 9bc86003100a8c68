"""Readers of arrays: a mapping of names to columns, a data frame, a 2-D array, or the columns of a Parquet file."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...errors import Faults, LienketError
from ...foundation.arrays import ArrayLike
from ...language.short_text import short_text
from .column_headers import split_headers
from .sheet import Sheet

NO_PYARROW = 'A Parquet file needs pyarrow, which is not installed: pip install "lienket[sweep]", or write a .csv file.'


def read_arrays(source: Any, columns: Sequence[str] | None, faults: Faults) -> Sheet | None:
    """Return the columns of a mapping name -> N numbers, a data frame, or an N x k array with named columns.

    The result is None if there are faults.
    """
    if isinstance(source, Mapping):
        return read_mapping(source, columns, faults)
    if hasattr(source, "columns") and hasattr(source, "index"):  # a data frame; its index may be the time
        indexed = {} if source.index.name is None else {source.index.name: source.index.to_numpy()}
        return read_mapping(indexed | {name: source[name].to_numpy() for name in source.columns}, columns, faults)
    if isinstance(source, (str, bytes)) or not isinstance(source, (np.ndarray, Sequence)):
        what = f"a path, a mapping of names to arrays or an array was expected, not {short_text(repr(source), 60)}"
        faults.add("source", what)
        return None
    try:
        array = _array(source)
    except ValueError:  # rows of different lengths
        array = np.empty(0)
    if array.ndim != 2:
        faults.add("source", "an array must have two axes: a row for each time and a column for each quantity")
        return None
    if columns is None:
        faults.add("source", "the columns of an array have no names", "Name them: columns=['t', 'X', 'Y'].")
        return None
    if len(columns) != array.shape[1]:
        faults.add("columns", f"{len(columns)} names are given, but the array has {array.shape[1]} columns")
        return None
    return read_mapping(dict(zip(columns, array.T, strict=True)), None, faults)


def read_mapping(source: Mapping[str, ArrayLike], columns: Sequence[str] | None, faults: Faults) -> Sheet | None:
    """Return the columns of a mapping; headers may state units, as in "X [N]"."""
    if columns is not None:
        faults.add("columns", "the columns of this source already have names", "Leave out columns=...")
    names, units = split_headers([str(name) for name in source])
    arrays = [_array(column) for column in source.values()]
    lengths = {name: len(array) for name, array in zip(names, arrays, strict=True) if array.ndim == 1}
    for name, array in zip(names, arrays, strict=True):
        if array.ndim != 1:
            faults.add(f"column {name!r}", f"a sequence of numbers was expected, not an array of shape {array.shape}")
    if len(set(lengths.values())) > 1:
        listed = ", ".join(f"{name!r} has {length}" for name, length in lengths.items())
        faults.add("columns", f"they have different lengths: {short_text(listed)}")
    if len(faults):
        return None
    return Sheet(names, tuple(arrays), units, "row", range(max(lengths.values(), default=0)))


def _array(source: ArrayLike) -> Any:
    """Return an array with NaN where the source is masked."""
    return np.ma.filled(source.astype(float), np.nan) if np.ma.isMaskedArray(source) else np.asarray(source)


def read_parquet(data: bytes, columns: Sequence[str] | None, faults: Faults) -> Sheet | None:
    """Return the columns of the bytes of a Parquet file; an absent value is NaN."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise LienketError(NO_PYARROW) from None
    try:
        table = parquet.ParquetFile(io.BytesIO(data)).read()
        columns_by_name = {name: table.column(i).to_numpy() for i, name in enumerate(table.column_names)}
    except (pyarrow.ArrowException, OSError) as error:
        faults.add("", f"it is not a Parquet file, or it is damaged ({short_text(str(error))})")
        return None
    return read_mapping(columns_by_name, columns, faults)
