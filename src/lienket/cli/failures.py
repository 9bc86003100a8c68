"""Errors become a readable message on stderr and an exit code; `--debug` shows the traceback instead.

0    success
1    invalid model: faults in the file, constraints that contradict each other
2    invalid command line, or a file that it names cannot be read or written
3    numerical failure: a run does not reach its end, start values cannot be made consistent
70   a bug in lienket
130  interrupted by Ctrl-C
141  the reader of the output closed the pipe (| head)
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import typer

from ..errors import ExpressionError, LienketError, ModelError, UnknownName
from .texts.wording import told

SUCCESS, MODEL, USAGE, NUMERICAL, BUG, INTERRUPTED, CLOSED_PIPE = 0, 1, 2, 3, 70, 130, 141


class NumericalFailure(LienketError):
    """A numerical method failed on a valid model; `cause` is the original exception."""

    def __init__(self, cause: object) -> None:
        self.cause = cause
        super().__init__(told(cause))


class WritingFailure(LienketError):
    """A result cannot be written to the file that the command line names."""


def print_stderr(text: str) -> None:
    """Print a message to stderr."""
    typer.echo(text, err=True)


@contextmanager
def report_errors(context: typer.Context) -> Iterator[None]:
    """Convert exceptions of a command to messages and exit codes; typer handles usage errors."""
    try:
        yield
        sys.stdout.flush()  # a closed pipe raises here instead of at interpreter exit
    except KeyboardInterrupt:
        print_stderr("\nInterrupted.")
        raise typer.Exit(INTERRUPTED) from None
    except BrokenPipeError:
        _silence_stdout()
        raise typer.Exit(CLOSED_PIPE) from None
    except (LienketError, OSError, MemoryError) as error:
        if context.meta.get("debug"):
            raise
        print_stderr(_message(error))
        if isinstance(error, OSError):
            _silence_stdout()  # stdout itself may be the file that cannot be written
        raise typer.Exit(exit_code(error)) from None
    except Exception as error:
        if context.meta.get("debug") or is_typer_error(error):
            raise
        text = " ".join(str(error).split())
        print_stderr(
            f"This is a bug in lienket: {type(error).__name__}: {text}\nRun again with --debug to see the traceback."
        )
        raise typer.Exit(BUG) from None


def exit_code(error: BaseException) -> int:
    """Return the exit code of an error."""
    if isinstance(error, (OSError, WritingFailure)):
        return USAGE
    return NUMERICAL if isinstance(error, (NumericalFailure, MemoryError)) else MODEL


@contextmanager
def writing_failures() -> Iterator[None]:
    """Report errors of writing results as such: the command line named a file that cannot be written."""
    try:
        yield
    except LienketError as error:
        raise WritingFailure(str(error)) from error


@contextmanager
def numerical_failures() -> Iterator[None]:
    """Report errors not caused by the model or the input as numerical failures."""
    try:
        yield
    except (ModelError, ExpressionError, UnknownName):
        raise
    except LienketError as error:
        raise NumericalFailure(error) from error


def is_typer_error(error: BaseException) -> bool:
    """Return whether typer raised the exception to report wrong usage or to end a command."""
    return type(error).__module__.split(".")[0] in ("typer", "click") or isinstance(error, typer.BadParameter)


def _message(error: BaseException) -> str:
    if isinstance(error, MemoryError):
        return "Not enough memory for this computation."
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else "Reading or writing failed: "
        return f"{where}{error.strerror or error}"
    return told(error)


def _silence_stdout() -> None:
    """Redirect stdout to the null device if it cannot be written, so that Python reports no error at exit."""
    try:
        sys.stdout.flush()
        return
    except OSError:
        pass
    try:
        null_device = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null_device, sys.stdout.fileno())
    except (OSError, ValueError):  # stdout is not a file, as in tests
        pass
