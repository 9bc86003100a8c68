"""How large the residuals of a constraint could be: the scale against which one is zero or not.

The absolute terms of an expression alone will not do: of u = 0 with u = 1e-17 they are 1e-17. To them is added what
the largest motion of the state, measured by the inertia matrix so that metres and radians compare, makes of the row.
"""

from __future__ import annotations

import numpy as np

from ..compiled.numbers import Numbers, RowNumbers
from .chain import Chain, start
from .metric import Array


def sizes(chain: Chain, numbers: Numbers, row: RowNumbers) -> Array:
    """Scales of position, velocity and acceleration residuals, 3 x s."""
    scale = chain.metric.scale
    free = start(chain.metric).a
    reach = np.abs(row.G) @ scale
    motions = [
        reach * np.max(np.abs(numbers.q) / scale, initial=0.0),
        reach * np.max(np.abs(numbers.v) / scale, initial=0.0),
        reach * np.max(np.maximum(np.abs(chain.a), np.abs(free)), initial=0.0),
    ]
    return row.sizes + np.array(motions)
