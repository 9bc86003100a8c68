"""Sensitivity: a run, and the derivatives of its state and outputs by parameters and start values.

question, request  ->  pipeline.motion  ->  start_derivatives
->  run_derivatives (forward or adjoint)  ->  output_gradients
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ...assembly.numeric_system import NumericSystem
from ...errors import Faults, LienketError
from ...foundation.frozen_dataclass import dataclass
from ...model.input.outputs import read_output_expressions
from ...model.statement import Statement
from ...pipeline import motion
from ...simulation.request import RunRequest
from .request import PARAMETER, read_by, read_mode, read_of

if TYPE_CHECKING:
    from ...simulation.run.result import Run
    from .output_gradients import Gradients
    from .result import Sensitivity
    from .start_derivatives import StartVariation

MOST_ROWS = 10_000_000  # [rows] limit of a run that is differentiated: every step must be stored
ADJOINT_EXTRA_COLUMNS = 4  # [columns] more than 2 n + this of them: the adjoint of a single output costs less


@dataclass(frozen=True)
class Question:
    """What is differentiated by what: names of both, and how `request` reads them; whether at every row; the mode."""

    by: tuple[str, ...]
    columns: tuple[tuple[int, int], ...]
    of: tuple[str, ...]
    quantities: list[tuple[int, int]]
    along: bool
    mode: str


def read_question(
    statement: Statement, by: object, of: object, along: object, mode: str, method: object, outputs: object
) -> Question:  # fmt: skip
    """Return the checked question of a sensitivity; "auto" is decided."""
    faults = Faults()
    variables, columns = read_by(by, statement, faults)
    expressions = read_output_expressions(outputs, statement, faults)
    names, quantities = read_of(of, [name for name, _ in expressions], statement, faults)
    read_mode(mode, along, faults)
    _check_method(method, faults)
    if statement.events:
        faults.add("events", "runs with events cannot be differentiated", "Leave them out: system.under([...]).")
    faults.raise_any("The sensitivity")
    if mode == "auto":
        many = len(variables) > 2 * len(statement.names) + ADJOINT_EXTRA_COLUMNS
        mode = "adjoint" if not along and len(names) == 1 and many else "forward"
    return Question(variables, tuple(columns), names, quantities, bool(along), mode)


def sensitivity(
    system: NumericSystem, question: Question, request: RunRequest, face: Callable[[Run], Any]
) -> Sensitivity:
    """Simulate and differentiate; `face` makes a trajectory of a run."""
    from .force_jumps import refuse_jumps
    from .result import Along, Sensitivity, frozen, sensitivity_audit

    simulated = motion(system, request)
    run = _differentiable(simulated)
    refuse_jumps(system, run, question.by)
    begin = _start(system, request, run, question)
    quantities = question.quantities
    if system.contacts:
        from .contact_runs import check_closed_contacts, multiplier_rows

        check_closed_contacts(begin, run.problem)
        quantities = multiplier_rows(question.of, quantities, run.problem)
    if question.mode == "adjoint":
        derivatives, off, moved = _adjoint(run, begin, quantities), begin.off, 0.0
    else:
        derivatives, off, moved = _forward(run, begin, quantities, question.along)
    by, of = question.by, question.of
    path = Along(of, by, frozen(derivatives)) if question.along else None
    audit = sensitivity_audit(off, moved, question.mode, len(simulated.rank_events))
    return Sensitivity(of, by, frozen(derivatives[-1]), path, face(simulated), audit)


def _check_method(method: object, faults: Faults) -> None:
    """Add a fault if the steps of a method cannot be differentiated."""
    from ...simulation.methods import NAMES
    from .tableaus import KERNELS

    if method in NAMES and method not in ("auto", *KERNELS):
        methods = ", ".join(map(repr, KERNELS))
        faults.add("method", f"steps of {method!r} cannot be differentiated", f"Choose {methods} or 'auto'.")


def _differentiable(run: Run) -> Run:
    """Return the run in the one mode that its contacts have; raise an error if it cannot be differentiated."""
    from .contact_runs import in_one_mode
    from .run_derivatives import refusal

    if not run.outcome.complete:
        raise LienketError(f"The run did not reach its end and is not differentiated. {run.outcome}")
    run = in_one_mode(run)
    reason = refusal(run)
    if reason:
        raise LienketError(reason)
    return run


def _start(system: NumericSystem, request: RunRequest, run: Run, question: Question) -> StartVariation:
    """Return the derivatives of the consistent start by all columns; a start does not follow its contacts."""
    from .columns import SensitivityColumns
    from .start_derivatives import StartVariation

    numbered = {name: k for k, name in enumerate(system.symbols.parameters)}  # with the signs of contacts among them
    columns = [
        (kind, numbered[name] if kind == PARAMETER else k)
        for name, (kind, k) in zip(question.by, question.columns, strict=True)
    ]
    kinds = np.array(columns, dtype=np.int64)
    directions = SensitivityColumns(kinds[:, 0], kinds[:, 1], question.by)
    problem = run.problem
    if system.contacts:
        problem = system.problem(problem.parameters, system.of_a_start)
    return StartVariation(problem, request.start, float(run.t[0]), run.q[0], run.v[0], directions)


def _forward(
    run: Run, begin: StartVariation, quantities: list[tuple[int, int]], along: bool
) -> tuple[Any, float, float]:
    """Return the derivatives (rows x of x by) at every row or the last; residuals after and before projection."""
    from .output_gradients import gradients
    from .run_derivatives import carry_forward

    carried = carry_forward(run, begin.by.parameters, np.vstack([begin.dq, begin.dv]), along)
    rows = np.arange(len(run.t)) if along else np.array([len(run.t) - 1])
    slopes: Gradients = gradients(run, quantities, rows)
    derivatives = slopes.by_state @ carried.tangents + slopes.by_parameters @ begin.dp
    return derivatives, max(begin.off, carried.off), carried.moved


def _adjoint(run: Run, begin: StartVariation, quantities: list[tuple[int, int]]) -> Any:
    """Return the derivatives at the end, 1 x of x by."""
    from .output_gradients import gradients
    from .run_derivatives import carry_back

    slopes = gradients(run, quantities, np.array([len(run.t) - 1]))
    carried = carry_back(run, np.ascontiguousarray(slopes.by_state[0].T), bool(begin.dp.any()))
    direct = slopes.by_parameters[0] + carried.gradient.T
    return (carried.tangents[0].T @ np.vstack([begin.dq, begin.dv]) + direct @ begin.dp)[None]
