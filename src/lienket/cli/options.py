"""Arguments common to several commands: the model file, --debug, and the help texts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer


def _store_debug(context: typer.Context, value: bool) -> bool:
    """Store --debug in the context, whether it is given before or after the command."""
    if value:
        context.meta["debug"] = True
    return value


ModelPath = Annotated[
    Path,
    typer.Argument(metavar="FILE", exists=True, dir_okay=False, readable=True, help="A model file (TOML)."),
]
Debug = Annotated[
    bool,
    typer.Option("--debug", callback=_store_debug, is_eager=True, help="Show the traceback of an error."),
]
EXIT_CODES = """\b
Exit codes:
  0  success
  1  invalid model, or constraints that contradict each other
  2  invalid command line, or a file that cannot be read or written
  3  numerical failure: the run does not reach its end, or has no consistent start
"""


def epilog(*examples: str) -> dict[str, Any]:
    """Return the epilog of a command's help: examples and exit codes."""
    lines = "".join(f"  {example}\n" for example in examples)
    return {"epilog": f"\b\nExamples:\n{lines}\n{EXIT_CODES}"}
