"""Units in axis labels: those stated in the model, and units derived from them."""

from __future__ import annotations

from typing import Any

from ..language.units import read_unit
from ..model.checks.units import energy_unit


def time_unit(system: Any) -> str:
    """Return "s" if a stated unit contains the second, as m/s^2 and N do; else an empty text."""
    units = [read_unit(label) for label in system.units.values()]
    return "s" if any(unit is not None and unit.powers[2] for unit in units) else ""


def coordinate_units(system: Any) -> tuple[str, ...]:
    """Return the unit label of each coordinate, empty if none is stated."""
    units = system.units
    return tuple(units.get(x, "") for x in system.coordinates)


def rate_unit(unit: str, time: str) -> str:
    """Return the unit label of a velocity."""
    if not unit:
        return ""
    if not time:
        return f"{unit} per unit of time"
    return f"{unit}/{time}" if not set(unit) & set(" /*·") else f"({unit})/{time}"


def energy_label(system: Any) -> str:
    """Return the unit label of the energies, empty if it does not follow from the stated units."""
    unit, joule = energy_unit(system.statement), read_unit("J")
    if unit is None or joule is None or not time_unit(system) or unit.powers != joule.powers:
        return ""
    return "J" if unit.agrees(joule) else str(unit)


def labelled(quantity: str, unit: str) -> str:
    """Return `quantity [unit]`, or the quantity alone without a unit."""
    return f"{quantity} [{unit}]" if unit else quantity
