"""Impacts: velocities jump where a constraint comes in, by the A-orthogonal projection onto what all constraints allow.

    A (v+ - v-) = G^T Lambda,      phi(q, v+, t) = 0

Lambda are the impulses of the rows (s). It is the plastic impact: of all velocities allowed v+ is the nearest in the
metric of A, and the energy lost is (v+ - v-)^T A (v+ - v-)/2. A row on accelerations lets no velocity jump along it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .native.limits import ENOUGH, IMPACTS
from .problem import Problem

Array = Any

DEPENDENT = 1e-9
"""A row that adds less than this share of itself to those before is dependent."""


@dataclass(frozen=True, eq=False)
class Impact:
    """Velocities after it (n), impulses of the rows (s), residuals of the velocities that are left (s), G (s x n)."""

    v: Array
    impulses: Array
    left: Array
    G: Array


def impact(problem: Problem, t: float, q: Array, v: Array, parameters: Array) -> Impact:
    """The jump of the velocities at a time and in positions (n); nonlinear rows by Newton's iteration."""
    n, s = problem.n, problem.s
    total, now, inputs = np.zeros(s), v.copy(), np.zeros(n + s)
    if not np.any(problem.level <= 1):
        return Impact(now, total, np.zeros(s), np.zeros((s, n)))
    quick = problem.model.address("velocity_correction") != 0
    for _ in range(IMPACTS):
        step = _emitted(problem, t, q, now, parameters, inputs) if quick else None
        if step is None:
            quick, step = False, _solved(problem, t, q, now, parameters, inputs)
        change, pushes = step
        now += change
        total += pushes
        if np.abs(change).max() <= ENOUGH * np.abs(now).max():
            break
    surface = problem.model.function("surface")
    _, G, _, left = surface.parts(surface(t, q, now, parameters, inputs)[1])
    return Impact(now, total, left, G)


def _emitted(problem: Problem, t: float, q: Array, v: Array, p: Array, inputs: Array) -> tuple[Array, Array] | None:
    """One step by the compiled function; None where it does not trust itself."""
    status, out = problem.model.function("velocity_correction")(t, q, v, p, inputs)
    if status != 0 or not np.isfinite(out).all():
        return None
    return out[: problem.n], out[problem.n :]


def _solved(problem: Problem, t: float, q: Array, v: Array, p: Array, inputs: Array) -> tuple[Array, Array]:
    """The same by orthogonal directions; dependent rows share their impulse, the smallest that does it."""
    surface = problem.model.function("surface")
    A, G, _, residual = surface.parts(surface(t, q, v, p, inputs)[1])
    scale = 1 / np.sqrt(np.where(np.diag(A) > 0, np.diag(A), 1.0))
    L = np.linalg.cholesky(A * np.outer(scale, scale))
    rows = np.linalg.solve(L, (G * scale).T)  # n x s
    sizes = np.linalg.norm(rows, axis=0)
    sizes[sizes == 0] = 1.0
    x, *_ = np.linalg.lstsq((rows / sizes).T, -residual / sizes, rcond=DEPENDENT)
    pushes, *_ = np.linalg.lstsq(rows / sizes, x, rcond=DEPENDENT)
    return scale * np.linalg.solve(L.T, x), pushes / sizes
