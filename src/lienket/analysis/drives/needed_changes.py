"""Change of a stated motion that each constraint needs, relative to the motion.

A change x of the positions removes a residual g of a row if G x = -g. The least relative change, min max |x_i|/m_i, is
|g|/(|G| m), with m_i the largest |q_i| of the motion and a share of the largest of all, in units of the inertia, for
coordinates that should be 0; likewise for velocities and accelerations. A factor of the row cancels. A residual that is
rounding of its terms counts as 0.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...compiled.model import CompiledModel
from ...foundation.arrays import Array
from ...kernels.audit_limits import MOTION_RESIDUAL_LIMIT
from ...kernels.evaluation import Evaluation
from ...kernels.rounding_residuals import largest_not_rounding
from .inverse_dynamics import Balance

Levels = dict[str, dict[str, float]]  # numbers by level and name of the constraint


def needed_changes(
    model: CompiledModel, motion: tuple[Array, ...], forces: Balance, rows: Mapping[str, slice]
) -> tuple[Levels, Levels]:
    """Return the largest residual of each constraint along t, q, v, a, parameters, and the change that it needs."""
    t, q, v, a, numbers = motion
    at = Evaluation(model, t.shape, t, q, v, numbers)
    function = model.function("residuals")
    _, out = function.many(t, q, v, numbers, np.hstack([a, np.zeros((len(t), model.inputs - model.n))]))
    residuals: Levels = {}
    changes: Levels = {}
    G, inertia = np.abs(forces.G), np.sqrt(np.maximum(forces.A[0].diagonal(), 0.0))
    unit = np.where(inertia > 0, 1 / np.where(inertia > 0, inertia, 1.0), 0.0)
    for (level, of_rows), x in zip(function.named(out).items(), (q, v, a), strict=True):
        values = np.abs(of_rows * forces.acts)
        largest = np.abs(x).max(axis=0, initial=0.0)
        scale = G @ (largest + MOTION_RESIDUAL_LIMIT * unit * (largest * inertia).max(initial=0.0)) + values
        share = values / np.where(scale > 0, scale, 1.0)
        worst = values.max(axis=0, initial=0.0)
        residuals[level] = {name: float(worst[part].max(initial=0.0)) for name, part in rows.items()}
        changes[level] = largest_not_rounding(share.T, MOTION_RESIDUAL_LIMIT, at, a, level)
    return residuals, changes
