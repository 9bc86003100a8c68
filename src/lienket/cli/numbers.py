"""Numbers on the command line: `m=2`, `x'=pi/3`; read by the grammar of formulas, never executed as Python."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from typing import Any

import typer

from ..errors import ExpressionError, did_you_mean

ROW_LIMIT = 10_000_000  # [rows] largest number of rows of a result
END_TIME_TOLERANCE = 1e-9  # [1] relative distance below which the last row is placed at the end of the run

_DECIMAL = re.compile(r"[+-]?([0-9]{1,40}\.?[0-9]{0,40}|\.[0-9]{1,40})([eE][+-]?[0-9]{1,3})?")


def number(text: str, option: str) -> float:
    """Return a finite real number: 2, -0.5, 1e-3, pi/3, sqrt(2)."""
    if _DECIMAL.fullmatch(text.strip()) and math.isfinite(float(text)):
        return float(text)  # the usual case, without the grammar, which needs SymPy
    from ..language.text import read_expression

    try:
        expression = read_expression(text.strip(), {})
        if expression.free_symbols:
            raise ExpressionError("a number must not depend on time")
        value = float(expression)
    except ExpressionError as error:
        raise typer.BadParameter(f"{text!r} is not a number: {error}", param_hint=option) from None
    except (TypeError, ValueError, OverflowError):
        value = math.nan
    if not math.isfinite(value):
        raise typer.BadParameter(f"{text!r} is not a finite real number", param_hint=option)
    return value


def positive(text: str, option: str) -> float:
    """Return a positive number."""
    value = number(text, option)
    if value <= 0:
        raise typer.BadParameter(f"it must be positive, not {text}", param_hint=option)
    return value


def integer(text: str, option: str, least: int) -> int:
    """Return an integer of at least `least`: 5000, 1e5."""
    value = number(text, option)
    if value != math.floor(value) or value < least:
        raise typer.BadParameter(f"it must be an integer of at least {least}, not {text}", param_hint=option)
    return int(value)


def pairs(entries: Iterable[str], option: str) -> dict[str, float]:
    """Return the numbers by name of entries `name=number`; each name may occur once."""
    return {name: number(text, option) for name, text in texts(entries, option, "number").items()}


def texts(entries: Iterable[str], option: str, what: str) -> dict[str, str]:
    """Return the texts by name of entries `name=text`, where `what` describes the text; each name may occur once."""
    by_name: dict[str, str] = {}
    for entry in entries:
        name, sign, text = entry.partition("=")
        name = name.strip()
        if not sign or not name or not text.strip():
            raise typer.BadParameter(f"write name={what}, not {entry!r}", param_hint=option)
        if name in by_name:
            raise typer.BadParameter(f"{name} is given twice", param_hint=option)
        by_name[name] = text.strip()
    return by_name


def check_names(names: Iterable[str], known: Sequence[str], what: str, option: str, others: Sequence[str] = ()) -> None:
    """Refuse names that the model does not have, in one message."""
    from ..language.written_names import full_name

    missing = [name for name in names if full_name(name, known, others) not in known]
    unknown = [f"The model has no {what} {name!r}{did_you_mean(name, known) or '.'}" for name in missing]
    if unknown:
        advice = f"It has {', '.join(known)}." if known else "It has none."
        raise typer.BadParameter(" ".join([*unknown, advice]), param_hint=option)


def times(text: str, until: float, option: str = "--times") -> Any:
    """Return the times of the rows from 0 to `until`: an integer is their number, a decimal number their spacing."""
    import numpy as np

    if text.strip().isascii() and text.strip().isdigit():
        count = int(text)
        if not 2 <= count <= ROW_LIMIT:
            raise typer.BadParameter(
                f"the number of rows must be from 2 to {ROW_LIMIT}, not {count}", param_hint=option
            )
        return np.linspace(0.0, until, count)
    spacing = positive(text, option)
    if not until / spacing < ROW_LIMIT:
        raise typer.BadParameter(f"a spacing of {text} gives more than {ROW_LIMIT} rows", param_hint=option)
    rows = spacing * np.arange(math.floor(until / spacing) + 1)
    if rows[-1] < until * (1 - END_TIME_TOLERANCE):
        return np.append(rows, until)
    rows[-1] = until  # differs from it by rounding only
    return rows
