"""Uncertainty of estimates: covariance, parameters that the data do not separate, noise correlated in time.

    C = sigma^2 (J^T W J)^-1,   J = dF/d(parameters),  sigma^2 = sum w r^2/(n - p)

exact for parameters that enter linearly and normal noise on F; to first order for stribeck. With a noise of
autocorrelation rho_k it is (J^T J)^-1 J^T R J (J^T J)^-1 sigma^2, R_ij = rho_|i-j|; the larger of both is used.
"""

from __future__ import annotations

import numpy as np

from ...foundation.arrays import Array, IntArray
from ...foundation.frozen_dataclass import dataclass

JACOBIAN_RANK_TOLERANCE = 1e-8  # [1] singular value of the scaled Jacobian, relative to the largest, that is zero
UNDETERMINED_COMPONENT = 1e-4  # [1] component of a null vector above which a parameter is undetermined
CONFOUNDED_COMPONENT = 0.3  # [1] component, relative to the largest, of a parameter in the weakest direction
SIGNIFICANT_CORRELATION = 3.5  # [standard deviations] from 0, exceeded by chance in one case of 4000
FEWEST_FOR_CORRELATION = 20  # [samples] from which a correlation is estimated
CORRELATION_WINDOW = 5  # [correlation times] of lags summed (Sokal 1989)


@dataclass(frozen=True)
class FitUncertainty:
    """Covariance and diagnostics of a fit.

    covariance        p x p, infinite variance for undetermined parameters
    condition         of the Jacobian with columns of length 1
    undetermined      indices of the parameters that the data do not determine
    confounded        indices of the parameters with a large part in the least determined direction
    correlation_time  integrated autocorrelation time of the residuals; n/correlation_time samples count
    widening          factor of each standard error for the correlation in time
    """

    covariance: Array
    condition: float
    undetermined: tuple[int, ...]
    confounded: tuple[int, ...]
    correlation_time: float
    widening: Array


def uncertainty(J: Array, residuals: Array, sigma: float, rows: IntArray) -> FitUncertainty:
    """Return the uncertainty from the weighted Jacobian and residuals; `rows` are their indices in time, with gaps."""
    size = np.linalg.norm(J, axis=0)
    scale = np.where(size > 0, size, 1.0)
    _, s, Vt = np.linalg.svd(J / scale, full_matrices=False)
    counts = s > JACOBIAN_RANK_TOLERANCE * s[0]
    undetermined = np.flatnonzero(np.abs(Vt[~counts]).max(axis=0, initial=0.0) > UNDETERMINED_COMPONENT)
    half = (Vt[counts].T / s[counts]) / scale[:, None]
    time, autocorrelation = correlation_time(residuals, rows)
    widening = _widening(J, half, autocorrelation, rows)
    covariance = sigma**2 * (half @ half.T) * np.outer(widening, widening)
    covariance[undetermined, :] = covariance[:, undetermined] = 0.0
    covariance[undetermined, undetermined] = np.inf
    confounded = np.flatnonzero(np.abs(Vt[-1]) > CONFOUNDED_COMPONENT * np.abs(Vt[-1]).max())
    condition = float(s[0] / s[-1]) if counts.all() else np.inf
    return FitUncertainty(
        covariance, condition, tuple(undetermined.tolist()), tuple(confounded.tolist()), time, widening
    )


def correlation_time(residuals: Array, rows: IntArray) -> tuple[float, Array]:
    """Return tau = 1 + 2 sum rho_k and rho_1, ..., rho_M; 1 and no rho if no correlation is significant.

    The sum ends at the first M of at least 5 tau (Sokal, Monte Carlo Methods in Statistical Mechanics, 1989).
    """
    count = len(residuals)
    if count < FEWEST_FOR_CORRELATION or neighbour_correlation(residuals, rows) < SIGNIFICANT_CORRELATION:
        return 1.0, np.empty(0)
    line = np.zeros(int(rows[-1] - rows[0]) + 1)
    present = np.zeros_like(line)
    line[rows - rows[0]], present[rows - rows[0]] = residuals, 1.0
    variance = float(residuals @ residuals) / count
    time, autocorrelation = 1.0, []
    for lag in range(1, len(line) // 4):
        pairs = float(present[lag:] @ present[:-lag])
        rho = float(line[lag:] @ line[:-lag]) / (pairs * variance) if pairs else 0.0
        autocorrelation.append(rho)
        time += 2 * rho
        if lag >= CORRELATION_WINDOW * time:
            break
    return max(1.0, float(time)), np.array(autocorrelation)


def neighbour_correlation(residuals: Array, rows: IntArray) -> float:
    """Return the correlation of successive residuals, in standard deviations of that of uncorrelated ones."""
    next_to = np.diff(rows) == 1
    variance, pairs = float(np.mean(residuals**2)), int(next_to.sum())
    if not variance or not pairs:
        return 0.0
    return float(residuals[1:][next_to] @ residuals[:-1][next_to]) / (variance * np.sqrt(pairs))


def _widening(J: Array, half: Array, autocorrelation: Array, rows: IntArray) -> Array:
    """Return the ratio of the standard errors with and without autocorrelation, at least 1, for each parameter."""
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
    inverse = half @ half.T
    correlated = np.diag(inverse @ middle @ inverse)
    uncorrelated = np.diag(inverse)
    ratio = np.divide(correlated, uncorrelated, out=np.ones(parameters), where=uncorrelated > 0)
    return np.sqrt(np.maximum(1.0, ratio))
