"""Options of lienket simulate: the integrators, and the options of a run with their help texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..errors import ModelError
from ..simulation.methods import FIXED, NAMES
from .numbers import check_names, positive
from .texts.wording import OPTIONS

if TYPE_CHECKING:
    from ..system import System


def _known_method(name: str) -> str:
    """Return the name of an integrator; refuse others."""
    if name not in NAMES:
        raise typer.BadParameter(f"there is no {name!r}; known are {', '.join(map(repr, NAMES))}")
    return name


MOST_ROWS_MINIMUM = 10  # [rows] smallest value of --most-rows

_NAMED = "NAME=NUMBER"
Values = Annotated[list[str], typer.Option("--set", metavar=_NAMED, help="Value of a parameter; repeatable.")]
Inputs = Annotated[
    list[str],
    typer.Option(
        "--input",
        metavar="NAME=FORMULA",
        help='What an input is: "F=5*sin(t)", a formula of t, coordinates, der(x) and parameters; repeatable.',
    ),
]
Start = Annotated[
    list[str],
    typer.Option(metavar=_NAMED, help='Fixed position x=1 or velocity "x\'=0.5" at t = 0; repeatable.'),
]
Guess = Annotated[
    list[str],
    typer.Option(
        metavar=_NAMED,
        help="Approximate position or velocity: the nearest consistent start is used; repeatable.",
    ),
]
Until = Annotated[str, typer.Option(metavar="TIME", help="End time of the run.")]
MethodName = Annotated[str, typer.Option(metavar=f"<{'|'.join(NAMES)}>", callback=_known_method, help="Integrator.")]
Rtol = Annotated[str, typer.Option(metavar="NUMBER", help="Relative tolerance.")]
Atol = Annotated[str, typer.Option(metavar="NUMBER", help="Absolute tolerance.")]
Step = Annotated[
    str | None,
    typer.Option(metavar="TIME", help=f"Fixed step size of {' and '.join(FIXED)}.", show_default="from the tolerances"),
]
MaxStep = Annotated[
    str | None,
    typer.Option(metavar="TIME", help="Longest step, for signals that no formula shows.", show_default="none"),
]
Times = Annotated[
    str | None,
    typer.Option(
        "--times", metavar="N|STEP", help="Rows of the result: their number (1001) or their spacing (0.01, 2.0)."
    ),
]
MostRows = Annotated[
    str, typer.Option(metavar="N", help="Largest number of rows without --times; of more steps, every n-th is a row.")
]
Chattering = Annotated[
    str, typer.Option(metavar="N", help="Number of events in a short time that ends the run as chattering.")
]
Out = Annotated[
    str | None,
    typer.Option("--out", "-o", help="Trajectory as .npz, .csv or .parquet; or a folder, for plots as well."),
]
Plots = Annotated[str | None, typer.Option(metavar="FOLDER", help="Write plots (PNG) into this folder.")]


def fixed_step(step: str | None, method: str) -> float | None:
    """Return the value of --step, for a method with a fixed step size."""
    if step is None:
        return None
    if method not in FIXED:
        text = f"{method} adapts its step size; a fixed step needs --method {' or '.join(FIXED)}"
        raise typer.BadParameter(text, param_hint="--step")
    return positive(step, "--step")


def refuse_settings(error: ModelError) -> None:
    """Refuse settings of the command line that the simulation cannot use; other faults are left to the caller."""
    wrong = [fault for fault in error.faults if fault.where in OPTIONS]
    if wrong and len(wrong) == len(error.faults):
        ends = ("" if fault.what.endswith("?") else "." for fault in wrong)
        text = " ".join(f"{fault.what}{end} {fault.advice}".strip() for fault, end in zip(wrong, ends, strict=True))
        options = dict.fromkeys(OPTIONS[fault.where] for fault in wrong)
        raise typer.BadParameter(text, param_hint=" and ".join(options)) from None


def check_model(system: System, options: dict[str, Any]) -> None:
    """Refuse names of --set, --start and --guess that the model does not have, or that are both fixed and guessed."""
    names = system.symbol_names
    coordinates, parameters = names.coordinates, names.parameters
    state = [*coordinates, *(f"{x}'" for x in coordinates)]
    check_names(options["values"], parameters, "parameter", "--set", coordinates)
    check_names(options["inputs"] or {}, names.inputs, "input", "--input", parameters)
    check_names(options["start"], state, "coordinate or velocity", "--start", parameters)
    check_names(options["guess"], state, "coordinate or velocity", "--guess", parameters)
    both = [name for name in options["guess"] if name in options["start"]]
    if both:
        text = f"{', '.join(both)}: --start fixes the value, --guess lets it change; give only one of them"
        raise typer.BadParameter(text, param_hint="--guess")
