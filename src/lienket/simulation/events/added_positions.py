"""Positions at which constraints are added: they are moved onto them.

An event happens within the tolerances of a run, and contacts that close at the same time close within them. A step
accepts ten tolerances between a state and its constraints, and the energy of much less, so that a constraint added at a
larger distance would keep every step from being accepted. The shortest displacement in the metric of A closes the
distance before.
"""

from __future__ import annotations

import numpy as np

from ...foundation.arrays import Array
from ...kernels.projection import Surface, project
from ..problem import Problem

NEGLIGIBLE_DISTANCE = 1e-4  # [tolerances] distance from an added constraint that steps may remove later


def moved_onto(problem: Problem, state: tuple[float, Array, Array, Array], tolerance: Array) -> Array:
    """Return positions (n) that satisfy the constraints of a problem; those of the state if they are near enough.

    `state` is (t, q, v, parameters); `tolerance` (n) that of positions.
    """
    t, q, v, parameters = state
    rows = np.flatnonzero(problem.level == 0)
    if not rows.size:
        return q
    function, inputs = problem.model.function("surface"), np.zeros(problem.model.inputs)

    def surface(x: Array) -> Surface:
        """Return A, the rows of positions, their residuals and the sizes of their terms."""
        A, G, position, _, sizes, _ = function.parts(function(t, x, v, parameters, inputs)[1])
        return Surface(A, G[rows], position[rows], sizes[rows])

    at = surface(q)
    if np.all(np.abs(at.residual) <= NEGLIGIBLE_DISTANCE * np.abs(at.G) @ tolerance):
        return q
    moved, steps = project(surface, q, at=at)
    return moved if steps > 0 else q
