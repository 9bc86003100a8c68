"""A system with contacts at one state, in numbers: how its contact rows answer to their forces."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..compiled.model import CompiledModel
from ..errors import LienketError
from ..kernels.chain import constrain, free_chain

Array = Any


@dataclass(frozen=True, eq=False)
class ContactNumbers:
    """What a contact says of itself: gap, its rate, slip, coefficients mu and mu_static, restitution."""

    gap: float
    rate: float
    slip: float
    mu: float
    mu_static: float
    restitution: float


@dataclass(frozen=True, eq=False)
class Answers:
    """Rows C (c x n) of contacts: y = S lambda + y0 for accelerations, y = S Lambda + C v for impacts.

    W (n x n) are the accelerations, or jumps of velocity, that forces make under all that is no contact.
    """

    C: Array
    S: Array
    y0: Array
    W: Array


@dataclass(frozen=True, eq=False)
class ContactSystem:
    """The model with every constraint, its rows by constraint, and the function of what contacts say of themselves."""

    model: CompiledModel
    rows: tuple[tuple[int, ...], ...]
    said: Any
    count: int

    def numbers(self, t: float, q: Array, v: Array, parameters: Array) -> list[ContactNumbers]:
        """What the contacts say at a state."""
        _, out = self.said(t, q, v, parameters, np.zeros(self.said.facts.lengths[2]))
        return [ContactNumbers(*map(float, out[6 * k : 6 * k + 6])) for k in range(self.count)]

    def answers(
        self, t: float, q: Array, v: Array, parameters: Array, passive: list[int], contacts: list[int], impact: bool
    ) -> Answers:
        """How the rows of contacts (places of constraints) answer, under the passive ones."""
        model, inputs = self.model, np.zeros(self.model.inputs)
        terms = model.function("terms")
        A, h, G, g0 = terms.parts(terms(t, q, v, parameters, inputs)[1])
        under = [k for i in passive for k in self.rows[i]]
        own = [k for i in contacts for k in self.rows[i]]
        chain = free_chain(A, h, G)
        chain = constrain(chain, "", G[under], g0[under]) if under else chain
        if chain.massless:
            raise LienketError("Something massless moves freely here: contacts cannot say how it goes on.")
        scale = chain.metric.scale
        D = chain.D * scale[:, None]
        W, a, C = D @ D.T, chain.a * scale, G[own]
        if model.drives and not impact:
            W, a = self._driven(t, q, v, parameters, W, a)
        if impact:
            surface = model.function("surface")
            y0 = surface.parts(surface(t, q, v, parameters, inputs)[1])[3][own]
        else:
            y0 = C @ a + g0[own]
        return Answers(C, C @ W @ C.T, y0, W)

    def _driven(self, t: float, q: Array, v: Array, parameters: Array, W: Array, a: Array) -> tuple[Array, Array]:
        """The same with the drives of programs, which answer to whatever else pushes."""
        model, n = self.model, self.model.n
        loads, inputs = model.function("loads"), np.zeros(model.inputs)
        found = loads.named(loads(t, q, v, parameters, inputs)[1])
        terms = model.function("terms")
        _, _, G, g0 = terms.parts(terms(t, q, v, parameters, inputs)[1])
        kept = found["kept"].astype(int)
        P, p0 = np.vstack([G[kept], found["P"].reshape(-1, n)]), np.concatenate([g0[kept], found["p0"]])
        E = found["drives"].reshape(-1, n).T
        back = W @ E @ np.linalg.pinv(P @ W @ E, rcond=1e-9)
        return W - back @ P @ W, a - back @ (P @ a + p0)
