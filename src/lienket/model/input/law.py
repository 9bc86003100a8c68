"""A law as the user says it, checked: expressions admitted, slip linear in velocities; what is wrong becomes faults."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import sympy as sp

from ...errors import did_you_mean
from ...language.as_expression import as_expression
from ...language.faults import Faults, short_text
from ...language.symbols import name_of, t
from ..constraint import Constraint
from ..force import Force
from ..laws import Coulomb, Exerted, Law, Unilateral, Viscous
from ..laws.unilateral import IMPACTS

_WORDS = "lk.Coulomb(...), lk.laws.Viscous(...), lk.laws.Exerted(...) or lk.laws.Unilateral(...)"


def read_law(law: Any, constraint: Constraint, coordinates: tuple[Any, ...], faults: Faults) -> Law | None:
    """The law of a constraint, checked but for the symbols in it; None and faults if it cannot be one."""
    where = f"constraint {constraint.name!r}, law"
    if law is None:
        return None
    if not isinstance(law, Law):
        faults.add(where, f"it must be {_WORDS}, not {short_text(law)}")
        return None
    if constraint.kind == "program":
        faults.add(where, "a program is kept by drives and exerts no reaction", "Leave the law out.")
        return None
    if isinstance(law, Exerted):
        return _exerted(law, coordinates, where, faults)
    admitted = replace(
        law, **{name: as_expression(e, f"{where}, {name}", faults) for name, (e, _) in law.parts().items()}
    )
    if isinstance(admitted, Coulomb | Unilateral):
        _check_contact(admitted, constraint, where, faults)
    if isinstance(admitted, Coulomb | Viscous):
        _check_slip(admitted, coordinates, where, faults)
    return admitted


def _exerted(law: Exerted, coordinates: tuple[Any, ...], where: str, faults: Faults) -> Law | None:
    said: Any = [law.forces] if isinstance(law.forces, Force) else law.forces
    if isinstance(said, list | tuple) and said and all(isinstance(x, Force) for x in said):
        said = _at_points(said, coordinates, where, faults)
    given = said if isinstance(said, Mapping) else dict(said) if _pairs(said) else None
    if not given:
        faults.add(
            where, f"Exerted needs a mapping from coordinate to force, or an lk.Force, not {short_text(law.forces)}"
        )
        return None
    by_name, found = {name_of(x): x for x in coordinates}, {}
    for key, force in given.items():
        name = key if isinstance(key, str) else name_of(key) if key in coordinates else str(key)
        if name not in by_name:
            faults.add(where, f"it acts on {name}, which is no coordinate{did_you_mean(name, by_name)}")
        else:
            found[by_name[name]] = as_expression(force, f"{where}, forces[{name}]", faults)
    return Exerted(tuple((x, found[x]) for x in coordinates if x in found))


def _at_points(loads: Sequence[Force], coordinates: tuple[Any, ...], where: str, faults: Faults) -> dict[Any, Any]:
    """The generalized force (dr/dq)^T F of forces at points."""
    found = dict.fromkeys(coordinates, sp.S.Zero)
    for load in loads:
        if len(load.at) != len(load.components):
            faults.add(where, f"a force with {len(load.components)} components acts at {len(load.at)} coordinates")
            continue
        for r, F in zip(load.at, load.components, strict=True):
            place, force = as_expression(r, f"{where}, position", faults), as_expression(F, f"{where}, force", faults)
            for x in coordinates:
                found[x] += sp.diff(place, x) * force
    return {x: e for x, e in found.items() if e != 0}


def _pairs(said: Any) -> bool:
    return isinstance(said, tuple | list) and all(isinstance(x, tuple) and len(x) == 2 for x in said)


def _check_contact(law: Coulomb | Unilateral, constraint: Constraint, where: str, faults: Faults) -> None:
    """A contact has one row, and a unilateral one lies on positions; coefficients that are numbers must be sensible."""
    if len(constraint.expressions) != 1:
        what = f"it needs one row, whose multiplier is the normal force, and there are {len(constraint.expressions)}"
        faults.add(where, what, "State the rows as constraints of their own.")
    unilateral = isinstance(law, Unilateral) or law.unilateral
    if unilateral and constraint.level != 0:
        faults.add(where, "only a constraint on positions can be unilateral")
    if law.impact not in IMPACTS:
        faults.add(where, f"impact must be {' or '.join(map(repr, IMPACTS))}, not {law.impact!r}")
    e = law.restitution
    if e.is_number and not 0 <= float(e) <= 1:
        faults.add(where, f"restitution must lie between 0 and 1, not be {e}")
    if isinstance(law, Coulomb):
        if not isinstance(law.unilateral, bool):
            faults.add(where, f"unilateral is True or False, not {short_text(repr(law.unilateral))}")
        if e != 0 and not law.unilateral:
            faults.add(where, "restitution belongs to a unilateral contact", "Say unilateral=True.")
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
                where, f"mu_static, {static}, is less than mu, {law.mu}: what begins to slide would be held at once"
            )
        if law.stribeck is not None and law.mu_static is None:
            faults.add(where, "stribeck needs mu_static, from which the coefficient falls")


def _check_slip(law: Coulomb | Viscous, coordinates: tuple[Any, ...], where: str, faults: Faults) -> None:
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
