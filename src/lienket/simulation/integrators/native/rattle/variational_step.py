"""One step of a variational integrator with constraints, of order 2: symplectic and symmetric.

The action over a step is taken with the mean velocity w = (q1 - q0)/h, the trapezoid of its two ends:

    L_h(q0, q1) = h/2 L(t0, q0, w) + h/2 L(t1, q1, w)

Its stationary sums with constraints at the ends of steps (Marsden and West, Acta Numerica 2001, 3.4) are, with the
momenta p(t, q, v) = dT/dv and the forces F(t, q, v) = dT/dq + Q,

    [p(t0, q0, w) + p(t1, q1, w)]/2 = p0 + h/2 F(t0, q0, w) + G0^T lambda,      g(t1, q1) = 0
    p1 = p0 + h/2 F(t0, q0, w) + h/2 F(t1, q1, w) + G0^T lambda + G1^T mu,      g'(t1, q1, v1) = 0,  p(t1, q1, v1) = p1

With A constant it is RATTLE (Hairer, Lubich, Wanner, Geometric Numerical Integration, VII.1.4). A velocity equation
f(t, q, v) = 0 has [f(t0, q0, w) + f(t1, q1, w)]/2 = 0 in place of g = 0. That and forces that depend on v keep the step
symmetric, so its order is 2, but there is no symplectic form to be kept.

The first line is solved for w and lambda by iteration, down to rounding; an error left there would be a drift of the
energy. q and p are sums of their increments, with what rounding leaves out carried along (Kahan).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .....kernels.native.linear_algebra.loops import all_finite
from .....kernels.native.runtime.address import call, vector
from .....kernels.native.runtime.blocks import views
from .....kernels.native.runtime.jit import kernel
from .....kernels.native.runtime.views import terms_of
from ....memory import addresses, counts, states
from ....model_answers import lagrangian
from ....stepping.native.run_view import state
from ...scratch.rattle import CARRIED, carried, rattle_scratch
from .corrections import correction, size_beside

ITERATIONS = 60
LANDINGS = 12
ROUNDING = 1e-17
"""What the next change of w would be, as a share of w, when the iteration may end."""
NEARLY = 1e-9
"""The share below which changes that no longer fall are rounding."""

kernel(lagrangian)  # plain functions, which kernels call as well
kernel(rattle_scratch)


@kernel
def scratch_of(run: Any) -> Any:
    """The blocks of the scratch, see `RattleScratch`."""
    return views(run.scratch, 0, rattle_scratch(run.n, run.s))


@kernel
def _answer(run: Any, store: Any) -> Any:
    """The blocks of an answer of the model, see `Lagrangian`."""
    return views(store, 0, lagrangian(run.n, run.s))


@kernel
def _evaluate(run: Any, t: Any, q: Any, v: Any, answer: Any) -> None:
    call(run.addresses[addresses.LAGRANGIAN], t, q, v, run.parameters, run.inputs, answer)
    run.counts[counts.EVALUATIONS] += 1


@kernel
def load_momenta(run: Any, t: Any) -> None:
    """Momenta and increments of a state that came from outside, and the present state as the tried one."""
    n, now, rate = run.n, state(run, states.NOW), state(run, states.RATE)
    scratch = scratch_of(run)
    _evaluate(run, t, vector(now, 0, n), vector(now, n, n), scratch.begin)
    found, own = _answer(run, scratch.begin), scratch.carried
    for i in range(n):
        own[carried.P, i], own[carried.P_LOW, i], own[carried.Q_LOW, i] = found.momenta[i], 0.0, 0.0
        scratch.slope[i] = rate[n + i]


@kernel
def set_out(run: Any) -> None:
    """The tried state is the state now."""
    now, tried, scratch = state(run, states.NOW), state(run, states.TRIED), scratch_of(run)
    for i in range(now.size):
        tried[i] = now[i]
    for which in range(CARRIED):
        for i in range(run.n):
            scratch.carried_tried[which, i] = scratch.carried[which, i]


@kernel
def confirmed(run: Any) -> None:
    """The momenta and the low parts of the tried state are those of the state now."""
    scratch = scratch_of(run)
    for which in range(CARRIED):
        for i in range(run.n):
            scratch.carried[which, i] = scratch.carried_tried[which, i]


@kernel
def step(run: Any, t: Any, h: Any) -> Any:
    """Moves the tried state from t to t + h; whether it could, else counts[STATUS_WORST] may tell why."""
    n, tried, scratch = run.n, state(run, states.TRIED), scratch_of(run)
    q, v = vector(tried, 0, n), vector(tried, n, n)
    q0, w, slope = scratch.q0, scratch.w, scratch.slope
    for i in range(n):
        q0[i], w[i] = q[i], v[i] + 0.5 * h * slope[i]
    if not _moved(run, t, h):
        return False
    for i in range(n):
        slope[i] = 2 * (w[i] - v[i]) / h
    if not _landed(run, t, h, v):
        return False
    for i in range(n):
        slope[i] = 2 * (v[i] - w[i]) / h
        q[i] = scratch.q1[i]
        scratch.carried_tried[carried.Q_LOW, i] = scratch.q1_low[i]
    return True


@kernel
def _moved(run: Any, t: Any, h: Any) -> Any:
    """Fills w and lambda, and evaluates both ends with them; whether the iteration got down to rounding."""
    n, s, scratch = run.n, run.s, scratch_of(run)
    w, change, weights = scratch.w, scratch.change, scratch.impulses
    for r in range(s):
        weights[r] = 0.0
    last = np.inf
    for iteration in range(ITERATIONS):
        _both_ends(run, t, h)
        _balance_of_step(run, h)
        if not correction(run, change, weights):
            if iteration > 0:
                run.counts[counts.STATUS_WORST] = 0  # it has gone astray, which says nothing about the state
            return False
        size = _size(run, h)
        for i in range(n):
            w[i] += change[i]
        coming = size * min(size / last, 1.0) if iteration > 0 else size
        if coming <= ROUNDING or NEARLY >= size >= last:
            _both_ends(run, t, h)
            return True
        last = size
    return False


@kernel
def _both_ends(run: Any, t: Any, h: Any) -> None:
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
    """A, h, G, g0 at the beginning of `work` so that the solution is the change of w and of lambda.

    A is the mean of both ends, G that of the begin: what they leave out is of order h, and the iteration makes it good.
    """
    n, s, scratch, terms = run.n, run.s, scratch_of(run), terms_of(run.work, run.n, run.s)
    one, two, weights = _answer(run, scratch.begin), _answer(run, scratch.end), scratch.impulses
    tried, c = scratch.carried_tried, scratch.q1_low
    for i in range(n):
        for j in range(n):
            terms.A[i, j] = 0.5 * (one.A[i, j] + two.A[i, j])
    for i in range(n):
        pushed = tried[carried.P_LOW, i] + 0.5 * h * one.forces[i]
        for r in range(s):
            pushed += one.G[r, i] * weights[r]
        terms.h[i] = pushed - (0.5 * (one.momenta[i] + two.momenta[i]) - tried[carried.P, i])
    for r in range(s):
        left = 0.0
        for i in range(n):
            terms.G[r, i] = one.G[r, i]
            left += two.G[r, i] * c[i]
        rate = 0.5 * (one.velocity[r] + two.velocity[r])
        terms.g0[r] = (two.position[r] + left) / h if run.level[r] == 0 else rate


@kernel
def _landed(run: Any, t: Any, h: Any, v: Any) -> Any:
    """Fills p and v at the end; whether the velocities could be brought onto their constraints."""
    n, s, scratch = run.n, run.s, scratch_of(run)
    one, two, tried = _answer(run, scratch.begin), _answer(run, scratch.end), scratch.carried_tried
    weights, mu, change, w, gain = scratch.impulses, scratch.end_impulses, scratch.change, scratch.w, scratch.gain
    for i in range(n):
        v[i], gain[i] = w[i], 0.5 * h * (one.forces[i] + two.forces[i]) + tried[carried.P_LOW, i]
        for r in range(s):
            gain[i] += one.G[r, i] * weights[r]
    for r in range(s):
        mu[r] = 0.0
    # From here on the answer at the begin is free: it takes what is found at the velocities of the end.
    for i in range(scratch.begin.size):
        scratch.begin[i] = scratch.end[i]
    before = np.inf
    for _ in range(LANDINGS):
        _landing(run, gain, mu)
        if not correction(run, change, mu):
            return False
        size = _size(run, h)
        for i in range(n):
            v[i] += change[i]
        if size <= 4 * np.finfo(np.float64).eps or NEARLY >= size >= before:
            break
        before = size
        _evaluate(run, t + h, scratch.q1, v, scratch.begin)
    for i in range(n):
        for r in range(s):
            gain[i] += two.G[r, i] * mu[r]
        before = tried[carried.P, i]
        tried[carried.P, i] = before + gain[i]
        tried[carried.P_LOW, i] = gain[i] - (tried[carried.P, i] - before)
    return all_finite(v)


@kernel
def _landing(run: Any, gain: Any, mu: Any) -> None:
    """The same as `_balance_of_step` for the velocities at the end, with reactions along G(t1, q1, w)."""
    n, s, scratch, terms = run.n, run.s, scratch_of(run), terms_of(run.work, run.n, run.s)
    found, G, tried = _answer(run, scratch.begin), _answer(run, scratch.end).G, scratch.carried_tried
    for i in range(n):
        for j in range(n):
            terms.A[i, j] = found.A[i, j]
    for i in range(n):
        pushed = gain[i]
        for r in range(s):
            pushed += G[r, i] * mu[r]
        terms.h[i] = pushed - (found.momenta[i] - tried[carried.P, i])
    for r in range(s):
        for i in range(n):
            terms.G[r, i] = G[r, i]
        terms.g0[r] = found.velocity[r]


@kernel
def _size(run: Any, h: Any) -> Any:
    """How large the change of a velocity is beside w."""
    scratch = scratch_of(run)
    return size_beside(run, h, scratch.change, scratch.w, scratch.slope, scratch.q0)
