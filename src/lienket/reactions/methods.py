"""Four methods for G^T lambda, the reaction of ideal constraints (theory 6).

Method 1: r = G^T lambda with S lambda = -(G A^-1 h + g0), S = G A^-1 G^T (theory 6).

If A is singular: [A -G^T; G 0] [q''; lambda] = [h; -g0].

Method 2: B r = [-(G A^-1 h + g0); 0] with B = [G A^-1; D^T] (paper 000, eq. 2.10 and 2.11; theory 6).

Method 3: middle variables (paper 002, eq. 2.12 to 2.17; theory 6).

A Q0 = h;  [G; D^T A] R0 = [-(G Q0 + g0); 0];  r = A R0. Q0 is the acceleration of the free system, R0 the
additional acceleration due to the constraints: q'' = Q0 + R0. A^-1 is not formed.

Method 4: accelerations first, then r = A q'' - h (paper 001, eq. 3.11; theory 6 and 8). A may be singular.

q'' = D sigma + gamma with (D^T A D) sigma = D^T (h - A gamma): one equation per degree of freedom.
"""

from __future__ import annotations

from ..elimination.linear_solve import is_regular, tidied
from ..elimination.null_space_step import ZERO, Vector, dot, product, transposed
from ..errors import LienketError
from .reaction_problem import ReactionProblem, negative


def by_multipliers(problem: ReactionProblem) -> Vector:
    """Return G^T lambda, the ideal part of the reaction, n entries, by method 1."""
    multipliers = _from_schur(problem) if problem.regular else _from_saddle(problem)
    return [dot(column, multipliers) for column in transposed(problem.G, len(problem.h))]


def _from_schur(problem: ReactionProblem) -> Vector:
    """Solve S lambda = -(G A^-1 h + g0)."""
    return problem.solve_vector(problem.S, problem.constraint_deficit)


def _from_saddle(problem: ReactionProblem) -> Vector:
    """Solve [A -G^T; G 0] [q''; lambda] = [h; -g0] for lambda."""
    n, s = len(problem.h), len(problem.G)
    upper = [[*row, *negative([J[i] for J in problem.G])] for i, row in enumerate(problem.A)]
    lower = [[*J, *[ZERO] * s] for J in problem.G]
    return problem.solve_vector([*upper, *lower], [*problem.h, *negative(problem.g0)])[n:]


def direct(problem: ReactionProblem) -> Vector:
    """Return G^T lambda, the ideal part of the reaction, n entries, by method 2, without multipliers."""
    k = problem.chain.freedom
    B = [*transposed(problem.mobility, len(problem.G)), *transposed(problem.D, k)]
    return problem.solve_vector(B, [*problem.constraint_deficit, *[ZERO] * k])


def by_middle_variables(problem: ReactionProblem) -> Vector:
    """Return G^T lambda, the ideal part of the reaction, n entries, by method 3."""
    R0 = constraint_acceleration(problem)
    return [dot(row, R0) for row in problem.A]


def constraint_acceleration(problem: ReactionProblem) -> Vector:
    """Return R0 of paper 002, the acceleration that the constraints add to the free acceleration, n entries."""
    C = problem.chain.C
    return problem.solve_vector([*problem.G, *C], [*problem.constraint_deficit, *[ZERO] * len(C)])


def from_accelerations(problem: ReactionProblem) -> Vector:
    """Return G^T lambda, the ideal part of the reaction, n entries, by method 4."""
    a = accelerations(problem)
    return [dot(row, a) - force for row, force in zip(problem.A, problem.h, strict=True)]


def accelerations(problem: ReactionProblem) -> Vector:
    """Return the accelerations q'' as explicit formulas, n entries."""
    chain = problem.chain
    inertia = tidied(product(chain.C, chain.D))
    if inertia and not is_regular(inertia, chain.points):
        raise LienketError(
            "The accelerations are not determined: a massless motion is not bound by any constraint. Give it "
            "inertia, or constrain it."
        )
    right = [f - dot(row, chain.gamma) for f, row in zip(chain.f, chain.C, strict=True)]
    sigma = problem.solve_vector(inertia, tidied([right])[0] if right else [])
    return tidied([[dot(row, sigma) + g for row, g in zip(chain.D, chain.gamma, strict=True)]])[0]
