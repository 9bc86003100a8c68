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
from .....kernels.native.runtime.address import call, matrix, vector
from .....kernels.native.runtime.jit import kernel
from .... import memory as at
from ....stepping.native.run_view import state
from .corrections import correction, size_beside

ITERATIONS = 60
LANDINGS = 12
ROUNDING = 1e-17
"""What the next change of w would be, as a share of w, when the iteration may end."""
NEARLY = 1e-9
"""The share below which changes that no longer fall are rounding."""


# Places in the scratch, see `memory.rattle_size`: vectors n, then vectors s, then evaluations.
P, P_LOW, Q_LOW = 0, 1, 2
"""p now and what rounding left out of p and q; the same of the tried state three places on."""
TRIED = 3
Q0, Q1, W, CHANGE, GAIN, SLOPE, Q1_LOW = 6, 7, 8, 9, 10, 11, 12
"""Positions at both ends, mean velocity, its change; the increment of p; v' from the step before; new Q_LOW."""
VECTORS = 13
LAMBDA, MU = 0, 1


@kernel
def vector_n(run: Any, which: Any) -> Any:
    """One of the vectors n."""
    n = run.model[at.COORDINATES]
    return vector(run.scratch, which * n, n)


@kernel
def _vector_s(run: Any, which: Any) -> Any:
    n, s = run.model[at.COORDINATES], run.model[at.ROWS]
    return vector(run.scratch, VECTORS * n + which * s, s)


@kernel
def _evaluation(run: Any, end: Any) -> Any:
    """P (n), F (n), A (n x n), G (s x n), g (s), g' (s) at an end of the step."""
    n, s = run.model[at.COORDINATES], run.model[at.ROWS]
    size = 2 * n + n * n + s * n + 2 * s
    return vector(run.scratch, VECTORS * n + 2 * s + end * size, size)


@kernel
def _evaluate(run: Any, end: Any, t: Any, q: Any, v: Any) -> None:
    call(run.model[at.LAGRANGIAN], t, q, v, run.parameters, run.inputs, _evaluation(run, end))
    run.counts[at.EVALUATIONS] += 1


@kernel
def load_momenta(run: Any, t: Any) -> None:
    """Momenta and increments of a state that came from outside, and the present state as the tried one."""
    n, now, rate = run.model[at.COORDINATES], state(run, at.NOW), state(run, at.RATE)
    _evaluate(run, 0, t, vector(now, 0, n), vector(now, n, n))
    found, slope = _evaluation(run, 0), vector_n(run, SLOPE)
    for i in range(n):
        vector_n(run, P)[i], vector_n(run, P_LOW)[i], vector_n(run, Q_LOW)[i] = found[i], 0.0, 0.0
        slope[i] = rate[n + i]


@kernel
def set_out(run: Any) -> None:
    """The tried state is the state now."""
    now, tried = state(run, at.NOW), state(run, at.TRIED)
    for i in range(now.size):
        tried[i] = now[i]
    for which in range(TRIED):
        for i in range(run.model[at.COORDINATES]):
            vector_n(run, TRIED + which)[i] = vector_n(run, which)[i]


@kernel
def confirmed(run: Any) -> None:
    """The momenta and the low parts of the tried state are those of the state now."""
    for which in range(TRIED):
        for i in range(run.model[at.COORDINATES]):
            vector_n(run, which)[i] = vector_n(run, TRIED + which)[i]


@kernel
def step(run: Any, t: Any, h: Any) -> Any:
    """Moves the tried state from t to t + h; whether it could, else counts[WORST] may tell why."""
    n, tried = run.model[at.COORDINATES], state(run, at.TRIED)
    q, v = vector(tried, 0, n), vector(tried, n, n)
    q0, w, slope = vector_n(run, Q0), vector_n(run, W), vector_n(run, SLOPE)
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
        q[i] = vector_n(run, Q1)[i]
        vector_n(run, TRIED + Q_LOW)[i] = vector_n(run, Q1_LOW)[i]
    return True


@kernel
def _moved(run: Any, t: Any, h: Any) -> Any:
    """Fills w and lambda, and evaluates both ends with them; whether the iteration got down to rounding."""
    n, s = run.model[at.COORDINATES], run.model[at.ROWS]
    w, change, weights = vector_n(run, W), vector_n(run, CHANGE), _vector_s(run, LAMBDA)
    for r in range(s):
        weights[r] = 0.0
    last = np.inf
    for iteration in range(ITERATIONS):
        _both_ends(run, t, h)
        _balance_of_step(run, h)
        if not correction(run, change, weights):
            if iteration > 0:
                run.counts[at.WORST] = 0  # it has gone astray, which says nothing about the state
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
    n, q0, q1, w = run.model[at.COORDINATES], vector_n(run, Q0), vector_n(run, Q1), vector_n(run, W)
    low, new_low = vector_n(run, TRIED + Q_LOW), vector_n(run, Q1_LOW)
    for i in range(n):
        gain = h * w[i] + low[i]
        q1[i] = q0[i] + gain
        new_low[i] = gain - (q1[i] - q0[i])
    _evaluate(run, 0, t, q0, w)
    _evaluate(run, 1, t + h, q1, w)


