"""Free system in numbers: a basis in which the inertia matrix is the unit matrix.

The inertia matrix makes lengths and angles comparable: D^T A D = I for the columns of D with mass, and A D = 0 for
those without (massless parts, A singular). Constraint rows are measured in this basis, so that a change of units
changes no verdict.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from ...errors import LienketError
from ...foundation.arrays import Array, BoolArray
from ...foundation.frozen_dataclass import dataclass

# [1] inertia, divided by n, below which a direction counts as massless, in coordinates scaled to unit diagonal
INERTIA_ROUNDING = 1e-13
UNPIVOTED_LIMIT = 1e-5  # [1] smallest squared pivot of a Cholesky factor that needs no pivoting


@dataclass(frozen=True)
class Metric:
    """Metric of A = S^-1 (D0 D0^T)^-1 S^-1 on the massive directions; S = diag(scale) has a unit for each coordinate.

    A (n x n) and h (n) are the free system in scaled coordinates q/scale; `massive` (n x p) and `massless`
    (n x (n - p)) are the columns of D0, with massive^T A massive = I and A massless = 0.
    """

    A: Array
    h: Array
    scale: Array
    massive: Array
    massless: Array

    @cached_property
    def reach_massless(self) -> Array:
        """Sizes |massless|, n x (n - p)."""
        return np.abs(self.massless)

    @cached_property
    def reach(self) -> Array:
        """Lengths of the rows of `massive`, n; |J| reach >= |J massive|."""
        return np.sqrt((self.massive * self.massive).sum(axis=1))


def metric(A: Array, h: Array, G: Array | None = None, inertias: Array | None = None) -> Metric:
    """Return the metric of an inertia matrix; G (s x n) sets the units of massless coordinates.

    `inertias` (n) are the sizes of the terms of the diagonal of A: a diagonal entry that is only their rounding counts
    as zero. Raises LienketError if A is not symmetric positive semidefinite.
    """
    inertia = A.diagonal()
    rounding = np.zeros(len(A)) if inertias is None else INERTIA_ROUNDING * inertias
    heavy = inertia > rounding
    if heavy.all():
        scale = 1 / np.sqrt(inertia)
    else:
        if (inertia < -rounding).any():
            raise _negative(np.min(inertia))
        if not (heavy == (inertia != 0)).all():
            A = np.where(heavy & heavy[:, None], A, 0.0)
        scale = np.where(heavy, 1 / np.sqrt(np.where(heavy, inertia, 1.0)), 1.0)
        if G is not None and len(G):
            scale[~heavy] = _units(G * scale, heavy)
    scaled = A * scale * scale[:, None]
    massive, massless = _directions(scaled)
    return Metric(scaled, h * scale, scale, massive, massless)


def _units(G: Array, heavy: BoolArray) -> Array:
    """Return the unit of each massless coordinate: it moves a constraint as much as a unit of massive coordinates."""
    reach = np.linalg.norm(G[:, heavy], axis=1) if heavy.any() else np.zeros(len(G))
    reach = np.where(reach > 0, reach, np.linalg.norm(G, axis=1))
    ratio = np.max(np.abs(G[:, ~heavy]) / np.where(reach > 0, reach, 1.0)[:, None], axis=0)
    return np.where(ratio > 0, 1 / np.where(ratio > 0, ratio, 1.0), 1.0)


def _directions(A: Array) -> tuple[Array, Array]:
    """Return D0 of an inertia matrix with unit diagonal, by Cholesky A = L L^T, with pivoting if a pivot is small.

    Without pivoting a massless direction leaves the pivot eps/(smallest pivot so far)^2, which differs from a mass only
    if all pivots are large. With pivoting it leaves eps.
    """
    n = len(A)
    try:
        L = np.linalg.cholesky(A)
        if L.diagonal().min(initial=1.0) ** 2 > UNPIVOTED_LIMIT:
            return np.linalg.inv(L).T, np.zeros((n, 0))
    except np.linalg.LinAlgError:
        pass  # singular, or nearly so
    return _pivoted(A)


def _pivoted(A: Array) -> tuple[Array, Array]:
    """Return massive and massless directions by Cholesky with complete pivoting, P^T A P = [L1; L2] [L1; L2]^T.

    massive = P [L1^-T; 0], massless = P [-L1^-T L2^T; I], orthonormalized.
    """
    from scipy.linalg import solve_triangular
    from scipy.linalg.lapack import dpstrf

    n = len(A)
    limit = INERTIA_ROUNDING * n
    factor, pivots, rank, _ = dpstrf(A, tol=limit, lower=1)
    order = pivots - 1
    L = np.tril(factor)[:, :rank]
    rest = A[np.ix_(order, order)] - L @ L.T
    if rank < n and np.max(np.abs(rest[rank:, rank:])) > 1e3 * limit:
        raise _negative(np.linalg.eigvalsh(A)[0])
    massive, massless = np.zeros((n, rank)), np.zeros((n, n - rank))
    massive[order[:rank]] = np.eye(rank) if rank == 0 else solve_triangular(L[:rank], np.eye(rank), lower=True).T
    massless[order[rank:]] = np.eye(n - rank)
    if 0 < rank < n:
        massless[order[:rank]] = -solve_triangular(L[:rank].T, L[rank:].T, lower=False)
    return massive, np.linalg.qr(massless)[0] if rank < n else massless


def _negative(value: float) -> LienketError:
    """Return the error for a negative diagonal entry or eigenvalue of A."""
    return LienketError(
        f"The inertia matrix A is not positive semidefinite at this state ({value:.3g}): the kinetic energy would be "
        "negative for some motion. Check the signs of masses and moments of inertia, and the kinetic energy."
    )
