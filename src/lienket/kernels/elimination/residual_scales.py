"""Scales of the residuals of a constraint, relative to which a residual counts as zero.

The scale is the sum of its absolute terms. For u = 0 with u = 1e-17 the terms themselves are 1e-17; therefore a small
share of the largest motion of the whole state is added, measured by the inertia matrix so that metres and radians
compare. It covers rounding, and is too small to hide a residual behind the motion of another body.
"""

from __future__ import annotations

import numpy as np

from ...compiled.state_numbers import RowNumbers, StateNumbers
from ...foundation.arrays import Array
from .chain import NumericChain, start
from .stated_units import may_differ

POSITION_MOTION_SHARE = 1e-6  # [1] share of the largest displacement added to the scale of position residuals
VELOCITY_MOTION_SHARE = 1e-6  # [1] share of the largest velocity added to the scale of velocity residuals
ACCELERATION_MOTION_SHARE = 1e-3  # [1] share of the largest acceleration added to the scale of acceleration residuals
TERMS_SHARE = 1e-3  # [1] share of the terms of a formula added to the scale of its residual in projections
MOTION_SHARES = (POSITION_MOTION_SHARE, VELOCITY_MOTION_SHARE, ACCELERATION_MOTION_SHARE)


def residual_scales(chain: NumericChain, numbers: StateNumbers, row: RowNumbers) -> Array:
    """Return the scales of position, velocity and acceleration residuals, 3 x s, with the terms of the formulas."""
    return row.sizes + effects_of_motion(chain, numbers, np.abs(row.G))


def effects_of_motion(chain: NumericChain, numbers: StateNumbers, G: Array) -> Array:
    """Return |G| m for positions, velocities and accelerations m with a share of the largest, 3 x s; G is |G|.

    Beside very light coordinates, whose share would be immense, the share is that of coordinates as stated if smaller.
    """
    scale = chain.metric.scale
    accelerations = np.maximum(np.abs(chain.a), np.abs(start(chain.metric).a))
    motions = np.array([np.abs(numbers.q) / scale, np.abs(numbers.v) / scale, accelerations])
    largest, shares = motions.max(axis=1, initial=0.0)[:, None], np.array(MOTION_SHARES)[:, None]
    effects = (motions + shares * largest) @ (G * scale).T
    if not may_differ(scale, 0.0):
        return np.asarray(effects, dtype=np.float64)
    stated = motions * scale
    return np.minimum(effects, (stated + shares * stated.max(axis=1, initial=0.0)[:, None]) @ G.T)
