"""Inverse dynamics on arrays: the multipliers and drives that a prescribed motion requires (theory 9, 10).

    A a - h = B lambda + E u + residual,        B = G^T, with friction G^T + share direction^T

at N states at once. In a basis in which A is the unit matrix, the part of the left side that constraints cannot exert,
rho = P (A a - h), is supplied by the drives: (P E) u = rho, by least squares in that metric; where the solution is not
unique, the u with the least u^T W u. The remainder is the residual, a generalized force that neither constraints nor
drives supply. The share of friction depends on the sign of its multiplier: both signs are tried, and the solution must
confirm the assumed one.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np

from ...compiled.machine.python_callbacks import raise_faults
from ...compiled.model import CompiledModel
from ...errors import LienketError
from ...foundation.arrays import Array, BoolArray, IntArray
from ...foundation.frozen_dataclass import dataclass
from ...kernels.elimination.chain import RANK_TOLERANCE
from ...kernels.elimination.metric import INERTIA_ROUNDING

State = tuple[Array, Array, Array, Array]  # t, q, v, parameters
MULTIPLIER_SIGN_TOLERANCE = 1e-9  # [1] multiplier of the wrong sign, relative to the largest force, counted as zero
# [1] times INERTIA_ROUNDING n: an eigenvalue of A below minus this is negative beyond rounding
NEGATIVE_INERTIA_FACTOR = 1e3


@dataclass(frozen=True, eq=False)
class RowGroup:
    """Rows of a motion with equal contact modes, and the values of the parameters (p) there.

    `rows` are their indices, `acts` (s) tells which constraint rows act, `closed` which constraints do.
    """

    rows: IntArray
    parameters: Array
    acts: BoolArray
    closed: BoolArray


@dataclass(frozen=True, eq=False)
class Balance:
    """Balance of forces at N states.

    A (N x n x n)       inertia matrices
    force (N x n)       required force A a - h
    G (N x s x n)       constraint rows; 0 for rows that do not act
    sizes (N x n)       sizes of the terms of `force`, |A| |a| + |h|
    friction (N x n x s)  share times direction of each row for a positive multiplier; 0 for rows that do not act
    acts (N x s)        which rows act
    pushes (N x constraints x n)  forces of laws that do not depend on multipliers; h includes them
    """

    A: Array
    force: Array
    G: Array
    sizes: Array
    friction: Array
    acts: BoolArray
    pushes: Array


@dataclass(frozen=True, eq=False)
class DriveSolution:
    """Drives and multipliers at N states.

    drives (N x p)      u
    multipliers (N x s) lambda
    residual (N x n)    generalized force that neither supplies; `share` (N) its size relative to all forces
    rank (N)            rank of P E
    columns (N x n x s) B
    obeyed (N x s)      whether each multiplier has the sign that its friction assumes
    """

    drives: Array
    multipliers: Array
    residual: Array
    share: Array
    rank: IntArray
    columns: Array
    obeyed: BoolArray


def balance(model: CompiledModel, t: Array, q: Array, v: Array, a: Array, groups: Sequence[RowGroup]) -> Balance:
    """Return the balance of forces along a motion t (N), q, v, a (N x n), with the forces of all laws."""
    count, n, s = len(t), model.n, model.s
    A, h, G = np.empty((count, n, n)), np.empty((count, n)), np.empty((count, s, n))
    friction, acts = np.zeros((count, n, s)), np.zeros((count, s), dtype=bool)
    pushes = np.zeros((count, len(model.constraints), n))
    for group in groups:
        k = group.rows
        state: State = (t[k], np.ascontiguousarray(q[k]), np.ascontiguousarray(v[k]), group.parameters)
        inputs = np.hstack([a[k], np.zeros((len(k), model.inputs - n))])
        terms = model.function("terms")
        A[k], h[k], G[k], _ = terms.parts(terms.many(*state, inputs)[1])
        acts[k] = group.acts
        if any(c.has_law for c in model.constraints):
            function = model.function("exerted")
            exerted = function.parts(function.many(*state, inputs)[1])[0]
            h[k] -= np.sum(exerted[:, ~group.closed], axis=1)  # an open contact exerts no force
            pushes[k] = exerted * group.closed[:, None]
        if model.non_ideal:
            friction[k] = _friction(model, state, inputs)
    raise_faults(model.callbacks)
    bad = np.flatnonzero(
        ~(np.isfinite(A).all(axis=(1, 2)) & np.isfinite(h).all(axis=1) & np.isfinite(G).all(axis=(1, 2)))
    )
    if len(bad):
        raise LienketError(
            f"At t = {t[bad[0]]:.9g} the equations have no finite value: a formula divides by zero or leaves its "
            "domain. Remove such rows from the motion."
        )
    sizes = np.einsum("tij,tj->ti", np.abs(A), np.abs(a)) + np.abs(h)
    force = np.einsum("tij,tj->ti", A, a) - h
    return Balance(A, force, G * acts[:, :, None], sizes, friction * acts[:, None, :], acts, pushes)


def _friction(model: CompiledModel, state: State, inputs: Array) -> Array:
    """Return share times direction of the friction of each row, N x n x s."""
    loads = model.function("loads")
    blocks = loads.named(loads.many(*state, inputs)[1])
    count, contacts = blocks["shares"].shape
    columns = blocks["shares"][:, :, None] * blocks["directions"].reshape(count, contacts, model.n)
    friction = np.zeros((count, model.n, model.s))
    friction[:, :, blocks["rows"][0].astype(int)] = columns.transpose(0, 2, 1)
    return friction


def solve_drives(needed: Balance, E: Array, weights: Array, senses: Array, either: BoolArray) -> DriveSolution:
    """Return the drives of E (N x n x p) and the multipliers that supply the required force; `weights` (p) are W.

    `senses` (N x s) are the signs of multipliers to try first, `either` (s) the rows in which both are possible.
    """
    rows = np.flatnonzero(either & np.any(needed.friction, axis=(0, 1)))
    best = None
    for flips in product((1.0, -1.0), repeat=len(rows)):
        signs = senses.copy()
        signs[:, rows] *= flips
        trial = _with_signs(needed, E, weights, signs)
        if best is None:
            best = trial
            continue
        best = _better(trial, best)
        if best.obeyed.all():
            break
    assert best is not None  # noqa: S101
    return best


def _better(new: DriveSolution, old: DriveSolution) -> DriveSolution:
    """Return `new` in the states where it alone has the signs that its friction assumes, and `old` in the others."""
    rows = ~np.all(old.obeyed, axis=1) & np.all(new.obeyed, axis=1)
    row, block = rows[:, None], rows[:, None, None]
    return DriveSolution(
        np.where(row, new.drives, old.drives),
        np.where(row, new.multipliers, old.multipliers),
        np.where(row, new.residual, old.residual),
        np.where(rows, new.share, old.share),
        np.where(rows, new.rank, old.rank),
        np.where(block, new.columns, old.columns),
        np.where(row, new.obeyed, old.obeyed),
    )


def _with_signs(needed: Balance, E: Array, weights: Array, signs: Array) -> DriveSolution:
    """Return the drives and multipliers for assumed signs (N x s) of the multipliers in friction."""
    into, back = _metric(needed.A)
    B = needed.G.transpose(0, 2, 1) + needed.friction * signs[:, None, :]
    held, pushed = into @ B, into @ E
    force = _multiply(into, needed.force)
    directions = _range(held)

    def project(x: Array) -> Array:
        return x - directions @ (directions.transpose(0, 2, 1) @ x)

    unheld = project(force[:, :, None])[:, :, 0]
    u, rank = _least_squares(project(pushed), unheld, np.linalg.norm(pushed, axis=1), np.sqrt(weights))
    remaining = unheld - _multiply(project(pushed), u)
    multipliers, _ = _least_squares(
        held, force - _multiply(pushed, u) - remaining, np.linalg.norm(held, axis=1), np.ones(B.shape[2])
    )
    largest = np.max(np.linalg.norm(_multiply(np.abs(into), needed.sizes), axis=1), initial=0.0)
    share = np.linalg.norm(remaining, axis=1) / largest if largest > 0 else np.zeros(len(force))
    frictional = np.any(needed.friction, axis=1)
    slack = MULTIPLIER_SIGN_TOLERANCE * largest / np.where(frictional, np.linalg.norm(held, axis=1), np.inf)
    obeyed = ~frictional | (signs * multipliers >= -slack)
    return DriveSolution(u, multipliers, _multiply(back, remaining), share, rank, B, obeyed)


def _multiply(matrices: Array, vectors: Array) -> Array:
    """Return the products of N matrices with N vectors."""
    return np.einsum("tij,tj->ti", matrices, vectors)


def _metric(A: Array) -> tuple[Array, Array]:
    """Return L with L A L^T = I and its inverse; massless directions count as if they had unit mass."""
    inertia = np.diagonal(A, axis1=1, axis2=2)
    scale = 1 / np.sqrt(np.where(inertia > 0, inertia, 1.0))
    w, V = np.linalg.eigh(A * scale[:, :, None] * scale[:, None, :])
    if np.any(w < -NEGATIVE_INERTIA_FACTOR * INERTIA_ROUNDING * A.shape[1]):
        raise LienketError("The inertia matrix A has a negative eigenvalue: check the signs of masses.")
    w = np.where(w > INERTIA_ROUNDING * A.shape[1], w, 1.0)
    half = np.sqrt(w)[:, None, :]
    return (V / half) @ V.transpose(0, 2, 1) * scale[:, None, :], (V * half) @ V.transpose(0, 2, 1) / scale[:, :, None]


def _range(B: Array) -> Array:
    """Return an orthonormal basis of the columns of each B (N x n x k), zero columns where the rank is less than k."""
    if not B.shape[2]:
        return B
    lengths = np.linalg.norm(B, axis=1)
    U, w, _ = np.linalg.svd(B / np.where(lengths > 0, lengths, 1.0)[:, None, :], full_matrices=False)
    return U * (w > RANK_TOLERANCE)[:, None, :]


def _least_squares(B: Array, y: Array, lengths: Array, units: Array) -> tuple[Array, IntArray]:
    """Return the least-squares x (N x k) of B x = y, with the least |units x| where not unique, and the ranks (N).

    `lengths` (N x k) are those of the columns before projection: relative to them, rounding does not count as rank.
    """
    count, _, k = B.shape
    if not k or not count:
        return np.zeros((count, k)), np.zeros(count, dtype=int)
    lengths = np.where(lengths > 0, lengths, 1.0)
    U, w, V = np.linalg.svd(B / lengths[:, None, :], full_matrices=False)
    rank = np.sum(w > RANK_TOLERANCE, axis=1)
    x = _solve_by_svd(U, w, V, y, rank) / lengths
    deficient = rank < k
    if deficient.any():
        U, w, V = np.linalg.svd(B[deficient] / units, full_matrices=False)
        x[deficient] = _solve_by_svd(U, w, V, y[deficient], rank[deficient]) / units
    return x, rank


def _solve_by_svd(U: Array, w: Array, V: Array, y: Array, rank: IntArray) -> Array:
    """Return V^T w^-1 U^T y with the `rank` largest singular values of each of N matrices."""
    counts = np.arange(w.shape[1]) < rank[:, None]
    inverse = np.where(counts, 1 / np.where(counts, w, 1.0), 0.0)
    return np.einsum("tkj,tk->tj", V, inverse * np.einsum("tik,ti->tk", U, y))