@kernel
def _balance_of_step(run: Any, h: Any) -> None:
    """A, h, G, g0 at the beginning of `work` so that the solution is the change of w and of lambda.

    A is the mean of both ends, G that of the begin: what they leave out is of order h, and the iteration makes it good.
    """
    n, s, work = run.model[at.COORDINATES], run.model[at.ROWS], run.work
    one, two, weights = _evaluation(run, 0), _evaluation(run, 1), _vector_s(run, LAMBDA)
    p, low, c = vector_n(run, TRIED + P), vector_n(run, TRIED + P_LOW), vector_n(run, Q1_LOW)
    for i in range(n * n):
        work[i] = 0.5 * (one[2 * n + i] + two[2 * n + i])
    G0, G1 = matrix(one, 2 * n + n * n, s, n), matrix(two, 2 * n + n * n, s, n)
    for i in range(n):
        pushed = low[i] + 0.5 * h * one[n + i]
        for r in range(s):
            pushed += G0[r, i] * weights[r]
        work[n * n + i] = pushed - (0.5 * (one[i] + two[i]) - p[i])
    g = 2 * n + n * n + s * n
    for r in range(s):
        left = 0.0
        for i in range(n):
            work[n * n + n + r * n + i] = G0[r, i]
            left += G1[r, i] * c[i]
        left = (two[g + r] + left) / h if run.level[r] == 0 else 0.5 * (one[g + s + r] + two[g + s + r])
        work[n * n + n + s * n + r] = left


@kernel
def _landed(run: Any, t: Any, h: Any, v: Any) -> Any:
    """Fills p and v at the end; whether the velocities could be brought onto their constraints."""
    n, s = run.model[at.COORDINATES], run.model[at.ROWS]
    one, two = _evaluation(run, 0), _evaluation(run, 1)
    first, last = matrix(one, 2 * n + n * n, s, n), matrix(two, 2 * n + n * n, s, n)
    weights, mu, change = _vector_s(run, LAMBDA), _vector_s(run, MU), vector_n(run, CHANGE)
    w, gain, q1 = vector_n(run, W), vector_n(run, GAIN), vector_n(run, Q1)
    p, low = vector_n(run, TRIED + P), vector_n(run, TRIED + P_LOW)
    for i in range(n):
        v[i], gain[i] = w[i], 0.5 * h * (one[n + i] + two[n + i]) + low[i]
        for r in range(s):
            gain[i] += first[r, i] * weights[r]
    for r in range(s):
        mu[r] = 0.0
    # From here on `one` is free: it takes what is found at the velocities of the end.
    for i in range(one.size):
        one[i] = two[i]
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
        _evaluate(run, 0, t + h, q1, v)
    for i in range(n):
        for r in range(s):
            gain[i] += last[r, i] * mu[r]
        before = p[i]
        p[i] = before + gain[i]
        low[i] = gain[i] - (p[i] - before)
    return all_finite(v)


@kernel
def _landing(run: Any, gain: Any, mu: Any) -> None:
    """The same as `_balance_of_step` for the velocities at the end, with reactions along G(t1, q1, w)."""
    n, s, work = run.model[at.COORDINATES], run.model[at.ROWS], run.work
    found, last = _evaluation(run, 0), _evaluation(run, 1)
    p, G = vector_n(run, TRIED + P), matrix(last, 2 * n + n * n, s, n)
    for i in range(n * n):
        work[i] = found[2 * n + i]
    for i in range(n):
        pushed = gain[i]
        for r in range(s):
            pushed += G[r, i] * mu[r]
        work[n * n + i] = pushed - (found[i] - p[i])
    for r in range(s):
        for i in range(n):
            work[n * n + n + r * n + i] = G[r, i]
        work[n * n + n + s * n + r] = found[2 * n + n * n + s * n + s + r]


@kernel
def _size(run: Any, h: Any) -> Any:
    """How large the change of a velocity is beside w."""
    return size_beside(run, h, vector_n(run, CHANGE), vector_n(run, W), vector_n(run, SLOPE), vector_n(run, Q0))
