"""Screen output: titles, blocks and a progress bar; plain text without a terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import typer


def title(text: str) -> None:
    """Print a title, bold in a terminal."""
    plain = "NO_COLOR" in os.environ or not sys.stdout.isatty()
    typer.echo(text if plain else typer.style(text, bold=True))


def section(text: str, content: object) -> None:
    """Print an empty line, a title and an indented block."""
    typer.echo()
    title(text)
    for line in str(content).splitlines():
        typer.echo(f"  {line}")


@contextmanager
def progress_bar(until: float, what: str) -> Iterator[Callable[..., None] | None]:
    """Show a progress bar on stderr if it is a terminal.

    Yields a function to be called with the time reached, or None without a terminal.
    """
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("t = {task.completed:.4g} of {task.total:.4g}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=until)

        def update(time: float, *_: object) -> None:
            bar.update(task, completed=time)

        yield update
