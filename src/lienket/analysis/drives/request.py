"""What is asked of drives as a user says it: a motion or laws of outputs, drives, weights, times."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from sympy.core.function import AppliedUndef

from ...errors import did_you_mean
from ...foundation.frozen_dataclass import dataclass
from ...language.as_expression import as_expression
from ...language.engine.engine import Engine
from ...language.faults import Faults, short_text
from ...language.names import key_name
from ...language.printing.text import plain
from ...language.symbols import name_of, t
from ...language.traversal import find
from ...model.checks.statement import check_added
from ...model.constraint import Constraint, Program
from ...model.input.constraint import read_constraint
from ...model.input.numbers import finite_number
from ...model.statement import Statement

Array = Any
Drives = tuple[tuple[str, tuple[tuple[Any, Any], ...]], ...]


@dataclass(frozen=True, eq=False)
class StatedMotion:
    """Times (N), positions and, where given, velocities and accelerations (N x n)."""

    t: Array
    q: Array
    v: Array | None
    a: Array | None


def is_motion(asked: Any) -> bool:
    """Whether a motion is given, and not laws of outputs."""
    return not isinstance(asked, Mapping) or "t" in asked or t in asked


def read_drive_columns(drives: Any, statement: Statement, faults: Faults) -> Drives:
    """The drives, (name, ((coordinate, factor), ...)); those of the system's programs where none are given."""
    if drives is None:
        own = tuple(drive for c in statement.constraints for drive in c.drives)
        if not own:
            faults.add("drives", "none are given, and the system has no program", 'Say drives={"M": {phi: 1}}.')
        return own
    words = Faults()
    said = read_constraint("drives", Program(statement.coordinates[0], drives), statement.coordinates, words)
    if not len(words):
        others = tuple(c for c in statement.constraints if not c.drives and c.name != "drives")
        check_added(statement.with_constraints((*others, said)), [said], words)
    for fault in words:
        faults.add(fault.where.removeprefix("constraint 'drives', ").replace("constraint 'drives'", "drives"),
                   fault.what, fault.advice)  # fmt: skip
    return said.mapped(Engine(statement.coordinates).normal).drives


def state_weights(weights: Any, drives: Drives, faults: Faults) -> Array:
    """A positive number for each drive, 1 where none is given."""
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
            faults.add("weights", f"that of {name} must be positive, not {weight:g}")
    return np.array(read)


def state_times(times: Any, faults: Faults) -> Array:
    """Times, N, each later than the one before."""
    try:
        read = np.array(times, dtype=float)
    except (TypeError, ValueError):
        read = np.zeros(0)
    if read.ndim != 1 or not len(read) or not np.isfinite(read).all() or not np.all(np.diff(read) > 0):
        faults.add("times", "a list of times is needed, each later than the one before", "numpy.linspace(0, 1, 101)")
        return np.zeros(1)
    return read


def state_motion(asked: Any, names: Sequence[str], fewest: int, faults: Faults) -> StatedMotion:
    """A motion from (t, q), (t, q, v), (t, q, v, a) or a mapping of "t", "x", perhaps "x'" and "x''", to columns."""
    if isinstance(asked, Mapping):
        parts = _columns(asked, names, faults)
    elif isinstance(asked, tuple | list) and 2 <= len(asked) <= 4:
        parts = [*asked, None, None][:4]
    else:
        told = "a trajectory, a tuple (t, q), (t, q, v) or (t, q, v, a), or a mapping is needed"
        faults.add("motion", f"{told}, not {type(asked).__name__}")
        parts = [[0.0], np.zeros((1, len(names))), None, None]
    times = state_times(parts[0], faults)
    q, v, a = (_rows(part, what, len(times), names, faults) for part, what in zip(parts[1:], "qva", strict=True))
    if (v is None or a is None) and len(times) < fewest:
        faults.add("motion", f"{len(times)} rows are too few to find accelerations from positions; {fewest} are needed")
    return StatedMotion(times, np.zeros((len(times), len(names))) if q is None else q, v, a)


def _columns(asked: Mapping[Any, Any], names: Sequence[str], faults: Faults) -> list[Any]:
    given = {key if isinstance(key, str) else key_name(key): column for key, column in asked.items()}
    known = [name + mark for mark in ("", "'", "''") for name in names]
    for key in given:
        if key != "t" and key not in known:
            faults.add("motion", f"{key} is no column of this system{did_you_mean(key, known)}")
    parts: list[Any] = [given.get("t")]
    for mark in ("", "'", "''"):
        missing = [name + mark for name in names if name + mark not in given]
        if missing and (not mark or len(missing) < len(names)):
            faults.add("motion", f"{', '.join(missing)}: no numbers are given")
        parts.append(None if missing else np.transpose([np.asarray(given[name + mark], dtype=float) for name in names]))
    return parts


def _rows(given: Any, what: str, count: int, names: Sequence[str], faults: Faults) -> Array | None:
    if given is None:
        return None
    try:
        read = np.array(given, dtype=float)
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


def state_laws(asked: Mapping[Any, Any], statement: Statement, faults: Faults) -> tuple[Constraint, ...]:
    """Output - law(t) = 0 for each output, a coordinate, its name or an expression, as constraints."""
    by_name = {name_of(x): x for x in statement.coordinates}
    laws: list[Constraint] = []
    if not asked:
        faults.add("outputs", "there is none", "Say which output moves how: {phi: sin(t)}.")
    for key, law in asked.items():
        if isinstance(key, str) and key not in by_name:
            faults.add(
                "outputs", f"{key} is no coordinate{did_you_mean(key, by_name)}", "An output is an expression too."
            )
            continue
        output = by_name[key] if isinstance(key, str) else as_expression(key, f"output {short_text(key)}", faults)
        name = f"law of {plain(output)}"
        moving = as_expression(law, name, faults)
        if find(moving, AppliedUndef):
            faults.add(name, f"it must be a function of time and parameters, not {short_text(moving)}")
        laws.append(read_constraint(name, output - moving, statement.coordinates, faults))
    if not len(faults):
        check_added(statement.with_constraints((*statement.constraints, *laws)), laws, faults)
    normal = Engine(statement.coordinates).normal
    return tuple(law.mapped(normal) for law in laws)


def as_programs(laws: Sequence[Constraint], drives: Drives) -> tuple[Constraint, ...]:
    """The laws as programs, all kept by all of the drives; the first one names these."""
    return tuple(replace(law, kind="program", drives=() if k else drives) for k, law in enumerate(laws))
