"""Reader of records: measured numbers from a file or arrays become a Record, or all their faults are reported.

The times must increase without gaps, and there must be enough of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from numbers import Real
from os import PathLike, fspath
from pathlib import Path

import numpy as np

from ...errors import Faults, LienketError, did_you_mean
from ...foundation.arrays import Array, IntArray
from ...language.by_name import ByName
from ...language.data_functions.table import KINDS, OUTSIDE
from ...language.names import identifier_problem
from ...language.short_text import short_text
from .arrays import read_arrays, read_parquet
from .column_headers import agreed_units
from .record import Record, table_name
from .sheet import Sheet
from .text_file import read_text_file

FEWEST_RECORD_ROWS = 4  # [rows] least length of a record: a cubic polynomial has four coefficients


def check_times(t: Array, gap: float | None, sheet: Sheet, name: str, faults: Faults) -> None:
    """Report times that do not increase, and intervals longer than `gap` times the median one."""
    where = f"column {name!r}"
    if len(t) < FEWEST_RECORD_ROWS:
        rows = "1 row" if len(t) == 1 else f"{len(t) or 'no'} rows"
        faults.add("", f"there {'is' if len(t) == 1 else 'are'} {rows} of numbers, but {FEWEST_RECORD_ROWS} are needed")
        return
    steps = np.diff(t)  # NaN where a time is missing, which has been reported already

    def listed(rows: IntArray, what: str) -> list[str]:
        return [f"{sheet.where(i + 1)}: {t[i + 1]:.9g} {what} {t[i]:.9g} in {sheet.where(i)}" for i in rows]

    faults.add_some(where, listed(np.flatnonzero(steps == 0), "repeats"), "Keep one row of each time.")
    faults.add_some(where, listed(np.flatnonzero(steps < 0), "is earlier than"), "Sort the rows by time.")
    rising = steps[steps > 0]
    if gap is None or not len(rising):
        return
    median = float(np.median(rising))
    ratios = steps / median
    gaps = [
        f"{sheet.where(i)}: a gap from {t[i]:.9g} to {t[i + 1]:.9g}, {ratios[i]:.3g} times the median {median:.3g}"
        for i in np.flatnonzero(steps > gap * median)
    ]
    faults.add_some(where, gaps, "gap=None lets the spline bridge it; or make a record of each part.")


def record(
    source: object,
    *,
    time: str = "t",
    components: Iterable[str] | None = None,
    units: Mapping[str, str] | None = None,
    name: str = "record",
    kind: str = "spline",
    columns: Sequence[str] | None = None,
    gap: float | None = 10.0,
    outside: str = "error",
) -> Record:
    """Return quantities measured over time, for example forces at a point.

    Parameters
    ----------
    source : path-like, mapping, data frame or array
        Parquet file, text file with columns separated by commas, semicolons or tabs, arrays by name, or 2-D array.
    time : str
        Name of the column of times, which must increase.
    components : iterable of str, optional
        Names of the measured columns; all others by default.
    units : mapping, optional
        Units that the columns must have where the source states units ("X [N]", or a row of units below the names);
        they are not converted.
    name : str
        Beginning of the names of its functions in formulas.
    kind : {"spline", "pchip", "linear"}
        Interpolation, as in `lk.table`; "spline" is cubic.
    columns : sequence of str, optional
        Names of the columns of a source without names.
    gap : float, optional
        Longest permitted interval in multiples of the median interval; None for no limit.
    outside : {"error", "hold", "extrapolate"}
        Value before the first and after the last time, as in `lk.table`.

    Returns
    -------
    Record
        Times and components; ``.force(at=...)`` is an lk.Force.

    Raises
    ------
    ModelError
        With all faults of the source and the arguments.
    LienketError
        If the file cannot be read.

    Examples
    --------
    >>> cut = lk.laws.record({"t": [0, 1, 2, 3], "X": [0, 1, 4, 9]}, units={"X": "N"}, name="cut")
    >>> cut
    record 'cut': X [N]; 4 rows from t = 0 to 3
    >>> cut.at([1.5]).round(9)
    array([[2.25]])
    """
    return _checked_record(source, time, components, units, name, kind, columns, gap, outside)


def _checked_record(
    source: object,
    time: str,
    components: Iterable[str] | None,
    units: Mapping[str, str] | None,
    name: str,
    kind: str,
    columns: Sequence[str] | None,
    gap: float | None,
    outside: str,
) -> Record:
    """Return the record of a source, or raise all faults of the source and the arguments."""
    faults = Faults()
    _check_options(name, kind, outside, gap, faults)
    chosen = None if components is None else [components] if isinstance(components, str) else list(components)
    path = fspath(source) if isinstance(source, (str, PathLike)) else None
    sheet = read_arrays(source, columns, faults) if path is None else _read_file(path, columns, faults)
    subject = f"The record {name!r}" + (f" from {path}" if path is not None else "")
    if sheet is None:
        faults.raise_any(subject)
        raise AssertionError  # a source that gives no sheet has faults
    chosen = _chosen_components(sheet, time, chosen, faults)
    if units is not None:
        _check_unit_names(units, sheet.names, faults)
    labels = agreed_units(sheet.units, units or {}, "the source", faults)
    used = [column for column in (time, *chosen) if sheet.names.count(column) == 1]
    numbers = {column: sheet.numbers(column, faults) for column in used}
    if time in numbers:
        check_times(numbers[time], gap, sheet, time, faults)
    faults.raise_any(subject)
    known_units = {"t" if c == time else c: labels[c] for c in (*chosen, time) if c in labels}
    values = np.column_stack([numbers[c] for c in chosen])
    t = numbers[time]
    for array in (t, values):
        array.setflags(write=False)
    spline = "cubic" if kind == "spline" else kind
    return Record(name, t, tuple(chosen), values, ByName(known_units, "column"), spline, outside)


def _read_file(path: str, columns: Sequence[str] | None, faults: Faults) -> Sheet | None:
    """Return the columns of a Parquet or text file."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise LienketError(f"The file {path} cannot be read: {error.strerror or error}.") from None
    parquet = data.startswith(b"PAR1") or Path(path).suffix.lower() == ".parquet"
    return (read_parquet if parquet else read_text_file)(data, columns, faults)


