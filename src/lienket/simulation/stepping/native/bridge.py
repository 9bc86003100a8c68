"""Bridging step: one step across a singular position.

Where constraint rows become dependent, q'' is a quotient of two numbers that both vanish. Along the motion q'' is
smooth, but at the distance d from the singular position a constraint residual e causes an error of e/d^2 in q'', and
rounding one of eps/d^3. Therefore no acceleration is evaluated near it. The accelerations over the whole step are a
polynomial fitted to states on both sides,

    q''(t + h (x + 1)/2) = sum c_k P_k(x),   q and v its integrals,   q''(t_j) = f(t_j, state at t_j on the constraints)

at the nodes t_j outside that neighbourhood, by least squares. The equations are solved by fixed-point iteration, since
the motion is not stiff there. The method is collocation of order COEFFICIENTS with nodes left out; it cannot jump to
the other branch, because it has no node near the branch point. P_k are the Legendre polynomials.
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

NODES_REQUIRED = COEFFICIENTS + 2  # [nodes] fewest nodes left for the fit
NEIGHBOURS_LEFT_OUT = 2  # [nodes] left out on each side of a node at which accelerations are unreliable
BRIDGE_ITERATIONS = 30  # [iterations] limit of the fixed-point iteration
BRIDGE_CONVERGED = 1e-3  # [tolerances] change of the end state at which the iteration has converged
BRIDGE_STAGNATED = 0.1  # [tolerances] change of the end state accepted if rounding keeps it from shrinking
BRIDGE_ERROR_FACTOR = 40.0  # [1] factor on the error estimate, as DOP853_ERROR_FACTOR
FAILED = -1.0  # [tolerances] error returned if there is no such step; errors are never negative


@kernel
def polynomials(x: Any, P: Any) -> None:
    """Fill P (p + 2) with the Legendre polynomials P_0(x), ..., P_(p+1)(x).

    Recurrence: (k + 1) P_(k+1) = (2 k + 1) x P_k - k P_(k-1).
    """
    P[0], P[1] = 1.0, x
    for k in range(1, P.size - 1):
        P[k + 1] = ((2 * k + 1) * x * P[k] - k * P[k - 1]) / (k + 1)


@kernel
def integral(P: Any, k: Any) -> Any:
    """Return the integral of P_k from -1 to x: (P_(k+1) - P_(k-1))/(2 k + 1), and P_1 + P_0 for k = 0."""
    return P[1] + P[0] if k == 0 else (P[k + 1] - P[k - 1]) / (2 * k + 1)


@kernel
def second_integral(P: Any, k: Any) -> Any:
    """Return the integral from -1 to x of `integral`: the twofold integral of P_k."""
    if k == 0:
        return integral(P, 1) + integral(P, 0)
    return (integral(P, k + 1) - integral(P, k - 1)) / (2 * k + 1)


@kernel
def bridge(run: Any, t: Any, h: Any) -> Any:
    """Fill the tried state at t + h; return its error (1: just accepted), or FAILED if there is no such step."""
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
    for iteration in range(BRIDGE_ITERATIONS):
        used = _sample_rates(run, t, h, values, fit, far)
        if used < NODES_REQUIRED or not _fit_coefficients(run, used, values, fit):
            return FAILED
        for i in range(m):
            before[i] = tried[i]
        _state_at(run, 1.0, h, COEFFICIENTS, tried)
        for i in range(m):
            before[i] -= tried[i]
        change = weighted(run, before, tried, now)
        if change <= BRIDGE_CONVERGED or (iteration > 4 and BRIDGE_STAGNATED >= change > 0.3 * last):
            return _error(run, h, used, values)
        if not change < 1e3 * last:
            return FAILED
        last = change
    return FAILED


@kernel
def _error(run: Any, h: Any, used: Any, values: Any) -> Any:
    """Return the error of the velocities within the step, and propose the next step size.

    It is the contribution of the last two coefficients plus the root mean square of the residuals of the fit, which
    stand in `values`. The end of the step gives no estimate: there the integrals of all P_k, k > 0, vanish.
    """
    n, c, errors = run.n, _scratch_of(run).coefficients, state(run, states.BEFORE)
    for i in range(n):
        square = 0.0
        for j in range(used):
            square += values[j, i] * values[j, i]
        last = abs(c[COEFFICIENTS - 1, i]) + abs(c[COEFFICIENTS - 2, i])
        errors[i], errors[n + i] = 0.0, h * (last / COEFFICIENTS + np.sqrt(square / used))
    error = BRIDGE_ERROR_FACTOR * weighted(run, errors, state(run, states.TRIED), state(run, states.NOW))
    run.control[control.STEP_FACTOR] = min(4.0, max(0.3, 0.8 * error ** (-1.0 / COEFFICIENTS))) if error > 0 else 4.0
    run.counts[counts.STATUS_WORST] = 0
    return error


@kernel
def _sample_rates(run: Any, t: Any, h: Any, values: Any, fit: Any, far: Any) -> Any:
    """Fill `values` and `fit` with rates and Legendre polynomials at the usable nodes, row by row; return their number.

    `far` (NODES) is 1 for usable nodes. A node at which the accelerations need a more robust solution than usual is
    left out for good, with NEIGHBOURS_LEFT_OUT nodes on each side, because rounding grows fast towards it.
    """
    n, used = run.n, 0
    node, rate, P = state(run, states.NODE), state(run, states.NODE_RATE), _scratch_of(run).polynomials
    for j in range(NODES):
        if far[j] == 0:
            continue
        x = _node(j)
        _state_at(run, x, h, COEFFICIENTS, node)
        time = t + 0.5 * h * (x + 1.0)
        run.counts[counts.STATUS_WORST] = 0
        evaluated = project(run, time, node) and rates(run, time, node, rate)
        if not evaluated or run.counts[counts.STATUS_WORST] > run.counts[counts.STATUS_USUAL]:
            for neighbour in range(max(0, j - NEIGHBOURS_LEFT_OUT), min(NODES, j + NEIGHBOURS_LEFT_OUT + 1)):
                far[neighbour] = 0.0
        for i in range(n + 1):
            values[j, i] = rate[n + i]
    for j in range(NODES):
        if far[j] == 1:
            polynomials(_node(j), P)
            for k in range(COEFFICIENTS):
                fit[used, k] = P[k]
            for i in range(n + 1):
                values[used, i] = values[j, i]
            used += 1
    return used


@kernel
def _node(j: Any) -> Any:
    """Return node j in (-1, 1), a Chebyshev point: -cos(pi (2 j + 1)/(2 NODES))."""
    return -np.cos(np.pi * (2 * j + 1) / (2 * NODES))


@kernel
def _fit_coefficients(run: Any, used: Any, values: Any, fit: Any) -> Any:
    """Fit the coefficients c (COEFFICIENTS x (n + 1)) by least squares; return whether they are well determined.

    Gram-Schmidt with reorthogonalisation; `values` keeps the residuals of the fit.
    """
    c, components = _scratch_of(run).coefficients, values.shape[1]
    R = _scratch_of(run).triangle
    for k in range(COEFFICIENTS):
        for orthogonalisation in range(2):  # the second pass restores orthogonality to rounding
            for b in range(k):
                projection = 0.0
                for j in range(used):
                    projection += fit[j, b] * fit[j, k]
                R[b, k] = projection if orthogonalisation == 0 else R[b, k] + projection
                for j in range(used):
                    fit[j, k] -= projection * fit[j, b]
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
            projection = 0.0
            for j in range(used):
                projection += fit[j, k] * values[j, i]
            c[k, i] = projection
            for j in range(used):
                values[j, i] -= projection * fit[j, k]
        for back in range(COEFFICIENTS):
            k = COEFFICIENTS - 1 - back
            for b in range(k + 1, COEFFICIENTS):
                c[k, i] -= R[k, b] * c[b, i]
            c[k, i] /= R[k, k]
    return True


@kernel
def _state_at(run: Any, x: Any, h: Any, terms: Any, out: Any) -> None:
    """Fill out (m) with the state at x, -1 the start and 1 the end of the step, from the first `terms` coefficients."""
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
    """Fill out (m) with the state at the fraction x of the step, 0 <= x <= 1."""
    _state_at(run, 2.0 * x - 1.0, h, COEFFICIENTS, out)


@kernel
def _scratch_of(run: Any) -> Any:
    """Return the blocks of `run.bridge`, see `BridgeScratch`."""
    return views(run.bridge, 0, bridge_scratch(run.n))
