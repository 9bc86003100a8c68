"""What makes an identified law doubtful, in sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from .least_squares import Samples
from .result import Estimate
from .uncertainty import FEWEST, SIGNIFICANT, Spread, neighbours

Array = Any

CONDITION = 30.0
"""From where dependence is strong: Belsley, Kuh and Welsch, Regression Diagnostics (1980), chapter 3."""
FEW = 10  # degrees of freedom
VISIBLE = 1.1  # widening of intervals that is said
SEEN = 16.0  # 4 standard deviations; the place of the effect is chosen after the fact, which makes chance more likely
ROUGH = 0.3  # relative standard error up to which an interval to first order is a good one


def warnings_of_fit(
    parameters: Mapping[str, Estimate],
    samples: Samples,
    spread: Spread,
    residuals: Array,
    excluded: int,
    gain: float = 0.0,
) -> tuple[str, ...]:
    """All warnings; `residuals` are weighted, `gain` is by how many sigma^2 the Stribeck term lowers their squares."""
    names, count = tuple(parameters), len(residuals)
    found = []
    if count - len(names) < FEW:
        found.append(f"There are only {count} samples to find {_and(list(names))}: the intervals say little.")
    if excluded > count:
        found.append(f"More samples stick ({excluded}) than slide ({count}): measure sliding, or lower the threshold.")
    found += _dependence(names, samples, spread)
    if parameters["mu"].interval[1] < 0:
        found.append(
            "mu is negative: the tangential force is that on the body that slides, against the slip. Turn a sign."
        )
    if "stribeck" in names and not spread.blind:
        found += _stribeck(parameters, samples, gain / spread.time)
    widened = float(spread.widened.max())
    if widened > VISIBLE:
        found.append(
            f"The residuals are correlated in time: of {count} samples about {count / spread.time:.0f} count. "
            f"The intervals were widened, by up to {widened:.2g}."
        )
    if _bent(samples.slip, residuals):
        found.append("The residuals are not the same at all slips: the law lacks something. Try one with more terms.")
    return tuple(found)


def _dependence(names: tuple[str, ...], samples: Samples, spread: Spread) -> list[str]:
    if spread.blind:
        listed = _and([names[k] for k in spread.blind])
        return [f"The data do not determine {listed}: other values fit as well. {_advice(listed, samples)}"]
    if spread.condition > CONDITION:
        listed = _and([names[k] for k in spread.close])
        what = f"The data hardly tell {listed} apart (condition number {spread.condition:.0f})."
        return [f"{what} {_advice(listed, samples)}"]
    return []


def _advice(listed: str, samples: Samples) -> str:
    if "offset" in listed and (np.all(samples.slip > 0) or np.all(samples.slip < 0)):
        return "All samples slide the same way: measure both ways, or leave the offset out."
    if "stribeck" in listed or "mu_static" in listed:
        return "Measure at speeds from far below to far above the Stribeck velocity, or take a law with fewer terms."
    return "Measure at speeds and normal forces that differ more, or take a law with fewer terms."


def _stribeck(parameters: Mapping[str, Estimate], samples: Samples, gain: float) -> list[str]:
    stribeck, error = parameters["stribeck"].value, parameters["stribeck"].standard_error
    low, high = samples.range
    slowest = float(np.abs(samples.slip).min())
    if gain < SEEN:
        return [
            "No Stribeck effect is seen: the law without it fits about as well. mu_static and stribeck mean nothing "
            "here; take 'coulomb' or 'coulomb+viscous'."
        ]
    if not 1.01 * low < stribeck < 0.99 * high:
        return [f"stribeck = {stribeck:.3g} is at the end of the range sought, {low:.3g} to {high:.3g}."]
    if slowest > stribeck:
        return [
            f"The slowest sample slides with {slowest:.3g}, faster than stribeck = {stribeck:.3g}: mu_static was not "
            "measured but extrapolated. Measure more slowly."
        ]
    if error > ROUGH * stribeck:
        return [f"stribeck is known to {100 * error / stribeck:.0f} % only: its interval is a rough one."]
    return []


def _bent(slip: Array, residuals: Array) -> bool:
    """Whether residuals in the order of the slip are like their neighbours."""
    if len(residuals) < FEWEST:
        return False
    return neighbours(residuals[np.argsort(slip, kind="stable")], np.arange(len(residuals))) > SIGNIFICANT


def _and(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
