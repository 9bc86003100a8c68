"""Response of the contact rows to contact forces at one state: y = S lambda + y0."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from ...compiled.model import CompiledModel
from ...errors import LienketError
from ...foundation.arrays import Array
from ...foundation.frozen_dataclass import dataclass
from ...kernels.elimination.chain import constrain, free_chain
from .drives import ContactDrives

CHOLESKY_CONDITION_LIMIT = 1e4  # [1] condition number of inertia and of rows up to which `_by_cholesky` is used


@dataclass(frozen=True, eq=False)
class ContactQuantities:
    """Quantities of a contact at a state: gap, its rate, slip, friction coefficients, restitution, rate of the slip.

    The coefficients are forces per multiplier, mu nu, and `normal` is nu, the normal force per multiplier. The rate of
    the slip is valid only if the accelerations were provided.
    """

    gap: float
    rate: float
    slip: float
    mu: float
    mu_static: float
    restitution: float
    slip_rate: float
    normal: float


@dataclass(frozen=True, eq=False)
class ContactResponse:
    """Rows C (c x n) of contacts: y = S lambda + y0 for accelerations, y = S Lambda + C v for impacts.

    W = root^T root (n x n) maps generalized forces to accelerations (impulses to jumps of velocity) under all
    constraints other than contacts; root (k x n) maps them to coordinates of unit inertia. a (n) are the accelerations
    without contact forces and drives. `drives` are those of programs, which react to all other forces; they have no
    effect in an impact.
    """

    C: Array
    S: Array
    y0: Array
    root: Array
    W: Array
    a: Array
    drives: ContactDrives | None = None


@dataclass(frozen=True, eq=False)
class ContactSystem:
    """Model with every constraint, its rows by constraint, and the compiled function of the contact quantities.

    `count` is the number of contacts, `programs` the indices of the constraints that drives maintain.
    """

    model: CompiledModel
    rows: tuple[tuple[int, ...], ...]
    quantity_function: Any
    count: int
    programs: frozenset[int] = frozenset()

    def quantities(
        self, t: float, q: Array, v: Array, parameters: Array, a: Array | None = None
    ) -> list[ContactQuantities]:
        """Return the quantities of the contacts at a state, with its accelerations a (n) if they are known."""
        inputs = np.zeros(self.quantity_function.info.lengths[2])
        if a is not None:
            inputs[: len(a)] = a
        numbers = self.quantity_function(t, q, v, parameters, inputs)[1].tolist()
        each = len(ContactQuantities.__match_args__)
        return [ContactQuantities(*numbers[each * k : each * (k + 1)]) for k in range(self.count)]

    def response(
        self, t: float, q: Array, v: Array, parameters: Array, passive: list[int], contacts: list[int], impact: bool
    ) -> ContactResponse:
        """Return the response of the rows of contacts under the passive constraints; both by indices of constraints."""
        model, inputs = self.model, np.zeros(self.model.inputs)
        terms = model.function("terms")
        out = terms(t, q, v, parameters, inputs)[1]
        if not np.isfinite(out).all():
            raise LienketError(
                f"At t = {t:.9g} the inertia, the forces or the rows of constraints are not finite: a number is too "
                "large, or a formula divides by zero or leaves its domain there."
            )
        A, h, G, g0 = terms.parts(out)
        passive_rows = [k for i in passive if impact or i not in self.programs for k in self.rows[i]]
        contact_rows = [k for i in contacts for k in self.rows[i]]
        solution = _by_cholesky(A, h, G[passive_rows], g0[passive_rows])
        root, a = solution if solution is not None else _by_chain(A, h, G, g0, passive_rows)
        C, W = G[contact_rows], root.T @ root
        if impact:
            surface = model.function("surface")
            y0 = surface.parts(surface(t, q, v, parameters, inputs)[1])[3][contact_rows]
        else:
            y0 = C @ a + g0[contact_rows]
        drives = self._drives(t, q, v, parameters, (W, a, C, G, g0)) if model.drives and not impact else None
        return ContactResponse(C, C @ W @ C.T, y0, root, W, a, drives)

    def _drives(
        self, t: float, q: Array, v: Array, parameters: Array, terms: tuple[Array, Array, Array, Array, Array]
    ) -> ContactDrives:
        """Return the drives of programs; `terms` are W, the accelerations a without drives, C, G and g0."""
        W, a, C, G, g0 = terms
        n, loads = self.model.n, self.model.function("loads")
        parts = loads.named(loads(t, q, v, parameters, np.zeros(self.model.inputs))[1])
        exact = parts["kept"].astype(int)
        P, p0 = np.vstack([G[exact], parts["P"].reshape(-1, n)]), np.concatenate([g0[exact], parts["p0"]])
        E = parts["drives"].reshape(-1, n).T
        limits = (parts["weights"], parts["least"], parts["most"])
        return ContactDrives(C @ W @ E, P @ W @ E, P @ W @ C.T, -(P @ a + p0), *limits, len(exact))


def _by_cholesky(A: Array, h: Array, G: Array, g0: Array) -> tuple[Array, Array] | None:
    """Return the root of W (n x n) and accelerations (n).

    None unless A is positive definite and the rows are well independent. With A = L L^T in coordinates of unit inertia,
    L^-1 G^T = Q R leaves W = L^-T (I - Q Q^T) L^-1, whose root is (I - Q Q^T) L^-1.
    """
    factors = _factors(A.tobytes(), G.tobytes(), len(A))
    if factors is None:
        return None
    inverse, projected, Q, R, sizes = factors
    a = projected.T @ (inverse @ h)
    return projected, a - inverse.T @ (Q @ np.linalg.solve(R.T, g0 / sizes)) if len(g0) else a


@lru_cache(maxsize=8)
def _factors(A_bytes: bytes, G_bytes: bytes, n: int) -> tuple[Array, Array, Array, Array, Array] | None:
    """Return L^-1, (I - Q Q^T) L^-1, Q, R and the sizes of the rows of G (s x n); None as in `_by_cholesky`.

    An impact and the decision of modes after it need the same factors.
    """
    A, G = np.frombuffer(A_bytes).reshape(n, n), np.frombuffer(G_bytes).reshape(-1, n)
    diagonal = A.diagonal()
    if not diagonal.min() > 0:
        return None
    scale = 1 / np.sqrt(diagonal)
    try:
        inverse = np.linalg.inv(np.linalg.cholesky(A * scale * scale[:, None])) * scale
    except np.linalg.LinAlgError:
        return None
    if not np.abs(inverse * diagonal * scale).max() < CHOLESKY_CONDITION_LIMIT:
        return None
    if not len(G):
        return inverse, inverse, np.zeros((n, 0)), np.zeros((0, 0)), np.zeros(0)
    rows = inverse @ G.T
    sizes = np.sqrt((rows * rows).sum(axis=0))
    if not sizes.min() > 0:
        return None
    Q, R = np.linalg.qr(rows / sizes)
    if not np.abs(R.diagonal()).min() * CHOLESKY_CONDITION_LIMIT > 1:
        return None
    return inverse, inverse - Q @ (Q.T @ inverse), Q, R, sizes


def _by_chain(A: Array, h: Array, G: Array, g0: Array, rows: list[int]) -> tuple[Array, Array]:
    """Return the root of W and accelerations by row-wise elimination, for redundant rows and massless coordinates."""
    chain = free_chain(A, h, G)
    chain = constrain(chain, "", G[rows], g0[rows]) if rows else chain
    if chain.massless:
        raise LienketError(
            "The motion of massless coordinates is undetermined at a contact: no constraint holds them. "
            "Give them mass, or add a constraint."
        )
    scale = chain.metric.scale
    D = chain.D * scale[:, None]
    return D.T, chain.a * scale
