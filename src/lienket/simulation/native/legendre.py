"""Legendre's polynomials and their integrals: what a bridge is made of."""

from __future__ import annotations

from typing import Any

from ...kernels.native.jit import kernel


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
