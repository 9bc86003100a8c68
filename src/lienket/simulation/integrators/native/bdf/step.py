"""BDF: Gear's backward differentiation formulas of variable order 1 to 5 and variable step, for stiff systems.

The step is quasi-constant: the differences D_k = nabla^k y are those of equally long steps, and are computed anew when
the step changes (Shampine and Reichelt, SIAM J. Sci. Comput. 18, 1997). With the prediction p = sum D_k,
psi = sum g_k D_k/G, g_k = 1 + 1/2 + ... + 1/k, G = (1 - kappa) g_order, the new state p + d solves

    d + psi = h/G f(t + h, p + d),       error d (kappa g_order + 1/(order + 1)).

The work W has no part in Newton's method. It is h sum ADAMS_k nabla^k P of the power P (Adams and Moulton), whose
differences are the last column of D. The driver brings the new state onto its constraints;
the differences take over what it made of it, when the next step begins.

Where a stiff spring holds a coordinate, its velocity is the derivative of the polynomial, and a change of the step
shakes it by (error)/h, all the more the shorter the new step. Narrow tolerances then take many steps; Radau5 does not
suffer from it.
"""

from __future__ import annotations

from typing import Any

from .....kernels.native.runtime.jit import product_kernel
from ....memory import addresses, control, counts, states
from ....stepping.native.method import method_with
from ....stepping.native.rates import power
from ....stepping.native.run_view import state, weighted
from ...scratch.bdf import HIGHEST, TABLE, numbers
from ..jacobian import jacobian
from .memory import FAST, ITERATIONS, scratch_of
from .newton import factored, newton

HARMONIC = (0.0, 1.0, 1.5, 11 / 6, 25 / 12, 137 / 60)
"""The sums 1 + 1/2 + ... + 1/k."""
KAPPA = (0.0, -0.185, -1 / 9, 0.0, 0.0, 0.0)
"""Klopfenstein's and Shampine's share that makes orders 1 and 2 more accurate and keeps them A-stable. Orders 3 and 4
would lose stability by it, which vibrations need."""
ADAMS = (1.0, -1 / 2, -1 / 12, -1 / 24, -19 / 720, -3 / 160)
LEAST, MOST = 0.2, 10.0
STRICT = 10.0
"""The estimate is made larger: a run of many steps should stay near its tolerances."""


@product_kernel
def attempt(run: Any, t: Any, h: Any) -> Any:
    """The tried state and its error."""
    scratch = scratch_of(run)
    kept = scratch.kept
    _begin(run, scratch, t, h)
    while True:
        if kept[numbers.STALE] == 1:
            kept[numbers.STALE], kept[numbers.FACTORED], kept[numbers.JACOBIAN_AT] = 0.0, 0.0, t
            if not jacobian(
                run, t, state(run, states.NOW), state(run, states.RATE), scratch.by_q, scratch.by_v, scratch.derivatives
            ):
                return -1.0
        order = int(kept[numbers.ORDER])
        shift = (1 - KAPPA[order]) * HARMONIC[order] / h
        if kept[numbers.FACTORED] != shift and not factored(run, scratch, shift):
            return -1.0
        _predict(scratch, order)
        if newton(run, scratch, t + h, shift):
            break
        if kept[numbers.JACOBIAN_AT] == t or run.counts[counts.STATUS_WORST] < 0:
            kept[numbers.EQUAL] = 0.0
            return -1.0
        kept[numbers.STALE] = 1.0
    return _finish(run, scratch, t, h, order, shift)


@product_kernel
def _begin(run: Any, scratch: Any, t: Any, h: Any) -> None:
    """The table of differences at t for steps h."""
    kept, D, now, rate = scratch.kept, scratch.D, state(run, states.NOW), state(run, states.RATE)
    if run.counts[counts.RESTART] == 1:
        for k in range(TABLE):
            for i in range(now.size):
                D[k, i] = now[i] if k == 0 else h * rate[i] if k == 1 else 0.0
            D[k, now.size] = rate[now.size - 1] if k == 0 else 0.0
        kept[numbers.ORDER], kept[numbers.EQUAL], kept[numbers.STALE], kept[numbers.LENGTH] = 1.0, 0.0, 1.0, h
        kept[numbers.WAITING] = 0.0
    elif kept[numbers.BEGAN] != t:
        _take_over(scratch, now, rate[now.size - 1])
    kept[numbers.WAITING], kept[numbers.BEGAN] = 1.0, t
    if kept[numbers.LENGTH] != h:
        _rescale(scratch, int(kept[numbers.ORDER]), h / kept[numbers.LENGTH])
        kept[numbers.LENGTH], kept[numbers.EQUAL] = h, 0.0
    rtol = run.control[control.RTOL]
    for i in range(scratch.unit.size):
        scratch.unit[i] = 1.0 / (run.atol[i] + rtol * abs(now[i]))


@product_kernel
def _take_over(scratch: Any, y: Any, power_there: Any) -> None:
    """The step that was tried ends at y with that power: one more difference, perhaps another order."""
    kept, D, p = scratch.kept, scratch.D, scratch.predicted
    if kept[numbers.WAITING] == 0:
        return
    order = int(kept[numbers.ORDER])
    for i in range(y.size + 1):
        new = y[i] if i < y.size else power_there
        d = new - p[i]
        D[order + 2, i] = d - D[order + 1, i]
        D[order + 1, i] = d
        for back in range(order + 1):
            D[order - back, i] += D[order - back + 1, i]
        D[0, i] = new
    kept[numbers.WAITING], kept[numbers.DONE] = 0.0, kept[numbers.ORDER]
    kept[numbers.EQUAL] += 1.0
    if kept[numbers.NEXT] != kept[numbers.ORDER]:
        kept[numbers.ORDER], kept[numbers.EQUAL] = kept[numbers.NEXT], 0.0
    if kept[numbers.CONTRACTION] > FAST:
        kept[numbers.STALE] = 1.0


