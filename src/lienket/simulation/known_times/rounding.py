"""Rounding of a TimeFunction: how far its value may be off, in whatever order machine code adds and multiplies.

Running error analysis to first order (N. J. Higham, Accuracy and Stability of Numerical Algorithms, SIAM 2002, 3.3).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...foundation.arrays import Array
from .time_function import TimeFunction, step_value

EPSILON = 2.0**-52  # [1] rounding of 1


def value_rounding(function: TimeFunction, t: Array, parameters: Array) -> Array:
    """Return bounds of the rounding errors of f at times (N), which are exact numbers."""
    values: list[Any] = []
    errors: list[Any] = []
    with np.errstate(all="ignore"):
        for step in function.steps:
            values.append(step_value(step, values, t, parameters) + np.zeros_like(t))
            errors.append(_error(step, values, errors, t, parameters))
    return np.nan_to_num(np.asarray(errors[-1]))


def _error(step: tuple[Any, ...], values: list[Any], errors: list[Any], t: Array, parameters: Array) -> Any:
    """Return the error of the last value from those of the values before it."""
    kind, *rest = step
    size = EPSILON * np.abs(values[-1])
    if kind in ("t", "parameter", "number"):
        return size if kind == "number" else 0 * size
    if kind == "add":
        return sum(errors[k] + EPSILON * np.abs(values[k]) for k in rest)
    if kind == "mul":
        others = [np.prod([np.abs(values[j]) for j in (*rest[:i], *rest[i + 1 :])], axis=0) for i in range(len(rest))]
        return sum(errors[k] * other for k, other in zip(rest, others, strict=True)) + len(rest) * size
    operands = [rest[0]] if kind == "table" else rest[2:] if kind == "if" else rest
    if kind in ("min", "max", "if", "abs", "sign"):
        return np.max([errors[k] for k in operands], axis=0)
    total = 4 * size
    for k in operands:
        moved = list(values[:-1])
        sides = []
        for sign in (-1, 1):
            moved[k] = values[k] + sign * errors[k]
            sides.append(step_value(step, moved, t, parameters))
        total = total + np.abs(sides[1] - sides[0])
    return total
