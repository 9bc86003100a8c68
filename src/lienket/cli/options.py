"""What several commands take: the model file, --debug, and the texts of the help."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer


def _remember(context: typer.Context, value: bool) -> bool:
    """Note --debug where the program finds it, whether it stands before the command or after it."""
    if value:
        context.meta["debug"] = True
    return value


ModelPath = Annotated[
    Path,
    typer.Argument(metavar="FILE", exists=True, dir_okay=False, readable=True, help="A model file (TOML)."),
]
Debug = Annotated[
    bool,
    typer.Option("--debug", callback=_remember, is_eager=True, help="Show the traceback of an error."),
]
EXIT_CODES = """\b
Exit codes:
  0  fine
  1  the model is wrong, or constraints contradict each other
  2  the command line is wrong, or a file cannot be read or written
  3  the numbers fail: the run does not reach its end, or no consistent start
"""


def epilog(*examples: str) -> dict[str, Any]:
    """Examples below the help of a command, with the exit codes."""
    lines = "".join(f"  {example}\n" for example in examples)
    return {"epilog": f"\b\nExamples:\n{lines}\n{EXIT_CODES}"}