@product_kernel
def _rescale(scratch: Any, order: Any, factor: Any) -> None:
    """The differences D_1, ..., D_order of the same polynomial for steps `factor` times as long.

    With x steps back from the end, y(x) = sum_j D_j (x)(x + 1) ... (x + j - 1)/j!; new differences follow from its
    values at x = 0, -factor, ..., -order factor.
    """
    D, m, values = scratch.D, scratch.D.shape[1], scratch.values
    for i in range(m):
        for k in range(order + 1):
            x, term, total = -k * factor, 1.0, 0.0
            for j in range(1, order + 1):
                term *= (x + j - 1) / j
                total += term * D[j, i]
            values[k] = total
        for j in range(1, order + 1):
            for back in range(order + 1 - j):
                k = order - back
                values[k] = values[k - 1] - values[k]
            D[j, i] = values[j]


@product_kernel
def _predict(scratch: Any, order: Any) -> None:
    """The prediction (m + 1) and psi (2 n); d = 0."""
    D = scratch.D
    whole = (1 - KAPPA[order]) * HARMONIC[order]
    for i in range(scratch.predicted.size):
        total, psi = D[0, i], 0.0
        for k in range(1, order + 1):
            total += D[k, i]
            psi += HARMONIC[k] * D[k, i]
        scratch.predicted[i] = total
        if i < scratch.unit.size:
            scratch.psi[i], scratch.d[i] = psi / whole, 0.0


@product_kernel
def _finish(run: Any, scratch: Any, t: Any, h: Any, order: Any, shift: Any) -> Any:
    """The tried state with its work; its error; the next step and order."""
    n, s, tried = run.n, run.s, state(run, states.TRIED)
    d, p = scratch.d, scratch.predicted
    for i in range(2 * n):
        tried[i] = p[i] + d[i]
    now = state(run, states.NOW)
    tried[2 * n] = now[2 * n]
    if run.addresses[addresses.POWER] != 0:
        for i in range(n):  # what the formula says of the accelerations, rather than the last iterate
            run.inputs[i] = (d[n + i] + scratch.psi[n + i]) * shift
        for i in range(s):
            run.inputs[n + i] = scratch.multipliers[i]
        difference = power(run, t + h, tried) - p[2 * n + 1]
        for back in range(order + 1):
            k = order - back
            difference += scratch.D[k, 2 * n + 1]
            tried[2 * n] += h * ADAMS[k] * difference
    error = STRICT * _constant(order) * weighted(run, d, now, tried)
    _propose(run, scratch, order, error)
    return error


@product_kernel
def _constant(order: Any) -> Any:
    """The factor of the difference of order + 1 in the error."""
    return abs(KAPPA[order] * HARMONIC[order] + 1.0 / (order + 1))


@product_kernel
def _propose(run: Any, scratch: Any, order: Any, error: Any) -> None:
    """The next order, one more or one less where that allows the longest step, and the step.

    After a change, order + 1 steps stay equally long before the differences tell anything.
    """
    kept, D, d, x = scratch.kept, scratch.D, scratch.d, scratch.x
    now, tried = state(run, states.NOW), state(run, states.TRIED)
    safety = 0.9 * (2 * ITERATIONS + 1) / (2 * ITERATIONS + kept[numbers.NEEDED])
    best = (max(error, 1e-10)) ** (-1.0 / (order + 1))
    kept[numbers.NEXT] = order
    if error > 1:
        run.control[control.STEP_FACTOR] = max(LEAST, min(0.9, safety * best))
        return
    if kept[numbers.EQUAL] < order:
        run.control[control.STEP_FACTOR] = 1.0
        return
    for other in (order - 1, order + 1):
        if 1 <= other <= HIGHEST:
            for i in range(d.size):
                x[i] = D[order, i] + d[i] if other < order else d[i] - D[order + 1, i]
            size = STRICT * _constant(other) * weighted(run, x, now, tried)
            factor = max(size, 1e-10) ** (-1.0 / (other + 1))
            if factor > best:
                best, kept[numbers.NEXT] = factor, other
    factor = min(MOST, safety * best)
    if kept[numbers.NEXT] == order and 0.95 < factor < 1.1:
        factor = 1.0
    run.control[control.STEP_FACTOR] = factor


@product_kernel
def dense(run: Any, t: Any, h: Any) -> None:
    """The differences at the end of the step."""
    tried = state(run, states.TRIED)
    _take_over(scratch_of(run), tried, state(run, states.RATE_TRIED)[tried.size - 1])


@product_kernel
def interpolate(run: Any, h: Any, x: Any, out: Any) -> None:
    """The state at the share x of the step, by the polynomial through the last order + 1 states."""
    scratch = scratch_of(run)
    D, order = scratch.D, int(scratch.kept[numbers.DONE])
    for i in range(out.size):
        term, total = 1.0, D[0, i]
        for j in range(1, order + 1):
            term *= (x - 1.0 + j - 1) / j
            total += term * D[j, i]
        out[i] = total


method = method_with(attempt, dense, interpolate)
