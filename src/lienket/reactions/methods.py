"""Four methods for G^T lambda, the reaction of ideal constraints, side by side (theory 6).

Method 1: r = G^T lambda with S lambda = -(G A^-1 h + g0), S = G A^-1 G^T (theory 6).

Where A is singular: [A -G^T; G 0] [q''; lambda] = [h; -g0].

Method 2: B r = [-(G A^-1 h + g0); 0] with B = [G A^-1; D^T] (paper 000, eq. 2.10 and 2.11; theory 6).

Method 3: middle variables (paper 002, eq. 2.12 to 2.17; theory 6).

A Q0 = h;  [G; D^T A] R0 = [-(G Q0 + g0); 0];  r = A R0. Q0 is the acceleration of the free system, R0 what the
constraints add to it: q'' = Q0 + R0. A^-1 is not formed.

Method 4: the accelerations first, then r = A q'' - h (paper 001, eq. 3.11; theory 6 and 8). A may be singular.

q'' = D sigma + gamma with (D^T A D) sigma = D^T (h - A gamma): as many equations as freedoms.
"""

from __future__ import annotations

from ..elimination.linear_solve import is_regular, tidied
from ..elimination.null_space_step import ZERO, Vector, dot, product, transposed
from ..errors import LienketError
from .reaction_problem import ReactionProblem, negative


def by_multipliers(setting: ReactionProblem) -> Vector:
    """G^T lambda, the ideal part of the reaction, n entries."""
    multipliers = _from_schur(setting) if setting.regular else _from_saddle(setting)
    return [dot(column, multipliers) for column in transposed(setting.G, len(setting.h))]


def _from_schur(setting: ReactionProblem) -> Vector:
    return setting.solve_vector(setting.S, setting.constraint_deficit)


def _from_saddle(setting: ReactionProblem) -> Vector:
    n, s = len(setting.h), len(setting.G)
    upper = [[*row, *negative([J[i] for J in setting.G])] for i, row in enumerate(setting.A)]
    lower = [[*J, *[ZERO] * s] for J in setting.G]
    return setting.solve_vector([*upper, *lower], [*setting.h, *negative(setting.g0)])[n:]


def direct(setting: ReactionProblem) -> Vector:
    """G^T lambda, the ideal part of the reaction, n entries, without multipliers."""
    k = setting.chain.freedom
    B = [*transposed(setting.mobility, len(setting.G)), *transposed(setting.D, k)]
    return setting.solve_vector(B, [*setting.constraint_deficit, *[ZERO] * k])


def by_middle_variables(setting: ReactionProblem) -> Vector:
    """G^T lambda, the ideal part of the reaction, n entries."""
    R0 = constraint_acceleration(setting)
    return [dot(row, R0) for row in setting.A]


def constraint_acceleration(setting: ReactionProblem) -> Vector:
    """What the constraints add to the free acceleration, R0 of paper 002, n entries."""
    C = setting.chain.C
    return setting.solve_vector([*setting.G, *C], [*setting.constraint_deficit, *[ZERO] * len(C)])


def from_accelerations(setting: ReactionProblem) -> Vector:
    """G^T lambda, the ideal part of the reaction, n entries."""
    a = accelerations(setting)
    return [dot(row, a) - force for row, force in zip(setting.A, setting.h, strict=True)]


def accelerations(setting: ReactionProblem) -> Vector:
    """The accelerations q'' as explicit formulas, n entries."""
    chain = setting.chain
    inertia = tidied(product(chain.C, chain.D))
    if inertia and not is_regular(inertia, chain.points):
        raise LienketError(
            "The accelerations are not determined: some motion moves no mass, and no constraint binds it. Give it "
            "inertia, or constrain it."
        )
    right = [f - dot(row, chain.gamma) for f, row in zip(chain.f, chain.C, strict=True)]
    sigma = setting.solve_vector(inertia, tidied([right])[0] if right else [])
    return tidied([[dot(row, sigma) + g for row, g in zip(chain.D, chain.gamma, strict=True)]])[0]
