"""The memory of the kernels for derivatives of a run. Nothing here needs numba.

n coordinates, s rows, p parameters, K columns (derivatives, or outputs in adjoint kernels), S stages. These kernels are
given the arrays of `simulation.memory`, and then

    tableau   float64   (S + 1, S + 1) c_i, a_i1, ..., a_iS of every stage; 1, b_1, ..., b_S
    columns   int64     (C) the parameter by which a column differentiates, -1 for none; C = K.
                        In adjoint kernels every parameter, C = p
    tangents  float64   (rows, 2 n K) the derivatives of the state at each of the `rows`, the first given.
                        In adjoint kernels one row, the derivatives of the outputs by the state, on their way back
    gradient  float64   (p, K) in adjoint kernels: the derivatives of the outputs by the parameters, so far
    sizes     float64   (C) the size of what each column differentiates by, see `columns.RESIDUAL_SCALE_FLOOR`

`rows` are those of a run, each the end of a step: t, length of the step, state. counts[FIRST_ROW] is where the first
step begins, counts[LAST_ROW] where the last one ends; control[OFF_TANGENT] and control[OFF_TANGENT_BEFORE] tell how far
derivatives were off the tangent space. The scratch has the blocks of `Shared`, then those of the steps.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ...kernels.memory.blocks import length
from ...simulation.model_answers import equation_derivatives, surface, surface_derivatives


class Shared(NamedTuple):
    """Blocks of the scratch that all these kernels have."""

    answer: Any  # answer of the model, see `model_answers.EquationDerivatives`
    by_p: Any  # (n + s, p) derivatives of the equations by the parameters
    surface_derivatives: Any  # answer of the model, see `model_answers.SurfaceDerivatives`
    surface: Any  # answer of the model, see `model_answers.Surface`
    right: Any  # right sides, (n + s, K) in some places, (n + s, C) in others
    weights: Any  # (n, K)
    delta: Any  # (2 n, K) derivatives of a state
    along: Any  # a row of any matrix here
    taken: Any  # (s) numbers of the rows that take part


class ExplicitStages(NamedTuple):
    """Blocks of explicit steps."""

    x: Any  # (S, 2 n) states
    k: Any  # (S, 2 n) rates
    K: Any  # (S, 2 n K) derivatives of the rates


class ImplicitStages(NamedTuple):
    """Blocks of implicit steps."""

    x: Any  # (S, 2 n) states
    a: Any  # (S, n) accelerations
    by_q: Any  # (S, n n) Jacobians by positions
    by_v: Any  # (S, n n) Jacobians by velocities
    by_p: Any  # (S, n C) Jacobians by the parameters of the columns
    square: Any  # (S, S) square of the tableau
    M: Any  # (S n, S n) matrix of Newton's method
    pivots: Any  # (S n) its pivots
    right: Any  # (K + 1, S n) right sides


def shared_blocks(n: int, s: int, p: int, K: int, C: int) -> Shared:
    """Return the shapes of `Shared`."""
    return Shared(
        answer=(length(equation_derivatives(n, s)),),
        by_p=(n + s, p),
        surface_derivatives=(length(surface_derivatives(n, s, p)),),
        surface=(length(surface(n, s)),),
        right=((n + s) * max(K, C),),
        weights=(n, K),
        delta=(2 * n, K),
        along=(max(n, K, C),),
        taken=(s,),
    )


def explicit_blocks(n: int, K: int, S: int) -> ExplicitStages:
    """Return the shapes of `ExplicitStages`."""
    return ExplicitStages(x=(S, 2 * n), k=(S, 2 * n), K=(S, 2 * n * K))


def implicit_blocks(n: int, K: int, C: int, S: int) -> ImplicitStages:
    """Return the shapes of `ImplicitStages`."""
    return ImplicitStages(
        x=(S, 2 * n),
        a=(S, n),
        by_q=(S, n * n),
        by_v=(S, n * n),
        by_p=(S, n * C),
        square=(S, S),
        M=(S * n, S * n),
        pivots=(S * n,),
        right=(K + 1, S * n),
    )
