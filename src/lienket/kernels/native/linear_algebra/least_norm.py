"""Least-norm solution of a system with fewer equations than unknowns, by Householder reflections."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..runtime.jit import kernel


@kernel
def least_norm(K: Any, count: Any, mu: Any, out: Any) -> None:
    """Fill the least-norm `out` (s) with K out = mu, for independent rows K (count x s, s >= count).

    K and mu are overwritten.

    Reflections from the right make K = [L 0] Q; then L y = mu and out = Q^T [y; 0].
    """
    s = out.size
    for i in range(count):
        diagonal = -np.copysign(np.sqrt(_tail(K, i, i, i, s)), K[i, i])
        for j in range(i):
            mu[i] -= K[i, j] * mu[j]
        mu[i] /= diagonal
        K[i, i] -= diagonal  # entries i, ..., s - 1 of the row are now the Householder vector u
        square = _tail(K, i, i, i, s)
        for j in range(i + 1, count):
            factor = 2.0 * _tail(K, j, i, i, s) / square
            for k in range(i, s):
                K[j, k] -= factor * K[i, k]
    for k in range(s):
        out[k] = mu[k] if k < count else 0.0
    for back in range(count):
        i = count - 1 - back
        factor = 0.0
        for k in range(i, s):
            factor += K[i, k] * out[k]
        factor *= 2.0 / _tail(K, i, i, i, s)
        for k in range(i, s):
            out[k] -= factor * K[i, k]


@kernel
def _tail(K: Any, i: Any, j: Any, first: Any, last: Any) -> Any:
    """Return the product of rows i and j of K over the entries first, ..., last - 1."""
    total = 0.0
    for k in range(first, last):
        total += K[i, k] * K[j, k]
    return total
