"""Table of backward differences of BDF: at a start, after a bridge, after a step, for another step size; prediction.

Row k is nabla^k of the state and of the power at steps of equal length. The rows up to order + 1 are kept: the
difference of order + 1 is the part of the error that the correction of a step removes, see step.py.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .....kernels.native.runtime.jit import product_kernel
from ....memory import AFTER_BRIDGE, control, counts, states
from ....stepping.native.bridging.bridge_polynomial import integrate_polynomial, rates_after
from ....stepping.native.bridging.bridge_polynomial import scratch_of as bridge_scratch_of
from ....stepping.native.run_view import state
from ..scratch.bdf import BDF_HIGHEST_ORDER, DIFFERENCE_ROWS, numbers
from .memory import BDF_JACOBIAN_REUSE

# Tables that are read by the order are arrays: a tuple would have to raise IndexError.
# Sums 1 + 1/2 + ... + 1/k.
HARMONIC = np.array((0.0, 1.0, 1.5, 11 / 6, 25 / 12, 137 / 60, 49 / 20))
# Klopfenstein's and Shampine's coefficients, which make orders 1 and 2 more accurate and keep them A-stable. Orders 3
# and 4 would lose stability by them, which vibrations need.
KAPPA = np.array((0.0, -0.185, -1 / 9, 0.0, 0.0, 0.0))


@product_kernel
def update_differences(run: Any, scratch: Any, h: Any) -> None:
    """Update the table of differences to the state now and the step size h."""
    memory, D, now, rate = scratch.memory, scratch.D, state(run, states.NOW), state(run, states.RATE)
    if run.counts[counts.RESTART] != 0:
        bridged = run.counts[counts.RESTART] == AFTER_BRIDGE and bridge_scratch_of(run).passed[0] > 0
        order = float(BDF_HIGHEST_ORDER) if bridged else 2.0
        if bridged:
            _differences_of_bridge(run, D, h)
        else:
            _first_differences(run, D, h)
        memory[numbers.ORDER], memory[numbers.EQUAL_STEPS], memory[numbers.STALE] = order, 0.0, 1.0
        memory[numbers.KNOWN_STATES] = order if bridged else 0.0
        memory[numbers.LENGTH] = h
    elif memory[numbers.ATTEMPT] != run.counts[counts.STEPS]:
        _append_state(scratch, now, rate[now.size - 1])
    memory[numbers.ATTEMPT] = run.counts[counts.STEPS]
    if memory[numbers.LENGTH] != h:
        _rescale(scratch, int(memory[numbers.ORDER]) + 1, h / memory[numbers.LENGTH])
        memory[numbers.LENGTH], memory[numbers.EQUAL_STEPS] = h, 0.0
    rtol = run.control[control.RTOL]
    for i in range(scratch.unit.size):
        scratch.unit[i] = 1.0 / (run.atol[i] + rtol * abs(now[i]))


@product_kernel
def _first_differences(run: Any, D: Any, h: Any) -> None:
    """Fill the table of differences at a start, with a state before it that follows from velocities and accelerations.

    Positions have two known derivatives, so the first step may be of order 2. With order 1 each start would move them
    by h^2 q''/2 in the direction of the force, nearly a tolerance, and small bounces would lose their height.
    """
    n, now, rate = run.n, state(run, states.NOW), state(run, states.RATE)
    for k in range(DIFFERENCE_ROWS):
        for i in range(now.size):
            D[k, i] = now[i] if k == 0 else h * rate[i] if k == 1 else 0.0
        D[k, now.size] = rate[now.size - 1] if k == 0 else 0.0
    for i in range(n):
        D[1, i] -= 0.5 * h * h * rate[n + i]
        D[2, i] = h * h * rate[n + i]


@product_kernel
def _differences_of_bridge(run: Any, D: Any, h: Any) -> None:
    """Fill the table of differences after a bridge, with states of its polynomial before the state now.

    With the low orders of a start, the steps after each bridge would have most of the error of a run.
    """
    n, now, rate = run.n, state(run, states.NOW), state(run, states.RATE)
    c, end = bridge_scratch_of(run).coefficients, bridge_scratch_of(run).passed[0]
    gained, before = state(run, states.NODE), state(run, states.BEFORE)
    integrate_polynomial(run, c, end, gained)
    for i in range(now.size):
        D[0, i] = now[i]
    D[0, now.size] = rate[now.size - 1]
    for k in range(1, BDF_HIGHEST_ORDER + 2):
        integrate_polynomial(run, c, end - k * h, before)
        for i in range(now.size):
            D[k, i] = now[i] + (before[i] - gained[i])
        for i in range(n):
            D[k, i] -= k * h * (now[n + i] - gained[n + i])
        rates_after(run, end - k * h, before, before)
        D[k, now.size] = before[now.size - 1]
    for j in range(1, BDF_HIGHEST_ORDER + 2):
        for back in range(BDF_HIGHEST_ORDER + 2 - j):
            k = BDF_HIGHEST_ORDER + 1 - back
            for i in range(now.size + 1):
                D[k, i] = D[k - 1, i] - D[k, i]


@product_kernel
def _append_state(scratch: Any, y: Any, end_power: Any) -> None:
    """Append the accepted state y (m) and its power to the table of differences; set the order of the next step."""
    memory, D, p = scratch.memory, scratch.D, scratch.predicted
    order = int(memory[numbers.ORDER])
    for i in range(y.size + 1):
        new = y[i] if i < y.size else end_power
        d = new - p[i]
        D[order + 2, i] = d - D[order + 1, i]
        D[order + 1, i] = d
        for back in range(order + 1):
            D[order - back, i] += D[order - back + 1, i]
        D[0, i] = new
    memory[numbers.EQUAL_STEPS] += 1.0
    memory[numbers.KNOWN_STATES] += 1.0
    if memory[numbers.NEXT_ORDER] != memory[numbers.ORDER]:
        memory[numbers.ORDER], memory[numbers.EQUAL_STEPS] = memory[numbers.NEXT_ORDER], 0.0
    if memory[numbers.CONTRACTION] > BDF_JACOBIAN_REUSE:
        memory[numbers.STALE] = 1.0


@product_kernel
def _rescale(scratch: Any, last: Any, factor: Any) -> None:
    """Convert the differences D_1, ..., D_last to a step size `factor` times as large, for the same polynomial.

    With x the time in steps, 0 at the end, y(x) = sum_j D_j (x)(x + 1) ... (x + j - 1)/j!; new differences follow from
    its values at x = 0, -factor, ..., -last factor.
    """
    D, m, values = scratch.D, scratch.D.shape[1], scratch.values
    for i in range(m):
        for k in range(last + 1):
            x, term, total = -k * factor, 1.0, 0.0
            for j in range(1, last + 1):
                term *= (x + j - 1) / j
                total += term * D[j, i]
            values[k] = total
        for j in range(1, last + 1):
            for back in range(last + 1 - j):
                k = last - back
                values[k] = values[k - 1] - values[k]
            D[j, i] = values[j]


@product_kernel
def predict(scratch: Any, order: Any) -> None:
    """Fill the prediction (m + 1) and psi (2 n); set d = 0."""
    D = scratch.D
    G = (1 - KAPPA[order]) * HARMONIC[order]
    for i in range(scratch.predicted.size):
        total, psi = D[0, i], 0.0
        for k in range(1, order + 1):
            total += D[k, i]
            psi += HARMONIC[k] * D[k, i]
        scratch.predicted[i] = total
        if i < scratch.unit.size:
            scratch.psi[i], scratch.d[i] = psi / G, 0.0


@product_kernel
def constant(order: Any) -> Any:
    """Return the coefficient of the difference of order + 1 in the error."""
    return abs(KAPPA[order] * HARMONIC[order] + 1.0 / (order + 1))
