"""Coulomb friction as a factor of its own multiplier.

    c = share lambda (d slip/d q')^T,      share = -sense direction m(|slip|)
    m(s) = mu + (mu_static - mu) exp(-s/stribeck)

`direction` (1, -1: the sign of slip; 0 while it sticks) and `sense` (the sign of lambda) are numbers that a run keeps
from one switch to the next, so that between switches the equations are smooth and linear in lambda (theory 9); they
are parameters of the machine code. |slip| = direction slip goes on smoothly past the end of sliding.
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
    """What friction on the constraint of that name exerts."""
    sense, direction = sense_of(name), direction_of(name)
    if law.smooth is not None:
        share = -sense * coefficient(law, sp.Abs(law.slip)) * sp.tanh(law.slip / law.smooth)
    else:
        share = -sense * direction * coefficient(law, direction * law.slip)
    return LawForce(viscous(law.viscous, law.slip, coordinates), share, slip_gradient(law.slip, coordinates))


def coefficient(law: Coulomb, speed: Any) -> Any:
    """The coefficient of friction at a sliding speed that is not negative."""
    if law.stribeck is None:
        return law.mu
    return law.mu + (law.mu_static - law.mu) * sp.exp(-speed / law.stribeck)
