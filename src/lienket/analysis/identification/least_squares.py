"""Least squares with at most one nonlinear parameter, searched over its whole range (variable projection).

    min |sqrt(w) (F - X(stribeck) beta)|^2 :  for every stribeck, beta is a linear problem

so that a function of log(stribeck) alone remains. It is minimized from the lowest local minima of a grid.
Golub and Pereyra, SIAM J. Numer. Anal. 10 (1973), 413-432.
"""

from __future__ import annotations

import numpy as np

from ...foundation.arrays import Array
from ...foundation.frozen_dataclass import dataclass
from .friction_laws import columns

GRID_POINTS_PER_DECADE = 10  # [1] of stribeck, on the grid of log(stribeck)
FEWEST_GRID_POINTS = 8  # [1] on the grid of log(stribeck)
MOST_STARTS = 3  # [1] local minima of the grid that are refined
STRIBECK_LOWER_FACTOR = 0.2  # [1] times the slowest slip: lower end of the range of stribeck
STRIBECK_UPPER_FACTOR = 10.0  # [1] times the fastest slip: upper end of the range of stribeck
FIT_RANK_TOLERANCE = 1e-10  # [1] relative singular value of the columns that counts as zero
STRIBECK_TOLERANCE = 1e-12  # [1] change of log(stribeck) at which the search ends
FIT_COST_TOLERANCE = 1e-14  # [1] relative change of the sum of squares, or its gradient, at which the search ends


@dataclass(frozen=True)
class Samples:
    """Samples of a fit, n numbers each: force F, normal force N, slip v, and the square roots of the weights."""

    force: Array
    normal: Array
    slip: Array
    root: Array

    @property
    def range(self) -> tuple[float, float]:
        """Lower and upper end of the range in which stribeck is searched."""
        speed = np.abs(self.slip)
        return STRIBECK_LOWER_FACTOR * float(speed.min()), STRIBECK_UPPER_FACTOR * float(speed.max())


def fit_parameters(names: tuple[str, ...], samples: Samples) -> dict[str, float]:
    """Return the parameters of the least sum of squares, by name."""
    stribeck = _best_stribeck(names, samples) if "stribeck" in names else None
    beta, _ = _linear(names, samples, stribeck)
    linear = iter(beta)
    return {name: float(stribeck if name == "stribeck" else next(linear)) for name in names}  # type: ignore[arg-type]


def _linear(names: tuple[str, ...], samples: Samples, stribeck: float | None) -> tuple[Array, Array]:
    """Return the best linear parameters, of least norm if not unique, and the weighted residuals."""
    X = columns(names, samples.normal, samples.slip, stribeck) * samples.root[:, None]
    y = samples.force * samples.root
    size = np.linalg.norm(X, axis=0)
    size[size == 0] = 1.0
    beta = np.linalg.lstsq(X / size, y, rcond=FIT_RANK_TOLERANCE)[0] / size
    return beta, y - X @ beta


def _best_stribeck(names: tuple[str, ...], samples: Samples) -> float:
    """Return the stribeck of the least sum of squares, refined from the lowest local minima of a grid."""
    from scipy.optimize import least_squares

    low, high = np.log(samples.range)
    grid = np.linspace(low, high, max(FEWEST_GRID_POINTS, int(GRID_POINTS_PER_DECADE * (high - low) / np.log(10))))

    def residuals(x: Array) -> Array:
        return _linear(names, samples, float(np.exp(x[0])))[1]

    squares = np.array([np.sum(residuals(np.array([x])) ** 2) for x in grid])
    bordered = np.r_[np.inf, squares, np.inf]
    starts = np.flatnonzero((squares <= bordered[:-2]) & (squares <= bordered[2:]))
    starts = starts[np.argsort(squares[starts])][:MOST_STARTS]
    tolerances = {"xtol": STRIBECK_TOLERANCE, "ftol": FIT_COST_TOLERANCE, "gtol": FIT_COST_TOLERANCE}
    ends = [least_squares(residuals, [grid[k]], bounds=([low], [high]), x_scale=[1.0], **tolerances) for k in starts]
    return float(np.exp(min(ends, key=lambda end: end.cost).x[0]))
