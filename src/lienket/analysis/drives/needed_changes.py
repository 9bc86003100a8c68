"""Change of a stated motion that each constraint needs, relative to the motion.

A change x of the positions removes a residual g of a row if G x = -g. The least relative change, min max |x_i|/m_i, is
|g|/(|G| m), with m_i the largest |q_i| of the motion and a share of the largest of all, in units of the inertia, for
coordinates that should be 0; likewise for velocities and accelerations. A factor of the row cancels. A residual that is
rounding of its terms counts as 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...compiled.model import CompiledModel
from ...kernels.audit_limits import MOTION_RESIDUAL_LIMIT
from ...kernels.elimination.metric import metric
from ...kernels.rounding_residuals import largest_not_rounding
from .inverse_dynamics import Balance

Array = Any
Levels = dict[str, dict[str, float]]  # numbers by level and name of the constraint


def needed_changes(
    model: CompiledModel, motion: tuple[Array, ...], forces: Balance, rows: Mapping[str, slice]
) -> tuple[Levels, Levels]:
    """Return the largest residual of each constraint along t, q, v, a, parameters, and the change that it needs."""
    t, q, v, a, numbers = motion
    function = model.function("residuals")
    _, out = function.many(t, q, v, numbers, np.hstack([a, np.zeros((len(t), model.inputs - model.n))]))
    residuals: Levels = {}
    changes: Levels = {}
    unit = metric(forces.A[0], forces.force[0], forces.G[0]).scale
    for (level, of_rows), x in zip(function.named(out).items(), (q, v, a), strict=True):
        values = np.abs(of_rows * forces.acts)
        largest = np.max(np.abs(x), axis=0, initial=0.0)
        largest = largest + MOTION_RESIDUAL_LIMIT * unit * np.max(largest / unit, initial=0.0)
        scale = np.einsum("tsi,i->ts", np.abs(forces.G), largest) + values
        share = values / np.where(scale > 0, scale, 1.0)
        residuals[level] = {name: float(np.max(values[:, part], initial=0.0)) for name, part in rows.items()}
        changes[level] = {
            name: largest_not_rounding(
                share[:, part], MOTION_RESIDUAL_LIMIT, model, (t, q, v, a), numbers, name, level
            )
            for name, part in rows.items()
        }  # fmt: skip
    return residuals, changes
