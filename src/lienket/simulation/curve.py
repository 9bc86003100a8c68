"""The curve of equilibria over one parameter p, as points z = (q, p) that Newton's steps come to and tangents.

    F(q, p) = [D^T h; g(q, t); asked] = 0,     z <- z - F_z^+ F,     F_z t = 0,  |t| = 1

F_z^+ gives the shortest step in units of the curve, across it; where rows are redundant it takes no notice of them.
"""

from __future__ import annotations

import numpy as np

from ..kernels.metric import Array
from ..records import dataclass
from .statics import Rest, Statics

STEPS = 12
ARRIVED = 1e-10  # a last step, in units of the curve, that is rounding
FINE = 1e-14
COUNTS = 1e-9  # singular values below this share of the largest are none


@dataclass(frozen=True, eq=False)
class Curve:
    """The equilibria of a system over the parameter at `place`; `unit` (n + 1) are the units of q and p."""

    system: Statics
    place: int
    unit: Array

    def rest(self, z: Array) -> Rest:
        """The system at rest at z."""
        return self.system.with_parameter(self.place, float(z[-1])).at(z[:-1])

    def corrected(self, z: Array, held: bool = False) -> Array | None:
        """The point of the curve near z, or with p `held`; None if the steps do not converge."""
        before = np.inf
        for _ in range(STEPS):
            found = self._linear(z)
            if found is None:
                return None
            F, J = found
            if held:
                J = J[:, :-1]
            step = np.linalg.lstsq(J, -F, rcond=COUNTS)[0]
            length = float(np.linalg.norm(step))
            if not np.isfinite(length) or length > 10:
                return None
            if length <= FINE or (length <= ARRIVED and length >= before / 2):
                return z
            z = z + self.unit * (np.append(step, 0.0) if held else step)
            before = length
        return z if before <= ARRIVED else None

    def tangent(self, z: Array, along: Array) -> Array:
        """The direction of the curve at z that goes on from `along`, of length 1 in units of the curve."""
        found = self._linear(z)
        if found is None:
            return along
        _, values, V = np.linalg.svd(found[1])
        rank = int(np.count_nonzero(values > COUNTS * values[0])) if values.size and values[0] > 0 else 0
        free = V[rank:]
        t = free.T @ (free @ along)
        length = float(np.linalg.norm(t))
        return t / length if length > 0 else along

    def _linear(self, z: Array) -> tuple[Array, Array] | None:
        """F and its derivative by z in units of the curve, rows of length 1; None where there are no numbers."""
        rest = self.rest(z)
        if not rest.finite:
            return None
        n, taking = len(rest.q), self.system.levels == 0
        surface, moving = rest.numbers("surface"), rest.numbers("surface_derivatives")
        by_p = rest.numbers("parameter_derivatives", rest.multipliers)["by_parameters"][:, self.place]
        D, units = rest.bound.D, np.tile(rest.bound.unit, 2)
        F = np.concatenate([D.T @ rest.terms["h"], surface["position"][taking], rest.asked])
        by_q = np.vstack([-D.T @ rest.stiffness, surface["G"][taking], rest.asked_by_q])
        asked_by_p = np.concatenate([moving["velocity_by_parameters"][:, self.place], by_p[n:]]) / units
        by = np.concatenate([-D.T @ by_p[:n], moving["position_by_parameters"][taking, self.place], asked_by_p])
        J = np.column_stack([by_q, by]) * self.unit
        if not (np.isfinite(J).all() and np.isfinite(F).all()):
            return None
        size = np.linalg.norm(J, axis=1)
        size = np.where(size > 0, size, 1.0)
        return F / size, J / size[:, None]


def curve(system: Statics, place: int, q: Array, p: float, reach: float) -> tuple[Curve, Array]:
    """The curve through an equilibrium, and its direction there towards `reach`, a change of p.

    Its units are such that q and p take an equal part in the direction at this point.
    """
    raw = Curve(system, place, np.append(system.scale, abs(reach)))
    z = np.append(q, p)
    ahead = np.append(np.zeros(len(q)), np.sign(reach))
    first = raw.tangent(z, ahead)
    share = float(np.linalg.norm(first[:-1]) / max(abs(first[-1]), 1e-6))
    unit = np.append(system.scale * (share if share > 0 else 1.0), abs(reach))
    found = Curve(system, place, unit)
    return found, found.tangent(z, ahead)
