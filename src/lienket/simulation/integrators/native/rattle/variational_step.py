"""One step of a variational integrator with constraints, of order 2: symplectic and symmetric.

The action over a step is the trapezoidal rule with the mean velocity w = (q1 - q0)/h:

    L_h(q0, q1) = h/2 L(t0, q0, w) + h/2 L(t1, q1, w)

The sum over all steps is stationary under the constraints at the ends of the steps (Marsden and West, Acta Numerica
2001, 3.4) if, with the momenta p(t, q, v) = dT/dv and the forces F(t, q, v) = dT/dq + Q,

    [p(t0, q0, w) + p(t1, q1, w)]/2 = p0 + h/2 F(t0, q0, w) + G0^T lambda,      g(t1, q1) = 0
    p1 = p0 + h/2 F(t0, q0, w) + h/2 F(t1, q1, w) + G0^T lambda + G1^T mu,      g'(t1, q1, v1) = 0,  p(t1, q1, v1) = p1

For constant A the step is RATTLE (Hairer, Lubich, Wanner, Geometric Numerical Integration, VII.1.4). A velocity
equation f(t, q, v) = 0 has [f(t0, q0, w) + f(t1, q1, w)]/2 = 0 in place of g = 0. With velocity equations or forces
that depend on v the step is still symmetric and of order 2, but there is no symplectic form for it to preserve.

The first line is solved for w and lambda by iteration down to rounding; a remaining error would make the energy drift.
q and p are sums of their increments, compensated for rounding (Kahan).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .....kernels.native.linear_algebra.loops import all_finite
from .....kernels.native.runtime.address import call, vector
from .....kernels.native.runtime.blocks import views
from .....kernels.native.runtime.jit import kernel
from .....kernels.native.runtime.views import terms_of
from ....memory import LEFT_OUT, addresses, counts, states
from ....model_answers import lagrangian
from ....stepping.native.known_times import model_time
from ....stepping.native.run_view import state
from ..scratch.rattle import CARRIED, carried, rattle_scratch
from .corrections import is_rounding_of_terms, relative_size, solve_correction

MEAN_VELOCITY_ITERATIONS = 60  # [iterations] limit for the mean velocity w
END_VELOCITY_ITERATIONS = 12  # [iterations] limit for the velocity at the end of the step
MEAN_VELOCITY_CONVERGED = 1e-17  # [1] expected next change of w, relative to w, at which the iteration ends
STAGNATION_LIMIT = 1e-9  # [1] relative change below which changes that no longer decrease count as rounding

kernel(lagrangian)  # Python functions that kernels call too
kernel(rattle_scratch)


@kernel
def scratch_of(run: Any) -> Any:
    """Return the blocks of the scratch memory, see `RattleScratch`."""
    return views(run.scratch, 0, rattle_scratch(run.n, run.s))


@kernel
def _answer(run: Any, store: Any) -> Any:
    """Return the blocks of an answer of the model, see `Lagrangian`."""
    return views(store, 0, lagrangian(run.n, run.s))


@kernel
def _evaluate(run: Any, t: Any, q: Any, v: Any, answer: Any) -> None:
    """Fill the answer of the model's function `lagrangian` at t, q (n), v (n)."""
    call(run.addresses[addresses.LAGRANGIAN], model_time(run, t), q, v, run.parameters, run.inputs, answer)
    run.counts[counts.EVALUATIONS] += 1


@kernel
def load_momenta(run: Any, t: Any) -> None:
    """Fill momenta, low parts and slope of the state NOW from q, v and the rates, at the start and after events."""
    n, now, rate = run.n, state(run, states.NOW), state(run, states.RATE)
    scratch = scratch_of(run)
    _evaluate(run, t, vector(now, 0, n), vector(now, n, n), scratch.begin)
    answer, carried_now = _answer(run, scratch.begin), scratch.carried
    for i in range(n):
        carried_now[carried.P, i] = answer.momenta[i]
        carried_now[carried.P_LOW, i], carried_now[carried.Q_LOW, i] = 0.0, 0.0
        scratch.slope[i] = rate[n + i]


