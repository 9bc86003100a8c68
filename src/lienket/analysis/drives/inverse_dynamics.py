"""Inverse dynamics on arrays: the multipliers and drives that make a given motion (theory 9, 10).

    A a - h = B lambda + E u + residual,        B = G^T, with friction G^T + share direction^T

at N states at once. In a basis in which A is the unit matrix, the part of the left side that constraints cannot exert,
rho = P (A a - h), is left to the drives: (P E) u = rho, in the least squares of that metric; where drives can share,
the u with the least u^T W u. What remains is the residual, a force that neither can supply. The share of friction has
the sign of its multiplier in it: both are tried, and must come out.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np

from ...compiled.machine.python_callbacks import raise_faults
from ...compiled.model import CompiledModel
from ...errors import LienketError
from ...foundation.frozen_dataclass import dataclass
from ...kernels.elimination.chain import RANK_TOLERANCE
from ...kernels.elimination.metric import MASSLESS

Array = Any
State = tuple[Array, Array, Array, Array]  # t, q, v, parameters
ROUNDED = 1e-9
"""What a multiplier may be on the wrong side of 0, as a share of the largest force in the motion."""


@dataclass(frozen=True, eq=False)
class RowGroup:
    """Rows of a motion in which the same constraints act, contacts slide the same way: numbers of parameters (p).

    `places` are those of the rows, `acts` (s) says which rows of constraints act, `closed` which constraints do.
    """

    places: Array
    parameters: Array
    acts: Array
    closed: Array


@dataclass(frozen=True, eq=False)
class Balance:
    """What a motion needs at N states: `force` A a - h (N x n), beside A (N x n x n) and the rows G (N x s x n).

    `friction` (N x n x s) is share direction of each row for a positive multiplier; rows that do not act are 0 in both.
    `acts` (N x s) are those that do, `pushes` (N x constraints x n) what laws exert whatever the multipliers, which h
    has already. `sizes` (N x n) are those of the terms, |A| |a| + |h|.
    """

    A: Array
    force: Array
    G: Array
    sizes: Array
    friction: Array
    acts: Array
    pushes: Array


@dataclass(frozen=True, eq=False)
class DriveSolution:
    """u (N x p), lambda (N x s), residual forces (N x n) and their share of all forces (N); rank of P E (N).

    `columns` (N x n x s) are B; `obeyed` (N x s) says whether each multiplier has the sign that its friction assumes.
    """

    drives: Array
    multipliers: Array
    residual: Array
    share: Array
    rank: Array
    columns: Array
    obeyed: Array


def balance(model: CompiledModel, t: Array, q: Array, v: Array, a: Array, groups: Sequence[RowGroup]) -> Balance:
    """The balance of forces along a motion: t (N), q, v, a (N x n). Every law of force has its place here."""
    count, n, s = len(t), model.n, model.s
    A, h, G = np.empty((count, n, n)), np.empty((count, n)), np.empty((count, s, n))
    friction, acts = np.zeros((count, n, s)), np.zeros((count, s), dtype=bool)
    pushes = np.zeros((count, len(model.constraints), n))
    for alike in groups:
        k = alike.places
        state: State = (t[k], np.ascontiguousarray(q[k]), np.ascontiguousarray(v[k]), alike.parameters)
        inputs = np.hstack([a[k], np.zeros((len(k), model.inputs - n))])
        terms = model.function("terms")
        A[k], h[k], G[k], _ = terms.parts(terms.many(*state, inputs)[1])
        acts[k] = alike.acts
        if any(c.law is not None for c in model.constraints):
            function = model.function("exerted")
            found = function.parts(function.many(*state, inputs)[1])[0]
            h[k] -= np.sum(found[:, ~alike.closed], axis=1)  # what is open exerts nothing
            pushes[k] = found * alike.closed[:, None]
        if model.loaded:
            friction[k] = _friction(model, state, inputs)
    raise_faults(model.callbacks)
    bad = np.flatnonzero(
        ~(np.isfinite(A).all(axis=(1, 2)) & np.isfinite(h).all(axis=1) & np.isfinite(G).all(axis=(1, 2)))
    )
    if len(bad):
        raise LienketError(
            f"At t = {t[bad[0]]:.9g} the equations have no finite value: a formula divides by zero or leaves its "
            "domain. Leave such rows out of the motion."
        )
    sizes = np.einsum("tij,tj->ti", np.abs(A), np.abs(a)) + np.abs(h)
    force = np.einsum("tij,tj->ti", A, a) - h
    return Balance(A, force, G * acts[:, :, None], sizes, friction * acts[:, None, :], acts, pushes)


def _friction(model: CompiledModel, state: State, inputs: Array) -> Array:
    """Share times direction of each row, N x n x s."""
    loads = model.function("loads")
    found = loads.named(loads.many(*state, inputs)[1])
    count, contacts = found["shares"].shape
    columns = found["shares"][:, :, None] * found["directions"].reshape(count, contacts, model.n)
    friction = np.zeros((count, model.n, model.s))
    friction[:, :, found["rows"][0].astype(int)] = columns.transpose(0, 2, 1)
    return friction


def supplied(needed: Balance, E: Array, weights: Array, senses: Array, either: Array) -> DriveSolution:
    """The drives of E (N x n x p) and the multipliers that supply what is needed; `weights` (p) are those of W.

    `senses` (N x s) are the signs of multipliers to be tried first, `either` (s) the rows in which they may change.
    """
    places = np.flatnonzero(either & np.any(needed.friction, axis=(0, 1)))
    found = None
    for flips in product((1.0, -1.0), repeat=len(places)):
        signs = senses.copy()
        signs[:, places] *= flips
        this = _with_signs(needed, E, weights, signs)
        if found is None:
            found = this
            continue
        better = ~found.obeyed.all(axis=1) & this.obeyed.all(axis=1)
        found = DriveSolution(*(_chosen(better, x, y) for x, y in zip(_arrays(this), _arrays(found), strict=True)))
        if found.obeyed.all():
            break
    assert found is not None  # noqa: S101
    return found


def _arrays(found: DriveSolution) -> tuple[Array, ...]:
    return (
        found.drives, found.multipliers, found.residual, found.share, found.rank, found.columns, found.obeyed
    )  # fmt: skip


def _chosen(rows: Array, new: Array, old: Array) -> Array:
    return np.where(rows.reshape(-1, *(1,) * (new.ndim - 1)), new, old)


def _with_signs(needed: Balance, E: Array, weights: Array, signs: Array) -> DriveSolution:
    """The same where the signs (N x s) of multipliers in friction are known."""
    into, back = _metric(needed.A)
    B = needed.G.transpose(0, 2, 1) + needed.friction * signs[:, None, :]
    held, pushed = into @ B, into @ E
    force = _applied(into, needed.force)
    directions = _range(held)

    def open_part(x: Array) -> Array:
        return x - directions @ (directions.transpose(0, 2, 1) @ x)

    left = open_part(force[:, :, None])[:, :, 0]
    u, rank = _least(open_part(pushed), left, np.linalg.norm(pushed, axis=1), np.sqrt(weights))
    rest = left - _applied(open_part(pushed), u)
    multipliers, _ = _least(held, force - _applied(pushed, u) - rest, np.linalg.norm(held, axis=1), np.ones(B.shape[2]))
    whole = np.linalg.norm(_applied(np.abs(into), needed.sizes), axis=1)
    share = np.linalg.norm(rest, axis=1) / np.max(whole, initial=0.0) if np.any(whole > 0) else np.zeros(len(whole))
    rubs = np.any(needed.friction, axis=1)
    little = ROUNDED * np.max(whole, initial=0.0) / np.where(rubs, np.linalg.norm(held, axis=1), np.inf)
    obeyed = ~rubs | (signs * multipliers >= -little)
    return DriveSolution(u, multipliers, _applied(back, rest), share, rank, B, obeyed)


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
