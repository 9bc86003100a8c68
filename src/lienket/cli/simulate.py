"""lienket simulate: a run of a model, its audit, and its results in files."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from ..errors import LienketError
from .failures import NUMERICAL, NumericalFailure, complain, numerical
from .numbers import check_names, pairs, positive, times
from .options import Debug, ModelPath
from .outputs import Outputs, outputs
from .screen import progress_bar, section


class Method(StrEnum):
    """The integrators."""

    auto = "auto"
    dop853 = "dop853"
    radau5 = "radau5"
    bdf = "bdf"
    rattle = "rattle"
    ida = "ida"


def simulate(
    file: ModelPath,
    values: Annotated[
        list[str], typer.Option("--set", metavar="NAME=NUMBER", help="A parameter; may be given many times.")
    ] = [],  # noqa: B006 -- typer reads the default and never changes it
    start: Annotated[
        list[str],
        typer.Option(metavar="NAME=NUMBER", help='A position x=1 or a velocity "x\'=0.5" at t = 0; many times.'),
    ] = [],  # noqa: B006
    until: Annotated[str, typer.Option(metavar="TIME", help="The end of the run.")] = "10",
    method: Annotated[Method, typer.Option(help="The integrator.")] = Method.auto,
    rtol: Annotated[str, typer.Option(metavar="NUMBER", help="Relative tolerance.")] = "1e-8",
    atol: Annotated[str, typer.Option(metavar="NUMBER", help="Absolute tolerance.")] = "1e-10",
    rows: Annotated[
        str | None,
        typer.Option(
            "--times", metavar="N|STEP", help="Rows of the result: how many (1001) or how far apart (0.01, 2.0)."
        ),
    ] = None,
    out: Annotated[
        str | None,
        typer.Option("--out", "-o", help="Trajectory as .npz, .csv or .parquet; or a folder, for plots as well."),
    ] = None,
    plots: Annotated[Path | None, typer.Option(metavar="FOLDER", help="Write plots (PNG) into this folder.")] = None,
    debug: Debug = False,
) -> None:
    """Simulate a model and audit the result.

    What the start leaves open is chosen so that it is consistent with the constraints. Numbers
    may be formulas such as pi/3.
    """
    end = positive(until, "--until")
    places = outputs(out, plots)
    options = {
        "values": pairs(values, "--set"),
        "start": pairs(start, "--start"),
        "until": end,
        "method": method.value,
        "rtol": positive(rtol, "--rtol"),
        "atol": positive(atol, "--atol"),
        "times": None if rows is None else times(rows, end),
    }
    from ..files import load

    system = load(file)
    _check(system, options)
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


def _check(system: Any, options: dict[str, Any]) -> None:
    """Refuse names of --set and --start that the model does not have."""
    from ..model.symbols import name_of

    coordinates = [name_of(x) for x in system.coordinates]
    check_names(options["values"], [p.name for p in system.parameters], "parameter", "--set")
    check_names(options["start"], [*coordinates, *(f"{x}'" for x in coordinates)], "coordinate or velocity", "--start")
