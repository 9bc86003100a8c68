"""Units in labels: those that were stated, and what follows from them."""

from __future__ import annotations

from typing import Any

from ..language.units import read_unit
from ..model.checks.units import energy_unit


def time_unit(system: Any) -> str:
    """The letter s if a stated unit is made with it, as m/s^2 and N are; else nothing."""
    known = [read_unit(label) for label in system.units.values()]
    return "s" if any(unit is not None and unit.powers[2] for unit in known) else ""


def coordinate_units(system: Any) -> tuple[str, ...]:
    """The label of each coordinate's unit, empty if none was stated."""
    units = system.units
    return tuple(units.get(x, "") for x in system.coordinates)


def rate_unit(unit: str, time: str) -> str:
    """The unit of a velocity."""
    if not unit:
        return ""
    if not time:
        return f"{unit} per unit of time"
    return f"{unit}/{time}" if not set(unit) & set(" /*·") else f"({unit})/{time}"


def energy_label(system: Any) -> str:
    """J, or what the energies are measured in; nothing if it does not follow from the units stated."""
    unit, joule = energy_unit(system.statement), read_unit("J")
    if unit is None or joule is None or not time_unit(system) or unit.powers != joule.powers:
        return ""
    return "J" if unit.agrees(joule) else str(unit)


def labelled(quantity: str, unit: str) -> str:
    """`quantity [unit]`, or the quantity alone."""
    return f"{quantity} [{unit}]" if unit else quantity
