"""Units in axis labels: those stated in the model, and units derived from them."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ..language.expression import Expression
from ..language.units import SECOND, Unit, is_angle, read_unit
from ..model.checks.units import energy_unit, expression_unit
from ..model.statement import Statement

if TYPE_CHECKING:
    from ..model.constraint import Constraint
    from ..system import System

# Usual labels of derived units, tried in this order.
USUAL_LABELS = ("N", "kN", "mN", "µN", "N m", "N mm", "kN m", "N/m", "N/mm", "kN/m", "N s", "N s/m", "W", "kW")
STATEMENTS_CACHED = 32  # [statements] statements whose unit of energy is kept
METRE = (Fraction(0), Fraction(1), Fraction(0))


def time_unit(system: System) -> str:
    """Return "s" if a stated unit contains the second, as m/s^2 and N do; else an empty text."""
    units = [read_unit(label) for label in system.units.values()]
    return "s" if any(unit is not None and unit.powers[2] for unit in units) else ""


def coordinate_units(system: System) -> tuple[str, ...]:
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


@lru_cache(maxsize=STATEMENTS_CACHED)
def _energy_unit(statement: Statement) -> Unit | None:
    return energy_unit(statement)


def energy_label(system: System) -> str:
    """Return the unit label of the energies, empty if it does not follow from the stated units."""
    unit, joule = _energy_unit(system.statement), read_unit("J")
    if unit is None or joule is None or not time_unit(system) or unit.powers != joule.powers:
        return ""
    return "J" if unit.agrees(joule) else str(unit)


def reaction_quantity(system: System, coordinate: int) -> str:
    """Return the kind of quantity of r_i, from the unit of the coordinate: force, moment or generalized reaction."""
    label = coordinate_units(system)[coordinate]
    unit = read_unit(label) if label else None
    if unit is not None and unit.powers == METRE:
        return "force"
    return "moment" if label and is_angle(label) else "generalized reaction"


def reaction_unit(system: System, coordinate: int) -> str:
    """Return the unit label of r_i, energy over the unit of the coordinate; empty if it is unknown."""
    label = coordinate_units(system)[coordinate]
    return _conjugate_label(system, read_unit(label) if label else None)


def multiplier_units(system: System, constraint: Constraint) -> list[str]:
    """Return the unit label of the multiplier of each row: energy over the unit of the row, integrated to positions."""
    units = [expression_unit(system.statement, row) for row in constraint.expressions]
    return [_conjugate_label(system, u and u * SECOND ** Fraction(constraint.level)) for u in units]


def normal_unit(system: System, constraint: Constraint) -> str:
    """Return the unit label of the normal force nu lambda of a contact; that of lambda if nu is not known."""
    nu, (label, *_) = constraint.normal_factor, multiplier_units(system, constraint)
    if nu is None or nu.is_number:
        return label
    row, per_multiplier = (expression_unit(system.statement, e) for e in (constraint.expressions[0], nu))
    if row is None or per_multiplier is None:
        return ""
    return _conjugate_label(system, row * SECOND ** Fraction(constraint.level) * per_multiplier ** Fraction(-1))


def friction_unit(system: System, slip: Expression) -> str:
    """Return the unit label of a friction force: energy over the unit of its slip, integrated to positions."""
    unit = expression_unit(system.statement, slip)
    return _conjugate_label(system, unit and unit * SECOND)


def drive_unit(system: System, factors: tuple[tuple[Any, Any], ...]) -> str:
    """Return the unit label of a drive u with the factors (coordinate, e) of its generalized force e u."""
    for x, factor in factors:
        label, unit = system.units.get(x, ""), expression_unit(system.statement, factor)
        stated = read_unit(label) if label else None
        if stated is not None and (unit is not None or factor.is_number):
            return _conjugate_label(system, stated * unit if unit is not None else stated)
    return ""


def expression_label(system: System, expression: Expression) -> str:
    """Return the unit label of an expression; empty if it is unknown."""
    unit = expression_unit(system.statement, expression)
    return usual_label(unit) if unit is not None and (time_unit(system) or not unit.powers[2]) else ""


def usual_label(unit: Unit) -> str:
    """Return the usual label of a unit, N for kg m/s^2."""
    for label in USUAL_LABELS:
        usual = read_unit(label)
        if usual is not None and unit.agrees(usual):
            return label
    return str(unit)


def labelled(quantity: str, unit: str) -> str:
    """Return `quantity [unit]`, or the quantity alone without a unit."""
    return f"{quantity} [{unit}]" if unit else quantity


def _conjugate_label(system: System, unit: Unit | None) -> str:
    """Return the label of the unit of energy over a unit; empty if one of them is unknown."""
    energy = _energy_unit(system.statement) if energy_label(system) else None
    return usual_label(energy * unit ** Fraction(-1)) if energy is not None and unit is not None else ""
