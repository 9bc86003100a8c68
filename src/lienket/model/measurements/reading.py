"""record: a file or arrays of measured numbers become a Record, or all that is wrong with them is said.

Whether columns can be a record: times that increase without gaps, and enough of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from numbers import Real
from os import PathLike, fspath
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from ...errors import LienketError, did_you_mean
from ...language.data_functions.table import KINDS, OUTSIDE
from ...language.faults import Faults, short_text
from ...language.names import name_problem
from .arrays import read_arrays, read_parquet
from .column_headers import agreed_units
from .record import Record, table_name
from .sheet import Sheet
from .text_file import read_text_file

FEWEST = 4  # rows; a cubic polynomial has four coefficients


def judge_times(t: Any, gap: float | None, sheet: Sheet, name: str, faults: Faults) -> None:
    """Note times that do not increase, and intervals longer than `gap` times the median one."""
    where = f"column {name!r}"
    if len(t) < FEWEST:
        rows = "1 row" if len(t) == 1 else f"{len(t) or 'no'} rows"
        faults.add("", f"there {'is' if len(t) == 1 else 'are'} {rows} of numbers, and {FEWEST} are needed")
        return
    steps = np.diff(t)  # NaN where a time is missing, which was said already

    def listed(rows: Any, what: str) -> list[str]:
        return [f"{sheet.where(i + 1)}: {t[i + 1]:.9g} {what} {t[i]:.9g} in {sheet.where(i)}" for i in rows]

    faults.add_some(where, listed(np.flatnonzero(steps == 0), "repeats"), "Keep one row of each time.")
    faults.add_some(where, listed(np.flatnonzero(steps < 0), "is earlier than"), "Sort the rows by time.")
    rising = steps[steps > 0]
    if gap is None or not len(rising):
        return
    usual = float(np.median(rising))
    gaps = [
        f"{sheet.where(i)}: a gap from {t[i]:.9g} to {t[i + 1]:.9g}, {steps[i] / usual:.3g} times the usual {usual:.3g}"
        for i in np.flatnonzero(steps > gap * usual)
    ]
    faults.add_some(where, gaps, "gap=None lets the spline bridge it; or make a record of each part.")


def record(
    source: Any,
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
    """What was measured over time: forces at a point, for instance.

    `source` is the path of a Parquet file or of a text file with columns separated by , ; or tabs; a mapping of names
    to arrays; a data frame; or a 2-D array. `time` is the name of the column of times, `components` are those of the
    columns wanted (default: all others). `columns` names the columns of a source that has no names. `units` are the
    labels that the columns must have where the source gives some ("X [N]", or a row of units below the names); nothing
    is converted. `name` is what its functions are named after. `kind` is "spline" (cubic), "pchip" or "linear",
    `outside` is "error", "hold" or "extrapolate", as in `lk.table`. An interval longer than `gap` times the median one
    is refused; gap=None allows it. All faults are reported together in one ModelError.

        cut = record("cut.csv", components=("X", "Y"), units={"X": "N", "Y": "N"}, name="cut")
        lk.System(..., loads=[cut.force(at=(xB, yB))])
    """
    faults = Faults()
    _check_words(name, kind, outside, gap, faults)
    wanted = None if components is None else [components] if isinstance(components, str) else list(components)
    path = fspath(source) if isinstance(source, (str, PathLike)) else None
    sheet = read_arrays(source, columns, faults) if path is None else _read_file(path, columns, faults)
    subject = f"The record {name!r}" + (f" from {path}" if path is not None else "")
    if sheet is None:
        faults.raise_any(subject)
        raise AssertionError  # a source that gives no sheet has faults
    wanted = _chosen(sheet, time, wanted, faults)
    if units is not None:
        _check_named(units, sheet.names, faults)
    labels = agreed_units(sheet.units, units or {}, "the source", faults)
    used = [column for column in (time, *wanted) if sheet.names.count(column) == 1]
    numbers = {column: sheet.numbers(column, faults) for column in used}
    if time in numbers:
        judge_times(numbers[time], gap, sheet, time, faults)
    faults.raise_any(subject)
    known = {"t" if c == time else c: labels[c] for c in (*wanted, time) if c in labels}
    values = np.column_stack([numbers[c] for c in wanted])
    t = numbers[time]
    for array in (t, values):
        array.setflags(write=False)
    spline = "cubic" if kind == "spline" else kind
    return Record(name, t, tuple(wanted), values, MappingProxyType(known), spline, outside)


def _read_file(path: str, columns: Sequence[str] | None, faults: Faults) -> Sheet | None:
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise LienketError(f"The file {path} cannot be read: {error.strerror or error}.") from None
    parquet = data.startswith(b"PAR1") or Path(path).suffix.lower() == ".parquet"
    return (read_parquet if parquet else read_text_file)(data, columns, faults)


def _check_words(name: Any, kind: Any, outside: Any, gap: Any, faults: Faults) -> None:
    problem = name_problem(name) if isinstance(name, str) else f"a name is a text, not {name!r}"
    if problem:
        faults.add("name", problem)
    for where, said, known in (("kind", kind, ("spline", *KINDS)), ("outside", outside, OUTSIDE)):
        if said not in known:
            faults.add(where, f"it is one of {', '.join(map(repr, known))}, not {said!r}")
    if gap is not None and not (isinstance(gap, Real) and float(gap) > 1):
        faults.add("gap", f"it is a number greater than 1, or None, not {gap!r}")


def _chosen(sheet: Sheet, time: str, components: list[str] | None, faults: Faults) -> list[str]:
    """The components wanted, with faults for those that are not there, or there twice."""
    chosen = [name for name in sheet.names if name != time] if components is None else components
    for column in dict.fromkeys([time, *chosen]):
        found = sheet.names.count(column)
        if not found:
            advice = f"Say which column has the times: time={sheet.names[0]!r}." if column == time else ""
            known = f"Known: {short_text(', '.join(sheet.names))}."
            what = f"there is no such column{did_you_mean(column, sheet.names)}"
            faults.add(f"column {column!r}", what, f"{known} {advice}".rstrip())
        elif found > 1:
            faults.add(f"column {column!r}", f"there are {found} columns of this name")
    if not chosen:
        faults.add("components", "there is no column besides the time")
    made = [table_name("", name) for name in dict.fromkeys(chosen)]
    if time in chosen or len(set(made)) < len(chosen):
        what = f"each needs a name of its own in letters, digits and _, and none is the time: {short_text(chosen)}"
        faults.add("components", what)
    return chosen


def _check_named(units: Mapping[str, str], known: Sequence[str], faults: Faults) -> None:
    for name, label in units.items():
        if name not in known:
            faults.add("units", f"there is no column {name!r}{did_you_mean(name, known)}")
        elif not isinstance(label, str):
            faults.add("units", f"the unit of {name!r} is a text, not {label!r}")
