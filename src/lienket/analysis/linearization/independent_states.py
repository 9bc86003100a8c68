"""Deviations of a state that keep the constraints, by independent positions and velocities.

    g_q dq = 0,     (g_q v + g_t)_q dq + g_q dv = 0,     phi_q dq + phi_v dv = 0

Positions are restricted by holonomic rows, velocities by these and by rows on velocities; rows on accelerations
restrict neither. (dq, dv) = T dx, where the rows of T that belong to x are those of the unit matrix.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...errors import LienketError
from ...foundation.frozen_dataclass import dataclass
from ...kernels.elimination.metric import Array
from ..row_space import pivots
from .numeric_system import LinearizedEquations


@dataclass(frozen=True, eq=False)
class Tangent:
    """(dq, dv) = T dx, T (2 n x N); `places` (N) are those of x among the positions and then the velocities."""

    places: list[int]
    T: Array


def tangent(beside: LinearizedEquations, wanted: Sequence[int] | None, names: Sequence[str]) -> Tangent:
    """The deviations that keep the constraints; `wanted` are the places of x, chosen well conditioned if None.

    LienketError if those wanted do not determine the others, or if the constraints have no tangent here.
    """
    n, scale = len(beside.q), beside.scale
    held, moved = beside.split(0), beside.split(1)
    if wanted is None:
        velocities = sorted(pivots(moved.D, scale)[0])
        positions = sorted(pivots(held.D, scale, velocities)[0])
    else:
        positions, velocities = [p for p in wanted if p < n], [p - n for p in wanted if p >= n]
        _check(positions, velocities, (held.D, moved.D), scale, names)
    E = held.D @ np.linalg.inv(held.D[positions])
    F = moved.D @ np.linalg.inv(moved.D[velocities])
    taking = beside.levels <= 1
    turned = beside.numbers("surface_derivatives")["velocity_by_q"][taking] @ E
    beside.agree(moved, turned, taking)
    carried = -moved.lifted(turned)
    carried = carried - F @ carried[velocities]
    T = np.vstack([np.hstack([E, np.zeros((n, len(velocities)))]), np.hstack([carried, F])])
    places = [*positions, *(n + p for p in velocities)]
    if wanted is None:
        return Tangent(places, T)
    return Tangent(list(wanted), T[:, [places.index(p) for p in wanted]])


def _check(
    positions: list[int], velocities: list[int], bases: tuple[Array, Array], scale: Array, names: Sequence[str]
) -> None:
    """Raise an error that says which of the states wanted depend on others, and which are missing."""
    faults = []
    for given, D, mark, word in zip((positions, velocities), bases, ("", "'"), ("position", "velocity"), strict=True):
        chosen, refused = pivots(D, scale, given)
        if refused:
            listed = ", ".join(names[p] + mark for p in refused)
            faults.append(f"{listed} {'does' if len(refused) == 1 else 'do'} not move independently of the others")
        if len(given) - len(refused) < D.shape[1]:
            offered = ", ".join(names[p] + mark for p in sorted(set(chosen) - set(given)))
            faults.append(f"a {word} is missing, for example {offered}")
    if faults:
        k, m = bases[0].shape[1], bases[1].shape[1]
        raise LienketError(
            f"The states given are not independent ones that determine all others: {'; '.join(faults)}. "
            f"There are {k} independent positions and {m} independent velocities."
        )
