"""Data of the parser: evaluation steps, pending operators and open groups."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Step:
    """One step: "number", "name", "der", "call", or an operator.

    `text` is the number, name or function as written. `count` is the number of arguments of a call, or the
    order of the derivative of a coordinate; `order` is the order of the derivative of a called table.
    """

    kind: str
    text: str
    column: int
    count: int = 0
    order: int = 0


@dataclass(slots=True)
class Operator:
    """A pending operator, whose right operand is still to be read."""

    sign: str
    column: int
    levels: int = 0


@dataclass(slots=True)
class Group:
    """An open parenthesis; `name` is the function called, or empty, `order` the order of its derivative."""

    name: str
    column: int
    levels: int
    commas: int = 0
    compared: bool = False
    order: int = 0
