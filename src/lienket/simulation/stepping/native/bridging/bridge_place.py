"""Place of a bridging step: where the singular position is, and how far the nodes first reach to both sides of it.

The position is where accelerations need a more robust solution than usual. Where a row vanishes instead, a row divided
by its size is as good as any other, and the position is where rounding changes the accelerations.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .....kernels.native.runtime.jit import kernel
from ....memory import control, states
from ...bridge_scratch import NODES
from ..projecting import project
from ..rates import rates
from ..rounding import ROUNDING_LIMIT, rounding_of_step
from ..run_view import state
from .bridge import begin_bridge, node_time, sample_rates
from .bridge_polynomial import scratch_of, state_after

SEARCH_BACK, SEARCH_AHEAD = 0.5, 1.5  # [1] where the singular position is searched, relative to the step
SEARCHES = 3  # [searches] each twice as far as the last, while the neighbourhood of the position extends to its end
NODE_REPETITIONS = 2  # [1] pairs of states by which rounding is measured at a node, few since there are neighbours
FIRST_REACH = 0.75  # [1] first distance of the outer nodes from the singular position, relative to the usual step
FIRST_WIDTHS = 3.0  # [1] the same, relative to half the width of the neighbourhood that is left out


@kernel
def place_of_nodes(run: Any, t: Any, h: Any) -> Any:
    """Return the time after t in the middle of the nodes, at the singular position, and how far they first reach.

    Stores in `left_out` the neighbourhood of a position where rounding is large, if nothing else tells it.
    """
    usual, ahead = max(h, run.control[control.USUAL_STEP]), SEARCH_AHEAD * h
    left_out = scratch_of(run).left_out
    left_out[0], left_out[1] = np.inf, -np.inf
    first, last = np.inf, -np.inf
    for _ in range(SEARCHES):
        begin_bridge(run, SEARCH_BACK * h, ahead)
        sample_rates(run, t)
        first, last = _unusable_times(run)
        if last < node_time(run, NODES - 1):
            break
        ahead *= 2.0
    if not first < np.inf:
        begin_bridge(run, SEARCH_BACK * usual, SEARCH_AHEAD * usual)
        _leave_out_rounding(run, t, usual)
        first, last = _unusable_times(run)
        left_out[0], left_out[1] = first, last
    if not first < np.inf:
        return 0.5 * usual, FIRST_REACH * usual
    middle = 0.5 * (first + last)
    return middle, max(FIRST_REACH * usual - min(middle, 0.0), FIRST_WIDTHS * 0.5 * (last - first))


@kernel
def _unusable_times(run: Any) -> Any:
    """Return the times of the first and the last unusable node after the start; infinite if there is none."""
    first, last = np.inf, -np.inf
    for j in range(NODES):
        if scratch_of(run).far[j] == 0:
            first, last = min(first, node_time(run, j)), max(last, node_time(run, j))
    return first, last


@kernel
def _leave_out_rounding(run: Any, t: Any, usual: Any) -> None:
    """Mark as unusable the nodes at which rounding of the accelerations is large in a usual step."""
    y, rate = state(run, states.TRIED), state(run, states.RATE_TRIED)
    for j in range(NODES):
        time = node_time(run, j)
        state_after(run, time, y)
        if (
            not (project(run, t + time, y) and rates(run, t + time, y, rate))
            or rounding_of_step(run, t + time, usual, y, rate, NODE_REPETITIONS) > ROUNDING_LIMIT
        ):
            scratch_of(run).far[j] = 0.0
