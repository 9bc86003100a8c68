"""lienket simulate: a run of a model, its audit, and its results in files."""

from __future__ import annotations

from typing import Any

import typer

from ..errors import LienketError
from .failures import NUMERICAL, NumericalFailure, complain, numerical
from .numbers import pairs, positive, times, whole
from .options import Debug, ModelPath
from .outputs import Outputs, outputs
from .run_options import (
    FEWEST_ROWS,
    Atol,
    Guess,
    Method,
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
)
from .screen import progress_bar, section


def simulate(
    file: ModelPath,
    values: Values = [],  # noqa: B006 -- typer reads the default and never changes it
    start: Start = [],  # noqa: B006
    guess: Guess = [],  # noqa: B006
    until: Until = "10",
    method: MethodName = Method.auto,
    rtol: Rtol = "1e-8",
    atol: Atol = "1e-10",
    step: Step = None,
    rows: Times = None,
    most_rows: MostRows = "200000",
    out: Out = None,
    plots: Plots = None,
    debug: Debug = False,
) -> None:
    """Simulate a model and audit the result.

    What the start leaves open is chosen so that it is consistent with the constraints, near the guess. Numbers
    may be formulas such as pi/3.
    """
    end = positive(until, "--until")
    places = outputs(out, plots)
    options = {
        "values": pairs(values, "--set"),
        "start": pairs(start, "--start"),
        "guess": pairs(guess, "--guess"),
        "until": end,
        "method": method.value,
        "rtol": positive(rtol, "--rtol"),
        "atol": positive(atol, "--atol"),
        "step": fixed_step(step, method),
        "times": None if rows is None else times(rows, end),
        "most_rows": whole(most_rows, "--most-rows", FEWEST_ROWS),
    }
    from ..files import load

    system = load(file)
    check_model(system, options)
    trajectory = run(system, options)
    conclude(trajectory, places)


def run(system: Any, options: dict[str, Any]) -> Any:
    """The trajectory of a system, with a progress bar if somebody watches."""
    try:
        with progress_bar(options["until"], system.name) as progress, numerical():
            return system.simulate(**options, progress=progress)
    except NumericalFailure as failure:
        _blame_the_model(system, failure)
        raise


def _blame_the_model(system: Any, failure: NumericalFailure) -> None:
    """If constraints contradict each other, no numbers could have done better: say that instead."""
    from ..elimination.verdict import CONTRADICTORY

    against = [s.verdict.sentence for s in system.stages() if s.verdict.status == CONTRADICTORY]
    if against:
        raise LienketError("\n".join([str(failure), *against])) from failure


def conclude(trajectory: Any, places: Outputs) -> None:
    """Tell how the run went, write its results, and fail if it did not reach its end."""
    count = len(trajectory.t)
    typer.echo(
        f"{trajectory.system.name}: {count} row{'s' if count != 1 else ''}, t = {trajectory.t[0]:g} to ", nl=False
    )
    typer.echo(f"{trajectory.t[-1]:g}.")
    if trajectory.outcome.complete:
        typer.echo(trajectory.outcome)
    section("Audit", trajectory.audit.text())
    written = places.write(trajectory)
    if written:
        section("Written", "\n".join(map(str, written)))
    if not trajectory.outcome.complete:
        complain(f"The run did not reach its end: {trajectory.outcome}")
        raise typer.Exit(NUMERICAL)
