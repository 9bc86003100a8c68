"""Reader of laws: expressions converted, slip linear in the velocities, coefficients in range."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import sympy as sp

from ...errors import did_you_mean
from ...language.as_expression import as_expression
from ...language.faults import Faults, short_text
from ...language.names import name_among
from ...language.symbols import name_of, t
from ..constraint import Constraint
from ..force import Force
from ..laws import Coulomb, Exerted, Law, Unilateral, Viscous
from ..laws.unilateral import IMPACTS

_EXPECTED = "lk.Coulomb(...), lk.laws.Viscous(...), lk.laws.Exerted(...) or lk.laws.Unilateral(...)"


def read_law(law: Any, constraint: Constraint, coordinates: tuple[Any, ...], faults: Faults) -> Law | None:
    """Return the law of a constraint, checked except for its symbols; None and faults if it is not a law."""
    where = f"constraint {constraint.name!r}, law"
    if law is None:
        return None
    if not isinstance(law, Law):
        faults.add(where, f"it must be {_EXPECTED}, not {short_text(law)}")
        return None
    if constraint.kind == "program":
        faults.add(where, "a program is realised by drives and has no reaction", "Leave the law out.")
        return None
    if isinstance(law, Exerted):
        return _exerted(law, coordinates, where, faults)
    checked = replace(
        law, **{name: as_expression(e, f"{where}, {name}", faults) for name, (e, _) in law.parts().items()}
    )
    if isinstance(checked, Coulomb | Unilateral):
        _check_contact(checked, constraint, where, faults)
    if isinstance(checked, Coulomb | Viscous):
        _check_slip(checked, coordinates, where, faults)
    return checked


def _exerted(law: Exerted, coordinates: tuple[Any, ...], where: str, faults: Faults) -> Law | None:
    """Return the law with its generalized forces in the order of the coordinates."""
    stated: Any = [law.forces] if isinstance(law.forces, Force) else law.forces
    if isinstance(stated, list | tuple) and stated and all(isinstance(x, Force) for x in stated):
        stated = _virtual_work(stated, coordinates, where, faults)
    by_coordinate = stated if isinstance(stated, Mapping) else dict(stated) if _are_pairs(stated) else None
    if not by_coordinate:
        faults.add(
            where, f"Exerted expects a mapping from coordinate to force, or an lk.Force, not {short_text(law.forces)}"
        )
        return None
    by_name, forces = {name_of(x): x for x in coordinates}, {}
    for key, force in by_coordinate.items():
        name = name_among(key, list(by_name)) if isinstance(key, str) or key in coordinates else str(key)
        if name not in by_name:
            faults.add(where, f"it acts on {name}, which is not a coordinate{did_you_mean(name, by_name)}")
        else:
            forces[by_name[name]] = as_expression(force, f"{where}, forces[{name}]", faults)
    return Exerted(tuple((x, forces[x]) for x in coordinates if x in forces))


def _virtual_work(loads: Sequence[Force], coordinates: tuple[Any, ...], where: str, faults: Faults) -> dict[Any, Any]:
    """Return the generalized forces (dr/dq)^T F of forces at points, by coordinate."""
    generalized = dict.fromkeys(coordinates, sp.S.Zero)
    for load in loads:
        if len(load.at) != len(load.components):
            faults.add(where, f"a force with {len(load.components)} components acts at {len(load.at)} coordinates")
            continue
        for r, F in zip(load.at, load.components, strict=True):
            position, force = (
                as_expression(r, f"{where}, position", faults),
                as_expression(F, f"{where}, force", faults),
            )
            for x in coordinates:
                generalized[x] += sp.diff(position, x) * force
    return {x: e for x, e in generalized.items() if e != 0}


def _are_pairs(value: Any) -> bool:
    """Return whether the value is a sequence of pairs."""
    return isinstance(value, tuple | list) and all(isinstance(x, tuple) and len(x) == 2 for x in value)


def _check_contact(law: Coulomb | Unilateral, constraint: Constraint, where: str, faults: Faults) -> None:
    """Report contacts with several rows, unilateral ones above positions, and numeric coefficients out of range."""
    if len(constraint.expressions) != 1:
        what = f"it needs one row, whose multiplier is the normal force, but there are {len(constraint.expressions)}"
        faults.add(where, what, "State each row as a separate constraint.")
    unilateral = isinstance(law, Unilateral) or law.unilateral
    if unilateral and constraint.level != 0:
        faults.add(where, "only a constraint on positions can be unilateral")
    if law.impact not in IMPACTS:
        faults.add(where, f"impact must be {' or '.join(map(repr, IMPACTS))}, not {law.impact!r}")
    e = law.restitution
    if e.is_number and not 0 <= float(e) <= 1:
        faults.add(where, f"restitution must lie between 0 and 1, but is {e}")
    if isinstance(law, Coulomb):
        if not isinstance(law.unilateral, bool):
            faults.add(where, f"unilateral must be True or False, not {short_text(repr(law.unilateral))}")
        if e != 0 and not law.unilateral:
            faults.add(where, "only a unilateral contact has restitution", "Add unilateral=True.")
        for name in ("mu", "mu_static", "viscous"):
            value = getattr(law, name)
            if value is not None and value.is_number and not float(value) >= 0:
                faults.add(where, f"{name} must not be negative, but is {value}")
        for name in ("stribeck", "smooth"):
            value = getattr(law, name)
            if value is not None and value.is_number and not float(value) > 0:
                faults.add(where, f"{name} must be positive, but is {value}")
        static = law.mu_static
        if static is not None and static.is_number and law.mu.is_number and float(static) < float(law.mu):
            faults.add(
                where,
                f"mu_static = {static} is less than mu = {law.mu}: the contact would stick again as soon as it slides",
            )
        if law.stribeck is not None and law.mu_static is None:
            faults.add(where, "stribeck needs mu_static, from which the coefficient falls")


def _check_slip(law: Coulomb | Viscous, coordinates: tuple[Any, ...], where: str, faults: Faults) -> None:
    """Report a slip that is missing, not linear in the velocities, or free of them."""
    if law.slip is None:
        faults.add(where, "it needs slip, the sliding velocity", "slip=der(x), for example.")
        return
    velocities = [sp.Derivative(x, t) for x in coordinates]
    dummies = {u: sp.Dummy() for u in velocities}
    plain = law.slip.xreplace(dummies)
    factors = [sp.diff(plain, u) for u in dummies.values()]
    if any(f.has(*dummies.values()) for f in map(sp.expand, factors)):
        faults.add(where, f"slip must be linear in the velocities, but is {short_text(law.slip)}")
    elif all(f == 0 for f in factors):
        faults.add(where, f"slip contains no velocity: {short_text(law.slip)}")
