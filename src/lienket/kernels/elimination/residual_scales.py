"""Scales of the residuals of a constraint, relative to which a residual counts as zero.

The scale is the sum of its absolute terms. For u = 0 with u = 1e-17 the terms themselves are 1e-17; therefore a small
share of the largest motion of the whole state is added, measured by the inertia matrix so that metres and radians
compare. It covers rounding, and is too small to hide a residual behind the motion of another body.
"""

from __future__ import annotations

import numpy as np

from ...compiled.state_numbers import RowNumbers, StateNumbers
from .chain import NumericChain, start
from .metric import Array

POSITION_MOTION_SHARE = 1e-6  # [1] share of the largest displacement added to the scale of position residuals
VELOCITY_MOTION_SHARE = 1e-6  # [1] share of the largest velocity added to the scale of velocity residuals
ACCELERATION_MOTION_SHARE = 1e-3  # [1] share of the largest acceleration added to the scale of acceleration residuals
MOTION_SHARES = (POSITION_MOTION_SHARE, VELOCITY_MOTION_SHARE, ACCELERATION_MOTION_SHARE)


def residual_scales(chain: NumericChain, numbers: StateNumbers, row: RowNumbers) -> Array:
    """Return the scales of position, velocity and acceleration residuals, 3 x s, with the terms of the formulas."""
    return row.sizes + _motions(chain, numbers, row)


def needed_change_scales(
    chain: NumericChain, numbers: StateNumbers, row: RowNumbers, a: Array | None = None
) -> tuple[Array, Array]:
    """Return what a residual is relative to, and the terms of its rounding error (3 x s each).

    A change x of the motion removes a residual g if G x = -g. The least relative change, min max |x_i|/m_i with the
    motion m (n), is |g|/(|G| m): a factor of the row cancels. m is |q|, |v| or |a| and a share of the largest motion.
    The terms of the residual are added to |G| m: those of the formula for positions, |G| |v| + |g' - G v| for
    velocities, |g0| for accelerations. On the constraint they too are multiplied by a factor of the row. `a` (n) are
    the accelerations, if there are any; those of the chain lack drives and friction.
    """
    motions = _motions(chain, numbers, row)
    if a is not None:
        motions[2] += np.abs(row.G) @ np.abs(a)
    straight = row.G @ numbers.v
    moving = np.abs(row.G) @ np.abs(numbers.v) + np.abs(row.velocity - straight) if len(row.velocity) else 0.0
    return motions + np.array([row.sizes[0], moving + np.zeros(len(row.g0)), np.abs(row.g0)]), row.sizes + motions


def _motions(chain: NumericChain, numbers: StateNumbers, row: RowNumbers) -> Array:
    """Return |G| m for the positions, velocities and accelerations m, with a share of the largest motion, 3 x s."""
    scale = chain.metric.scale
    accelerations = np.maximum(np.abs(chain.a), np.abs(start(chain.metric).a))
    motions = (np.abs(numbers.q) / scale, np.abs(numbers.v) / scale, accelerations)
    G = np.abs(row.G) * scale
    reach = np.sum(G, axis=1)
    terms = [
        G @ motion + share * reach * np.max(motion, initial=0.0)
        for motion, share in zip(motions, MOTION_SHARES, strict=True)
    ]
    return np.array(terms)
