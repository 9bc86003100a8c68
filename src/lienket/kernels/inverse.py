"""Inverse dynamics on arrays: the multipliers and drives that make a given motion (theory 9, 10).

    A a - h = G^T lambda + E u + residual

at N states at once. In a basis in which A is the unit matrix, the part of the left side that constraints cannot exert,
rho = P (A a - h), is left to the drives: (P E) u = rho, in the least squares of that metric; where drives can share,
the u with the least u^T W u. What remains is the residual, a force that neither can supply.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..compiled.callables import raise_faults
from ..compiled.model import CompiledModel
from ..errors import LienketError
from .chain import RANK_TOLERANCE
from .metric import MASSLESS

Array = Any


@dataclass(frozen=True, eq=False)
class Balance:
    """What a motion needs at N states: `force` A a - h (N x n), beside A (N x n x n) and the rows G (N x s x n).

    `sizes` (N x n) are those of its terms, |A| |a| + |h|.
    """

    A: Array
    force: Array
    G: Array
    sizes: Array


@dataclass(frozen=True, eq=False)
class Supplied:
    """u (N x p), lambda (N x s), residual forces (N x n) and their share of all forces (N); rank of P E (N)."""

    drives: Array
    multipliers: Array
    residual: Array
    share: Array
    rank: Array


def balance(model: CompiledModel, t: Array, q: Array, v: Array, a: Array, parameters: Array) -> Balance:
    """The balance of forces along a motion: t (N), q, v, a (N x n). Every law of force has its place here."""
    terms = model.function("terms")
    inputs = np.hstack([a, np.zeros((len(t), model.s))])
    _, out = terms.many(t, q, v, parameters, inputs)
    raise_faults(model.callbacks)
    bad = np.flatnonzero(~np.isfinite(out).all(axis=1))
    if len(bad):
        raise LienketError(
            f"At t = {t[bad[0]]:.9g} the equations have no finite value: a formula divides by zero or leaves its "
            "domain. Leave such rows out of the motion."
        )
    A, h, G, _ = terms.parts(out)
    sizes = np.einsum("tij,tj->ti", np.abs(A), np.abs(a)) + np.abs(h)
    return Balance(A, np.einsum("tij,tj->ti", A, a) - h, G, sizes)


def supplied(needed: Balance, E: Array, weights: Array) -> Supplied:
    """The drives of E (N x n x p) and the multipliers that supply what is needed; `weights` (p) are those of W."""
    into, back = _metric(needed.A)
    held, pushed = into @ needed.G.transpose(0, 2, 1), into @ E
    force = _applied(into, needed.force)
    directions = _range(held)

    def open_part(x: Array) -> Array:
        return x - directions @ (directions.transpose(0, 2, 1) @ x)

    left = open_part(force[:, :, None])[:, :, 0]
    u, rank = _least(open_part(pushed), left, np.linalg.norm(pushed, axis=1), np.sqrt(weights))
    rest = left - _applied(open_part(pushed), u)
    multipliers, _ = _least(
        held, force - _applied(pushed, u) - rest, np.linalg.norm(held, axis=1), np.ones(needed.G.shape[1])
    )
    whole = np.linalg.norm(_applied(np.abs(into), needed.sizes), axis=1)
    share = np.linalg.norm(rest, axis=1) / np.max(whole, initial=0.0) if np.any(whole > 0) else np.zeros(len(whole))
    return Supplied(u, multipliers, _applied(back, rest), share, rank)


def _applied(matrices: Array, vectors: Array) -> Array:
    return np.einsum("tij,tj->ti", matrices, vectors)


def _metric(A: Array) -> tuple[Array, Array]:
    """L with L A L^T = I on what has mass, and its inverse; massless directions count as if they had unit mass."""
    inertia = np.diagonal(A, axis1=1, axis2=2)
    scale = 1 / np.sqrt(np.where(inertia > 0, inertia, 1.0))
    w, V = np.linalg.eigh(A * scale[:, :, None] * scale[:, None, :])
    if np.any(w < -1e3 * MASSLESS * A.shape[1]):
        raise LienketError("The inertia matrix A has a negative direction: check the signs of masses.")
    w = np.where(w > MASSLESS * A.shape[1], w, 1.0)
    half = np.sqrt(w)[:, None, :]
    return (V / half) @ V.transpose(0, 2, 1) * scale[:, None, :], (V * half) @ V.transpose(0, 2, 1) / scale[:, :, None]


def _range(B: Array) -> Array:
    """An orthonormal basis of the columns of each B (N x n x k), with zero columns where the rank is less than k."""
    if not B.shape[2]:
        return B
    lengths = np.linalg.norm(B, axis=1)
    U, w, _ = np.linalg.svd(B / np.where(lengths > 0, lengths, 1.0)[:, None, :], full_matrices=False)
    return U * (w > RANK_TOLERANCE)[:, None, :]


def _least(B: Array, y: Array, lengths: Array, units: Array) -> tuple[Array, Array]:
    """The x (N x k) of the least squares of B x = y, with the least |units x| where it is not unique; the ranks (N).

    `lengths` (N x k) are those of the columns before anything was taken from them: what rounding leaves is no column.
    """
    count, _, k = B.shape
    if not k or not count:
        return np.zeros((count, k)), np.zeros(count, dtype=int)
    lengths = np.where(lengths > 0, lengths, 1.0)
    U, w, V = np.linalg.svd(B / lengths[:, None, :], full_matrices=False)
    rank = np.sum(w > RANK_TOLERANCE, axis=1)
    x = _solution(U, w, V, y, rank) / lengths
    several = rank < k
    if several.any():
        U, w, V = np.linalg.svd(B[several] / units, full_matrices=False)
        x[several] = _solution(U, w, V, y[several], rank[several]) / units
    return x, rank


def _solution(U: Array, w: Array, V: Array, y: Array, rank: Array) -> Array:
    kept = np.arange(w.shape[1]) < rank[:, None]
    inverse = np.where(kept, 1 / np.where(kept, w, 1.0), 0.0)
    return np.einsum("tkj,tk->tj", V, inverse * np.einsum("tik,ti->tk", U, y))
