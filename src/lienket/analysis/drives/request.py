"""Reading of the arguments of `drive`: a motion or laws of outputs, drives, weights, times."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
from sympy.core.function import AppliedUndef

from ...errors import Fault, Faults, did_you_mean
from ...foundation.arrays import Array
from ...foundation.frozen_dataclass import dataclass
from ...language.as_expression import as_expression
from ...language.engine.engine import Engine
from ...language.names import by_name
from ...language.printing.text import plain
from ...language.short_text import short_text
from ...language.symbols import name_of, t
from ...language.traversal import find
from ...language.written_names import full_name
from ...model.checks.statement import check_added
from ...model.constraint import Constraint, Program
from ...model.input.constraint import read_constraint
from ...model.input.finite_number import finite_number
from ...model.statement import Statement

REQUESTS_CACHED = 64  # [requests] whose laws and drives are cached by statement, checked and in normal form
Drives = tuple[tuple[str, tuple[tuple[Any, Any], ...]], ...]


@dataclass(frozen=True, eq=False)
class StatedMotion:
    """Times t (N), positions q (N x n), and velocities v and accelerations a (N x n) or None."""

    t: Array
    q: Array
    v: Array | None
    a: Array | None


def is_motion(motion: object) -> bool:
    """Return whether the argument is a motion rather than laws of outputs."""
    return not isinstance(motion, Mapping) or "t" in motion or t in motion


def read_drive_columns(drives: Any, statement: Statement, faults: Faults) -> Drives:
    """Return the drives, (name, ((coordinate, factor), ...)); None stands for those of the system's programs."""
    if drives is None:
        of_programs = tuple(drive for c in statement.constraints for drive in c.drives)
        if not of_programs:
            faults.add("drives", "none are given, and the system has no program", 'Give drives={"M": {phi: 1}}.')
        return of_programs
    words = Faults()
    program = read_constraint("drives", Program(statement.coordinates[0], drives), statement.coordinates, words)
    others = tuple(c for c in statement.constraints if not c.drives and c.name != "drives")
    normal, further = _checked(statement, others, (program,)) if not len(words) else ((program,), ())
    for fault in (*words, *further):
        faults.add(fault.where.removeprefix("constraint 'drives', ").replace("constraint 'drives'", "drives"),
                   fault.what, fault.advice)  # fmt: skip
    return normal[0].drives


@lru_cache(maxsize=REQUESTS_CACHED)
def _checked(
    statement: Statement, others: tuple[Constraint, ...], added: tuple[Constraint, ...]
) -> tuple[tuple[Constraint, ...], tuple[Fault, ...]]:
    """Return constraints in normal form, and their faults beside other constraints of a system."""
    faults = Faults()
    check_added(statement.with_constraints((*others, *added)), added, faults)
    normal = Engine(statement.coordinates).normal
    return tuple(c.mapped(normal) for c in added), tuple(faults)


def read_weights(weights: object, drives: Drives, faults: Faults) -> Array:
    """Return a positive weight for each drive, 1 by default."""
    names = [name for name, _ in drives]
    if weights is None:
        return np.ones(len(names))
    if not isinstance(weights, Mapping):
        faults.add("weights", f"a mapping from drives to numbers is needed, not {short_text(repr(weights))}")
        return np.ones(len(names))
    for name in weights:
        if name not in names:
            faults.add("weights", f"there is no drive {name}{did_you_mean(str(name), names)}")
    read = [finite_number(weights.get(name, 1.0), "weights", name, faults) for name in names]
    for name, weight in zip(names, read, strict=True):
        if not weight > 0:
            faults.add("weights", f"the weight of {name} must be positive, not {weight:g}")
    return np.array(read)


def read_times(times: object, faults: Faults) -> Array:
    """Return strictly increasing times (N)."""
    try:
        read = np.array(times, dtype=float)
    except (TypeError, ValueError):
        read = np.zeros(0)
    if read.ndim != 1 or not len(read) or not np.isfinite(read).all() or not np.all(np.diff(read) > 0):
        faults.add("times", "a list of strictly increasing times is needed", "For example numpy.linspace(0, 1, 101).")
        return np.zeros(1)
    return read


