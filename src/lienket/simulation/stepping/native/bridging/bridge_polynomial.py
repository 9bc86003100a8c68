"""Polynomial of a bridging step: its accelerations in Legendre polynomials, and the states that are their integrals.

    q''(x) = sum c_k P_k(x),   v = v0 + integral of q'',   q = q0 + integral of v

It holds from `span[0]` before the start of the step to `span[1]` after it, which is -1 <= x <= 1. The state at the
start is that of the run.
"""

from __future__ import annotations

from typing import Any

from .....kernels.native.runtime.blocks import views
from .....kernels.native.runtime.jit import kernel
from ....memory import states
from ...bridge_scratch import COEFFICIENTS, TERMS, bridge_scratch
from ..run_view import state

kernel(bridge_scratch)  # a plain function, which kernels call as well


@kernel
def polynomials(x: Any, terms: Any, P: Any) -> None:
    """Fill P with the Legendre polynomials P_0(x), ..., P_(terms+1)(x).

    Recurrence: (k + 1) P_(k+1) = (2 k + 1) x P_k - k P_(k-1).
    """
    P[0], P[1] = 1.0, x
    for k in range(1, terms + 1):
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
def scratch_of(run: Any) -> Any:
    """Return the blocks of `run.bridge`, see `BridgeScratch`."""
    return views(run.bridge, 0, bridge_scratch(run.n))


@kernel
def place(run: Any, time: Any) -> Any:
    """Return x in [-1, 1] of a time after the start of the step."""
    before, after = scratch_of(run).span[0], scratch_of(run).span[1]
    return 2.0 * (time + before) / (before + after) - 1.0


@kernel
def begin_integrals(run: Any) -> None:
    """Fill `integrals` with those of all polynomials at the start of the step, for the present `span`."""
    P, integrals = scratch_of(run).polynomials, scratch_of(run).integrals
    polynomials(place(run, 0.0), COEFFICIENTS, P)
    for k in range(COEFFICIENTS):
        integrals[k, 0], integrals[k, 1] = integral(P, k), second_integral(P, k)


@kernel
def integrate_polynomial(run: Any, c: Any, time: Any, out: Any) -> None:
    """Fill out (m) with the integrals of accelerations c (terms x (n + 1)) from the start to a time after it."""
    n, P, integrals = run.n, scratch_of(run).polynomials, scratch_of(run).integrals
    terms = int(scratch_of(run).in_use[TERMS])
    half = 0.5 * (scratch_of(run).span[0] + scratch_of(run).span[1])
    begin, end = place(run, 0.0), place(run, time)
    polynomials(end, terms, P)
    for i in range(out.size):
        out[i] = 0.0
    for k in range(terms):
        once = half * (integral(P, k) - integrals[k, 0])
        twice = half * half * (-integrals[k, 1] - integrals[k, 0] * (end - begin) + second_integral(P, k))
        for i in range(n):
            out[i] += twice * c[k, i]
            out[n + i] += once * c[k, i]
        out[2 * n] += once * c[k, n]


@kernel
def state_after(run: Any, time: Any, out: Any) -> None:
    """Fill out (m) with the state at a time after the start of the step."""
    n, now = run.n, state(run, states.NOW)
    integrate_polynomial(run, scratch_of(run).coefficients, time, out)
    for i in range(n):
        out[i] += now[i] + time * now[n + i]
        out[n + i] += now[n + i]
    out[2 * n] += now[2 * n]


@kernel
def rates_after(run: Any, time: Any, y: Any, out: Any) -> None:
    """Fill out (m) with the rates of the polynomial at a time after the start of the step; y (m) is the state there."""
    n, P, c = run.n, scratch_of(run).polynomials, scratch_of(run).coefficients
    terms = int(scratch_of(run).in_use[TERMS])
    polynomials(place(run, time), terms, P)
    for i in range(n):
        out[i] = y[n + i]
    for i in range(n + 1):
        total = 0.0
        for k in range(terms):
            total += c[k, i] * P[k]
        out[n + i] = total


@kernel
def bridge_interpolate(run: Any, h: Any, x: Any, out: Any) -> None:
    """Fill out (m) with the state at the fraction x of the step, 0 <= x <= 1."""
    state_after(run, x * h, out)
