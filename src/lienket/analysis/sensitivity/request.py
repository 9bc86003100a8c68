"""Reading of the arguments of `sensitivity`: by what and of what derivatives are taken, and the mode."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...errors import Faults, did_you_mean
from ...language.names import name_among
from ...language.short_text import short_text
from ...model.statement import Statement

PARAMETER, POSITION, VELOCITY = 0, 1, 2
"""Kinds of independent variables; a position and a velocity are those of the start."""
STATE, ACCELERATION, MULTIPLIER, OUTPUT = 0, 1, 2, 3
"""Kinds of differentiated quantities."""
MODES = ("auto", "forward", "adjoint")

Named = tuple[tuple[str, ...], list[tuple[int, int]]]


def read_by(by: object, statement: Statement, faults: Faults) -> Named:
    """Return the names and (kind, index) of the independent variables: parameters, "x" and "x'" of the start."""
    names = statement.names
    choices = {p.name: (PARAMETER, k) for k, p in enumerate(statement.parameters)}
    choices |= {name: (POSITION, k) for k, name in enumerate(names)}
    choices |= {f"{name}'": (VELOCITY, k) for k, name in enumerate(names)}
    return _look_up(by, "by", "neither a parameter nor a start value of this system", choices, faults)


def read_of(of: object, outputs: Sequence[str], statement: Statement, faults: Faults) -> Named:
    """Return the names and (kind, index) of the differentiated quantities; None means the state and every output.

    Names are those of the columns of a run: "x", "x'", "x''", a multiplier "rod[0]", an output.
    """
    names, rows = statement.names, [(c.name, k) for c in statement.constraints for k in range(len(c.expressions))]
    n = len(names)
    choices = {name + "'" * order: (STATE, order * n + k) for order in (0, 1) for k, name in enumerate(names)}
    default = list(choices)
    choices |= {f"{name}''": (ACCELERATION, k) for k, name in enumerate(names)}
    choices |= {f"{name}[{k}]": (MULTIPLIER, row) for row, (name, k) in enumerate(rows)}
    for k, name in enumerate(outputs):
        label = name
        while label in choices:
            label = f"output {label}"
        choices[label] = (OUTPUT, k)
        default.append(label)
    what = "no state, acceleration, multiplier or output of this run"
    return _look_up(default if of is None else of, "of", what, choices, faults)


def read_mode(mode: object, along: object, faults: Faults) -> None:
    """Add a fault if the mode is unknown, or adjoint with derivatives along the run."""
    if mode not in MODES:
        faults.add("mode", f"{mode!r} is unknown{did_you_mean(str(mode), MODES)}", f"Known: {', '.join(MODES)}.")
    elif mode == "adjoint" and along:
        faults.add("mode", "the adjoint gives derivatives at the end of the run only", "Choose 'forward'.")


def _look_up(keys: object, where: str, what: str, choices: dict[str, tuple[int, int]], faults: Faults) -> Named:
    """Return the names and (kind, index) of the keys; faults where a key is unknown or occurs twice."""
    listed = [keys] if isinstance(keys, str) or not isinstance(keys, Iterable) else list(keys)
    if not listed:
        faults.add(where, "it is empty", f"Known: {', '.join(choices)}.")
    columns: dict[str, tuple[int, int]] = {}
    for key in listed:
        name = _name(key, list(choices))
        if name not in choices:
            faults.add(
                where, f"{short_text(name)} is {what}{did_you_mean(name, choices)}", f"Known: {', '.join(choices)}."
            )
        elif name in columns:
            faults.add(where, f"{name} occurs twice")
        else:
            columns[name] = choices[name]
    return tuple(columns), list(columns.values())


def _name(key: object, names: Sequence[str]) -> str:
    """Return the name of a text, a symbol, a coordinate or its derivative; der(x) is x'."""
    if isinstance(key, str) and key.startswith("der(") and key.endswith(")"):
        key = key[4:-1] + "'"
    return name_among(key, names)
