"""Least squares with one nonlinear parameter at most, which is sought over its whole range (variable projection).

    min |sqrt(w) (F - X(stribeck) beta)|^2 :  for every stribeck, beta is a linear problem

so that one function of log(stribeck) is left. Every low place on a grid is a start, and the best end is taken.
Golub and Pereyra, SIAM J. Numer. Anal. 10 (1973), 413-432.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...foundation.frozen_dataclass import dataclass
from .friction_laws import columns

Array = Any

PER_DECADE = 10  # places on the grid of log(stribeck)
SLOWER, FASTER = 0.2, 10.0  # stribeck lies between these multiples of the slowest and the fastest slip


@dataclass(frozen=True)
class Samples:
    """What is fitted, n numbers each: force F, normal force N, slip v, and the square roots of the weights."""

    force: Array
    normal: Array
    slip: Array
    root: Array

    @property
    def range(self) -> tuple[float, float]:
        """Between what the parameter stribeck is sought."""
        speed = np.abs(self.slip)
        return SLOWER * float(speed.min()), FASTER * float(speed.max())


def best(names: tuple[str, ...], samples: Samples) -> dict[str, float]:
    """The values of the parameters that leave the least, by name."""
    stribeck = _best_stribeck(names, samples) if "stribeck" in names else None
    beta, _ = _linear(names, samples, stribeck)
    linear = iter(beta)
    return {name: float(stribeck if name == "stribeck" else next(linear)) for name in names}  # type: ignore[arg-type]


def _linear(names: tuple[str, ...], samples: Samples, stribeck: float | None) -> tuple[Array, Array]:
    """The best linear parameters and the weighted residuals; the shortest solution if there are several."""
    X = columns(names, samples.normal, samples.slip, stribeck) * samples.root[:, None]
    y = samples.force * samples.root
    size = np.linalg.norm(X, axis=0)
    size[size == 0] = 1.0
    beta = np.linalg.lstsq(X / size, y, rcond=1e-10)[0] / size
    return beta, y - X @ beta


def _best_stribeck(names: tuple[str, ...], samples: Samples) -> float:
    from scipy.optimize import least_squares

    low, high = np.log(samples.range)
    grid = np.linspace(low, high, max(8, int(PER_DECADE * (high - low) / np.log(10))))

    def left(place: Array) -> Array:
        return _linear(names, samples, float(np.exp(place[0])))[1]

    heights = np.array([np.sum(left([x]) ** 2) for x in grid])
    beside = np.r_[np.inf, heights, np.inf]
    starts = np.flatnonzero((heights <= beside[:-2]) & (heights <= beside[2:]))
    starts = starts[np.argsort(heights[starts])][:3]
    ends = [
        least_squares(left, [grid[k]], bounds=([low], [high]), xtol=1e-12, ftol=1e-14, gtol=1e-14, x_scale=[1.0])
        for k in starts
    ]
    return float(np.exp(min(ends, key=lambda end: end.cost).x[0]))
