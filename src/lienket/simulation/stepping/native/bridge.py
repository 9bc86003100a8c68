"""A step over a singular position.

Where rows of the constraints become dependent, q'' is a quotient of two numbers that both vanish. Along the motion it
is smooth, but at the distance d from the singular position a state that is off its constraints by e gives it an error
of e/d^2, and rounding one of eps/d^3. So nothing is computed near it. The accelerations over the whole step are a
polynomial through states on both sides,

    q''(t + h (x + 1)/2) = sum c_k P_k(x),   q and v its integrals,   q''(t_j) = f(t_j, state at t_j on the constraints)

at those of the nodes t_j that lie outside the neighbourhood, by least squares; solved by iteration, since nothing is
stiff there. It is collocation of order COEFFICIENTS with nodes left out, and it never sees the other branch.

Legendre's polynomials and their integrals: what a bridge is made of.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....kernels.native.runtime.blocks import views
from ....kernels.native.runtime.jit import kernel
from ...memory import control, counts, states
from ..bridge_scratch import COEFFICIENTS, NODES, bridge_scratch
from .accept_state import project
from .rates import rates
from .run_view import state, weighted

kernel(bridge_scratch)  # a plain function, which kernels call as well

ENOUGH = COEFFICIENTS + 2
"""Nodes that must be left."""
BESIDE = 2
"""Nodes on each side that are left out with one."""
ITERATIONS = 30
CONVERGED = 1e-3
"""A last change, in units of the tolerances."""
ROUNDED = 0.1
"""One that stays, for the sake of rounding."""
STRICT = 40.0  # as in dop853
FAILED = -1.0


@kernel
def polynomials(x: Any, P: Any) -> None:
    """P_0(x), ..., P_(p+1)(x), p + 2 numbers: (k + 1) P_(k+1) = (2 k + 1) x P_k - k P_(k-1)."""
    P[0], P[1] = 1.0, x
    for k in range(1, P.size - 1):
        P[k + 1] = ((2 * k + 1) * x * P[k] - k * P[k - 1]) / (k + 1)


@kernel
def integral(P: Any, k: Any) -> Any:
    """The integral of P_k from -1 to x: (P_(k+1) - P_(k-1))/(2 k + 1), and P_1 + P_0 for k = 0."""
    return P[1] + P[0] if k == 0 else (P[k + 1] - P[k - 1]) / (2 * k + 1)


@kernel
def second_integral(P: Any, k: Any) -> Any:
    """The integral of that integral from -1 to x."""
    if k == 0:
        return integral(P, 1) + integral(P, 0)
    return (integral(P, k + 1) - integral(P, k - 1)) / (2 * k + 1)


@kernel
def bridge(run: Any, t: Any, h: Any) -> Any:
    """Fills the tried state at t + h; its error as of an attempt, or less than 0 if there is no such step."""
    n, m = run.n, run.y.shape[1]
    values, fit = _scratch_of(run).values, _scratch_of(run).fit
    now, tried, before = state(run, states.NOW), state(run, states.TRIED), state(run, states.BEFORE)
    c = _scratch_of(run).coefficients
    for i in range(n + 1):
        c[0, i] = state(run, states.RATE)[n + i]
        for k in range(1, COEFFICIENTS):
            c[k, i] = 0.0
    _state_at(run, 1.0, h, COEFFICIENTS, tried)
    last, far = np.inf, _scratch_of(run).far
    for j in range(NODES):
        far[j] = 1.0
    for iteration in range(ITERATIONS):
        used = _sampled(run, t, h, values, fit, far)
        if used < ENOUGH or not _fitted(run, used, values, fit):
            return FAILED
        for i in range(m):
            before[i] = tried[i]
        _state_at(run, 1.0, h, COEFFICIENTS, tried)
        for i in range(m):
            before[i] -= tried[i]
        change = weighted(run, before, tried, now)
        if change <= CONVERGED or (iteration > 4 and ROUNDED >= change > 0.3 * last):
            return _error(run, h, used, values)
        if not change < 1e3 * last:
            return FAILED
        last = change
    return FAILED


@kernel
def _error(run: Any, h: Any, used: Any, values: Any) -> Any:
    """What the last two coefficients make of the velocities within the step, and what is left of the values.

    Not at its end, where all integrals of P_k vanish. `values` are what the polynomial leaves of them.
    """
    n, c, found = run.n, _scratch_of(run).coefficients, state(run, states.BEFORE)
    for i in range(n):
        square = 0.0
        for j in range(used):
            square += values[j, i] * values[j, i]
        last = abs(c[COEFFICIENTS - 1, i]) + abs(c[COEFFICIENTS - 2, i])
        found[i], found[n + i] = 0.0, h * (last / COEFFICIENTS + np.sqrt(square / used))
    error = STRICT * weighted(run, found, state(run, states.TRIED), state(run, states.NOW))
    run.control[control.STEP_FACTOR] = min(4.0, max(0.3, 0.8 * error ** (-1.0 / COEFFICIENTS))) if error > 0 else 4.0
    run.counts[counts.STATUS_WORST] = 0
    return error


@kernel
def _sampled(run: Any, t: Any, h: Any, values: Any, fit: Any, far: Any) -> Any:
    """Rates at the nodes that are far enough, and the polynomials there, row by row; how many.

    `far` (NODES) is 1 for those. A node at which accelerations are hard to find takes the two on each side with it,
    for rounding grows fast towards it; none of them is tried again.
    """
    n, used = run.n, 0
    node, rate, P = state(run, states.NODE), state(run, states.NODE_RATE), _scratch_of(run).polynomials
    for j in range(NODES):
        if far[j] == 0:
            continue
        x = _place(j)
        _state_at(run, x, h, COEFFICIENTS, node)
        time = t + 0.5 * h * (x + 1.0)
        run.counts[counts.STATUS_WORST] = 0
        found = project(run, time, node) and rates(run, time, node, rate)
        if not found or run.counts[counts.STATUS_WORST] > run.counts[counts.STATUS_USUAL]:
            for beside in range(max(0, j - BESIDE), min(NODES, j + BESIDE + 1)):
                far[beside] = 0.0
        for i in range(n + 1):
            values[j, i] = rate[n + i]
    for j in range(NODES):
        if far[j] == 1:
            polynomials(_place(j), P)
            for k in range(COEFFICIENTS):
                fit[used, k] = P[k]
            for i in range(n + 1):
                values[used, i] = values[j, i]
            used += 1
    return used


@kernel
def _place(j: Any) -> Any:
    """The nodes, denser towards the ends."""
    return -np.cos(np.pi * (2 * j + 1) / (2 * NODES))


@kernel
def _fitted(run: Any, used: Any, values: Any, fit: Any) -> Any:
    """The coefficients c (COEFFICIENTS x (n + 1)) of least squares, by Gram and Schmidt; whether they are well defined.

    Columns are made orthogonal one after another, and taken out of the values at once.
    """
    c, components = _scratch_of(run).coefficients, values.shape[1]
    R = _scratch_of(run).triangle
    for k in range(COEFFICIENTS):
        for turn in range(2):  # twice is enough
            for b in range(k):
                along = 0.0
                for j in range(used):
                    along += fit[j, b] * fit[j, k]
                R[b, k] = along if turn == 0 else R[b, k] + along
                for j in range(used):
                    fit[j, k] -= along * fit[j, b]
        size = 0.0
        for j in range(used):
            size += fit[j, k] * fit[j, k]
        R[k, k] = np.sqrt(size)
        if not R[k, k] > 1e-2:
            return False
        for j in range(used):
            fit[j, k] /= R[k, k]
    for i in range(components):
        for k in range(COEFFICIENTS):
            along = 0.0
            for j in range(used):
                along += fit[j, k] * values[j, i]
            c[k, i] = along
            for j in range(used):
                values[j, i] -= along * fit[j, k]
        for back in range(COEFFICIENTS):
            k = COEFFICIENTS - 1 - back
            for b in range(k + 1, COEFFICIENTS):
                c[k, i] -= R[k, b] * c[b, i]
            c[k, i] /= R[k, k]
    return True


@kernel
def _state_at(run: Any, x: Any, h: Any, terms: Any, out: Any) -> None:
    """The state (m) at x of the step, -1 its begin and 1 its end, by the first terms of the polynomial."""
    n, now, half, c = run.n, state(run, states.NOW), 0.5 * h, _scratch_of(run).coefficients
    P = _scratch_of(run).polynomials
    polynomials(x, P)
    for i in range(n):
        out[i] = now[i] + half * (x + 1.0) * now[n + i]
        out[n + i] = now[n + i]
    out[2 * n] = now[2 * n]
    for k in range(terms):
        once, twice = half * integral(P, k), half * half * second_integral(P, k)
        for i in range(n):
            out[i] += twice * c[k, i]
            out[n + i] += once * c[k, i]
        out[2 * n] += once * c[k, n]


@kernel
def bridge_interpolate(run: Any, h: Any, x: Any, out: Any) -> None:
    """The state at the share x of the step."""
    _state_at(run, 2.0 * x - 1.0, h, COEFFICIENTS, out)


@kernel
def _scratch_of(run: Any) -> Any:
    """The blocks of `bridge`, see `BridgeScratch`."""
    return views(run.bridge, 0, bridge_scratch(run.n))
