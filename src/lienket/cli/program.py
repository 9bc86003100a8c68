"""The program `lienket`: its commands, and the handling of all errors."""

from __future__ import annotations

import atexit
import gc
import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from ..version import __version__
from .commands.check import check
from .commands.demo import demo
from .commands.derive import derive
from .commands.simulate import simulate
from .commands.stages import stages
from .failures import report_errors
from .options import EXIT_CODES, Debug, epilog


class Program(TyperGroup):
    """Group of all commands, which reports the errors of each."""

    def invoke(self, ctx: Any) -> Any:
        """Run the requested command."""
        with report_errors(ctx):
            return super().invoke(ctx)

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the commands in the order in which a new user needs them."""
        return list(self.commands)


def _show_version(value: bool) -> None:
    if value:
        typer.echo(f"lienket {__version__}")
        raise typer.Exit


app = typer.Typer(
    cls=Program,
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # plain text in a terminal, a pipe and a file alike
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=EXIT_CODES,
)


@app.callback()
def lienket(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version.")
    ] = False,
    debug: Debug = False,
) -> None:
    """Derive and simulate constrained mechanical systems, one constraint at a time.

    Begin with `lienket demo`. The other commands take a model file; `lienket COMMAND --help` shows examples.
    """


app.command(**epilog("lienket demo", "lienket demo -o results"))(demo)
app.command(**epilog("lienket check model.toml", "lienket check model.toml && lienket simulate model.toml"))(check)
app.command(**epilog("lienket stages model.toml"))(stages)
app.command(
    **epilog(
        "lienket derive model.toml",
        "lienket derive model.toml --form multipliers",
        "lienket derive model.toml --form full --latex equations.tex",
    )
)(derive)
app.command(
    **epilog(
        "lienket simulate model.toml --until 10",
        'lienket simulate model.toml --set m=2 --set L=0.5 --start phi=pi/3 --start "phi\'=0.5"',
        "lienket simulate model.toml --times 1001 -o run.csv",
        "lienket simulate model.toml --method radau5 --rtol 1e-10 -o results/",
        "lienket simulate model.toml --method rattle4 --step 0.01 --until 10000 --most-rows 5000 -o run.npz",
        "lienket simulate four_bar.toml --start a=pi/3 --guess b=1 --guess c=2",
    )
)(simulate)


def main() -> None:
    """Run the command line and exit with its exit code."""
    for stream in (sys.stdout, sys.stderr):
        # Characters that the terminal cannot encode are escaped instead of raising an error.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    atexit.register(gc.freeze)  # deallocating 100 000 objects at exit would take 0.1 s
    app(prog_name="lienket")
