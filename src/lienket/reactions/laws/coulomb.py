"""Coulomb friction, proportional to the multiplier of its constraint.

    c = share lambda (d slip/d q')^T,      share = -sense direction m(|slip|)
    m(s) = mu + (mu_static - mu) exp(-s/stribeck)

`direction` (1, -1: the sign of slip; 0 while sticking) and `sense` (the sign of lambda) are constant between the
events of a run, so that between events the equations are smooth and linear in lambda (theory 9); they are parameters of
the machine code. |slip| = direction slip is smooth beyond the end of sliding.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy as sp

from ...model.contacts import direction_of, sense_of
from ...model.laws import Coulomb
from .law_force import LawForce
from .viscous import slip_gradient, viscous


def coulomb(name: str, law: Coulomb, coordinates: Sequence[Any]) -> LawForce:
    """Return the friction force on the constraint `name`."""
    sense, direction = sense_of(name), direction_of(name)
    if law.smooth is not None:
        share = -sense * coefficient(law, sp.Abs(law.slip)) * sp.tanh(law.slip / law.smooth)
    else:
        share = -sense * direction * coefficient(law, direction * law.slip)
    return LawForce(viscous(law.viscous, law.slip, coordinates), share, slip_gradient(law.slip, coordinates))


def coefficient(law: Coulomb, speed: Any) -> Any:
    """Return the coefficient of friction m at a sliding speed >= 0."""
    if law.stribeck is None:
        return law.mu
    return law.mu + (law.mu_static - law.mu) * sp.exp(-speed / law.stribeck)
