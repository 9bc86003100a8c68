"""What lienket simulate takes: the integrators, and the options of a run with their help."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from .numbers import check_names, positive


class Method(StrEnum):
    """The integrators, by the names of simulation/methods.py."""

    auto = "auto"
    dop853 = "dop853"
    radau5 = "radau5"
    bdf = "bdf"
    rattle = "rattle"
    rattle4 = "rattle4"
    ida = "ida"


FIXED = (Method.rattle, Method.rattle4)
"""Those whose steps are all equally long."""
FEWEST_ROWS = 10

_NAMED = "NAME=NUMBER"
Values = Annotated[list[str], typer.Option("--set", metavar=_NAMED, help="A parameter; may be given many times.")]
Start = Annotated[
    list[str],
    typer.Option(metavar=_NAMED, help='A position x=1 or a velocity "x\'=0.5" at t = 0 that is kept; many times.'),
]
Guess = Annotated[
    list[str],
    typer.Option(
        metavar=_NAMED,
        help="A position or velocity that may move: the consistent start nearest to it is taken; many times.",
    ),
]
Until = Annotated[str, typer.Option(metavar="TIME", help="The end of the run.")]
MethodName = Annotated[Method, typer.Option(help="The integrator.")]
Rtol = Annotated[str, typer.Option(metavar="NUMBER", help="Relative tolerance.")]
Atol = Annotated[str, typer.Option(metavar="NUMBER", help="Absolute tolerance.")]
Step = Annotated[
    str | None,
    typer.Option(metavar="TIME", help="The fixed step of rattle and rattle4.", show_default="from the tolerances"),
]
Times = Annotated[
    str | None,
    typer.Option("--times", metavar="N|STEP", help="Rows of the result: how many (1001) or how far apart (0.01, 2.0)."),
]
MostRows = Annotated[
    str, typer.Option(metavar="N", help="Without --times, rows are steps: every n-th one, if there are more than N.")
]
Out = Annotated[
    str | None,
    typer.Option("--out", "-o", help="Trajectory as .npz, .csv or .parquet; or a folder, for plots as well."),
]
Plots = Annotated[Path | None, typer.Option(metavar="FOLDER", help="Write plots (PNG) into this folder.")]


def fixed_step(step: str | None, method: Method) -> float | None:
    """The number of --step, for a method that has fixed steps."""
    if step is None:
        return None
    if method not in FIXED:
        told = f"{method.value} chooses its own steps; a fixed one goes with --method {' or '.join(FIXED)}"
        raise typer.BadParameter(told, param_hint="--step")
    return positive(step, "--step")


def check_model(system: Any, options: dict[str, Any]) -> None:
    """Refuse names of --set, --start and --guess that the model does not have, or that are both kept and guessed."""
    from ..language.symbols import name_of

    coordinates = [name_of(x) for x in system.coordinates]
    state = [*coordinates, *(f"{x}'" for x in coordinates)]
    check_names(options["values"], [p.name for p in system.parameters], "parameter", "--set")
    check_names(options["start"], state, "coordinate or velocity", "--start")
    check_names(options["guess"], state, "coordinate or velocity", "--guess")
    both = [name for name in options["guess"] if name in options["start"]]
    if both:
        told = f"{', '.join(both)}: --start keeps it, --guess lets it move; leave it in one of them"
        raise typer.BadParameter(told, param_hint="--guess")
