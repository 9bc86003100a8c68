"""Identified: the parameters of a law of friction from measured forces, with their uncertainty."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ...foundation.arrays import Array, IntArray
from ...foundation.assessment import Assessment
from ...foundation.frozen_dataclass import dataclass
from .friction_laws import friction

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


MOST_DECIMALS = 12  # [digits] after the point in a printed parameter


@dataclass(frozen=True)
class Estimate:
    """Estimated parameter with its uncertainty.

    `value in estimate` tells whether a value lies in the interval.

    Attributes
    ----------
    name : str
        Name of the parameter.
    value : float
        Estimated value.
    standard_error : float
        Standard error; infinite if the data do not determine the parameter.
    interval : (float, float)
        Confidence interval.
    level : float
        Probability with which the interval contains the true value.
    """

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


@dataclass(frozen=True, repr=False)
class Identified(Assessment):
    """Friction law fitted by least squares, made by `lk.laws.identify`.

    F = -(mu + (mu_static - mu) exp(-|v|/stribeck)) |N| sign(v) - viscous v + offset, with p of these parameters fitted
    to n samples.

    Attributes
    ----------
    law : str
        "coulomb", "coulomb+viscous", "stribeck" or "stribeck+viscous".
    parameters : Mapping of str to Estimate
        Estimates by name.
    covariance : ndarray
        Covariance of the estimates (p x p), in the order of `parameters`.
    tangential, normal, slip : ndarray
        ArrayLike used in the fit (n each).
    rows : ndarray
        Indices of these samples among those given (n).
    residuals : ndarray
        Tangential force less that of the law (n).
    sigma : float
        Standard deviation of the residuals of a sample of weight 1.
    degrees_of_freedom : float
        n/correlation_time - p, at least 1.
    level : float
        Probability with which an interval contains the true value.
    threshold : float
        Slip up to which a sample counts as sticking.
    excluded : int
        Number of samples left out, with |slip| <= threshold.
    condition : float
        Condition number of the Jacobian with columns of length 1; large if the parameters cannot be distinguished.
    correlation_time : float
        Correlation of the noise in samples, 1 if it is independent: the data are worth n/correlation_time independent
        samples.
    warnings : tuple of str
        Sentences on what makes the result doubtful.

    Examples
    --------
    >>> import numpy as np
    >>> slip = np.linspace(-1, 1, 200)
    >>> noise = 0.1*np.random.default_rng(0).normal(size=200)
    >>> found = lk.laws.identify(-0.3*50*np.sign(slip) + noise, np.full(200, 50.0), slip)
    >>> round(found["mu"].value, 3), 0.3 in found["mu"]
    (0.3, True)
    """

    law: str
    parameters: Mapping[str, Estimate]
    covariance: Array
    tangential: Array
    normal: Array
    slip: Array
    rows: IntArray
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
        """Return the estimate of one parameter.

        Parameters
        ----------
        name : str
            Name of the parameter, such as "mu".

        Returns
        -------
        Estimate
            Value, standard error and interval.
        """
        return self.parameters[name]

    @property
    def values(self) -> dict[str, float]:
        """Values of the parameters by name."""
        return {name: estimate.value for name, estimate in self.parameters.items()}

    @property
    def correlation(self) -> Array:
        """Correlation of the estimates (p x p); NaN for parameters that the data do not determine."""
        with np.errstate(invalid="ignore", divide="ignore"):
            deviation = np.sqrt(np.diag(self.covariance))
            return np.where(np.isfinite(deviation[:, None] * deviation), self.covariance, np.nan) / np.outer(
                deviation, deviation
            )

    def friction(self, normal: ArrayLike, slip: ArrayLike) -> Array:
        """Return the tangential force of the fitted law.

        Parameters
        ----------
        normal : array_like
            Normal forces N, of either sign.
        slip : array_like
            Sliding velocities v.

        Returns
        -------
        ndarray
            Tangential forces F.
        """
        return friction(self.values, np.asarray(normal, dtype=float), np.asarray(slip, dtype=float))

    def plot(self) -> Any:
        """Return a figure of the law, the samples and the residuals.

        Returns
        -------
        matplotlib.figure.Figure
            The figure; it is not shown.
        """
        from ...plots.identification import identification

        return identification(self)

    @property
    def sentences(self) -> tuple[str, ...]:
        """Sentences on the fit, each parameter, the residuals, and the warnings."""
        return (*self.facts(), *self.warnings)

    def facts(self) -> list[str]:
        """Return the sentences before the warnings.

        Returns
        -------
        list of str
            Sentences on the fit, each parameter and the residuals.
        """
        count, out = len(self.residuals), self.excluded
        left = f"; {out} with |slip| <= {self.threshold:.3g} {'was' if out == 1 else 'were'} left out" if out else ""
        first = f"The law {self.law!r} was fitted to {count} of {count + out} samples{left}."
        last = f"The residuals have the standard deviation {self.sigma:.4g}."
        return [first, *(f"{estimate}." for estimate in self.parameters.values()), last]

    def __repr__(self) -> str:
        return self.text()


def _rounded(number: float, error: float) -> str:
    """Return a number as text, to the second digit of its standard error."""
    if not error > 0:
        return f"{number:.9g}"
    decimals = 1 - int(np.floor(np.log10(error)))
    return f"{number:.{decimals}f}" if 0 <= decimals <= MOST_DECIMALS else f"{number:.6g}"
