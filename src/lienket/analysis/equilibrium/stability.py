"""Whether a position of equilibrium is stable, from the energy where there is one.

    M y'' + C y' + K y = 0,     M = D^T A D,  C = D^T B_v D,  K = D^T (-d(h + G^T lambda)/dq) D

With K symmetric and positive definite and C without a negative part the energy y'^T M y'/2 + y^T K y/2 does not grow:
stable, whatever is gyroscopic in C. Without any C a negative direction of K is a fall. All else is a matter of
eigenvalues.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...foundation.frozen_dataclass import dataclass
from ...kernels.elimination.metric import Array
from .forces_at_rest import ForcesAtRest

SMALL = 1e-9
"""Eigenvalues of K, and parts of K and C, that are none: as a share of the largest."""
STABLE, UNSTABLE, NEUTRAL = "stable", "unstable", "neutral"


@dataclass(frozen=True, eq=False)
class Stability:
    """The word "stable", "unstable" or "neutral" (not decided to first order), and what it follows from.

    stiffness, inertia (k x k)   K and M
    basis (n x k)                D
    frequencies                  natural frequencies, slowest first; NaN for motions that do not oscillate
    """

    word: str
    stiffness: Array
    inertia: Array
    basis: Array
    frequencies: Array


def stability(rest: ForcesAtRest, by_eigenvalues: Callable[[], tuple[str, Array]]) -> Stability:
    """The stability of an equilibrium; `by_eigenvalues` gives the word and frequencies where energy does not."""
    D, A = rest.bound.D, rest.terms["A"]
    K, M = D.T @ rest.stiffness @ D, D.T @ A @ D
    C = D.T @ rest.derivatives["by_v"][: len(rest.q)] @ D
    word, frequencies = _by_energy(K, M, C, bool(np.any(rest.of.levels == 2)))
    if not word:
        word, frequencies = by_eigenvalues()
    elif np.any(C):
        frequencies = by_eigenvalues()[1]
    return Stability(word, K, M, D, frequencies)


def _by_energy(K: Array, M: Array, C: Array, accelerated: bool) -> tuple[str, Array]:
    """The word, empty if energy does not decide, and the frequencies of the undamped system."""
    if not len(K):
        return STABLE, np.zeros(0)
    size = float(np.max(np.abs(K)))
    if accelerated or np.max(np.abs(K - K.T)) > SMALL * size:
        return "", np.zeros(0)
    squares = _squares((K + K.T) / 2, (M + M.T) / 2)
    if not len(squares):
        return "", squares
    limit = SMALL * float(np.max(np.abs(squares)))
    frequencies = np.sqrt(np.where(squares > limit, squares, np.where(squares < -limit, np.nan, 0.0)))
    if np.all(squares > limit) and np.linalg.eigvalsh(C + C.T)[0] >= -SMALL * float(np.max(np.abs(C))):
        return STABLE, frequencies
    if np.any(C):
        return "", frequencies
    return (UNSTABLE if np.any(squares < -limit) else NEUTRAL), frequencies


def _squares(K: Array, M: Array) -> Array:
    """The eigenvalues w^2 of K relative to M; where a motion has no inertia, those of the others, if K is positive.

    None at all are given if K is not positive then.
    """
    from scipy.linalg import eigh

    try:
        return eigh(K, M, eigvals_only=True)
    except np.linalg.LinAlgError:
        pass
    try:
        inverse = eigh(M, K, eigvals_only=True)[::-1]
    except np.linalg.LinAlgError:
        return np.zeros(0)
    return 1 / inverse[inverse > SMALL * max(inverse[0], 0.0)]
