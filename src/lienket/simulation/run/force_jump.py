"""Forces that jump with the state and drive the motion back from both sides, as -sign(x' - c) does.

The motion then stays at the jump, where no formula gives the force between both sides. Explicit methods cross the jump
in every step, with steps of about a tolerance over the jump of the acceleration; implicit methods do not converge. Such
a run is stopped with a sentence that names the force. The force between, which holds the motion at the jump, is what
laws of friction have: they stick.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from ...foundation.arrays import Array
from ..memory import control, counts, rejections, states
from ..outcome import Outcome, at_jump, held_at_jump
from ..problem import Problem
from ..stepping.workspace import Workspace

SHORT_MEAN_STEP = 1e-6  # [1] mean step between two pauses, relative to the run, below which a jump is searched
FEWEST_STEPS = 400  # [steps] between two pauses from which their mean counts
SEARCHED = (1 / 16, 128.0)  # [1] shortest and longest distance along the motion, in mean steps, of a jump
SEARCHED_WHEN_STUCK = 1e-6  # [1] longest distance, relative to the run, if no step is accepted
BESIDE = 1e-3  # [1] distance from a jump, relative to the shortest one searched, at which its sides are evaluated
BISECTIONS = 45  # [iterations] that narrow the interval of a jump
LEAST_JUMP = 1e-3  # [1] jump of a force, relative to the largest force, that counts
STOPS_AT_JUMPS = (rejections.INACCURATE, rejections.NOT_CONVERGED, rejections.NO_BRIDGE)
LASTING_JUMP = 0.5  # [1] part of the difference of the forces that is left in the narrow interval, if it is a jump


class StepWatch:
    """Mean step of a run between two pauses; `stands_still`: many steps before the last pause had no length at all."""

    def __init__(self, arrays: Workspace) -> None:
        """Watch from the start of a run, also if it is later now."""
        self.arrays = arrays
        self.steps, self.t, self.carry = 0, float(arrays.control[control.BEGIN]), 0.0
        self.stands_still = False

    def stopped(self, problem: Problem) -> Outcome | None:
        """Return the outcome if steps have become very short at a jump of a force, else None."""
        arrays, steps, t = self.arrays, int(self.arrays.counts[counts.STEPS]), float(self.arrays.control[control.T])
        made, passed = steps - self.steps, t - self.t
        carry = float(arrays.control[control.TIME_CARRY])
        self.stands_still = made >= FEWEST_STEPS and passed == 0 and carry == self.carry
        self.steps, self.t, self.carry = steps, t, carry
        run = arrays.end - float(arrays.control[control.BEGIN])
        if made < FEWEST_STEPS or passed > SHORT_MEAN_STEP * run * made:
            return None
        mean = passed / made
        forces = jumping_forces(problem, arrays, SEARCHED[0] * mean, SEARCHED[1] * mean)
        return held_at_jump(t, arrays.end, mean, forces) if forces else None


def jump_when_stuck(problem: Problem, arrays: Workspace) -> str:
    """Return a sentence on the forces that jump close to a state from which no step is accepted, or ""."""
    if int(arrays.counts[counts.REJECTION]) not in STOPS_AT_JUMPS:
        return ""
    run = arrays.end - float(arrays.control[control.BEGIN])
    forces = jumping_forces(problem, arrays, float(arrays.control[control.H]), SEARCHED_WHEN_STUCK * run)
    return at_jump(forces) + " " if forces else ""


def jumping_forces(problem: Problem, arrays: Workspace, shortest: float, longest: float) -> str:
    """Return which forces jump, and by how much, between these times from now on along the motion, or ""."""
    if not shortest > 0:  # numbers overflow, and steps have no length
        return ""
    forces = _forces_along(problem, arrays)
    count = max(2, int(np.log2(longest / shortest)) + 1) if shortest < longest else 2
    places = np.concatenate([[0.0], np.geomspace(shortest, max(longest, shortest), count)])
    values = [forces(d) for d in places]
    if not all(np.all(np.isfinite(x)) for x in values):
        return ""
    k = int(np.argmax([np.abs(after - before).max() for before, after in pairwise(values)]))
    (a, b), (before, after) = places[k : k + 2], values[k : k + 2]
    first = np.abs(after - before).max()
    for _ in range(BISECTIONS):
        middle = 0.5 * (a + b)
        between = forces(middle)
        if np.abs(between - before).max() > np.abs(after - between).max():
            b, after = middle, between
        else:
            a, before = middle, between
    wide = BESIDE * shortest
    before, after = forces(a - wide), forces(b + wide)  # at the jump itself sign(u) is 0
    jump = np.abs(after - before)
    if not jump.max() > max(LASTING_JUMP * first, LEAST_JUMP * max(np.abs(before).max(), np.abs(after).max())):
        return ""
    parts = [(x, size) for x, size in zip(problem.names, jump, strict=True) if size > LEAST_JUMP * jump.max()]
    return ", ".join(f"the force on {x!r} jumps by {size:.6g}" for x, size in parts)


def _forces_along(problem: Problem, arrays: Workspace) -> Any:
    """Return the forces h (n) as a function of the time from now on, with constant accelerations."""
    n, y, t = problem.n, arrays.y[states.NOW], float(arrays.control[control.T])
    q, v, a = y[:n].copy(), y[n : 2 * n].copy(), arrays.y[states.RATE, n : 2 * n].copy()
    terms, inputs = problem.model.function("terms"), np.zeros(problem.model.inputs)

    def forces(d: float) -> Array:
        with np.errstate(all="ignore"):
            out = terms(t + d, q + d * v + d * d / 2 * a, v + d * a, arrays.parameters, inputs)[1]
        return np.asarray(terms.parts(out)[1])

    return forces
