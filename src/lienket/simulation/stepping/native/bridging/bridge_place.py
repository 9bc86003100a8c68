"""Place of a bridging step: where the singular position is, and how far the nodes first reach to both sides of it.

The position is where accelerations need a more robust solution than usual. Where a row vanishes instead, a row divided
by its size is as good as any other, and the position is where rounding changes the accelerations.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .....kernels.native.runtime.jit import kernel
from ....memory import control, counts, states
from ...bridge_scratch import NODES
from ..rounding import ROUNDING_LIMIT, rounding_of_step
from ..run_view import state
from .bridge import NODE_REPETITIONS, begin_bridge, node_rates, node_time
from .bridge_polynomial import scratch_of

SEARCH_BACK, SEARCH_AHEAD = 0.5, 1.5  # [1] where the singular position is searched, relative to the step
SEARCHES = 3  # [searches] each twice as far as the last, while the neighbourhood of the position extends to its end
FIRST_REACH = 0.75  # [1] first distance of the outer nodes from the singular position, relative to the usual step
FIRST_WIDTHS = 3.0  # [1] the same, relative to half the width of the neighbourhood that is left out


@kernel
def place_of_nodes(run: Any, t: Any, h: Any) -> Any:
    """Return the time after t in the middle of the nodes, at the singular position, and how far they first reach.

    Stores in `left_out` the neighbourhood of a position where rounding is large, if nothing else tells it.
    """
    usual = max(h, run.control[control.USUAL_STEP])
    left_out = scratch_of(run).left_out
    left_out[0], left_out[1] = np.inf, -np.inf
    first, last = _search(run, t, h)
    told, middle, width = first <= last, 0.5 * usual, 0.0
    if told:
        middle = 0.5 * (node_time(run, first) + node_time(run, last))
    else:
        begin_bridge(run, SEARCH_BACK * usual, SEARCH_AHEAD * usual)
        first, last = 0, NODES - 1
    first, last = _rough_nodes(run, t, usual, first, last)
    rough = first <= last
    if rough:
        begin, end = node_time(run, first), node_time(run, last)
        middle, width = 0.5 * (begin + end), end - begin
        if not told:
            left_out[0], left_out[1] = begin, end
    return middle, max(FIRST_REACH * usual - min(middle, 0.0), FIRST_WIDTHS * 0.5 * width), rough


@kernel
def _search(run: Any, t: Any, h: Any) -> Any:
    """Return the first and the last node in a row that need a more robust solution than usual; first > last if none.

    They are searched further where they extend to an end of the nodes.
    """
    back, ahead, first, last = SEARCH_BACK * h, SEARCH_AHEAD * h, NODES, -1
    for _ in range(SEARCHES):
        begin_bridge(run, back, ahead)
        first, last = _unusual_nodes(run, t)
        if last < 0 or 0 < first <= last < NODES - 1:
            break
        back *= 2.0 if first == 0 else 1.0
        ahead *= 2.0 if last == NODES - 1 else 1.0
    return first, last


@kernel
def _unusual_nodes(run: Any, t: Any) -> Any:
    """Return the first and the last of the nodes in a row that need a more robust solution than usual.

    These are the first ones that do not all lie before the start: at the position that the step meets first.
    """
    first, last = NODES, -1
    for j in range(NODES):
        if node_rates(run, t, j):
            if last >= 0 and node_time(run, last) >= 0:
                break
        elif last == j - 1 and last >= 0:
            last = j
        else:
            first, last = j, j
    return first, last


@kernel
def _rough_nodes(run: Any, t: Any, usual: Any, begin: Any, end: Any) -> Any:
    """Return the first and the last node from `begin` to `end` at which rounding is large in a usual step."""
    node, rate, first, last = state(run, states.NODE), state(run, states.NODE_RATE), NODES, -1
    for j in range(begin, end + 1):
        node_rates(run, t, j)
        if run.counts[counts.STATUS_WORST] >= 0:
            time = t + node_time(run, j)
            if rounding_of_step(run, time, usual, node, rate, NODE_REPETITIONS) <= ROUNDING_LIMIT:
                continue
        first, last = min(first, j), j
    return first, last
