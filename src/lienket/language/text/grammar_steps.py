"""What the grammar makes of a formula: steps in the order of evaluation; operators and groups wait for their end."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Step:
    """One step: "number", "name", "der", "call", or an operator.

    `text` is what is written: the number, the name, the function. `count` is the number of arguments of a
    call, or the order of a derivative; `order` that of the derivative of a table that is called.
    """

    kind: str
    text: str
    column: int
    count: int = 0
    order: int = 0


@dataclass(slots=True)
class Operator:
    """An operator that waits for its right operand."""

    sign: str
    column: int
    levels: int = 0


@dataclass(slots=True)
class Group:
    """An open parenthesis; `name` is the function that it belongs to, or empty, `order` that of its derivative."""

    name: str
    column: int
    levels: int
    commas: int = 0
    compared: bool = False
    order: int = 0
