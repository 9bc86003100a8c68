"""Numbers as they are typed: `m=2`, `x'=pi/3`. They are read by the grammar of formulas, never run as Python."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import typer

from ..errors import ExpressionError, did_you_mean

MOST_ROWS = 10_000_000


def number(text: str, option: str) -> float:
    """A finite real number: 2, -0.5, 1e-3, pi/3, sqrt(2)."""
    from ..language.text import read_expression

    try:
        found = read_expression(text.strip(), {})
        if found.free_symbols:
            raise ExpressionError("a number may not depend on time")
        value = float(found)
    except ExpressionError as error:
        raise typer.BadParameter(f"{text!r} is no number: {error}", param_hint=option) from None
    except (TypeError, ValueError, OverflowError):
        value = math.nan
    if not math.isfinite(value):
        raise typer.BadParameter(f"{text!r} is no finite real number", param_hint=option)
    return value


def positive(text: str, option: str) -> float:
    """A number above zero."""
    value = number(text, option)
    if value <= 0:
        raise typer.BadParameter(f"it must be above zero, not {text}", param_hint=option)
    return value


def whole(text: str, option: str, least: int) -> int:
    """A whole number, not below the least: 5000, 1e5."""
    value = number(text, option)
    if value != math.floor(value) or value < least:
        raise typer.BadParameter(f"a whole number from {least} on is needed, not {text}", param_hint=option)
    return int(value)


def pairs(entries: Iterable[str], option: str) -> dict[str, float]:
    """`name=number`, each name once."""
    found: dict[str, float] = {}
    for entry in entries:
        name, sign, text = entry.partition("=")
        name = name.strip()
        if not sign or not name or not text.strip():
            raise typer.BadParameter(f"write name=number, not {entry!r}", param_hint=option)
        if name in found:
            raise typer.BadParameter(f"{name} is given twice", param_hint=option)
        found[name] = number(text, option)
    return found


def check_names(given: Iterable[str], known: Sequence[str], what: str, option: str) -> None:
    """Refuse names that the model does not have, all at once."""
    unknown = [
        f"The model has no {what} {name!r}{did_you_mean(name, known) or '.'}" for name in given if name not in known
    ]
    if unknown:
        advice = f"It has {', '.join(known)}." if known else "It has none."
        raise typer.BadParameter(" ".join([*unknown, advice]), param_hint=option)


def times(text: str, until: float, option: str = "--times") -> Any:
    """The times of the rows from 0 to `until`: a whole number says how many, one with a point how far apart."""
    import numpy as np

    if text.strip().isdigit():
        count = int(text)
        if not 2 <= count <= MOST_ROWS:
            raise typer.BadParameter(f"from 2 to {MOST_ROWS} rows can be asked for, not {count}", param_hint=option)
        return np.linspace(0.0, until, count)
    step = positive(text, option)
    if not until / step < MOST_ROWS:
        raise typer.BadParameter(f"a step of {text} makes more than {MOST_ROWS} rows", param_hint=option)
    rows = step * np.arange(math.floor(until / step) + 1)
    if rows[-1] < until * (1 - 1e-9):
        return np.append(rows, until)
    rows[-1] = until  # the last one by rounding alone
    return rows
