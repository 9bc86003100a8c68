"""By what and of what derivatives are wanted, as a user names it; what is wrong becomes faults."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import sympy as sp

from ...errors import did_you_mean
from ...language.faults import Faults, short_text
from ...language.names import key_name
from ...language.symbols import is_coordinate_like, name_of
from ...model.statement import Statement

PARAMETER, POSITION, VELOCITY = 0, 1, 2
"""Kinds of what one differentiates by; a position and a velocity are those of the start."""
STATE, ACCELERATION, MULTIPLIER, OUTPUT = 0, 1, 2, 3
"""Kinds of what is differentiated."""
MODES = ("auto", "forward", "adjoint")

Named = tuple[tuple[str, ...], list[tuple[int, int]]]


def read_by(by: Any, statement: Statement, faults: Faults) -> Named:
    """The names and (kind, place) of what one differentiates by: parameters, "x" and "x'" of the start."""
    names = statement.names
    known = {p.name: (PARAMETER, k) for k, p in enumerate(statement.parameters)}
    known |= {name: (POSITION, k) for k, name in enumerate(names)}
    known |= {f"{name}'": (VELOCITY, k) for k, name in enumerate(names)}
    return _looked_up(by, "by", "neither a parameter nor a start value of this system", known, faults)


def read_of(of: Any, outputs: Sequence[str], statement: Statement, faults: Faults) -> Named:
    """The names and (kind, place) of what is differentiated; None is the state and every output.

    Names are those of the columns of a run: "x", "x'", "x''", a multiplier "rod[0]", an output.
    """
    names, rows = statement.names, [(c.name, k) for c in statement.constraints for k in range(len(c.expressions))]
    n = len(names)
    known = {name + "'" * order: (STATE, order * n + k) for order in (0, 1) for k, name in enumerate(names)}
    whole = list(known)
    known |= {f"{name}''": (ACCELERATION, k) for k, name in enumerate(names)}
    known |= {f"{name}[{k}]": (MULTIPLIER, row) for row, (name, k) in enumerate(rows)}
    for k, name in enumerate(outputs):
        label = name
        while label in known:
            label = f"output {label}"
        known[label] = (OUTPUT, k)
        whole.append(label)
    what = "no state, acceleration, multiplier or output of this run"
    return _looked_up(whole if of is None else of, "of", what, known, faults)


def read_mode(mode: Any, along: Any, faults: Faults) -> None:
    """Checks the mode."""
    if mode not in MODES:
        faults.add("mode", f"there is no {mode!r}{did_you_mean(str(mode), MODES)}", f"Known: {', '.join(MODES)}.")
    elif mode == "adjoint" and along:
        faults.add("mode", "the adjoint goes back from the end and gives nothing along the way", "Choose 'forward'.")


def _looked_up(given: Any, where: str, what: str, known: dict[str, tuple[int, int]], faults: Faults) -> Named:
    listed = [given] if isinstance(given, str) or not isinstance(given, Iterable) else list(given)
    if not listed:
        faults.add(where, "nothing is asked for", f"Known: {', '.join(known)}.")
    found: dict[str, tuple[int, int]] = {}
    for key in listed:
        name = _name(key)
        if name not in known:
            faults.add(where, f"{short_text(name)} is {what}{did_you_mean(name, known)}", f"Known: {', '.join(known)}.")
        elif name in found:
            faults.add(where, f"{name} is asked for twice")
        else:
            found[name] = known[name]
    return tuple(found), list(found.values())


def _name(key: Any) -> str:
    """The name of a text, a symbol, a coordinate or its derivative; der(x) is x'."""
    if isinstance(key, sp.Derivative) and is_coordinate_like(key.expr):
        return name_of(key)
    name = key_name(key)
    if name.startswith("der(") and name.endswith(")"):
        return name[4:-1] + "'"
    return name
