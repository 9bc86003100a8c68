"""Where formulas leave their domain: just beyond a state at which a run found no accelerations any more."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..problem import Problem

Array = Any

TRIES = 60


def domain_exit(problem: Problem, t: float, q: Array, v: Array, a: Array, step: float, longest: float) -> str:
    """A sentence that names what is not finite on the way ahead, q + d v + d^2 a/2; empty if all is.

    d is the last step tried, doubled until it is as long as the longest.
    """
    terms, nothing = problem.model.function("terms"), np.zeros(problem.model.inputs)
    d = max(step, 4 * float(np.spacing(abs(t))))
    for _ in range(TRIES):
        if not d <= longest:
            break
        with np.errstate(all="ignore"):
            out = terms(t + d, q + d * v + d * d / 2 * a, v + d * a, problem.parameters, nothing)[1]
        found = _not_finite(problem, *terms.parts(out))
        if found:
            return (
                f"Just beyond, at t = {t + d:.9g}, there is no finite number for {found}: "
                "a formula divides by zero or leaves its domain there."
            )
        d *= 2
    return ""


def _not_finite(problem: Problem, A: Array, h: Array, G: Array, g0: Array) -> str:
    """The parts of A q'' = h, G q'' + g0 = 0 that are not finite, by name."""
    coordinates = [x for x, row, force in zip(problem.names, A, h, strict=True) if not _finite(row, force)]
    owners = problem.model.owners
    constraints = [name for name, row, rest in zip(owners, G, g0, strict=True) if not _finite(row, rest)]
    words = [f"the force or inertia of {x!r}" for x in coordinates]
    words += [f"the constraint {name!r}" for name in dict.fromkeys(constraints)]
    return ", ".join(words)


def _finite(row: Array, number: Any) -> bool:
    return bool(np.all(np.isfinite(row)) and np.isfinite(number))
