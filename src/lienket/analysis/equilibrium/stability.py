"""Stability of an equilibrium, from the energy where there is one.

    M y'' + C y' + K y = 0,     M = D^T A D,  C = D^T B_v D,  K = D^T (-d(h + G^T lambda)/dq) D

If K is symmetric and positive definite and C + C^T positive semidefinite, the energy y'^T M y'/2 + y^T K y/2 does not
grow: the equilibrium is stable, whatever the gyroscopic part of C. If C = 0, a negative eigenvalue of K makes it
unstable. All other cases are decided by the eigenvalues of the linear system.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...foundation.arrays import Array
from ...foundation.frozen_dataclass import dataclass
from .forces_at_rest import ForcesAtRest

STIFFNESS_ZERO_TOLERANCE = 1e-9  # [1] eigenvalue or part of K or C, relative to the largest, that counts as zero
STABLE, UNSTABLE, NEUTRAL = "stable", "unstable", "neutral"


@dataclass(frozen=True)
class Stability:
    """Stability in a word: "stable", "unstable" or "neutral" (not decided to first order), with its matrices.

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
    """Judge an equilibrium; `by_eigenvalues` gives the word and frequencies where the energy does not decide."""
    D, A = rest.bound.D, rest.terms["A"]
    K, M = D.T @ rest.stiffness @ D, D.T @ A @ D
    C = D.T @ rest.derivatives["by_v"][: len(rest.q)] @ D
    word, frequencies = _by_energy(K, M, C, bool(np.any(rest.of.model.levels == 2)))
    if not word:
        word, frequencies = by_eigenvalues()
    elif np.any(C):
        frequencies = by_eigenvalues()[1]
    return Stability(word, K, M, D, frequencies)


def _by_energy(K: Array, M: Array, C: Array, accelerated: bool) -> tuple[str, Array]:
    """Return the word, empty if the energy does not decide, and the frequencies of the undamped system."""
    if not len(K):
        return STABLE, np.zeros(0)
    size = float(np.max(np.abs(K)))
    if accelerated or np.max(np.abs(K - K.T)) > STIFFNESS_ZERO_TOLERANCE * size:
        return "", np.zeros(0)
    squares = _squares((K + K.T) / 2, (M + M.T) / 2)
    if not len(squares):
        return "", squares
    limit = STIFFNESS_ZERO_TOLERANCE * float(np.max(np.abs(squares)))
    frequencies = np.sqrt(np.where(squares > limit, squares, np.where(squares < -limit, np.nan, 0.0)))
    if np.all(squares > limit) and np.linalg.eigvalsh(C + C.T)[0] >= -STIFFNESS_ZERO_TOLERANCE * float(
        np.max(np.abs(C))
    ):
        return STABLE, frequencies
    if np.any(C):
        return "", frequencies
    return (UNSTABLE if np.any(squares < -limit) else NEUTRAL), frequencies


def _squares(K: Array, M: Array) -> Array:
    """Return the eigenvalues w^2 of K y = w^2 M y.

    If M is singular, only those of the motions with inertia, and none at all unless K is positive definite.
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
    return 1 / inverse[inverse > STIFFNESS_ZERO_TOLERANCE * max(inverse[0], 0.0)]
