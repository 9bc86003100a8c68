"""Messages of the package in the language of the command line: options in place of Python's arguments.

Sentences of the package put the names of arguments in backticks, `most_rows`; advice in Python's notation is kept apart
from the message (StartError.advice) and replaced here.
"""

from __future__ import annotations

import math
import re

from ...errors import StartError

OPTIONS = {
    "values": "--set",
    "start": "--start",
    "guess": "--guess",
    "until": "--until",
    "method": "--method",
    "rtol": "--rtol",
    "atol": "--atol",
    "step": "--step",
    "max_step": "--max-step",
    "times": "--times",
    "most_rows": "--most-rows",
    "chattering": "--chattering",
}
"""Options of lienket simulate by the argument of System.simulate."""


def in_options(text: str) -> str:
    """Return a text with the arguments in backticks replaced by options."""
    return re.sub(r"`(\w+)`", lambda match: OPTIONS.get(match[1], match[0]), text)


def assignment(option: str, name: str, number: str = "NUMBER") -> str:
    """Return an option with a name and a number, quoted for the shell if the name is that of a velocity."""
    return f'{option} "{name}={number}"' if "'" in name else f"{option} {name}={number}"


def told(error: object) -> str:
    """Return the message of an error with its advice in options."""
    if not isinstance(error, StartError):
        return in_options(str(error))
    return f"{error.message} {_start_advice(error)}"


def _start_advice(error: StartError) -> str:
    """Return what to change in the options of a start."""
    if error.given:
        listed = ", ".join(f"--start {name}" for name in error.given)
        return f"Change {listed}, leave it out, or make it a guess: {assignment('--guess', error.given[0])}."
    if not all(map(math.isfinite, error.residuals.values())) or not error.residuals:
        return "Begin elsewhere, with --start NAME=NUMBER or --guess NAME=NUMBER."
    return "No --start is involved: change the parameters with --set, or give a better --guess NAME=NUMBER."
