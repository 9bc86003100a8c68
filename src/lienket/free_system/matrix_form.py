"""Matrix form of paper 004: A q'' + q* D q0 = Q, the velocity terms as one matrix product.

    q* = I_n (x) q'^T   (n x n^2)        q0 = 1_n (x) q'   (n^2 x 1)        D = blockdiag(D_1, ..., D_n)

The paper gives no formula for D; its two examples fix (theory 12)

    "paper"        (D_i)_jk = d a_ik/dq_j - (d a_jk/dq_i)/2
    "christoffel"  (D_i)_jk = (d a_ik/dq_j + d a_ij/dq_k - d a_jk/dq_i)/2, its symmetric part

Both give equal products q* D q0. If T has terms other than T2, or A depends on time, `remainder` holds the terms
that D cannot express: A q'' + q* D q0 = Q + remainder. In the paper's case the remainder is zero.
"""

from __future__ import annotations

from collections.abc import Sequence

import sympy as sp

from ..errors import LienketError
from ..foundation.frozen_dataclass import dataclass
from ..language.engine.engine import Engine
from ..language.expression import EngineExpression
from ..language.simplify.tidy import tidy_all
from .kinetic_energy import ZERO, KineticEnergy

Slopes = list[list[list[EngineExpression]]]  # slopes[k][i][j] = d a_ij/dq_k


@dataclass(frozen=True)
class MatrixForm:
    """Matrix form A q'' + q* D q0 = Q + remainder of paper 004, made by `FreeSystem.matrix_form`.

    Attributes
    ----------
    kind : str
        Definition of D: "paper" or "christoffel".
    A : Matrix
        Inertia matrix (n x n).
    q_star : Matrix
        Matrix q* = I_n (x) q'^T (n x n^2).
    D : Matrix
        Block-diagonal matrix of the D_i (n^2 x n^2).
    q_0 : Matrix
        Column q0 of n copies of q' (n^2 x 1).
    Q : Matrix
        Generalized forces (n x 1).
    remainder : Matrix
        Velocity and time terms that D cannot express (n x 1); 0 if T = q'^T A(q) q'/2.

    Examples
    --------
    >>> form = lk.load("examples/models/slider_crank.toml").free.matrix_form()
    >>> form.q_star.tolist()
    [[Derivative(phi(t), t), Derivative(theta(t), t), 0, 0], [0, 0, Derivative(phi(t), t), Derivative(theta(t), t)]]
    """

    kind: str
    A: sp.ImmutableMatrix
    q_star: sp.ImmutableMatrix
    D: sp.ImmutableMatrix
    q_0: sp.ImmutableMatrix
    Q: sp.ImmutableMatrix
    remainder: sp.ImmutableMatrix

    def block(self, i: int) -> sp.ImmutableMatrix:
        """Return the block D_i of one equation.

        Parameters
        ----------
        i : int
            Number of the equation, from 0.

        Returns
        -------
        Matrix
            D_i (n x n).

        Raises
        ------
        IndexError
            If there is no equation of this number.
        """
        n = self.A.rows
        if not 0 <= i < n:
            raise IndexError(f"block {i} does not exist: the blocks are numbered from 0 to {n - 1}")
        return self.D[i * n : (i + 1) * n, i * n : (i + 1) * n]

    def velocity_terms(self) -> sp.ImmutableMatrix:
        """Return the velocity terms q* D q0.

        Returns
        -------
        Matrix
            Column (n x 1).
        """
        return self.q_star * self.D * self.q_0


def matrix_form(engine: Engine, kinetic: KineticEnergy, Q: Sequence[EngineExpression], kind: str) -> MatrixForm:
    """Return the matrix form of the free system; `kind`, "paper" or "christoffel", selects the definition of D."""
    if kind not in _BLOCK:
        raise LienketError(f"{kind!r} is not a kind of matrix form; the kinds are {' and '.join(map(repr, _BLOCK))}.")
    n, A = len(engine.q), kinetic.A
    slopes = [[[engine.derivative(A[i][j], q) for j in range(n)] for i in range(n)] for q in engine.q]
    D = [[ZERO] * (n * n) for _ in range(n * n)]
    indices = [(i, j, k) for i in range(n) for j in range(n) for k in range(n)]
    for (i, j, k), entry in zip(indices, tidy_all(_BLOCK[kind](slopes, *index) for index in indices), strict=True):
        D[i * n + j][i * n + k] = entry
    velocities = engine.column(engine.v)
    return MatrixForm(
        kind,
        engine.matrix(A),
        q_star=sp.ImmutableMatrix(sp.kronecker_product(sp.eye(n), velocities.T)),
        D=engine.matrix(D),
        q_0=sp.ImmutableMatrix(sp.Matrix([velocities] * n)),
        Q=engine.column(Q),
        remainder=engine.column(tidy_all(_remainder(engine, kinetic))),
    )


def _paper_entry(slopes: Slopes, i: int, j: int, k: int) -> EngineExpression:
    return slopes[j][i][k] - slopes[i][j][k] / 2


def _christoffel_entry(slopes: Slopes, i: int, j: int, k: int) -> EngineExpression:
    return (slopes[j][i][k] + slopes[k][i][j] - slopes[i][j][k]) / 2


_BLOCK = {"paper": _paper_entry, "christoffel": _christoffel_entry}


def _remainder(engine: Engine, kinetic: KineticEnergy) -> list[EngineExpression]:
    """Return -(dA/dt) q' + Qg + Q0, the terms of N that are not quadratic in the velocities (theory 2)."""
    d, q, v, t = engine.derivative, engine.q, engine.v, engine.t
    remainder = []
    for i in range(len(q)):
        terms = [d(kinetic.A0, q[i]), -d(kinetic.A1[i], t)]
        for j in range(len(q)):
            terms.append((d(kinetic.A1[j], q[i]) - d(kinetic.A1[i], q[j]) - d(kinetic.A[i][j], t)) * v[j])
        remainder.append(sum(terms, start=ZERO))
    return remainder
