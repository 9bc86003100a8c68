"""Contact rows in units in which each has the mobility 1: factors of constraints, which divide multipliers, drop out.

S' = D S D,    y0' = D y0,    lambda = D lambda',    mu' = mu D_n/D_t,    D = diag(S)^(-1/2)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ...foundation.arrays import Array
from .contact_modes import ClosedContact


def row_units(S: Array) -> Array:
    """Return the diagonal of D (c), 1 for rows that no force moves."""
    mobility = S.diagonal()
    return np.asarray(1 / np.sqrt(np.where(mobility > 0, mobility, 1.0)), dtype=float)


def contacts_in_units(contacts: Sequence[ClosedContact], units: Array) -> list[ClosedContact]:
    """Return the contacts with their coefficients of friction in these units (c)."""
    found = []
    for c in contacts:
        ratio = units[c.normal] / units[c.tangential] if c.tangential >= 0 else 1.0
        found.append(replace(c, mu=c.mu * ratio, mu_static=c.mu_static * ratio))
    return found
