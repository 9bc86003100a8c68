"""Identified: the parameters of a law of friction from measured forces, with their uncertainty."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...foundation.frozen_dataclass import dataclass
from .friction_laws import friction

Array = Any
MOST_DECIMALS = 12  # [digits] after the point in a printed parameter


@dataclass(frozen=True)
class Estimate:
    """A parameter: its value, the standard error, and the interval in which it lies with the probability `level`."""

    name: str
    value: float
    standard_error: float
    interval: tuple[float, float]
    level: float

    def __contains__(self, value: float) -> bool:
        """Whether a value lies in the interval."""
        return self.interval[0] <= value <= self.interval[1]

    def __str__(self) -> str:
        if not np.isfinite(self.standard_error):
            return f"{self.name} is not determined by these data"
        low, high = (_rounded(end, self.standard_error) for end in self.interval)
        value = _rounded(self.value, self.standard_error)
        return f"{self.name} = {value}, between {low} and {high} with {100 * self.level:g} %"


@dataclass(frozen=True, eq=False, repr=False)
class Identified:
    """F = -(mu + (mu_static - mu) exp(-|v|/stribeck)) |N| sign(v) - viscous v + offset, fitted by least squares.

    parameters          Estimate by name, in order; covariance p x p in the same order
    tangential, normal, slip   the n samples that were used; rows are their places among those given
    residuals           tangential minus the law, n; sigma their standard deviation (of a sample of weight 1)
    degrees_of_freedom  n - p; of so many as count, if the noise is correlated in time
    excluded            the samples left out, with |slip| <= threshold
    condition           of the Jacobian with columns of length 1: large if parameters cannot be told apart
    correlation_time    1 for independent noise; n/correlation_time samples count
    warnings            sentences on what makes the result doubtful
    """

    law: str
    parameters: Mapping[str, Estimate]
    covariance: Array
    tangential: Array
    normal: Array
    slip: Array
    rows: Array
    residuals: Array
    sigma: float
    degrees_of_freedom: float
    level: float
    threshold: float
    excluded: int
    condition: float
    correlation_time: float
    warnings: tuple[str, ...]

    def __getitem__(self, name: str) -> Estimate:
        """A parameter by name."""
        return self.parameters[name]

    @property
    def values(self) -> dict[str, float]:
        """The values of the parameters by name."""
        return {name: estimate.value for name, estimate in self.parameters.items()}

    @property
    def correlation(self) -> Array:
        """The correlation of the estimates, p x p; NaN with those that the data do not determine."""
        with np.errstate(invalid="ignore", divide="ignore"):
            deviation = np.sqrt(np.diag(self.covariance))
            return np.where(np.isfinite(deviation[:, None] * deviation), self.covariance, np.nan) / np.outer(
                deviation, deviation
            )

    def friction(self, normal: Any, slip: Any) -> Array:
        """The tangential force that the law gives for these normal forces and slips."""
        return friction(self.values, normal, slip)

    def plot(self) -> Any:
        """A figure of the law, the samples and the residuals."""
        from ...plots.identification import identification

        return identification(self)

    @property
    def sentences(self) -> tuple[str, ...]:
        """What was found, and all doubts, in sentences."""
        count, out = len(self.residuals), self.excluded
        left = f"; {out} with |slip| <= {self.threshold:.3g} {'was' if out == 1 else 'were'} left out" if out else ""
        first = f"The law {self.law!r} was fitted to {count} of {count + out} samples{left}."
        last = f"The residuals have the standard deviation {self.sigma:.4g}."
        return (first, *(f"{estimate}." for estimate in self.parameters.values()), last, *self.warnings)

    def __str__(self) -> str:
        return "\n".join(self.sentences)

    __repr__ = __str__


def _rounded(number: float, error: float) -> str:
    """Return a number as text, to the second digit of its standard error."""
    if not error > 0:
        return f"{number:.9g}"
    decimals = 1 - int(np.floor(np.log10(error)))
    return f"{number:.{decimals}f}" if 0 <= decimals <= MOST_DECIMALS else f"{number:.6g}"