@kernel
def prepare(run: Any) -> None:
    """Copy the state NOW with its momenta and low parts to the tried state."""
    now, tried, scratch = state(run, states.NOW), state(run, states.TRIED), scratch_of(run)
    for i in range(now.size):
        tried[i] = now[i]
    for which in range(CARRIED):
        for i in range(run.n):
            scratch.carried_tried[which, i] = scratch.carried[which, i]


@kernel
def commit(run: Any) -> None:
    """Copy the momenta and low parts of the tried state to the state NOW."""
    scratch = scratch_of(run)
    for which in range(CARRIED):
        for i in range(run.n):
            scratch.carried[which, i] = scratch.carried_tried[which, i]


@kernel
def step(run: Any, t: Any, h: Any) -> Any:
    """Move the tried state from t to t + h; return whether that succeeded; if not, counts[STATUS_WORST] may be set."""
    n, tried, scratch = run.n, state(run, states.TRIED), scratch_of(run)
    q, v = vector(tried, 0, n), vector(tried, n, n)
    q0, w, slope = scratch.q0, scratch.w, scratch.slope
    for i in range(n):
        q0[i], w[i] = q[i], v[i] + 0.5 * h * slope[i]
    if not _solve_mean_velocity(run, t, h):
        return False
    for i in range(n):
        slope[i] = 2 * (w[i] - v[i]) / h
    if not _solve_end_velocity(run, t, h, v):
        return False
    for i in range(n):
        slope[i] = 2 * (v[i] - w[i]) / h
        q[i] = scratch.q1[i]
        scratch.carried_tried[carried.Q_LOW, i] = scratch.q1_low[i]
    return True


@kernel
def _solve_mean_velocity(run: Any, t: Any, h: Any) -> Any:
    """Fill w and lambda and evaluate the model at both ends; return whether the iteration converged to rounding."""
    n, s, scratch = run.n, run.s, scratch_of(run)
    w, change, weights = scratch.w, scratch.change, scratch.impulses
    for r in range(s):
        weights[r] = 0.0
    last = np.inf
    for iteration in range(MEAN_VELOCITY_ITERATIONS):
        _evaluate_ends(run, t, h)
        _balance_of_step(run, h)
        if not solve_correction(run, change, weights):
            if iteration > 0:
                run.counts[counts.STATUS_WORST] = 0  # the iteration diverged; the state itself may be regular
            return False
        size = _relative_change(run, h)
        for i in range(n):
            w[i] += change[i]
        next_size = size * min(size / last, 1.0) if iteration > 0 else size
        stagnated = size >= last and (size <= STAGNATION_LIMIT or _is_rounding(run, t + h, h))
        if next_size <= MEAN_VELOCITY_CONVERGED or stagnated:
            _evaluate_ends(run, t, h)
            return True
        last = size
    return False


@kernel
def _evaluate_ends(run: Any, t: Any, h: Any) -> None:
    """Fill q1 = q0 + h w with its low part, and evaluate the model at both ends with the velocity w."""
    scratch = scratch_of(run)
    q0, q1, w, new_low = scratch.q0, scratch.q1, scratch.w, scratch.q1_low
    for i in range(run.n):
        gain = h * w[i] + scratch.carried_tried[carried.Q_LOW, i]
        q1[i] = q0[i] + gain
        new_low[i] = gain - (q1[i] - q0[i])
    _evaluate(run, t, q0, w, scratch.begin)
    _evaluate(run, t + h, q1, w, scratch.end)


@kernel
def _balance_of_step(run: Any, h: Any) -> None:
    """Fill A, h, G, g0 at the beginning of `work`, so that the solution is the change of w and of lambda.

    A is the mean of both ends, G that of the start. This matrix differs from the derivative by terms of order h, which
    the iteration compensates.
    """
    n, s, scratch, terms = run.n, run.s, scratch_of(run), terms_of(run.work, run.n, run.s)
    one, two, weights = _answer(run, scratch.begin), _answer(run, scratch.end), scratch.impulses
    tried, c = scratch.carried_tried, scratch.q1_low
    for i in range(n):
        for j in range(n):
            terms.A[i, j] = 0.5 * (one.A[i, j] + two.A[i, j])
    for i in range(n):
        impulse = tried[carried.P_LOW, i] + 0.5 * h * one.forces[i]
        for r in range(s):
            impulse += one.G[r, i] * weights[r]
        terms.h[i] = impulse - (0.5 * (one.momenta[i] + two.momenta[i]) - tried[carried.P, i])
    for r in range(s):
        low = 0.0
        for i in range(n):
            terms.G[r, i] = one.G[r, i]
            low += two.G[r, i] * c[i]
        rate = 0.5 * (one.velocity[r] + two.velocity[r])
        terms.g0[r] = (two.position[r] + low) / h if run.level[r] % LEFT_OUT == 0 else rate


