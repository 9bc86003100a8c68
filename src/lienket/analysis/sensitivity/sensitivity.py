"""Sensitivity: a run, and the derivatives of what it gives."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ...assembly.motion import simulate
from ...errors import LienketError
from ...language.faults import Faults
from ...model.input.outputs import read_output_expressions
from ...model.input.start import read_start
from ...model.statement import Statement
from .request import read_by, read_mode, read_of

if TYPE_CHECKING:
    from ...simulation.run.result import Run
    from .output_gradients import Gradients
    from .result import Sensitivity
    from .start_derivatives import StartVariation

MOST_ROWS = 10_000_000
"""Every step must become a row."""
WORTH = 4
"""An adjoint is taken for one output and more than 2 n + WORTH derivatives."""


def sensitivity(
    statement: Statement, values: Any, start: Any, guess: Any, t: Any, run: dict[str, Any], outputs: Any,
    asked: dict[str, Any], face: Callable[[Run], Any],
) -> Sensitivity:  # fmt: skip
    """The derivatives of a run; `asked` are by, of, along, mode; `face` makes a trajectory of it."""
    from .result import Along, Sensitivity, SensitivityAudit, frozen

    faults = Faults()
    by, columns = read_by(asked["by"], statement, faults)
    wanted = read_output_expressions(outputs, statement, faults)
    of, things = read_of(asked["of"], [name for name, _ in wanted], statement, faults)
    read_mode(asked["mode"], asked["along"], faults)
    _check_method(run["method"], faults)
    if statement.events:
        faults.add("events", "runs with events cannot be differentiated", "Ask a system without: system.under([...]).")
    faults.raise_any("The sensitivity")
    along, mode = bool(asked["along"]), asked["mode"]
    if mode == "auto":
        mode = "adjoint" if not along and len(of) == 1 and len(by) > 2 * len(statement.names) + WORTH else "forward"
    made = simulate(statement, values, start, guess, t, run | {"most_rows": MOST_ROWS}, outputs, None)
    _check(made)
    begin = _start(statement, start, guess, made, by, columns)
    if mode == "adjoint":
        found, off, moved = _adjoint(made, begin, things), begin.off, 0.0
    else:
        found, off, moved = _forward(made, begin, things, along)
    path = Along(of, by, frozen(found)) if along else None
    audit = SensitivityAudit(off, moved, mode, len(made.rank_events))
    return Sensitivity(of, by, frozen(found[-1]), path, face(made), audit)


def _check_method(method: Any, faults: Faults) -> None:
    from ...simulation.methods import NAMES
    from .tableaus import KERNELS

    if method in NAMES and method not in ("auto", *KERNELS):
        known = ", ".join(map(repr, KERNELS))
        faults.add("method", f"steps of {method!r} cannot be differentiated", f"Choose {known} or 'auto'.")


def _check(run: Run) -> None:
    from .run_derivatives import refusal

    if not run.outcome.complete:
        raise LienketError(f"The run did not reach its end, so there is nothing to be differentiated. {run.outcome}")
    reason = refusal(run)
    if reason:
        raise LienketError(reason)


def _start(
    statement: Statement, start: Any, guess: Any, run: Run, by: tuple[str, ...], columns: list[tuple[int, int]]
) -> StartVariation:  # fmt: skip
    """The derivatives of the start."""
    from .columns import SensitivityColumns
    from .start_derivatives import StartVariation

    faults = Faults()
    given = (start.q, start.v) if hasattr(start, "other_velocities") else start
    stated = read_start(given, guess, statement.coordinates, statement.parameters, faults)
    faults.raise_any("The start")
    kinds = np.array(columns, dtype=np.int64)
    directions = SensitivityColumns(kinds[:, 0], kinds[:, 1], by)
    return StartVariation(run.problem, stated, float(run.t[0]), run.q[0], run.v[0], directions)


def _forward(run: Run, begin: StartVariation, things: list[tuple[int, int]], along: bool) -> tuple[Any, float, float]:
    """The derivatives at every row, or at the last alone: rows x of x by; and how far they were off."""
    from .output_gradients import gradients
    from .run_derivatives import carry_forward

    carried = carry_forward(run, begin.by.parameters, np.vstack([begin.dq, begin.dv]), along)
    rows = np.arange(len(run.t)) if along else np.array([len(run.t) - 1])
    slopes: Gradients = gradients(run, things, rows)
    found = slopes.by_state @ carried.tangents + slopes.by_parameters @ begin.dp
    return found, max(begin.off, carried.off), carried.moved


def _adjoint(run: Run, begin: StartVariation, things: list[tuple[int, int]]) -> Any:
    """The derivatives at the end, 1 x of x by."""
    from .output_gradients import gradients
    from .run_derivatives import carry_back

    slopes = gradients(run, things, np.array([len(run.t) - 1]))
    carried = carry_back(run, np.ascontiguousarray(slopes.by_state[0].T), bool(begin.dp.any()))
    direct = slopes.by_parameters[0] + carried.gradient.T
    return (carried.tangents[0].T @ np.vstack([begin.dq, begin.dv]) + direct @ begin.dp)[None]
