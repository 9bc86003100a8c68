"""Impacts: velocities jump where a constraint is added, by A-orthogonal projection onto the admissible velocities.

    A (v+ - v-) = G^T Lambda,      phi(q, v+, t) = 0

G is evaluated at v+; where phi is not linear in v, the equations are solved by iteration. Lambda are the impulses of
the rows (s). The impact is plastic: of all admissible velocities v+ is the nearest to v- in the metric of A, and the
energy lost is (v+ - v-)^T A (v+ - v-)/2. Rows on accelerations have no impulse.
"""

from __future__ import annotations

import numpy as np

from ...foundation.arrays import Array
from ...foundation.frozen_dataclass import dataclass
from ..problem import Problem
from .impact_limits import CORRECTION_ROUNDING, LINEARITY_TOLERANCE, PROJECTION_LIMIT

PICARD_LIMIT = 6  # [iterations] with G of the previous velocities, before Newton's method takes over
IMPACT_LIMIT = 30  # [iterations] in all, for rows that are not linear in the velocities
IMPACT_RANK_TOLERANCE = 1e-9  # [1] singular value of scaled rows, relative to the largest, that counts as zero
DIFFERENCE_STEP = 1e-4  # [1] central difference for the derivative of G by v, relative to the velocities


@dataclass(frozen=True, eq=False)
class Impact:
    """Velocities v (n) after the impact, impulses (s), residuals `left` of the velocity rows (s), and G (s x n)."""

    v: Array
    impulses: Array
    left: Array
    G: Array


def impact(problem: Problem, t: float, q: Array, v: Array, parameters: Array) -> Impact:
    """Return the impact at time t, positions q and velocities v (n each)."""
    n, s = problem.n, problem.s
    total, now, inputs = np.zeros(s), v.copy(), np.zeros(problem.model.inputs)
    if not np.any(problem.level <= 1):
        return Impact(now, total, np.zeros(s), np.zeros((s, n)))
    compiled = problem.model.address("velocity_correction") != 0
    for k in range(PROJECTION_LIMIT):
        step = _compiled_step(problem, t, q, now, parameters, inputs) if compiled else None
        if step is None or (k > 0 and np.abs(step[0]).max() > LINEARITY_TOLERANCE * np.abs(now).max()):
            now, total = _iterate(problem, t, q, v, parameters, inputs)
            break
        now += step[0]
        total += step[1]
        if np.abs(step[0]).max() <= CORRECTION_ROUNDING * np.abs(now).max():
            break
    surface = problem.model.function("surface")
    _, G, _, left, *_ = surface.parts(surface(t, q, now, parameters, inputs)[1])
    return Impact(now, total, left, G)


def _compiled_step(
    problem: Problem, t: float, q: Array, v: Array, p: Array, inputs: Array
) -> tuple[Array, Array] | None:
    """Return the correction of v and the impulses by the compiled projection; None where it reports a failure."""
    status, out = problem.model.function("velocity_correction")(t, q, v, p, inputs)
    if status != 0 or not np.isfinite(out).all():
        return None
    return out[: problem.n], out[problem.n :]


def _iterate(problem: Problem, t: float, q: Array, v: Array, p: Array, inputs: Array) -> tuple[Array, Array]:
    """Iterate for the velocities after the impact and the impulses: Picard's method, then Newton's."""
    now, impulses = v.copy(), np.zeros(problem.s)
    for k in range(IMPACT_LIMIT):
        step = _picard_step if k < PICARD_LIMIT else _newton_step
        before = now
        now, impulses = step(problem, t, q, v, (now, impulses), p, inputs)
        if np.abs(now - before).max() <= CORRECTION_ROUNDING * np.abs(now).max():
            break
    return now, impulses


def _newton_step(
    problem: Problem, t: float, q: Array, v: Array, near: tuple[Array, Array], p: Array, inputs: Array
) -> tuple[Array, Array]:
    """Return one Newton step for A (v+ - v) = G(v+)^T Lambda, phi(v+) = 0; derivatives of G by differences."""
    surface, (now, impulses), n = problem.model.function("surface"), near, problem.n

    def impulse(velocities: Array) -> Array:
        """Return G(v)^T Lambda (n)."""
        return surface.parts(surface(t, q, velocities, p, inputs)[1])[1].T @ impulses

    A, G, _, residual, *_ = surface.parts(surface(t, q, now, p, inputs)[1])
    step = DIFFERENCE_STEP * (np.abs(now).max() + np.abs(v).max())
    by_v = np.column_stack([(impulse(now + e) - impulse(now - e)) / (2 * step) for e in step * np.eye(n)])
    matrix = np.block([[A - by_v, -G.T], [G, np.zeros((problem.s, problem.s))]])
    equations = np.concatenate([A @ (now - v) - G.T @ impulses, residual])
    change, *_ = np.linalg.lstsq(matrix, -equations, rcond=IMPACT_RANK_TOLERANCE)
    return now + change[:n], impulses + change[n:]


def _picard_step(
    problem: Problem, t: float, q: Array, v: Array, near: tuple[Array, Array], p: Array, inputs: Array
) -> tuple[Array, Array]:
    """Return velocities and impulses with phi linearized about the velocities near[0].

    Redundant rows share the impulse with the smallest norm.
    """
    surface = problem.model.function("surface")
    A, G, _, residual, *_ = surface.parts(surface(t, q, near[0], p, inputs)[1])
    residual = residual + G @ (v - near[0])
    scale = 1 / np.sqrt(np.where(np.diag(A) > 0, np.diag(A), 1.0))
    try:
        L = np.linalg.cholesky(A * np.outer(scale, scale))
    except np.linalg.LinAlgError:  # coordinates without mass, which the rows determine
        return _bordered_step(A * np.outer(scale, scale), G * scale, residual, v, scale)
    rows = np.linalg.solve(L, (G * scale).T)  # n x s
    sizes = np.linalg.norm(rows, axis=0)
    sizes[sizes == 0] = 1.0
    x, *_ = np.linalg.lstsq((rows / sizes).T, -residual / sizes, rcond=IMPACT_RANK_TOLERANCE)
    impulses, *_ = np.linalg.lstsq(rows / sizes, x, rcond=IMPACT_RANK_TOLERANCE)
    return v + scale * np.linalg.solve(L.T, x), impulses / sizes


def _bordered_step(A: Array, G: Array, residual: Array, v: Array, scale: Array) -> tuple[Array, Array]:
    """Return velocities and impulses of A dv = G^T Lambda, G dv = -residual with a singular A; A and G are scaled."""
    n, s = A.shape[0], len(G)
    sizes = np.linalg.norm(G, axis=1)
    sizes[sizes == 0] = 1.0
    rows = G / sizes[:, None]
    matrix = np.block([[A, -rows.T], [rows, np.zeros((s, s))]])
    change, *_ = np.linalg.lstsq(matrix, np.concatenate([np.zeros(n), -residual / sizes]), rcond=IMPACT_RANK_TOLERANCE)
    return v + scale * change[:n], change[n:] / sizes