@kernel
def _solve_end_velocity(run: Any, t: Any, h: Any, v: Any) -> Any:
    """Fill p and v at the end; return whether the velocities satisfy their constraints."""
    n, s, scratch = run.n, run.s, scratch_of(run)
    one, two, tried = _answer(run, scratch.begin), _answer(run, scratch.end), scratch.carried_tried
    weights, mu, change, w, gain = scratch.impulses, scratch.end_impulses, scratch.change, scratch.w, scratch.gain
    for i in range(n):
        v[i], gain[i] = w[i], 0.5 * h * (one.forces[i] + two.forces[i]) + tried[carried.P_LOW, i]
        for r in range(s):
            gain[i] += one.G[r, i] * weights[r]
    for r in range(s):
        mu[r] = 0.0
    # The answer at the start is no longer needed: its memory receives the answer at the velocities of the end.
    for i in range(scratch.begin.size):
        scratch.begin[i] = scratch.end[i]
    last = np.inf
    for _ in range(END_VELOCITY_ITERATIONS):
        _balance_at_end(run, gain, mu)
        if not solve_correction(run, change, mu):
            return False
        size = _relative_change(run, h)
        for i in range(n):
            v[i] += change[i]
        if size <= 4 * np.finfo(np.float64).eps or STAGNATION_LIMIT >= size >= last:
            break
        last = size
        _evaluate(run, t + h, scratch.q1, v, scratch.begin)
    for i in range(n):
        for r in range(s):
            gain[i] += two.G[r, i] * mu[r]
        before = tried[carried.P, i]
        tried[carried.P, i] = before + gain[i]
        tried[carried.P_LOW, i] = gain[i] - (tried[carried.P, i] - before)
    return all_finite(v)


@kernel
def _balance_at_end(run: Any, gain: Any, mu: Any) -> None:
    """Fill A, h, G, g0 as `_balance_of_step` does, for v and mu at the end, with reactions along G(t1, q1, w)."""
    n, s, scratch, terms = run.n, run.s, scratch_of(run), terms_of(run.work, run.n, run.s)
    answer, G, tried = _answer(run, scratch.begin), _answer(run, scratch.end).G, scratch.carried_tried
    for i in range(n):
        for j in range(n):
            terms.A[i, j] = answer.A[i, j]
    for i in range(n):
        impulse = gain[i]
        for r in range(s):
            impulse += G[r, i] * mu[r]
        terms.h[i] = impulse - (answer.momenta[i] - tried[carried.P, i])
    for r in range(s):
        for i in range(n):
            terms.G[r, i] = G[r, i]
        terms.g0[r] = answer.velocity[r]


@kernel
def _is_rounding(run: Any, t: Any, h: Any) -> Any:
    """Return whether the correction of w is no more than rounding of the terms of the constraints causes.

    Positions near zero tell nothing of it where the terms are as large as ever, see the plain `sizes_of`. Overwrites
    `work`.
    """
    scratch = scratch_of(run)
    surface = run.addresses[addresses.SURFACE]
    call(surface, model_time(run, t), scratch.q1, scratch.w, run.parameters, run.inputs, run.work)
    return is_rounding_of_terms(run, h, scratch.change)


@kernel
def _relative_change(run: Any, h: Any) -> Any:
    """Return the size of the correction of a velocity relative to w."""
    scratch = scratch_of(run)
    return relative_size(run, h, scratch.change, scratch.w, scratch.slope, scratch.q0)
