"""Wrenches of joints with redundant rows (mechanisms 4.4).

With Z the null space of G^T, multipliers lambda + Z y are possible for all y, and so are all wrenches w + W Z y, W the
wrenches of unit multipliers. A joint's wrench is unique where its rows of W Z vanish. Of the possible ones that with
the least sum of |F|^2 + |M/l|^2 over all joints is shown, l a length of the mechanism: it depends neither on the choice
of coordinates nor on how rows are written.
"""

from __future__ import annotations

import numpy as np

from ...foundation.arrays import Array, BoolArray
from ...kernels.evaluation import Evaluation

UNIQUE_TOLERANCE = 1e-9  # [1] part of a wrench in the null space, relative to the wrenches of unit multipliers
DEPENDENT_LIMIT = 1e-9  # [1] singular value of rows of length 1, relative to the largest, taken for zero


def wrenches(evaluation: Evaluation) -> dict[str, Array]:
    """Return forces and torques of all joints (N x J x 3), efforts (N x E x 1), and whether they are unique."""
    found = evaluation.mechanism
    efforts = found["efforts"].copy()
    of_elements = np.ones(efforts.shape[:2], dtype=bool)
    force, torque = found["force"].copy(), found["torque"].copy()
    unique = np.ones(force.shape[:2], dtype=bool)
    s = evaluation.model.s
    if not (force.size and s):
        return _named(force, torque, unique, efforts, of_elements)
    G = evaluation.G.reshape(len(force), s, -1)
    for k in range(len(force)):
        Z = _null_space(G[k])
        if Z.shape[1]:
            least = _least(evaluation, k, Z, np.concatenate([force[k], torque[k]], axis=1), efforts[k, :, 0])
            force[k], torque[k], unique[k] = least[0][:, :3], least[0][:, 3:], least[1]
            efforts[k, :, 0], of_elements[k] = least[2], least[3]
    return _named(force, torque, unique, efforts, of_elements)


def _named(force: Array, torque: Array, unique: BoolArray, efforts: Array, of_elements: BoolArray) -> dict[str, Array]:
    """Return the arrays by name."""
    marks = {"unique": unique.astype(float), "unique_efforts": of_elements.astype(float)}
    return {"force": force, "torque": torque, "efforts": efforts, **marks}


def _null_space(G: Array) -> Array:
    """Return an orthonormal basis of the multipliers that exert nothing, s x (s - rank)."""
    sizes = np.linalg.norm(G, axis=1)
    scale = np.divide(1.0, sizes, out=np.ones_like(sizes), where=sizes > 0)
    if not np.isfinite(G).all():
        return np.zeros((len(G), 0))
    U, values, _ = np.linalg.svd(G * scale[:, None])
    rank = int(np.count_nonzero(values > DEPENDENT_LIMIT * values.max(initial=0.0)))
    Z = scale[:, None] * U[:, rank:]
    return np.linalg.qr(Z)[0] if Z.shape[1] else Z


def _least(
    evaluation: Evaluation, k: int, Z: Array, wrench: Array, efforts: Array
) -> tuple[Array, BoolArray, Array, BoolArray]:
    """Return the least wrenches (J x 6) of row k of the states and the efforts (E) with them, and which are unique."""
    length = float(evaluation.mechanism["length"][k, 0, 0])
    W, E = _of_unit_multipliers(evaluation, k)  # 6 J x s, E x s
    joints, w = len(wrench), wrench.ravel()
    weights = np.tile([1.0] * 3 + [1.0 / length] * 3, joints)
    free, free_efforts = W @ Z, E @ Z
    size = np.abs(weights[:, None] * W).max(initial=0.0)
    parts = np.abs(weights[:, None] * free).reshape(joints, 6, -1).max(axis=(1, 2), initial=0.0)
    unique = parts <= UNIQUE_TOLERANCE * size
    sizes = np.abs(E).max(axis=1, initial=0.0)
    unique_efforts = np.abs(free_efforts).max(axis=1, initial=0.0) <= UNIQUE_TOLERANCE * np.maximum(sizes, 1e-300)
    y = np.linalg.lstsq(weights[:, None] * free, weights * w, rcond=UNIQUE_TOLERANCE)[0]
    chosen = (w - free @ y).reshape(joints, 6)
    chosen[unique] = wrench[unique]
    return chosen, unique, np.where(unique_efforts, efforts, efforts - free_efforts @ y), unique_efforts


def _of_unit_multipliers(evaluation: Evaluation, k: int) -> tuple[Array, Array]:
    """Return what each unit multiplier adds at row k of the states: wrenches (6 J x s) and efforts (E x s)."""
    model = evaluation.model
    function, s, n = model.function("mechanism"), model.s, model.n
    a, multipliers = evaluation.solution
    base = np.concatenate([a[k], multipliers[k]])
    inputs = np.tile(base, (s + 1, 1))
    inputs[1:, n : n + s] += np.eye(s)

    def repeated(values: Array) -> Array:
        return np.ascontiguousarray(np.tile(values, (s + 1, 1)))

    t = np.full(s + 1, evaluation.t[k])
    parameters = evaluation.parameters
    if parameters.ndim == 2:
        parameters = repeated(parameters[k])
    _, out = function.many(t, repeated(evaluation.q[k]), repeated(evaluation.v[k]), parameters, inputs)
    blocks = function.named(out)
    both = np.concatenate([blocks["force"], blocks["torque"]], axis=2).reshape(s + 1, -1)
    efforts = blocks["efforts"].reshape(s + 1, -1)
    return (both[1:] - both[0]).T, (efforts[1:] - efforts[0]).T
