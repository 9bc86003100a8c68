"""Search for formulas that leave their domain just beyond a state at which a run found no accelerations."""

from __future__ import annotations

import numpy as np

from ...foundation.arrays import Array
from ..problem import Problem

DOUBLING_LIMIT = 60  # [iterations] of the distance searched


def domain_exit(problem: Problem, t: float, q: Array, v: Array, a: Array, step: float, longest: float) -> str:
    """Return a sentence that names the terms that are not finite at q + d v + d^2 a/2, t + d; "" if all are finite.

    The distance d begins with the last step tried and is doubled up to `longest`.
    """
    terms, inputs = problem.model.function("terms"), np.zeros(problem.model.inputs)
    d = max(step, 4 * float(np.spacing(abs(t))))
    for _ in range(DOUBLING_LIMIT):
        if not d <= longest:
            break
        with np.errstate(all="ignore"):
            out = terms(t + d, q + d * v + d * d / 2 * a, v + d * a, problem.parameters, inputs)[1]
        names = _not_finite(problem, *terms.parts(out))
        if names:
            return (
                f"Just beyond, at t = {t + d:.9g}, there is no finite number for {names}: "
                "a formula divides by zero or leaves its domain there."
            )
        d *= 2
    return ""


def _not_finite(problem: Problem, A: Array, h: Array, G: Array, g0: Array) -> str:
    """Return the names of coordinates and constraints whose parts of A q'' = h, G q'' + g0 = 0 are not finite."""
    coordinates = [x for x, row, force in zip(problem.names, A, h, strict=True) if not _finite(row, force)]
    owners = problem.model.owners
    constraints = [name for name, row, rest in zip(owners, G, g0, strict=True) if not _finite(row, rest)]
    parts = [f"the force or inertia of {x!r}" for x in coordinates]
    parts += [f"the constraint {name!r}" for name in dict.fromkeys(constraints)]
    return ", ".join(parts)


def _finite(row: Array, number: float) -> bool:
    """Return whether a row and its right-hand side are finite."""
    return bool(np.all(np.isfinite(row)) and np.isfinite(number))
