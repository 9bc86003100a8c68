"""A system with contacts at one state, in numbers: how its contact rows answer to their forces."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...compiled.model import CompiledModel
from ...errors import LienketError
from ...foundation.frozen_dataclass import dataclass
from ...kernels.elimination.chain import constrain, free_chain
from .drives import ContactDrives

Array = Any

CERTAIN = 1e4
"""Up to which condition number of inertia, and of rows one after another, the quick way is taken."""


@dataclass(frozen=True, eq=False)
class ContactQuantities:
    """What a contact says of itself: gap, its rate, slip, coefficients mu and mu_static, restitution, rate of slip.

    The last is right only with the accelerations.
    """

    gap: float
    rate: float
    slip: float
    mu: float
    mu_static: float
    restitution: float
    slip_rate: float


@dataclass(frozen=True, eq=False)
class ContactResponse:
    """Rows C (c x n) of contacts: y = S lambda + y0 for accelerations, y = S Lambda + C v for impacts.

    W (n x n) are the accelerations, or jumps of velocity, that forces make under all that is no contact. `drives` are
    those of programs, which answer to whatever else pushes; none take part in an impact.
    """

    C: Array
    S: Array
    y0: Array
    W: Array
    drives: ContactDrives | None = None


@dataclass(frozen=True, eq=False)
class ContactSystem:
    """The model with every constraint, its rows by constraint, and the function of what contacts say of themselves.

    `programs` are the places of those that drives keep.
    """

    model: CompiledModel
    rows: tuple[tuple[int, ...], ...]
    said: Any
    count: int
    programs: frozenset[int] = frozenset()

    def numbers(
        self, t: float, q: Array, v: Array, parameters: Array, a: Array | None = None
    ) -> list[ContactQuantities]:
        """What the contacts say at a state, with its accelerations a (n) if they are known."""
        inputs = np.zeros(self.said.info.lengths[2])
        if a is not None:
            inputs[: len(a)] = a
        numbers = self.said(t, q, v, parameters, inputs)[1].tolist()
        return [ContactQuantities(*numbers[7 * k : 7 * k + 7]) for k in range(self.count)]

    def response(
        self, t: float, q: Array, v: Array, parameters: Array, passive: list[int], contacts: list[int], impact: bool
    ) -> ContactResponse:
        """How the rows of contacts (places of constraints) answer, under the passive ones."""
        model, inputs = self.model, np.zeros(self.model.inputs)
        terms = model.function("terms")
        A, h, G, g0 = terms.parts(terms(t, q, v, parameters, inputs)[1])
        under = [k for i in passive if impact or i not in self.programs for k in self.rows[i]]
        own = [k for i in contacts for k in self.rows[i]]
        found = _by_cholesky(A, h, G[under], g0[under])
        W, a = found if found is not None else _by_chain(A, h, G, g0, under)
        C = G[own]
        if impact:
            surface = model.function("surface")
            y0 = surface.parts(surface(t, q, v, parameters, inputs)[1])[3][own]
        else:
            y0 = C @ a + g0[own]
        driven = self._driven(t, q, v, parameters, (W, a, C, G, g0)) if model.drives and not impact else None
        return ContactResponse(C, C @ W @ C.T, y0, W, driven)

    def _driven(
        self, t: float, q: Array, v: Array, parameters: Array, known: tuple[Array, Array, Array, Array, Array]
    ) -> ContactDrives:
        """The drives of programs: W, a without them, C, G and g0 are known."""
        W, a, C, G, g0 = known
        n, loads = self.model.n, self.model.function("loads")
        found = loads.named(loads(t, q, v, parameters, np.zeros(self.model.inputs))[1])
        kept = found["kept"].astype(int)
        P, p0 = np.vstack([G[kept], found["P"].reshape(-1, n)]), np.concatenate([g0[kept], found["p0"]])
        E = found["drives"].reshape(-1, n).T
        limits = (found["weights"], found["least"], found["most"])
        return ContactDrives(C @ W @ E, P @ W @ E, P @ W @ C.T, -(P @ a + p0), *limits, len(kept))


def _by_cholesky(A: Array, h: Array, G: Array, g0: Array) -> tuple[Array, Array] | None:
    """W (n x n) and accelerations (n) under rows that are clearly independent, with A positive definite; else None.

    With A = L L^T in coordinates of unit inertia, L^-1 G^T = Q R leaves W = L^-T (I - Q Q^T) L^-1.
    """
    diagonal = A.diagonal()
    if not diagonal.min() > 0:
        return None
    scale = 1 / np.sqrt(diagonal)
    try:
        inverse = np.linalg.inv(np.linalg.cholesky(A * scale * scale[:, None])) * scale
    except np.linalg.LinAlgError:
        return None
    if not np.abs(inverse * diagonal * scale).max() < CERTAIN:
        return None
    if not len(G):
        return inverse.T @ inverse, inverse.T @ (inverse @ h)
    rows = inverse @ G.T
    sizes = np.sqrt((rows * rows).sum(axis=0))
    if not sizes.min() > 0:
        return None
    Q, R = np.linalg.qr(rows / sizes)
    if not np.abs(R.diagonal()).min() * CERTAIN > 1:
        return None
    left = inverse - Q @ (Q.T @ inverse)
    return left.T @ left, left.T @ (inverse @ h) - inverse.T @ (Q @ np.linalg.solve(R.T, g0 / sizes))


def _by_chain(A: Array, h: Array, G: Array, g0: Array, under: list[int]) -> tuple[Array, Array]:
    """The same row by row, whatever depends on others or has no mass."""
    chain = free_chain(A, h, G)
    chain = constrain(chain, "", G[under], g0[under]) if under else chain
    if chain.massless:
        raise LienketError("Something massless moves freely here: contacts cannot say how it goes on.")
    scale = chain.metric.scale
    D = chain.D * scale[:, None]
    return D @ D.T, chain.a * scale
