"""Warnings about a run, as sentences: violated constraints, energy balance, laws that supply energy, unseen events."""

from __future__ import annotations

import numpy as np

from ...kernels.audit_limits import (
    ENERGY_ROUNDING,
    FIXED_STEP_IMBALANCE,
    RUN_ACCELERATION_LIMIT,
    RUN_ENERGY_LIMIT,
    RUN_RESIDUAL_LIMIT,
)
from ...kernels.rounding_residuals import LEVELS
from ...simulation.events.history import History
from ..row_values import RowValues
from ..work import energy_gains
from .needed_changes import energy_of_tolerances

Levels = dict[str, dict[str, float]]  # numbers by level and name of the constraint


def residual_warnings(needed: Levels, residuals: Levels) -> list[str]:
    """Return a warning for each constraint that needs too large a change."""
    warnings = []
    for level, by_name in needed.items():
        relative = level == LEVELS[2]
        limit, unit = (RUN_ACCELERATION_LIMIT, "of") if relative else (RUN_RESIDUAL_LIMIT, "tolerances of")
        for name, change in by_name.items():
            if change > limit or change == np.inf:
                what = {"position": "the positions", "velocity": "the velocities"}.get(level, "the accelerations")
                warnings.append(
                    f"The constraint {name!r} is violated: its {level} residual reaches {residuals[level][name]:.2g}, "
                    f"{change:.2g} {unit} {what}."
                )
    return warnings


def energy_warnings(numbers: RowValues, imbalance: float, size: float, rounding: float) -> list[str]:
    """Return a warning if the energy imbalance exceeds the tolerances, `size` the energies, `rounding` that of V."""
    settings = numbers.run.settings
    relative = FIXED_STEP_IMBALANCE if settings.step > 0 else RUN_ENERGY_LIMIT * settings.rtol
    allowed = (relative + ENERGY_ROUNDING) * size + rounding
    if imbalance <= allowed:
        return []
    if not np.isfinite(imbalance):
        return ["The energy is not finite: the motion is unbounded, or the steps are too long."]
    if imbalance <= allowed + RUN_ENERGY_LIMIT * energy_of_tolerances(numbers):
        return []
    return [
        f"The energy balance is off by {imbalance:.2g} of {size:.2g}, more than the tolerances allow: "
        "the run is less accurate than requested. Reduce `rtol` and `atol`, or a fixed `step`, and compare."
    ]


def gain_warnings(numbers: RowValues) -> list[str]:
    """Return a warning for each law that supplies energy although it must dissipate it."""
    return [
        f"The law of {name!r} supplies energy, with a power of up to {power:.2g}, but must dissipate it: q'^T r <= 0. "
        "Check the signs of its coefficient and of its slip."
        for name, power in energy_gains(numbers).items()
    ]


def event_warnings(history: History | None) -> list[str]:
    """Return a warning for each event that may have been passed over: its condition turned back too close to zero."""
    return [
        f"The event {name!r} may have been passed over: its condition came to zero and turned back "
        f"{'once' if count == 1 else f'{count} times'} so sharply that its sign in between is not certain. Reduce "
        "`rtol` and `atol`, or write the condition so that it is smooth near zero."
        for name, count in (() if history is None else history.unseen)
    ]
