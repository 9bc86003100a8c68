"""Deviations of a state that satisfy the constraints, in terms of independent positions and velocities.

    g_q dq = 0,     (g_q v + g_t)_q dq + g_q dv = 0,     phi_q dq + phi_v dv = 0

Positions are restricted by holonomic rows, velocities by these and by rows on velocities; rows on accelerations
restrict neither. (dq, dv) = T dx, where the rows of T that belong to x are those of the unit matrix.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...errors import LienketError
from ...foundation.arrays import Array
from ...foundation.frozen_dataclass import dataclass
from ..row_space import pivots
from .numeric_system import LinearizedEquations


@dataclass(frozen=True, eq=False)
class Tangent:
    """Deviations (dq, dv) = T dx, T (2 n x N); `indices` (N) are those of x among (q, v)."""

    indices: list[int]
    T: Array


def tangent(equations: LinearizedEquations, chosen: Sequence[int] | None, names: Sequence[str]) -> Tangent:
    """Return the deviations that satisfy the constraints; `chosen` are the indices of x, well conditioned if None.

    LienketError if the chosen ones do not determine the others, or if the constraints have no tangent here.
    """
    n, scale = len(equations.q), equations.scale
    on_q, on_v = equations.split(0), equations.split(1)
    if chosen is None:
        velocities = sorted(pivots(on_v.D, scale)[0])
        positions = sorted(pivots(on_q.D, scale, velocities)[0])
    else:
        positions, velocities = [p for p in chosen if p < n], [p - n for p in chosen if p >= n]
        _check(positions, velocities, (on_q.D, on_v.D), scale, names)
    E = on_q.D @ np.linalg.inv(on_q.D[positions])
    F = on_v.D @ np.linalg.inv(on_v.D[velocities])
    rows = equations.model.levels <= 1
    residual = equations.numbers("surface_derivatives")["velocity_by_q"][rows] @ E
    equations.check_consistent(on_v, residual, rows)
    dv = -on_v.solve(residual)
    dv = dv - F @ dv[velocities]
    T = np.vstack([np.hstack([E, np.zeros((n, len(velocities)))]), np.hstack([dv, F])])
    indices = [*positions, *(n + p for p in velocities)]
    if chosen is None:
        return Tangent(indices, T)
    return Tangent(list(chosen), T[:, [indices.index(p) for p in chosen]])


def _check(
    positions: list[int], velocities: list[int], bases: tuple[Array, Array], scale: Array, names: Sequence[str]
) -> None:
    """Raise an error that names the chosen states that depend on others, and the missing ones."""
    faults = []
    for states, D, mark, word in zip((positions, velocities), bases, ("", "'"), ("position", "velocity"), strict=True):
        independent, refused = pivots(D, scale, states)
        if refused:
            listed = ", ".join(names[p] + mark for p in refused)
            faults.append(f"{listed} {'does' if len(refused) == 1 else 'do'} not move independently of the others")
        if len(states) - len(refused) < D.shape[1]:
            offered = ", ".join(names[p] + mark for p in sorted(set(independent) - set(states)))
            faults.append(f"a {word} is missing, for example {offered}")
    if faults:
        k, m = bases[0].shape[1], bases[1].shape[1]
        raise LienketError(
            f"The states in `independent` do not determine all others: {'; '.join(faults)}. "
            f"There are {k} independent positions and {m} independent velocities."
        )
