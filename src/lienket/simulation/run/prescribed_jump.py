"""Constraints that prescribe a jump of positions or velocities at a known time, which no finite force can make."""

from __future__ import annotations

import numpy as np

from ...foundation.arrays import Array
from ..problem import Problem
from ..settings import Settings

JUMP_LIMIT = 10.0  # [tolerances] jump of a residual, in units of its terms, below which it is none


def prescribed_jump(
    problem: Problem, parameters: Array, settings: Settings, sides: tuple[float, float], q: Array, v: Array
) -> str:
    """Return a sentence on the constraints whose residuals differ between the two `sides` of a known time, or ""."""
    surface, inputs = problem.model.function("surface"), np.zeros(problem.model.inputs)
    (_, G, *before), (_, _, *after) = (surface.parts(surface(t, q, v, parameters, inputs)[1]) for t in sides)
    jumps = []
    for name, rows in problem.model.rows.items():
        for level, label in enumerate((f"the constraint {name!r}", f"the rate of the constraint {name!r}")):
            tolerance = settings.atol[level * problem.n :][: problem.n] + settings.rtol * np.abs((q, v)[level])
            jump = np.abs(after[level][rows] - before[level][rows])
            if np.any(jump > JUMP_LIMIT * (np.abs(G[rows]) @ tolerance)):
                jumps.append(f"{label} jumps by {jump.max():.6g}")
                break
    if not jumps:
        return ""
    return (
        f"Here {', '.join(jumps)}, and no finite force moves the system so. State a motion without jumps of its "
        "velocity, such as a cubic table, or an event that adds the constraint: then they change by an impact."
    )
