"""What goes wrong becomes a readable block on stderr and an exit code; `--debug` shows the traceback instead.

0    everything is fine
1    the model is wrong: faults in the file, constraints that contradict each other
2    the command line is wrong, or a file that it names cannot be read or written
3    the numbers fail: a run does not reach its end, start values cannot be made consistent
70   a bug of lienket
130  stopped by Ctrl-C
141  the reader of the output went away (| head)
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import typer

from ..errors import ExpressionError, LienketError, ModelError, UnknownName

FINE, MODEL, USAGE, NUMERICAL, BUG, STOPPED, PIPE = 0, 1, 2, 3, 70, 130, 141


class NumericalFailure(LienketError):
    """The numbers fail although the model is right; `cause` is what was raised."""

    def __init__(self, cause: object) -> None:
        self.cause = cause
        super().__init__(str(cause))


def complain(text: str) -> None:
    """Write a block to stderr."""
    typer.echo(text, err=True)


@contextmanager
def reported(context: typer.Context) -> Iterator[None]:
    """Turn exceptions of a command into messages and exit codes; usage errors are typer's own."""
    try:
        yield
        sys.stdout.flush()  # a pipe that is closed is noticed here, not after the end
    except KeyboardInterrupt:
        complain("\nStopped.")
        raise typer.Exit(STOPPED) from None
    except BrokenPipeError:
        _silence_stdout()
        raise typer.Exit(PIPE) from None
    except (LienketError, OSError, MemoryError) as error:
        if context.meta.get("debug"):
            raise
        complain(_block(error))
        if isinstance(error, OSError):
            _silence_stdout()  # it may be stdout itself that is full
        raise typer.Exit(exit_code(error)) from None
    except Exception as error:
        if context.meta.get("debug") or is_typers(error):
            raise
        text = " ".join(str(error).split())
        complain(f"This is a bug of lienket: {type(error).__name__}: {text}\nRun again with --debug to see where.")
        raise typer.Exit(BUG) from None


def exit_code(error: BaseException) -> int:
    """The exit code that an error of a command stands for."""
    if isinstance(error, OSError):
        return USAGE
    return NUMERICAL if isinstance(error, (NumericalFailure, MemoryError)) else MODEL


@contextmanager
def numerical() -> Iterator[None]:
    """Around a simulation: what the model or the given numbers are not to blame for is a numerical failure."""
    try:
        yield
    except (ModelError, ExpressionError, UnknownName):
        raise
    except LienketError as error:
        raise NumericalFailure(error) from error


def is_typers(error: BaseException) -> bool:
    """Whether an exception is how typer reports wrong usage, or ends a command."""
    return type(error).__module__.split(".")[0] in ("typer", "click") or isinstance(error, typer.BadParameter)


def _block(error: BaseException) -> str:
    if isinstance(error, MemoryError):
        return "The computer has not enough memory for this."
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else "Reading or writing failed: "
        return f"{where}{error.strerror or error}"
    return str(error)


def _silence_stdout() -> None:
    """What cannot be written any more goes nowhere, without a complaint when the program ends."""
    try:
        sys.stdout.flush()
        return
    except OSError:
        pass
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
    except (OSError, ValueError):  # stdout is no file, as in tests
        pass
