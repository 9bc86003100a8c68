"""Bridging step: one step across a singular position.

Where constraint rows become dependent, q'' is a quotient of two numbers that both vanish. Along the motion q'' is
smooth, but at the distance d from the singular position a constraint residual e causes an error of e/d^2 in q'', and
rounding one of eps/d^3. Therefore no acceleration is evaluated near it. The accelerations are a polynomial fitted by
least squares to states on both sides,

    q''(x) = sum c_k P_k(x),   q and v its integrals,   q''(t_j) = f(t_j, state at t_j on the constraints)

at the nodes t_j outside that neighbourhood. The nodes before the start of the step belong to the motion that leads to
its state; with them the singular position lies in the middle, and the fit does not extrapolate. The equations are
solved by fixed-point iteration, since the motion is not stiff there. The method is collocation with nodes left out; it
cannot jump to the other branch, because it has no node near the branch point. P_k are the Legendre polynomials.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .....kernels.native.runtime.jit import kernel
from ....memory import control, counts, states
from ...bridge_scratch import COEFFICIENTS, FITTED_NODES, FITTED_TERMS, NODES, TERMS
from ..accept_state import is_inexact, is_rough
from ..projecting import project
from ..rates import near_singular, rates
from ..rounding import ROUNDING_LIMIT, rounding_of_step
from ..run_view import state, weighted
from .bridge_fit import fill_difference, fit_coefficients
from .bridge_polynomial import begin_integrals, integrate_polynomial, place, polynomials, scratch_of, state_after

FIRST_TERMS = 10  # [1] coefficients of the first polynomial tried
MORE_TERMS = 3  # [1] by how many coefficients the next polynomial is longer
SPARE_NODES = 2  # [nodes] fewest nodes beyond the number of coefficients
NEIGHBOURS_LEFT_OUT = 2  # [nodes] left out on each side of a node at which accelerations are unreliable
NODE_REPETITIONS = 2  # [1] pairs of states by which rounding is measured at a node, few since there are neighbours
LEFT, USABLE, MEASURED = 0, 1, 2  # marks of nodes in `far`: left out, usable, usable since rounding is small there
BRIDGE_ITERATIONS = 30  # [iterations] limit of the fixed-point iteration
BRIDGE_CONVERGED = 1e-3  # [tolerances] change of the end state at which the iteration has converged
BRIDGE_STAGNATED = 0.1  # [tolerances] change of the end state accepted if rounding keeps it from shrinking
BRIDGE_ERROR_FACTOR = 40.0  # [1] factor on the error estimate, as DOP853_ERROR_FACTOR
ROUNDING_DOMINATES = 0.3  # [1] error relative to that of a shorter polynomial from which rounding dominates it
LARGEST_FROM_ROUNDING = 1e4  # [tolerances] error of a step that rounding at its nodes does not exceed
TOO_FEW, DIVERGED = -1, -2  # results of the iteration: the nodes do not determine the polynomial, no convergence
FAILED = -1.0  # [tolerances] error returned if there is no such step; errors are never negative


@kernel
def bridge(run: Any, t: Any, h: Any, before: Any, after: Any) -> Any:
    """Fill the tried state at t + h; return its error (1: just accepted, or FAILED), and whether it is too short.

    The polynomial is fitted to nodes from t - before to t + after. Its degree is raised until the error is accepted;
    where that no longer helps, rounding dominates. It is too short then, and if too few nodes are usable. An error that
    is too large for rounding tells that the motion is no polynomial over this time.
    """
    begin_bridge(run, before, after)
    terms, best, too_short = FIRST_TERMS, np.inf, False
    while terms <= COEFFICIENTS:
        used = _iterate(run, t, h, terms)
        if used < 0:
            too_short |= used == TOO_FEW
            break
        error = _error(run, t, h, used, terms)
        if error <= 1:
            return error, False
        stagnates = error > ROUNDING_DOMINATES * best
        best = min(best, error)
        too_short = stagnates and error <= LARGEST_FROM_ROUNDING
        if stagnates and not too_short:
            break
        terms += MORE_TERMS
    return best if best < np.inf else FAILED, too_short


@kernel
def begin_bridge(run: Any, before: Any, after: Any) -> None:
    """Begin with constant accelerations, those at the start unless they are rough, and all nodes not left out."""
    scratch, n = scratch_of(run), run.n
    scratch.span[0], scratch.span[1] = before, after
    known = not is_rough(run, run.control[control.T], after, state(run, states.NOW))
    for i in range(n + 1):
        scratch.coefficients[0, i] = state(run, states.RATE)[n + i] if known else 0.0
        for k in range(1, COEFFICIENTS):
            scratch.coefficients[k, i] = 0.0
    for j in range(NODES):
        scratch.far[j] = LEFT if scratch.left_out[0] <= node_time(run, j) <= scratch.left_out[1] else USABLE
    scratch.in_use[TERMS], scratch.in_use[FITTED_NODES], scratch.in_use[FITTED_TERMS] = 1, 0, 0
    begin_integrals(run)


@kernel
def _iterate(run: Any, t: Any, h: Any, terms: Any) -> Any:
    """Iterate until the end state no longer changes; return the number of nodes used, TOO_FEW or DIVERGED."""
    now, tried, change = state(run, states.NOW), state(run, states.TRIED), state(run, states.BEFORE)
    last = np.inf
    for iteration in range(BRIDGE_ITERATIONS):
        used = sample_rates(run, t)
        if used < terms + SPARE_NODES or not fit_coefficients(run, used, terms):
            return TOO_FEW
        for i in range(tried.size):
            change[i] = tried[i]
        _fill_end(run, t, h, tried)
        for i in range(tried.size):
            change[i] -= tried[i]
        size = weighted(run, change, tried, now) if iteration > 0 else np.inf
        if size <= BRIDGE_CONVERGED or (iteration > 4 and BRIDGE_STAGNATED >= size > 0.3 * last):
            return used
        if not size < 1e3 * last and iteration > 1:
            return DIVERGED
        last = size
    return DIVERGED


@kernel
def _fill_end(run: Any, t: Any, h: Any, out: Any) -> None:
    """Fill out (m) with the state at the end of the step, on the constraints unless they are singular there."""
    state_after(run, h, out)
    if not _ends_singular(run, t, h) and not project(run, t + h, out):
        state_after(run, h, out)


@kernel
def _ends_singular(run: Any, t: Any, h: Any) -> Any:
    """Return whether the step ends at a singular position, since the run ends there; uses NODE and NODE_RATE."""
    if h >= scratch_of(run).span[1]:
        return False
    state_after(run, h, state(run, states.NODE))
    return is_inexact(run, t + h, state(run, states.NODE))


@kernel
def _error(run: Any, t: Any, h: Any, used: Any, terms: Any) -> Any:
    """Return the error of the step, and propose the next step size.

    It is the difference to the fit with fewer coefficients: at the end of the step on the constraints, times
    BRIDGE_ERROR_FACTOR, and within the step; and the root mean square of the residuals of the fit, which stand in
    `values`. Rounding is largest in the directions that the projection removes.
    """
    n, errors, shorter = run.n, state(run, states.BEFORE), state(run, states.NODE_RATE)
    tried, now = state(run, states.TRIED), state(run, states.NOW)
    difference, values = scratch_of(run).difference, scratch_of(run).values
    singular = _ends_singular(run, t, h)
    fill_difference(run, terms)
    integrate_polynomial(run, difference, h, errors)
    state_after(run, h, shorter)
    for i in range(errors.size):
        shorter[i] -= errors[i]
    if not singular and project(run, t + h, shorter):
        for i in range(errors.size):
            errors[i] = tried[i] - shorter[i]
    error = BRIDGE_ERROR_FACTOR * weighted(run, errors, tried, now)
    for j in range(1, NODES, 3):
        time = node_time(run, j)
        if 0 < time < h:
            integrate_polynomial(run, difference, time, errors)
            error = max(error, weighted(run, errors, tried, now))
    for i in range(n):
        square = 0.0
        for j in range(used):
            square += values[j, i] * values[j, i]
        errors[i], errors[n + i] = 0.0, h * np.sqrt(square / used)
    error = max(error, weighted(run, errors, tried, now))
    run.control[control.STEP_FACTOR] = min(4.0, max(0.3, 0.8 * error ** (-1.0 / terms))) if error > 0 else 4.0
    run.counts[counts.STATUS_WORST] = 0
    state_after(run, h, tried)
    return error


@kernel
def sample_rates(run: Any, t: Any) -> Any:
    """Fill `values` with the rates at the usable nodes, row by row, and `fit` if it is for others; return their number.

    A node near a singular position, where accelerations need a more robust solution than usual, is left out for good if
    rounding is large there, with NEIGHBOURS_LEFT_OUT nodes on each side, because it grows fast towards the position.
    """
    n, used, far = run.n, 0, scratch_of(run).far
    rate, values = state(run, states.NODE_RATE), scratch_of(run).values
    for j in range(NODES):
        if far[j] == LEFT:
            continue
        usual = node_rates(run, t, j)
        if not usual and (far[j] != MEASURED or run.counts[counts.STATUS_WORST] < 0):
            if rough_node(run, t, j):
                for neighbour in range(max(0, j - NEIGHBOURS_LEFT_OUT), min(NODES, j + NEIGHBOURS_LEFT_OUT + 1)):
                    far[neighbour] = LEFT
            else:
                far[j] = MEASURED
        for i in range(n + 1):
            values[j, i] = rate[n + i]
    for j in range(NODES):
        if far[j] != LEFT:
            for i in range(n + 1):
                values[used, i] = values[j, i]
            used += 1
    if used != scratch_of(run).in_use[FITTED_NODES]:  # nodes are only left out: the same number are the same nodes
        _fill_fit(run)
        scratch_of(run).in_use[FITTED_NODES], scratch_of(run).in_use[FITTED_TERMS] = used, 0
    return used


@kernel
def _fill_fit(run: Any) -> None:
    """Fill `fit` with the Legendre polynomials at the usable nodes, row by row."""
    used, far, P, fit = 0, scratch_of(run).far, scratch_of(run).polynomials, scratch_of(run).fit
    for j in range(NODES):
        if far[j] != LEFT:
            polynomials(place(run, node_time(run, j)), COEFFICIENTS, P)
            for k in range(COEFFICIENTS):
                fit[used, k] = P[k]
            used += 1


@kernel
def node_rates(run: Any, t: Any, j: Any) -> Any:
    """Fill NODE and NODE_RATE with the state at a node, on the constraints, and its rates; return whether as usual."""
    time, node = node_time(run, j), state(run, states.NODE)
    state_after(run, time, node)
    run.counts[counts.STATUS_WORST] = 0
    if not (project(run, t + time, node) and rates(run, t + time, node, state(run, states.NODE_RATE))):
        run.counts[counts.STATUS_WORST] = -1
    return not near_singular(run)


@kernel
def rough_node(run: Any, t: Any, j: Any) -> Any:
    """Return whether the node in NODE has no rates, or rounding is large in them over the reach of all nodes."""
    if run.counts[counts.STATUS_WORST] < 0:
        return True
    reach, node, rate = 0.5 * (scratch_of(run).span[0] + scratch_of(run).span[1]), states.NODE, states.NODE_RATE
    time = t + node_time(run, j)
    return rounding_of_step(run, time, reach, state(run, node), state(run, rate), NODE_REPETITIONS) > ROUNDING_LIMIT


@kernel
def node_time(run: Any, j: Any) -> Any:
    """Return the time of node j after the start of the step, a Chebyshev point: x = -cos(pi (2 j + 1)/(2 NODES))."""
    before, after = scratch_of(run).span[0], scratch_of(run).span[1]
    return 0.5 * (before + after) * (1.0 - np.cos(np.pi * (2 * j + 1) / (2 * NODES))) - before
