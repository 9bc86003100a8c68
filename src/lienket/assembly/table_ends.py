"""Tables read beyond their ends: which one, where it ends, and what to do, in sentences.

A table whose `outside` is "error" has no value beyond its points. In a force or a constraint that ends a run; an event
does not happen there, and an output is NaN, without any other sign.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..foundation.arrays import Array, BoolArray
from ..foundation.frozen_dataclass import dataclass
from ..kernels.evaluation import Evaluation
from ..language.data_functions import DataCall, Table
from ..language.short_text import short_text
from ..language.symbols import t, velocity
from ..language.traversal import find_cached, symbols_in
from ..model.statement import Statement
from ..simulation.memory import rejections
from ..simulation.outcome import REJECTION_TEXTS, STUCK
from ..simulation.run.result import Run
from .models import compiled_model

if TYPE_CHECKING:
    from ..language.expression import Expression


TABLE_LOOKAHEAD = 1e-5  # [1] time relative to the run, searched beyond the state at which a run stopped
TABLE_END_TOLERANCE = 1e-9  # [1] distance to the end of a table, relative to its range, that counts as its end
ADVICE = "Give it more points, end the run before, or choose what it is beyond them: `outside` hold or extrapolate."


@dataclass(frozen=True)
class TableCall:
    """A table that has no value beyond its points, its argument, and the name of what reads it."""

    table: Table
    argument: Any
    reader: str = ""

    def sentence(self, where: str) -> str:
        """Return what happened, where the table ends, and what to do."""
        first, last = self.table.x[0], self.table.x[-1]
        read = f"it is read at {short_text(self.argument)} and has points from {first:g} to {last:g}"
        return f"The table {self.table.name!r} ends {where}: {read}. {ADVICE}"


def with_table_ends(run: Run, statement: Statement, outputs: Sequence[tuple[str, Any]], end: float) -> Run:
    """Return the run with sentences in its outcome on the tables that were read beyond their ends."""
    if run.outcome.reason == STUCK:
        sentences = _at_stop(run, statement, end)
    else:
        sentences = _along(run, statement, _located(statement, outputs))
    outcome = run.outcome
    for sentence in dict.fromkeys(sentences):
        outcome = outcome.adding(sentence)
    return run if outcome is run.outcome else replace(run, outcome=outcome)


def reads_to_an_end(statement: Statement) -> bool:
    """Return whether an event reads a table that has no value beyond its points."""
    return bool(_located(statement, ()))


def _located(statement: Statement, outputs: Sequence[tuple[str, Any]]) -> list[TableCall]:
    """Return the calls of such tables in events and outputs."""
    located = [(f"the event {event.name!r}", e) for event in statement.events for e in event.expressions]
    return _calls(located + [(f"the output {name!r}", e) for name, e in outputs])


def tables_beyond(statement: Statement, time: float, q: Array, v: Array, parameters: Array) -> list[str]:
    """Return a sentence for each table of a statement that is read beyond its ends at a state."""
    calls = _calls([("", e) for e in statement.expressions()])
    rows = np.array([time]), np.array([q]), np.array([v])
    read = _arguments(statement, calls, rows, parameters)
    return [call.sentence("there") for call, x in zip(calls, read, strict=True) if _outside(call.table, x).any()]


def _at_stop(run: Run, statement: Statement, end: float) -> list[str]:
    """Return the sentences on tables that end at the state at which a run stopped, or just beyond it."""
    calls = _calls([("", e) for e in statement.expressions()])
    if not calls:
        return []
    finite = np.flatnonzero(np.isfinite(run.q).all(axis=1) & np.isfinite(run.v).all(axis=1))
    k = int(finite[-1]) if len(finite) else 0
    times = run.outcome.time + TABLE_LOOKAHEAD * abs(end - float(run.t[0])) * np.arange(2.0)
    q, v = run.q[k] + np.outer(times - run.outcome.time, run.v[k]), np.tile(run.v[k], (2, 1))
    read = _arguments(statement, calls, (times, q, v), run.problem.parameters)
    without_value = REJECTION_TEXTS.get(rejections.NO_ACCELERATION, "") in run.outcome

    def leaves(table: Table, x: Array) -> bool:
        """Return whether a table is left at the state or just beyond it."""
        return bool(_outside(table, x).any()) or (without_value and _at_end(table, x[0]))

    return [call.sentence("there") for call, x in zip(calls, read, strict=True) if leaves(call.table, x)]


def _along(run: Run, statement: Statement, calls: list[TableCall]) -> list[str]:
    """Return the sentences on tables that were read beyond their ends at rows of a run."""
    read = _arguments(statement, calls, (run.t, run.q, run.v), run.problem.parameters)
    sentences = []
    for call, x in zip(calls, read, strict=True):
        rows = np.flatnonzero(_outside(call.table, x))
        if len(rows):
            where = f"during the run, and {call.reader} has no number at t = {run.t[rows[0]]:.6g}"
            sentences.append(call.sentence(where))
    return sentences


def _calls(located: Iterable[tuple[str, Any]]) -> list[TableCall]:
    """Return the calls of tables that have no value beyond their points."""
    calls = []
    for reader, expression in located:
        for call in sorted(find_cached(expression, DataCall), key=str):
            table = call.args[0].data
            if isinstance(table, Table) and table.outside == "error":
                calls.append(TableCall(table, call.args[1], reader))
    return list(dict.fromkeys(calls))


def _arguments(
    statement: Statement, calls: Sequence[TableCall], rows: tuple[Array, Array, Array], parameters: Array
) -> list[Array]:
    """Return the arguments of the calls at rows t (N), q and v (N x n); NaN for one that is no function of these."""
    if not calls:
        return []
    outputs = tuple((f"{k}", call.argument) for k, call in enumerate(calls) if _of_state(call.argument, statement))
    model = compiled_model(statement.free, (), statement.parameters, outputs)
    times, q, v = (np.array(part, dtype=float, order="C") for part in rows)
    values = Evaluation(model, times.shape, times, q, v, parameters).outputs
    return [values.get(f"{k}", np.full(len(times), np.nan)) for k in range(len(calls))]


def _of_state(argument: Expression, statement: Statement) -> bool:
    """Return whether an argument depends on time, positions, velocities and parameters alone."""
    accelerations = [velocity(x, 2) for x in statement.coordinates]
    return not argument.has(*accelerations) and symbols_in(argument) <= {t, *statement.parameters}


def _outside(table: Table, x: Array) -> BoolArray:
    """Return where an argument lies beyond the points of a table."""
    return (x < table.x[0]) | (x > table.x[-1])


def _at_end(table: Table, x: float) -> bool:
    """Return whether an argument lies at the first or the last point of a table."""
    distance = min(abs(x - table.x[0]), abs(x - table.x[-1]))
    return bool(distance <= TABLE_END_TOLERANCE * (table.x[-1] - table.x[0]))
