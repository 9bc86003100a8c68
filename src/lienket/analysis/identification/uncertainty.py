"""How far estimates may be off: covariance, what the data cannot tell apart, noise that is correlated in time.

    C = sigma^2 (J^T W J)^-1,   J = dF/d(parameters),  sigma^2 = sum w r^2/(n - p)

exact for parameters that enter linearly and normal noise on F; to first order for stribeck. With a noise of
autocorrelation rho_k it is (J^T J)^-1 J^T R J (J^T J)^-1 sigma^2, R_ij = rho_|i-j|, which is taken where it is larger.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...foundation.frozen_dataclass import dataclass

Array = Any

DEPENDENT = 1e-8  # singular values of the scaled Jacobian below this share of the largest are zero
SIGNIFICANT = 3.5  # standard deviations that a correlation has to differ from 0, one run in 4000 by chance
FEWEST = 20  # residuals from which a correlation is judged


@dataclass(frozen=True)
class Spread:
    """covariance p x p, inf where nothing is known; condition of the Jacobian with columns of length 1.

    blind        the parameters that the data do not determine; close those that share the nearly dependent direction
    time         the integrated autocorrelation time of the residuals: n/time of them count
    widened      by what each standard error was multiplied for it
    """

    covariance: Array
    condition: float
    blind: tuple[int, ...]
    close: tuple[int, ...]
    time: float
    widened: Array


def uncertainty(J: Array, residuals: Array, sigma: float, rows: Array) -> Spread:
    """Of the weighted Jacobian and residuals; `rows` are their places in time, between which some may be left out."""
    size = np.linalg.norm(J, axis=0)
    known = np.where(size > 0, size, 1.0)
    _, s, Vt = np.linalg.svd(J / known, full_matrices=False)
    kept = s > DEPENDENT * s[0]
    blind = np.flatnonzero(np.abs(Vt[~kept]).max(axis=0, initial=0.0) > 1e-4)
    half = (Vt[kept].T / s[kept]) / known[:, None]
    time, autocorrelation = correlation_time(residuals, rows)
    widened = _widened(J, half, autocorrelation, rows)
    covariance = sigma**2 * (half @ half.T) * np.outer(widened, widened)
    covariance[blind, :] = covariance[:, blind] = 0.0
    covariance[blind, blind] = np.inf
    close = np.flatnonzero(np.abs(Vt[-1]) > 0.3 * np.abs(Vt[-1]).max())
    condition = float(s[0] / s[-1]) if kept.all() else np.inf
    return Spread(covariance, condition, tuple(blind.tolist()), tuple(close.tolist()), time, widened)


def correlation_time(residuals: Array, rows: Array) -> tuple[float, Array]:
    """1 + 2 sum rho_k and rho_1, ..., rho_M; 1 and nothing if no correlation is significant.

    The sum ends at the first M of at least 5 times itself (Sokal, Monte Carlo Methods in Statistical Mechanics, 1989).
    """
    count = len(residuals)
    if count < FEWEST or neighbours(residuals, rows) < SIGNIFICANT:
        return 1.0, np.empty(0)
    line = np.zeros(int(rows[-1] - rows[0]) + 1)
    there = np.zeros_like(line)
    line[rows - rows[0]], there[rows - rows[0]] = residuals, 1.0
    variance = float(residuals @ residuals) / count
    time, found = 1.0, []
    for lag in range(1, len(line) // 4):
        pairs = float(there[lag:] @ there[:-lag])
        rho = float(line[lag:] @ line[:-lag]) / (pairs * variance) if pairs else 0.0
        found.append(rho)
        time += 2 * rho
        if lag >= 5 * time:
            break
    return max(1.0, float(time)), np.array(found)


def neighbours(residuals: Array, rows: Array) -> float:
    """The correlation of residuals with the next ones in time, in standard deviations of it without correlation."""
    next_to = np.diff(rows) == 1
    variance, pairs = float(np.mean(residuals**2)), int(next_to.sum())
    if not variance or not pairs:
        return 0.0
    return float(residuals[1:][next_to] @ residuals[:-1][next_to]) / (variance * np.sqrt(pairs))


def _widened(J: Array, half: Array, autocorrelation: Array, rows: Array) -> Array:
    """The square root of the variance with that autocorrelation over the one without, at least 1 for each parameter."""
    parameters = J.shape[1]
    if not len(autocorrelation):
        return np.ones(parameters)
    first = rows[0]
    line = np.zeros((int(rows[-1] - first) + 1, parameters))
    line[rows - first] = J
    middle = J.T @ J
    for lag, rho in enumerate(autocorrelation, 1):
        product = line[lag:].T @ line[:-lag]
        middle = middle + rho * (product + product.T)
    plain = half @ half.T
    with_it = np.diag(plain @ middle @ plain)
    alone = np.diag(plain)
    return np.sqrt(np.maximum(1.0, np.divide(with_it, alone, out=np.ones(parameters), where=alone > 0)))
