"""TimeFunction: a formula of time and parameters as plain numbers, whose crossings of some levels are known times.

A formula is a list of steps, each an operation on the results of earlier ones, so that a file can hold it:

    t < 2 a + 1     ("t",) ("parameter", 0) ("number", -2.0) ("mul", 1, 2) ("number", -1.0) ("add", 0, 3, 4)
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any

import numpy as np

from ...foundation.arrays import Array
from ...foundation.frozen_dataclass import dataclass

Step = tuple[Any, ...]

HARMLESS, POSITIVE, NEGATIVE, NEITHER = 0, 1, -1, 2
"""To which side the crossing itself belongs: to both (a kink), to that after a rise or a fall, or to none (a sign)."""


@dataclass(frozen=True)
class TimeFunction:
    """Formula f(t, p) as steps; `levels` (increasing) are those whose crossings are known times.

    `side` says to which side a crossing belongs; `formula` is the text of the formula for messages.
    """

    steps: tuple[Step, ...]
    formula: str
    levels: tuple[float, ...] = (0.0,)
    side: int = HARMLESS

    @property
    def parameters(self) -> tuple[int, ...]:
        """Indices of the parameters that the times depend on."""
        return tuple(sorted({step[1] for step in self.steps if step[0] == "parameter"}))

    def values(self, t: Array, parameters: Array) -> Array:
        """Return f at times (N), NaN where it has no value."""
        results: list[Any] = []
        with np.errstate(all="ignore"):
            for step in self.steps:
                results.append(step_value(step, results, t, parameters))
        return np.asarray(results[-1] + np.zeros_like(t))


PLAIN: dict[str, Callable[..., Any]] = {
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "tanh": np.tanh,
    "exp": np.exp,
    "log": np.log,
    "atan2": np.arctan2,
    "abs": np.abs,
    "sign": np.sign,
    "power": np.power,
}
"""Operations on values, by the names of the formula language."""

COMPARISONS: dict[str, Callable[..., Any]] = {
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
    "==": np.equal,
    "!=": np.not_equal,
}


def step_value(step: Step, results: list[Any], t: Array, parameters: Array) -> Any:
    """Return the result of a step."""
    kind, *rest = step
    if kind == "t":
        return t
    if kind == "number":
        return rest[0]
    if kind == "parameter":
        return parameters[rest[0]]
    if kind == "if":  # relation, left - right, value where it holds, value elsewhere
        relation, difference, then, otherwise = rest
        return np.where(COMPARISONS[relation](results[difference], 0.0), results[then], results[otherwise])
    if kind == "table":
        return table_value(tuple(rest[1:]), np.asarray(results[rest[0]], dtype=float))
    arguments = [results[k] for k in rest]
    if kind in ("add", "mul", "min", "max"):
        pairwise = {"add": np.add, "mul": np.multiply, "min": np.minimum, "max": np.maximum}[kind]
        return reduce(pairwise, arguments)
    return PLAIN[kind](*arguments)


def table_value(table: tuple[Any, ...], x: Array) -> Array:
    """Return a piecewise polynomial (knots, coefficients, outside) at x, as `Table.value` has it."""
    knots, c, outside = np.asarray(table[0]), np.asarray(table[1]), table[2]
    k = np.clip(np.searchsorted(knots, x, side="right") - 1, 0, len(knots) - 2)
    inner = np.clip(x, knots[0], knots[-1]) if outside == "hold" else x
    y = reduce(lambda sum_, row: sum_ * (inner - knots[k]) + row[k], c, np.zeros_like(x))
    return np.where((x < knots[0]) | (x > knots[-1]), np.nan, y) if outside == "error" else y
