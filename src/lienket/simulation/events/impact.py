"""Impacts: velocities jump where a constraint comes in, by the A-orthogonal projection onto what all constraints allow.

    A (v+ - v-) = G^T Lambda,      phi(q, v+, t) = 0

G at v+, which matters where phi is not linear in v: then both are solved by iteration.
Lambda are the impulses of the rows (s). It is the plastic impact: of all velocities allowed v+ is the nearest in the
metric of A, and the energy lost is (v+ - v-)^T A (v+ - v-)/2. A row on accelerations lets no velocity jump along it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...foundation.frozen_dataclass import dataclass
from ..problem import Problem
from .impact_limits import ENOUGH, IMPACTS, LINEAR

Array = Any

FIRST_ROUNDS, ROUNDS = 6, 30
"""Of the iteration for rows that are not linear in velocities: with G from the round before, then Newton's."""
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
    """The jump of the velocities at a time and in positions (n)."""
    n, s = problem.n, problem.s
    total, now, inputs = np.zeros(s), v.copy(), np.zeros(problem.model.inputs)
    if not np.any(problem.level <= 1):
        return Impact(now, total, np.zeros(s), np.zeros((s, n)))
    quick = problem.model.address("velocity_correction") != 0
    for k in range(IMPACTS):
        step = _emitted(problem, t, q, now, parameters, inputs) if quick else None
        if step is None or (k > 0 and np.abs(step[0]).max() > LINEAR * np.abs(now).max()):
            now, total = _iterated(problem, t, q, v, parameters, inputs)
            break
        now += step[0]
        total += step[1]
        if np.abs(step[0]).max() <= ENOUGH * np.abs(now).max():
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


def _iterated(problem: Problem, t: float, q: Array, v: Array, p: Array, inputs: Array) -> tuple[Array, Array]:
    """Velocities after the impact and all impulses; linear rows take one round, others go on with Newton's method."""
    now, pushes = v.copy(), np.zeros(problem.s)
    for k in range(ROUNDS):
        step = _solved if k < FIRST_ROUNDS else _newton
        before = now
        now, pushes = step(problem, t, q, v, (now, pushes), p, inputs)
        if np.abs(now - before).max() <= ENOUGH * np.abs(now).max():
            break
    return now, pushes


def _newton(
    problem: Problem, t: float, q: Array, v: Array, near: tuple[Array, Array], p: Array, inputs: Array
) -> tuple[Array, Array]:
    """A step of Newton's method for A (v+ - v) = G(v+)^T Lambda and phi(v+) = 0; derivatives of G by differences."""
    surface, (now, pushes), n = problem.model.function("surface"), near, problem.n

    def push(velocities: Array) -> Array:
        return surface.parts(surface(t, q, velocities, p, inputs)[1])[1].T @ pushes

    A, G, _, residual = surface.parts(surface(t, q, now, p, inputs)[1])
    aside = 1e-4 * (np.abs(now).max() + np.abs(v).max())
    bend = np.column_stack([(push(now + e) - push(now - e)) / (2 * aside) for e in aside * np.eye(n)])
    matrix = np.block([[A - bend, -G.T], [G, np.zeros((problem.s, problem.s))]])
    wrong = np.concatenate([A @ (now - v) - G.T @ pushes, residual])
    change, *_ = np.linalg.lstsq(matrix, -wrong, rcond=DEPENDENT)
    return now + change[:n], pushes + change[n:]


def _solved(
    problem: Problem, t: float, q: Array, v: Array, near: tuple[Array, Array], p: Array, inputs: Array
) -> tuple[Array, Array]:
    """Velocities and impulses with phi linear about velocities near by, by orthogonal directions.

    Dependent rows share their impulse, the smallest that does it.
    """
    surface = problem.model.function("surface")
    A, G, _, residual = surface.parts(surface(t, q, near[0], p, inputs)[1])
    residual = residual + G @ (v - near[0])
    scale = 1 / np.sqrt(np.where(np.diag(A) > 0, np.diag(A), 1.0))
    L = np.linalg.cholesky(A * np.outer(scale, scale))
    rows = np.linalg.solve(L, (G * scale).T)  # n x s
    sizes = np.linalg.norm(rows, axis=0)
    sizes[sizes == 0] = 1.0
    x, *_ = np.linalg.lstsq((rows / sizes).T, -residual / sizes, rcond=DEPENDENT)
    pushes, *_ = np.linalg.lstsq(rows / sizes, x, rcond=DEPENDENT)
    return v + scale * np.linalg.solve(L.T, x), pushes / sizes