def _check_options(name: object, kind: object, outside: object, gap: object, faults: Faults) -> None:
    """Report an invalid name, kind, outside or gap."""
    problem = identifier_problem(name) if isinstance(name, str) else f"a name must be a text, not {name!r}"
    if problem:
        faults.add("name", problem)
    for where, option, options in (("kind", kind, ("spline", *KINDS)), ("outside", outside, OUTSIDE)):
        if option not in options:
            faults.add(where, f"it must be one of {', '.join(map(repr, options))}, not {option!r}")
    if gap is not None and not (isinstance(gap, Real) and float(gap) > 1):
        faults.add("gap", f"it must be a number greater than 1, or None, not {gap!r}")


def _chosen_components(sheet: Sheet, time: str, components: list[str] | None, faults: Faults) -> list[str]:
    """Return the names of the components; report those that are missing or ambiguous."""
    chosen = [name for name in sheet.names if name != time] if components is None else components
    for column in dict.fromkeys([time, *chosen]):
        count = sheet.names.count(column)
        if not count:
            advice = f"Name the column of times: time={sheet.names[0]!r}." if column == time else ""
            available = f"Known: {short_text(', '.join(sheet.names))}."
            what = f"there is no such column{did_you_mean(column, sheet.names)}"
            faults.add(f"column {column!r}", what, f"{available} {advice}".rstrip())
        elif count > 1:
            faults.add(f"column {column!r}", f"there are {count} columns with this name")
    if not chosen:
        faults.add("components", "there is no column besides the time")
    names = [table_name("", name) for name in dict.fromkeys(chosen)]
    if time in chosen or len(set(names)) < len(chosen):
        what = f"their names must differ in letters, digits and _, and from the time: {short_text(chosen)}"
        faults.add("components", what)
    return chosen


def _check_unit_names(units: Mapping[str, str], columns: Sequence[str], faults: Faults) -> None:
    """Report units of unknown columns, and units that are not texts."""
    for name, label in units.items():
        if name not in columns:
            faults.add("units", f"there is no column {name!r}{did_you_mean(name, columns)}")
        elif not isinstance(label, str):
            faults.add("units", f"the unit of {name!r} must be a text, not {label!r}")
