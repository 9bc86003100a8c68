"""Change of the motion that each constraint needs along a run, in units of the tolerances.

A change x of the positions removes a residual g of a row if G x = -g. The tolerance of coordinate i is
tol_i = atol_i + rtol |q_i|; the least change in these units is

    min max |x_i|/tol_i  subject to  G x = -g     =     |g| / sum |G_i| tol_i

and likewise for velocities. For accelerations, which have no tolerances, |G q'' + g0| is divided by |G| m + |g0|; m_i
is |q''_i| and a share of the largest accelerations of the run. A factor of the row cancels everywhere, and a change of
units too. Beyond the limit, a residual that is rounding of the whole motion in the metric of A is divided with the
larger of |q''_i| and |h_i|/A_ii for m_i: other solutions have errors like it. A residual that is rounding of its terms
counts as 0, so that rows whose gradient vanishes are judged as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from ...compiled.residual_limits import REST_ROUNDING
from ...foundation.arrays import Array
from ...kernels.audit_limits import RUN_ACCELERATION_LIMIT, RUN_MOTION_ROUNDING, RUN_RESIDUAL_LIMIT
from ...kernels.elimination.residual_scales import ACCELERATION_MOTION_SHARE
from ...kernels.evaluation import Evaluation
from ...kernels.rounding_residuals import LEVELS, largest_not_rounding
from ..row_values import RowValues

if TYPE_CHECKING:
    from ...simulation.settings import Settings


REST_SHARE = 1e-9  # [1] share of the largest acceleration under the loads alone added to that of each coordinate
NUMBERS_AT_ONCE = 2_000_000  # [numbers] of matrices at the rows of a run that are held at once
LIMITS = (RUN_RESIDUAL_LIMIT, RUN_RESIDUAL_LIMIT, RUN_ACCELERATION_LIMIT)


def needed_changes(numbers: RowValues) -> dict[str, dict[str, float]]:
    """Return the largest change that each constraint needs, by level and name; NaN if it never acts. See the module."""
    run = numbers.run
    levels = {c.name: c.level for c in run.problem.model.constraints}
    by_level = {
        level: {name: np.nan for name, lowest in levels.items() if lowest <= k} for k, level in enumerate(LEVELS)
    }
    if not levels:
        return by_level
    solved = numbers.solved[0]
    usual = np.abs(solved.T, order="C").max(axis=1, initial=0.0)
    usual = usual if np.isfinite(usual).all() else np.abs(np.nan_to_num(solved)).max(axis=0, initial=0.0)
    for whole in numbers.evaluations():
        for rows, at in _parts(whole):
            a, residuals = whole.accelerations[rows], [values[rows] for values in whole.residuals.values()]
            changes = _changes(at, a, residuals, usual, run.settings) if at.model.s else []
            for level, limit, change in zip(LEVELS, LIMITS, changes, strict=False):
                for name, largest in largest_not_rounding(change, limit, at, a, level).items():
                    if name in by_level[level]:
                        by_level[level][name] = float(np.fmax(by_level[level][name], largest))
    return by_level


def _parts(whole: Evaluation) -> Iterator[tuple[slice, Evaluation]]:
    """Yield some rows at a time: matrices at all rows of a large system would not fit into memory."""
    model = whole.model
    count = max(1, NUMBERS_AT_ONCE // ((model.n + 1) * (model.n + model.s)))
    if len(whole.t) <= count:
        yield slice(None), whole
        return
    for first in range(0, len(whole.t), count):
        k = slice(first, first + count)
        yield k, Evaluation(model, whole.t[k].shape, whole.t[k], whole.q[k], whole.v[k], whole.parameters)


def _changes(at: Evaluation, a: Array, residuals: list[Array], usual: Array, settings: Settings) -> list[Array]:
    """Return the changes of positions, velocities and accelerations that each row needs (s x N each)."""
    n, count = at.model.n, len(a)
    G, g0 = np.abs(at.G), np.abs(at.g0.T)
    allowed = np.empty((3, count, n))
    np.abs(at.q, out=allowed[0])
    np.abs(at.v, out=allowed[1])
    allowed[:2] *= settings.rtol
    allowed[0] += settings.atol[:n]
    allowed[1] += settings.atol[n:]
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        np.abs(a, out=allowed[2])
        allowed[2] += ACCELERATION_MOTION_SHARE * usual
        scales = np.einsum("tsi,kti->kst", G, allowed, order="C")  # s x N each: maxima over the states are fast
        scales[2] += g0
        changes = [np.divide(np.abs(r.T), scale, order="C") for r, scale in zip(residuals, scales, strict=True)]
        if not changes[2].max(initial=0.0) <= RUN_ACCELERATION_LIMIT:  # NaN too
            error = np.abs(residuals[2].T)
            by_loads = error / (np.einsum("tsi,ti->st", G, _with_loads(at, a, usual)) + g0)
            changes[2] = np.where(error > _rounding_of_motion(at, a), changes[2], by_loads)
        return changes


def _with_loads(at: Evaluation, a: Array, usual: Array) -> Array:
    """Return the accelerations (N x n) with which residuals are compared that may be rounding of the loads."""
    inertia = at.A.reshape(len(a), -1)[:, :: at.model.n + 1]
    free = np.abs(at.h) / inertia  # |A^-1 h| without coupling, 0 without mass
    free[inertia <= 0] = 0.0
    allowed = np.maximum(np.abs(a), free) + ACCELERATION_MOTION_SHARE * usual
    return allowed + _rest_of_loads(allowed, inertia)


def _rounding_of_motion(at: Evaluation, a: Array) -> Array:
    """Return sqrt(G A^-1 G^T) |a| (s x N) with the diagonal of A and the largest |a| in its metric, times its rounding.

    It is infinite where all accelerations are rounding of A^-1 h: forces balance there.
    """
    inertia = np.einsum("tii->ti", at.A)
    inverse = np.divide(1.0, inertia, out=np.zeros_like(inertia), where=inertia > 0)
    motion = float(np.einsum("ti,ti->t", inertia, a * a).max(initial=0.0))
    free = float(np.einsum("ti,ti->t", inverse, at.h * at.h).max(initial=0.0))
    if not motion > REST_ROUNDING**2 * free:
        return np.full((at.model.s, len(a)), np.inf)
    rows = np.sqrt(np.einsum("tsi,ti->st", at.G * at.G, inverse))
    return RUN_MOTION_ROUNDING * np.sqrt(motion) * rows


def _rest_of_loads(accelerations: Array, inertia: Array) -> Array:
    """Return a share of the largest acceleration at each state (N x n), metres and radians compared by the inertia.

    In a body at rest all accelerations of a row without a load are rounding of loads on other coordinates.
    """
    if inertia.min(initial=np.inf) > 0:
        roots = np.sqrt(inertia)
        return (REST_SHARE * (accelerations * roots).max(axis=1, initial=0.0))[:, None] / roots
    units = np.sqrt(np.where(inertia > 0, inertia, np.inf))  # without mass: infinite, its share is 0
    largest = np.max(np.where(inertia > 0, accelerations * np.sqrt(np.abs(inertia)), 0.0), axis=1, initial=0.0)
    return REST_SHARE * largest[:, None] / units


def energy_of_tolerances(numbers: RowValues) -> float:
    """Return the largest energy that changes of q and v by `atol` carry: |dE/dy| atol + atol^T |A| atol/2."""
    n, atol, largest = numbers.run.problem.n, numbers.run.settings.atol, 0.0
    for _, at in (part for whole in numbers.evaluations() for part in _parts(whole)):
        function = at.model.function("balance")
        _, out = function.many(at.t, at.q, at.v, at.parameters, np.zeros((len(at.t), at.model.inputs)))
        slopes = np.abs(function.named(out)["by_q"]) @ atol[:n] + np.abs(function.named(out)["by_v"]) @ atol[n:]
        inertia = np.einsum("i,tij,j->t", atol[n:], np.abs(at.A), atol[n:]) / 2
        largest = max(largest, float(np.max(np.nan_to_num(slopes + inertia), initial=0.0)))
    return largest