def read_motion(motion: object, names: Sequence[str], fewest: int, faults: Faults) -> StatedMotion:
    """Return a motion from (t, q), (t, q, v), (t, q, v, a) or a mapping from names to columns.

    The names are "t", "x" and optionally "x'" and "x''".
    """
    if isinstance(motion, Mapping):
        parts = _columns(motion, names, faults)
    elif isinstance(motion, tuple | list) and 2 <= len(motion) <= 4:
        parts = [*motion, None, None][:4]
    else:
        needed = "a trajectory, a tuple (t, q), (t, q, v) or (t, q, v, a), or a mapping is needed"
        faults.add("motion", f"{needed}, not {type(motion).__name__}")
        parts = [[0.0], np.zeros((1, len(names))), None, None]
    times = read_times(parts[0], faults)
    q, v, a = (_rows(part, what, len(times), names, faults) for part, what in zip(parts[1:], "qva", strict=True))
    if (v is None or a is None) and len(times) < fewest:
        faults.add("motion", f"{len(times)} rows are too few for accelerations by splines; {fewest} are needed")
    return StatedMotion(times, np.zeros((len(times), len(names))) if q is None else q, v, a)


def _columns(motion: Mapping[Any, Any], names: Sequence[str], faults: Faults) -> list[Any]:
    """Return t, q, v and a from columns by name; v and a are None where no column of them is there."""
    columns = by_name(motion, names)
    possible = [name + mark for mark in ("", "'", "''") for name in names]
    for key in columns:
        if key != "t" and key not in possible:
            faults.add("motion", f"{key} is no column of this system{did_you_mean(key, possible)}")
    parts: list[Any] = [columns.get("t")]
    for mark in ("", "'", "''"):
        missing = [name + mark for name in names if name + mark not in columns]
        if missing and (not mark or len(missing) < len(names)):
            faults.add("motion", f"{', '.join(missing)}: no columns are given")
        parts.append(None if missing else np.transpose([np.asarray(columns[x + mark], dtype=float) for x in names]))
    return parts


def _rows(rows: object, what: str, count: int, names: Sequence[str], faults: Faults) -> Array | None:
    """Return `count` rows with a number for each coordinate; None if there are none or they have faults."""
    if rows is None:
        return None
    try:
        read = np.array(rows, dtype=float)
    except (TypeError, ValueError):
        faults.add(what, f"rows of {len(names)} numbers are needed ({', '.join(names)})")
        return None
    if read.ndim == 1 and len(names) == 1:
        read = read[:, None]
    if read.shape != (count, len(names)):
        faults.add(
            what, f"its shape is {read.shape}; {count} times and {len(names)} coordinates need {count, len(names)}"
        )
        return None
    if not np.isfinite(read).all():
        faults.add(what, f"row {int(np.flatnonzero(~np.isfinite(read).all(axis=1))[0])} is not finite")
        return None
    return np.ascontiguousarray(read)


def read_laws(outputs: Mapping[Any, Any], statement: Statement, faults: Faults) -> tuple[Constraint, ...]:
    """Return a constraint output - law(t) = 0 for each output: a coordinate, its name or an expression."""
    named = {name_of(x): x for x in statement.coordinates}
    laws: list[Constraint] = []
    if not outputs:
        faults.add("outputs", "the mapping is empty", "Give a law for an output: {phi: sin(t)}.")
    for stated, law in outputs.items():
        key = full_name(stated, list(named)) if isinstance(stated, str) else stated
        if isinstance(key, str) and key not in named:
            faults.add(
                "outputs",
                f"{key} is no coordinate{did_you_mean(key, named)}",
                "An output is a coordinate or an expression.",
            )
            continue
        output = named[key] if isinstance(key, str) else as_expression(key, f"output {short_text(key)}", faults)
        name = f"law of {plain(output)}"
        moving = as_expression(law, name, faults)
        if find(moving, AppliedUndef):
            faults.add(name, f"the law must be a function of time and parameters, not {short_text(moving)}")
        laws.append(read_constraint(name, output - moving, statement.coordinates, faults))
    if len(faults):
        return tuple(laws)
    normal, further = _checked(statement, statement.constraints, tuple(laws))
    for fault in further:
        faults.add(fault.where, fault.what, fault.advice)
    return normal


def as_programs(laws: Sequence[Constraint], drives: Drives) -> tuple[Constraint, ...]:
    """Return the laws as programs that share all drives; the first program lists them."""
    return tuple(replace(law, kind="program", drives=() if k else drives) for k, law in enumerate(laws))
