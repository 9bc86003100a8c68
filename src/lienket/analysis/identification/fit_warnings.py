"""Warnings about an identified law, as sentences."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...foundation.arrays import Array
from ...kernels.audit_limits import (
    CONDITION_LIMIT,
    FEWEST_DEGREES_OF_FREEDOM,
    LINEAR_ERROR_LIMIT,
    RANGE_END_MARGIN,
    STRIBECK_GAIN_LIMIT,
    WIDENING_LIMIT,
)
from .least_squares import Samples
from .result import Estimate
from .uncertainty import FEWEST_FOR_CORRELATION, SIGNIFICANT_CORRELATION, FitUncertainty, neighbour_correlation


def warnings_of_fit(
    parameters: Mapping[str, Estimate],
    samples: Samples,
    uncertainty: FitUncertainty,
    residuals: Array,
    excluded: int,
    gain: float = 0.0,
) -> tuple[str, ...]:
    """Return all warnings about a fit with weighted residuals.

    `gain` is the decrease of the sum of squares by the Stribeck term, in sigma^2.
    """
    names, count = tuple(parameters), len(residuals)
    warnings = []
    if count - len(names) < FEWEST_DEGREES_OF_FREEDOM:
        warnings.append(f"{count} samples are few to determine {_and(list(names))}: the intervals are unreliable.")
    if excluded > count:
        warnings.append(
            f"More samples stick ({excluded}) than slide ({count}): measure sliding, or lower the threshold."
        )
    warnings += _dependence(names, samples, uncertainty)
    if parameters["mu"].interval[1] < 0:
        warnings.append(
            "mu is negative: the tangential force must be that on the sliding body, against the slip. Change a sign."
        )
    if "stribeck" in names and not uncertainty.undetermined:
        warnings += _stribeck(parameters, samples, gain / uncertainty.correlation_time)
    widening = float(uncertainty.widening.max())
    if widening > WIDENING_LIMIT:
        warnings.append(
            f"The residuals are correlated in time: of {count} samples about "
            f"{count / uncertainty.correlation_time:.0f} count. "
            f"The intervals were widened by factors up to {widening:.2g}."
        )
    if _depends_on_slip(samples.slip, residuals):
        warnings.append("The residuals depend on the slip: the law lacks a term. Try one with more terms.")
    return tuple(warnings)


def _dependence(names: tuple[str, ...], samples: Samples, uncertainty: FitUncertainty) -> list[str]:
    """Return a warning if the data do not determine or hardly separate some parameters."""
    if uncertainty.undetermined:
        listed = _and([names[k] for k in uncertainty.undetermined])
        return [f"The data do not determine {listed}: other values fit as well. {_advice(listed, samples)}"]
    if uncertainty.condition > CONDITION_LIMIT:
        listed = _and([names[k] for k in uncertainty.confounded])
        what = f"The data hardly separate {listed} (condition number {uncertainty.condition:.0f})."
        return [f"{what} {_advice(listed, samples)}"]
    return []


def _advice(listed: str, samples: Samples) -> str:
    """Return the advice for parameters that the data do not separate."""
    if "offset" in listed and (np.all(samples.slip > 0) or np.all(samples.slip < 0)):
        return "All samples slide in one direction: measure both directions, or leave the offset out."
    if "stribeck" in listed or "mu_static" in listed:
        return "Measure at speeds from far below to far above the Stribeck velocity, or choose a law with fewer terms."
    return "Measure at speeds and normal forces that differ more, or choose a law with fewer terms."


def _stribeck(parameters: Mapping[str, Estimate], samples: Samples, gain: float) -> list[str]:
    """Return the warnings about the Stribeck term."""
    stribeck, error = parameters["stribeck"].value, parameters["stribeck"].standard_error
    low, high = samples.range
    slowest = float(np.abs(samples.slip).min())
    if gain < STRIBECK_GAIN_LIMIT:
        return [
            "The data show no Stribeck effect: the law without it fits about as well, and mu_static and stribeck are "
            "meaningless. Choose 'coulomb' or 'coulomb+viscous'."
        ]
    if not (1 + RANGE_END_MARGIN) * low < stribeck < (1 - RANGE_END_MARGIN) * high:
        return [f"stribeck = {stribeck:.3g} is at the end of the range searched, {low:.3g} to {high:.3g}."]
    if slowest > stribeck:
        return [
            f"The slowest sample slides with {slowest:.3g}, faster than stribeck = {stribeck:.3g}: mu_static is "
            "extrapolated. Measure at lower speeds."
        ]
    if error > LINEAR_ERROR_LIMIT * stribeck:
        return [f"The standard error of stribeck is {100 * error / stribeck:.0f} %: its interval is only approximate."]
    return []


def _depends_on_slip(slip: Array, residuals: Array) -> bool:
    """Return whether residuals, sorted by the slip, correlate with their neighbours."""
    if len(residuals) < FEWEST_FOR_CORRELATION:
        return False
    by_slip = residuals[np.argsort(slip, kind="stable")]
    return neighbour_correlation(by_slip, np.arange(len(residuals))) > SIGNIFICANT_CORRELATION


def _and(names: list[str]) -> str:
    """Return the names joined by commas and "and"."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
