"""How large the residuals of a constraint could be: the scale against which one is zero or not.

That is the sum of its absolute terms. Of u = 0 with u = 1e-17 these are 1e-17, so a little is added of what the
largest motion of the whole state, measured by the inertia matrix so that metres and radians compare, makes of the row:
enough to cover rounding, too little to hide a residual behind another body.
"""

from __future__ import annotations

import numpy as np

from ...compiled.state_numbers import RowNumbers, StateNumbers
from .chain import NumericChain, start
from .metric import Array

OTHERS = (1e-6, 1e-6, 1e-3)
"""The share of the largest motion that counts for position, velocity and acceleration."""


def residual_scales(chain: NumericChain, numbers: StateNumbers, row: RowNumbers) -> Array:
    """Scales of position, velocity and acceleration residuals, 3 x s."""
    scale = chain.metric.scale
    accelerations = np.maximum(np.abs(chain.a), np.abs(start(chain.metric).a))
    motions = (np.abs(numbers.q) / scale, np.abs(numbers.v) / scale, accelerations)
    G = np.abs(row.G) * scale
    reach = np.sum(G, axis=1)
    found = [
        G @ motion + share * reach * np.max(motion, initial=0.0) for motion, share in zip(motions, OTHERS, strict=True)
    ]
    return row.sizes + np.array(found)
