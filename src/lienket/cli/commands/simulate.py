"""lienket simulate: simulation of a model, its audit, and its results in files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from ...errors import LienketError, ModelError
from ..failures import NUMERICAL, NumericalFailure, numerical_failures, print_stderr
from ..model import contradictions, load_model, require_numbers
from ..numbers import integer, pairs, positive, texts, times
from ..options import Debug, ModelPath
from ..outputs import Outputs, outputs
from ..run_options import (
    MOST_ROWS_MINIMUM,
    Atol,
    Chattering,
    Guess,
    Inputs,
    MaxStep,
    MethodName,
    MostRows,
    Out,
    Plots,
    Rtol,
    Start,
    Step,
    Times,
    Until,
    Values,
    check_model,
    fixed_step,
    refuse_settings,
)
from ..screen import progress_bar, section
from ..texts.event_lines import event_lines
from ..texts.start_lines import start_lines
from ..texts.wording import in_options

if TYPE_CHECKING:
    from ..system import System
    from ..trajectory import Trajectory


def simulate(
    file: ModelPath,
    values: Values = [],  # noqa: B006 -- typer reads the default and never changes it
    inputs: Inputs = [],  # noqa: B006
    start: Start = [],  # noqa: B006
    guess: Guess = [],  # noqa: B006
    until: Until = "10",
    method: MethodName = "auto",
    rtol: Rtol = "1e-8",
    atol: Atol = "1e-10",
    step: Step = None,
    max_step: MaxStep = None,
    rows: Times = None,
    most_rows: MostRows = "200000",
    chattering: Chattering = "100",
    out: Out = None,
    plots: Plots = None,
    debug: Debug = False,
) -> None:
    """Simulate a model and audit the result.

    Start values that are not given are chosen consistent with the constraints, near the guess. Numbers may be
    formulas such as pi/3.
    """
    end = positive(until, "--until")
    destination = outputs(out, plots)
    options: dict[str, Any] = {
        "values": pairs(values, "--set"),
        "inputs": texts(inputs, "--input", "formula") or None,
        "start": pairs(start, "--start"),
        "guess": pairs(guess, "--guess"),
        "until": end,
        "method": method,
        "rtol": positive(rtol, "--rtol"),
        "atol": positive(atol, "--atol"),
        "step": fixed_step(step, method),
        "max_step": None if max_step is None else positive(max_step, "--max-step"),
        "times": None if rows is None else times(rows, end),
        "most_rows": integer(most_rows, "--most-rows", MOST_ROWS_MINIMUM),
        "chattering": integer(chattering, "--chattering", 1),
    }
    system = load_model(file)
    check_model(system, options)
    require_numbers(system, options["values"])
    trajectory = run(system, options)
    conclude(trajectory, destination)


def run(system: System, options: dict[str, Any]) -> Trajectory:
    """Simulate the system, with a progress bar in a terminal, and return the trajectory."""
    try:
        with progress_bar(options["until"], system.symbol_names.system) as progress, numerical_failures():
            return system.simulate(**options, progress=progress)
    except ModelError as error:
        refuse_settings(error)
        raise
    except NumericalFailure as failure:
        _raise_if_contradictory(system, failure)
        raise


def _raise_if_contradictory(system: System, failure: NumericalFailure) -> None:
    """Report contradictory constraints, if there are any, as the cause of a numerical failure."""
    sentences = contradictions(system.stages())
    if sentences:
        raise LienketError("\n".join([str(failure), *sentences])) from failure


def conclude(trajectory: Trajectory, destination: Outputs) -> None:
    """Write the results, print outcome, start, events and audit; exit with an error if the run stopped early.

    The results come first: a reader of the output such as `head` may end the command before its last line.
    """
    written: Any = ()
    failure: Exception | None = None
    try:
        written = destination.write(trajectory)
    except (LienketError, OSError) as error:
        failure = error  # reported after the outcome
    _describe(trajectory)
    if failure is not None:
        raise failure
    if written:
        section("Written", "\n".join(map(str, written)))
    if not trajectory.outcome.complete:
        print_stderr(f"The run did not reach its end: {in_options(trajectory.outcome.ending)}")
        raise typer.Exit(NUMERICAL)


def _describe(trajectory: Trajectory) -> None:
    """Print outcome, start, events and audit."""
    count = len(trajectory.t)
    typer.echo(
        f"{trajectory.system.symbol_names.system}: {count} row{'s' if count != 1 else ''}, t = {trajectory.t[0]:g} to ",
        nl=False,
    )
    typer.echo(f"{trajectory.t[-1]:g}.")
    if trajectory.outcome.complete:
        typer.echo(in_options(trajectory.outcome.ending))  # the start follows in full
    start = trajectory.start
    lines = start_lines(start)
    if start is not None and lines:
        section(f"Start at t = {start.t:g}", "\n".join(lines))
    events = event_lines(trajectory)
    if events:
        section("Events", "\n".join(events))
    section("Audit", in_options(trajectory.audit.text()))
