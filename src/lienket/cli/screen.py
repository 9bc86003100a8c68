"""What is written to the screen: titles, blocks and a progress bar; plain text where there is no terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import typer


def title(text: str) -> None:
    """A title, bold in a terminal."""
    plain = "NO_COLOR" in os.environ or not sys.stdout.isatty()
    typer.echo(text if plain else typer.style(text, bold=True))


def section(text: str, content: object) -> None:
    """An empty line, a title and a block below it."""
    typer.echo()
    title(text)
    for line in str(content).splitlines():
        typer.echo(f"  {line}")


@contextmanager
def progress_bar(until: float, what: str) -> Iterator[Callable[..., None] | None]:
    """A bar on stderr that grows with the time reached; None if nobody watches.

    What is given to the `with` is a function of the time reached so far.
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

        def reached(time: float, *_: object) -> None:
            bar.update(task, completed=time)

        yield reached
